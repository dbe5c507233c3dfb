// What does not build or does not fit: one Error each, explained, and nothing left behind.
#include "program_test.hpp"

#include <atomic>
#include <system_error>

namespace {

using namespace test;
using clutch::BuildError;
using clutch::Global;
using clutch::Kernel;
using clutch::Program;
using clutch::Queue;

/// A text that the test driver's scanner refuses.
const std::string broken = "kernel void scale(global float* data, float by) {";

/// The BuildError that `work` throws.
template <class Work>
BuildError build_error(Work work)
{
    try {
        work();
    } catch (const BuildError& error) {
        return error;
    }
    FAIL("no BuildError");
    return {{}, "", {}};
}

std::string first_line(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

TEST_CASE("a text that does not build is a BuildError with program and device and log")
{
    const LaunchBench bench;
    const Program program = Program::from_source(broken, {.name = "my program"});
    const BuildError error = build_error([&] { program.build(bench.queue); });
    const std::string text = error.what();
    CHECK(holds(first_line(text), "'my program'"));
    CHECK(holds(first_line(text), "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)"));
    CHECK(holds(first_line(text), "'clutch test device 0'"));
    CHECK(holds(text, "program.cl:1: error: expected '}'"));
    CHECK(error.code() == std::error_code(CL_BUILD_PROGRAM_FAILURE, clutch::opencl_category()));
    REQUIRE(error.logs().size() == 1);
    CHECK(error.logs()[0].device == "clutch test device 0");
    CHECK(holds(error.logs()[0].text, "program.cl:1: error: expected '}'"));
}

TEST_CASE("a launch of a text that does not build is the same BuildError")
{
    const LaunchBench bench;
    const Program program = Program::from_source(broken);
    const Scale scale{program, "scale"};
    const std::string text = build_error([&] { program.build(bench.queue); }).what();
    CHECK(build_error([&] { scale(bench.queue, {1}, bench.data, 2.0f); }).what() == text);
    CHECK(build_error([&] { static_cast<void>(scale.enqueue(bench.queue, {1}, bench.data, 2.0f)); }).what() == text);
    CHECK(build_error([&] { static_cast<void>(scale.info(bench.queue)); }).what() == text);
    CHECK(scale.try_launch(bench.queue, {1}, bench.data, 2.0f).value() == CL_BUILD_PROGRAM_FAILURE);
}

TEST_CASE("a BuildError is an Error and a std::system_error")
{
    const LaunchBench bench;
    const Program program = Program::from_source(broken);
    CHECK_THROWS_AS(program.build(bench.queue), clutch::Error);
    CHECK_THROWS_AS(program.build(bench.queue), std::system_error);
}

TEST_CASE("a text that does not build leaves nothing behind in the driver once its program is dropped")
{
    const LaunchBench bench;
    const auto before = live();
    {
        const Scale scale{Program::from_source(broken), "scale"};
        CHECK(code([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == CL_BUILD_PROGRAM_FAILURE);
    }
    CHECK(live() == before);
}

TEST_CASE("a text that does not build is built once and its failure remembered")
{
    const LaunchBench bench;
    const Program program = Program::from_source(broken);
    const Scale scale{program, "scale"};
    const Clear clear{program, "clear"};
    CHECK(builds([&] {
              for (int i = 0; i < 3; ++i) {
                  CHECK(code([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == CL_BUILD_PROGRAM_FAILURE);
                  CHECK(code([&] { clear(bench.queue, {1}, bench.data); }) == CL_BUILD_PROGRAM_FAILURE);
                  CHECK(code([&] { program.build(bench.queue); }) == CL_BUILD_PROGRAM_FAILURE);
              }
          }) == 1);
}

TEST_CASE("a remembered failure is told in full each time and in each thread")
{
    const LaunchBench bench;
    const Program program = Program::from_source(broken);
    const Scale scale{program, "scale"};
    const std::string text = build_error([&] { program.build(bench.queue); }).what();
    std::array<std::string, 4> texts;
    in_threads(4, [&](int i) {
        try {
            scale(bench.queue, {1}, bench.data, 2.0f);
        } catch (const BuildError& error) {
            texts[static_cast<std::size_t>(i)] = error.what() + error.logs().at(0).text;
        }
    });
    for (const std::string& one : texts)
        CHECK(one == text + build_error([&] { program.build(bench.queue); }).logs()[0].text);
    CHECK(bench.driver().count(Call::clBuildProgram) == 1);
}

TEST_CASE("threads that meet a broken text at once get a BuildError each of one build")
{
    const LaunchBench bench;
    const Scale scale{Program::from_source(broken), "scale"};
    std::atomic<int> ready{0}, failed{0};
    in_threads(8, [&](int) {
        ++ready;
        while (ready < 8)
            std::this_thread::yield();
        for (int i = 0; i < 3; ++i)
            try {
                scale(bench.queue, {1}, bench.data, 2.0f);
            } catch (const BuildError&) {
                ++failed;
            }
    });
    CHECK(failed == 24);
    CHECK(bench.driver().count(Call::clBuildProgram) == 1);
    CHECK(bench.driver().count(Call::clEnqueueNDRangeKernel) == 0);
}

TEST_CASE("a failure is remembered for its context and device alone")
{
    const LaunchBench bench;
    const Program program = Program::from_source("#ifndef cl_khr_fp64\n#error no doubles\n#endif\n" + two_kernels);
    const Queue other{bench.queue.device()};
    set_extensions(bench, "");
    CHECK(code([&] { program.build(bench.queue); }) == CL_BUILD_PROGRAM_FAILURE);
    set_extensions(bench, "cl_khr_fp64");
    CHECK(code([&] { program.build(bench.queue); }) == CL_BUILD_PROGRAM_FAILURE);
    CHECK_NOTHROW(program.build(other));
}

TEST_CASE("a failure of a context that is gone is not another's at the same address")
{
    const Bench bench;
    bench.driver().reuse_addresses(true);
    const Program program = Program::from_source("#ifndef cl_khr_fp64\n#error no doubles\n#endif\n" + two_kernels);
    set_extensions(bench, "");
    {
        const Queue gone{bench.queue.device()};
        CHECK(code([&] { program.build(gone); }) == CL_BUILD_PROGRAM_FAILURE);
    }
    set_extensions(bench, "cl_khr_fp64");
    const Queue fresh{bench.queue.device()};
    CHECK_NOTHROW(program.build(fresh));
}

TEST_CASE("a failure of resources is tried anew by the next launch")
{
    const LaunchBench bench;
    for (cl_int failure : {CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, CL_COMPILER_NOT_AVAILABLE}) {
        const Scale scale{Program::from_source(two_kernels), "scale"};
        bench.driver().fail(Call::clBuildProgram, 1, failure);
        CHECK(code([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == failure);
        CHECK(builds([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == 1);
    }
}

TEST_CASE("a device without a compiler is an Error that says so")
{
    const LaunchBench bench;
    auto traits = bench.driver().traits(bench.queue.device_handle());
    traits.compiler_available = false;
    bench.driver().set_traits(bench.queue.device_handle(), traits);
    const Program program = Program::from_source(two_kernels, {.name = "my program"});
    const std::string text = message([&] { program.build(bench.queue); });
    CHECK(holds(text, "'my program'"));
    CHECK(holds(text, "CL_COMPILER_NOT_AVAILABLE (-3)"));
}

TEST_CASE("options that the driver refuses are a BuildError of one more try and remembered")
{
    const Bench bench;
    const Program program = Program::from_source(two_kernels, {.options = "-bogus"});
    CHECK(builds([&] { CHECK(code([&] { program.build(bench.queue); }) == CL_INVALID_BUILD_OPTIONS); }) == 2);
    CHECK(builds([&] { CHECK(code([&] { program.build(bench.queue); }) == CL_INVALID_BUILD_OPTIONS); }) == 0);
    CHECK(build_error([&] { program.build(bench.queue); }).logs().size() == 1);
}

TEST_CASE("a driver that gives no log is said to give none")
{
    const Bench bench;
    const Program program = Program::from_source(broken);
    bench.driver().fail_always(Call::clGetProgramBuildInfo, CL_OUT_OF_HOST_MEMORY);
    const BuildError error = build_error([&] { program.build(bench.queue); });
    CHECK(holds(error.what(), "gave no build log"));
    REQUIRE(error.logs().size() == 1);
    CHECK(error.logs()[0].text.empty());
}

TEST_CASE("a text that uses doubles on a device without them says so in its first line")
{
    const Bench bench;
    set_extensions(bench, "cl_khr_fp16");
    const Program program = Program::from_source("kernel void half_of(global double* x) { x[0] *= 0.5; }");
    const BuildError error = build_error([&] { program.build(bench.queue); });
    CHECK(holds(first_line(error.what()), "'clutch test device 0' has no double precision (cl_khr_fp64)"));
    CHECK(holds(error.logs()[0].text, "use of type 'double'"));
}

TEST_CASE("doubles that come in through the options are noticed too")
{
    const Bench bench;
    set_extensions(bench, "");
    const Program program =
        Program::from_source("kernel void half_of(global REAL* x) { x[0] *= 0.5; }", {.options = "-DREAL=double"});
    const BuildError error = build_error([&] { program.build(bench.queue); });
    CHECK(holds(error.logs()[0].text, "use of type 'double'"));
    CHECK(holds(first_line(error.what()), "cl_khr_fp64"));
}

TEST_CASE("a text that fails for another reason is not blamed on doubles")
{
    const Bench bench;
    const auto mentions = [&](const char* text) {
        const Program program = Program::from_source(text);
        return first_line(build_error([&] { program.build(bench.queue); }).what()).find("cl_khr_fp64") !=
               std::string::npos;
    };
    CHECK_FALSE(mentions("kernel void f(global double* x) {")); // the device has them
    set_extensions(bench, "");
    CHECK_FALSE(mentions("kernel void f(global float* x) {"));
    CHECK_FALSE(mentions("kernel void doubled(global float* x) {"));
    CHECK_FALSE(mentions("kernel void f(global float* double_sized) {"));
}

TEST_CASE("a kernel that the program does not have is an Error that lists those it has")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels, {.name = "my program"});
    const Scale missing{program, "sclae"};
    const std::string text = message([&] { missing(bench.queue, {1}, bench.data, 2.0f); });
    CHECK(holds(text, "sclae: clCreateKernel: CL_INVALID_KERNEL_NAME (-46)"));
    CHECK(holds(text, "'my program'"));
    CHECK(holds(text, "scale"));
    CHECK(holds(text, "clear"));
    CHECK(code([&] { missing(bench.queue, {1}, bench.data, 2.0f); }) == CL_INVALID_KERNEL_NAME);
    CHECK(missing.try_launch(bench.queue, {1}, bench.data, 2.0f).value() == CL_INVALID_KERNEL_NAME);
    CHECK(bench.driver().count(Call::clBuildProgram) == 1);
}

TEST_CASE("a program without kernels is said to have none")
{
    const LaunchBench bench;
    const Program program = Program::from_source("constant int nothing = 0;", {.name = "my program"});
    const std::string text = message([&] { Clear{program, "clear"}(bench.queue, {1}, bench.data); });
    CHECK(holds(text, "'my program'"));
    CHECK(holds(text, "no kernels"));
}

TEST_CASE("an empty text is an Error that names the program")
{
    const LaunchBench bench;
    const Program program = Program::from_source("", {.name = "my program"});
    const std::string text = message([&] { Clear{program, "clear"}(bench.queue, {1}, bench.data); });
    CHECK(holds(text, "'my program'"));
}

TEST_CASE("another number of parameters is an Error with both and the kernel's own list")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Kernel<Global<float>, float, float> more{program, "scale"};
    const Kernel<Global<float>> fewer{program, "scale"};
    CHECK(code([&] { more(bench.queue, {1}, bench.data, 1.0f, 2.0f); }) == CL_INVALID_KERNEL_ARGS);
    CHECK(code([&] { fewer(bench.queue, {1}, bench.data); }) == CL_INVALID_KERNEL_ARGS);
    const std::string text_more = message([&] { more(bench.queue, {1}, bench.data, 1.0f, 2.0f); });
    CHECK(holds(text_more, "scale: CL_INVALID_KERNEL_ARGS (-52)"));
    CHECK(holds(text_more, "declares 3 parameters"));
    CHECK(holds(text_more, "has 2: scale(global float* data, float by)"));
    const std::string text_fewer = message([&] { fewer(bench.queue, {1}, bench.data); });
    CHECK(holds(text_fewer, "declares 1 parameter"));
    CHECK(holds(text_fewer, "has 2: scale(global float* data, float by)"));
    CHECK(bench.driver().count(Call::clSetKernelArg) == 0);
    CHECK(bench.driver().count(Call::clEnqueueNDRangeKernel) == 0);
}

TEST_CASE("another number of parameters is an Error without argument information too")
{
    const LaunchBench bench;
    auto traits = bench.driver().traits(bench.queue.device_handle());
    traits.argument_info = clutch_test::ArgumentInfo::never;
    bench.driver().set_traits(bench.queue.device_handle(), traits);
    const Kernel<Global<float>> fewer{Program::from_source(two_kernels), "scale"};
    const std::string text = message([&] { fewer(bench.queue, {1}, bench.data); });
    CHECK(holds(text, "declares 1 parameter"));
    CHECK(holds(text, "has 2: scale(2 parameters)"));
}

TEST_CASE("the kernel's own list names address spaces and types")
{
    const LaunchBench bench;
    const Program program =
        Program::from_source("kernel void all(global const float4* a, constant int* b, local uchar* c, ulong d) {}");
    const Clear none{program, "all"};
    CHECK(holds(message([&] { none(bench.queue, {1}, bench.data); }),
                "all(global float4* a, constant int* b, local uchar* c, ulong d)"));
}

TEST_CASE("a wrong number of parameters makes no kernel more each time")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Kernel<Global<float>> fewer{program, "scale"};
    for (int i = 0; i < 10; ++i)
        CHECK(code([&] { fewer(bench.queue, {1}, bench.data); }) == CL_INVALID_KERNEL_ARGS);
    CHECK(bench.alive(Kind::kernel) <= 1);
    const Scale right{program, "scale"};
    CHECK_NOTHROW(right(bench.queue, {1}, bench.data, 2.0f));
    CHECK(bench.alive(Kind::kernel) == 1);
}

TEST_CASE("a kernel that failed does not keep another of its type from running")
{
    const LaunchBench bench;
    const Program good = Program::from_source(two_kernels), bad = Program::from_source(broken);
    const Scale right{good, "scale"}, missing{good, "sclae"}, unbuilt{bad, "scale"};
    right(bench.queue, {1}, bench.data, 2.0f);
    for (int i = 0; i < 3; ++i) {
        CHECK(code([&] { missing(bench.queue, {1}, bench.data, 2.0f); }) == CL_INVALID_KERNEL_NAME);
        CHECK(code([&] { unbuilt(bench.queue, {1}, bench.data, 2.0f); }) == CL_BUILD_PROGRAM_FAILURE);
        CHECK(text_run_by([&] { right(bench.queue, {1}, bench.data, 2.0f); }) == two_kernels);
    }
}

TEST_CASE("a program that was moved from is an Error to whatever needs one")
{
    const LaunchBench bench;
    Program source = Program::from_source(two_kernels);
    const Program program = std::move(source);
    CHECK_FALSE(source); // NOLINT: moved from on purpose
    CHECK(program);
    CHECK(code([&] { source.build(bench.queue); }) == CL_INVALID_PROGRAM);
    CHECK(code([&] { source.replace(two_kernels); }) == CL_INVALID_PROGRAM);
    CHECK(code([&] { static_cast<void>(source.generation()); }) == CL_INVALID_PROGRAM);
    CHECK(code([&] { const Scale scale(source, "scale"); }) == CL_INVALID_PROGRAM);
    CHECK(holds(message([&] { source.build(bench.queue); }), "moved from"));
}

TEST_CASE("building for an empty queue is an Error that says so")
{
    const CleanDriver clean;
    const Program program = Program::from_source(two_kernels);
    CHECK(code([&] { program.build(static_cast<cl_command_queue>(nullptr)); }) == CL_INVALID_COMMAND_QUEUE);
    CHECK(code([&] { program.build(Queue{}); }) == CL_INVALID_COMMAND_QUEUE);
    CHECK(clean.driver().count(Call::clCreateProgramWithSource) == 0);
}

TEST_CASE("a first launch reports the driver's refusal at each call")
{
    const LaunchBench bench;
    const std::array after{bench.data.fill_async(bench.queue, 0.0f)};
    fail_each_call_of([&] { Program::from_source(two_kernels).build(bench.queue); });
    fail_each_call_of([&] { Program::from_source(two_kernels).build(bench.queue.get()); });
    fail_each_call_of([&] {
        const Scale scale{Program::from_source(two_kernels), "scale"};
        scale(bench.queue, {1}, bench.data, 2.0f);
    });
    fail_each_call_of([&] {
        const Scale scale{Program::from_source(two_kernels), "scale"};
        static_cast<void>(scale.enqueue(bench.queue, {.global = {4}, .local = {2}, .after = after}, bench.data, 2.0f));
    });
    fail_each_call_of([&] {
        const Scale scale{Program::from_source(two_kernels), "scale"};
        scale(bench.queue.get(), {1}, bench.data, 2.0f);
    });
}

TEST_CASE("try_launch returns the driver's code at each call of a first launch")
{
    const LaunchBench bench;
    const auto made = calls_of([&] {
        const Scale scale{Program::from_source(two_kernels), "scale"};
        CHECK_FALSE(scale.try_launch(bench.queue, {1}, bench.data, 2.0f));
    });
    std::map<Call, unsigned> seen;
    for (Call call : made) {
        if (is_release(call))
            continue;
        const unsigned nth = ++seen[call];
        INFO("call " << nth << " of " << clutch_test::name(call));
        const auto before = live();
        {
            const Scale scale{Program::from_source(two_kernels), "scale"};
            bench.driver().fail(call, nth, CL_OUT_OF_RESOURCES);
            const std::error_code code = scale.try_launch(bench.queue, {1}, bench.data, 2.0f);
            CHECK(code == std::error_code(CL_OUT_OF_RESOURCES, clutch::opencl_category()));
            CHECK_FALSE(scale.try_launch(bench.queue, {1}, bench.data, 2.0f)); // the same kernel, without the failure
        }
        CHECK(live() == before);
    }
    CHECK(seen.size() == 6);
}

TEST_CASE("the same kernel launches after its first launch failed at any call")
{
    const LaunchBench bench;
    const std::array calls_made{Call::clCreateProgramWithSource, Call::clBuildProgram, Call::clCreateKernel,
                                Call::clGetKernelInfo,           Call::clSetKernelArg, Call::clEnqueueNDRangeKernel};
    for (Call call : calls_made) {
        INFO(clutch_test::name(call));
        const auto before = live();
        {
            const Scale scale{Program::from_source(two_kernels), "scale"};
            bench.driver().fail(call, 1, CL_OUT_OF_RESOURCES);
            CHECK(code([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == CL_OUT_OF_RESOURCES);
            CHECK(text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == two_kernels);
            CHECK(bench.alive(Kind::kernel) == 1);
            CHECK(bench.alive(Kind::program) == 1);
        }
        CHECK(live() == before);
    }
}

} // namespace
