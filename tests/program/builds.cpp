// When a text is built, with which options, and how often.
#include "program_test.hpp"

#include <atomic>

namespace {

using namespace test;
using clutch::Buffer;
using clutch::Context;
using clutch::Device;
using clutch::Program;
using clutch::Queue;

TEST_CASE("a program is built at the first launch and not before")
{
    const LaunchBench bench;
    CHECK(calls([&] {
              const Program program = Program::from_source(two_kernels);
              const Scale scale{program, "scale"};
              static_cast<void>(program.generation());
          }) == 0);
    const Scale scale{Program::from_source(two_kernels), "scale"};
    CHECK(builds([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == 1);
}

TEST_CASE("a text is built once for a context and device")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    const Clear clear{program, "clear"};
    CHECK(builds([&] {
              scale(bench.queue, {1}, bench.data, 2.0f);
              scale(bench.queue, {1}, bench.data, 2.0f);
              clear(bench.queue, {1}, bench.data);
              Scale{program, "scale"}(bench.queue, {1}, bench.data, 2.0f);
              const Queue second{bench.queue.context(), bench.queue.device(), {.profiling = true}};
              scale(second, {1}, bench.data, 2.0f);
              scale(bench.queue.get(), {1}, bench.data, 2.0f);
              std::thread{[&] { scale(bench.queue, {1}, bench.data, 2.0f); }}.join();
              program.build(bench.queue);
          }) == 1);
    CHECK(bench.alive(Kind::program) == 1);
}

TEST_CASE("a text is built for each device and each context of its own")
{
    const CleanDriver clean;
    const auto devices = Device::all();
    const Context context{devices};
    const Queue first{context, devices[0]}, second{context, devices[1]}, elsewhere{devices[0]};
    const Program program = Program::from_source(two_kernels);
    CHECK(builds([&] { program.build(first); }) == 1);
    CHECK(builds([&] { program.build(second); }) == 1);
    CHECK(builds([&] { program.build(elsewhere); }) == 1);
    CHECK(builds([&] {
              program.build(first);
              program.build(second);
              program.build(elsewhere);
          }) == 0);
}

TEST_CASE("a text is built for the device of the queue alone")
{
    const CleanDriver clean;
    const auto devices = Device::all();
    const Queue queue{Context{devices}, devices[1]};
    const Program program = Program::from_source(two_kernels);
    clean.driver().reset();
    {
        const clutch_test::Recording recording;
        program.build(queue);
    }
    const auto records = clean.driver().records_of(Call::clBuildProgram);
    REQUIRE(records.size() == 1);
    CHECK(records[0]->values[1] == 1);
    const auto built = reinterpret_cast<cl_program>(records[0]->values[0]);
    const auto status_on = [&](const Device& device) {
        cl_build_status status = CL_BUILD_ERROR;
        REQUIRE(clGetProgramBuildInfo(built, device.get(), CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr) ==
                CL_SUCCESS);
        return status;
    };
    CHECK(status_on(devices[1]) == CL_BUILD_SUCCESS);
    CHECK(status_on(devices[0]) == CL_BUILD_NONE);
}

TEST_CASE("threads that launch a program for the first time at once build it once")
{
    const LaunchBench bench;
    const Scale scale{Program::from_source(two_kernels), "scale"};
    std::atomic<int> ready{0};
    in_threads(8, [&](int) {
        ++ready;
        while (ready < 8)
            std::this_thread::yield();
        for (int i = 0; i < 10; ++i)
            scale(bench.queue, {1}, bench.data, 2.0f);
    });
    CHECK(bench.driver().count(Call::clBuildProgram) == 1);
    CHECK(bench.driver().count(Call::clCreateProgramWithSource) == 1);
    CHECK(bench.driver().count(Call::clEnqueueNDRangeKernel) == 80);
}

TEST_CASE("build builds ahead of the launch")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    program.build(bench.queue);
    const Scale scale{program, "scale"};
    CHECK(builds([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == 0);
}

TEST_CASE("build takes a raw queue or a wrapper of one")
{
    const Bench bench;
    const Program program = Program::from_source(two_kernels);
    CHECK(builds([&] {
              program.build(bench.queue.get());
              program.build(GetWrapper<cl_command_queue>{bench.queue.get()});
              program.build(CallWrapper<cl_command_queue>{bench.queue.get()});
              program.build(bench.queue);
          }) == 1);
}

TEST_CASE("the text reaches the driver as it is")
{
    const Bench bench;
    const std::string text =
        "\xEF\xBB\xBF// \xC3\xA4 \t\r\n" + two_kernels + std::string(100000, ' ') + "// no newline";
    const Program program = Program::from_source(text);
    const auto built = built_by([&] { program.build(bench.queue); });
    REQUIRE(built.size() == 1);
    CHECK((source_of(built[0]) == text)); // not printed
}

TEST_CASE("build options reach the driver and argument information is asked for")
{
    const Bench bench;
    const auto options_given = [&](const char* options) {
        const Program program = Program::from_source(two_kernels, {.options = options});
        const auto built = built_by([&] { program.build(bench.queue); });
        REQUIRE(built.size() == 1);
        return options_of(built[0], bench.queue.device_handle());
    };
    CHECK(options_given("") == "-cl-kernel-arg-info");
    CHECK(options_given("-DA=1 -cl-fast-relaxed-math") == "-DA=1 -cl-fast-relaxed-math -cl-kernel-arg-info");
}

TEST_CASE("build options decide what is built")
{
    const LaunchBench bench;
    const std::string text = "#ifdef WIDE\nkernel void wide(global float* data) {}\n#else\n"
                             "kernel void narrow(global float* data) {}\n#endif";
    const Program wide = Program::from_source(text, {.options = "-D WIDE"}), narrow = Program::from_source(text);
    CHECK_NOTHROW(Clear{wide, "wide"}(bench.queue, {1}, bench.data));
    CHECK_NOTHROW(Clear{narrow, "narrow"}(bench.queue, {1}, bench.data));
    CHECK(code([&] { Clear{wide, "narrow"}(bench.queue, {1}, bench.data); }) == CL_INVALID_KERNEL_NAME);
}

TEST_CASE("a driver that does not know the option for argument information builds without it")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels, {.options = "-DA=1"});
    bench.driver().fail(Call::clBuildProgram, 1, CL_INVALID_BUILD_OPTIONS);
    const auto built = built_by([&] { program.build(bench.queue); });
    REQUIRE(built.size() == 2);
    CHECK(built[0] == built[1]);
    CHECK(options_of(built[1], bench.queue.device_handle()) == "-DA=1");
    const Scale scale{program, "scale"};
    CHECK(builds([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == 0);
}

TEST_CASE("two programs of one text are built each for itself")
{
    const Bench bench;
    const Program a = Program::from_source(two_kernels), b = Program::from_source(two_kernels);
    CHECK(a != b);
    CHECK(builds([&] {
              a.build(bench.queue);
              b.build(bench.queue);
          }) == 2);
    CHECK(bench.alive(Kind::program) == 2);
}

TEST_CASE("two kernels of one type with different programs run each its own")
{
    const LaunchBench bench;
    const std::string other_text = "kernel void scale(global float* data, float by) { data[0] = -by; }";
    const Scale a{Program::from_source(two_kernels), "scale"}, b{Program::from_source(other_text), "scale"};
    for (int i = 0; i < 3; ++i) {
        CHECK(text_run_by([&] { a(bench.queue, {1}, bench.data, 2.0f); }) == two_kernels);
        CHECK(text_run_by([&] { b(bench.queue, {1}, bench.data, 2.0f); }) == other_text);
    }
}

TEST_CASE("a program used in turn in more contexts than it keeps builds for is right in each")
{
    const CleanDriver clean;
    const auto before = live();
    const Alive alive;
    {
        const Program program = Program::from_source(two_kernels);
        const Scale scale{program, "scale"};
        std::vector<Queue> queues;
        for (int i = 0; i < 40; ++i)
            queues.emplace_back(Device::find("0:0"));
        for (int round = 0; round < 3; ++round)
            for (const Queue& queue : queues)
                CHECK_NOTHROW(scale(queue, {1}, Buffer<float>{queue, 1}, 2.0f));
        CHECK(alive(Kind::program) <= 33);
        CHECK(alive(Kind::kernel) <= 33);
        // The 32 asked for last are still there.
        CHECK(builds([&] {
                  for (std::size_t i = queues.size(); i-- > queues.size() - 32;)
                      scale(queues[i], {1}, Buffer<float>{queues[i], 1}, 2.0f);
              }) == 0);
    }
    CHECK(live() == before);
}

TEST_CASE("a thread goes on with a kernel whose build had to make room")
{
    const CleanDriver clean;
    const auto before = live();
    {
        const Program program = Program::from_source(two_kernels);
        const Scale scale{program, "scale"};
        const Queue queue{Device::find("0:0")};
        const Buffer<float> data{queue, 1};
        scale(queue, {1}, data, 2.0f);
        std::thread{[&] { // another thread's contexts push this one's build out
            for (int i = 0; i < 40; ++i) {
                const Queue other{Device::find("0:0")};
                scale(other, {1}, Buffer<float>{other, 1}, 2.0f);
            }
        }}
            .join();
        CHECK(makes_calls({Call::clSetKernelArg, Call::clSetKernelArg, Call::clEnqueueNDRangeKernel},
                          [&] { scale(queue, {1}, data, 2.0f); }));
        const Queue other{Device::find("0:0")};
        CHECK_NOTHROW(scale(other, {1}, Buffer<float>{other, 1}, 2.0f));
        CHECK_NOTHROW(scale(queue, {1}, data, 2.0f));
    }
    CHECK(live() == before);
}

} // namespace
