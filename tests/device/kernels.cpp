// Kernels and programs: each kernel object runs its own code, whichever form it has and whatever is launched beside it.
#include "device_test.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace test;
using clutch::Entry;
using clutch::Global;
using clutch::Kernel;
using clutch::Program;
using clutch::ProgramOptions;

inline constexpr clutch::Source source{R"CLC(
kernel void one(global int* out) { out[0] = 1; }
kernel void two(global int* out) { out[0] = 2; }
)CLC"};

// A program of its own for the test that replaces it: tests may run in one process, in any order.
inline constexpr clutch::Source replaceable{"kernel void k(global int* out) { out[0] = 1; }"};

using RunTime = Kernel<Global<cl_int>>;
constexpr Kernel<Entry<source, "one">, Global<cl_int>> one{};
constexpr Kernel<Entry<source, "two">, Global<cl_int>> two{};

/// A program whose kernel `k` writes `number`.
Program writing(int number)
{
    return Program::from_source("kernel void k(global int* out) { out[0] = " + std::to_string(number) + "; }");
}

/// The number that a kernel writes.
template <class K>
cl_int run(const K& k)
{
    const clutch::Queue queue = clutch::default_queue();
    const auto out = filled<cl_int>(queue, 1, -1);
    k(queue, {1}, out);
    return first(queue, out);
}

} // namespace

TEST_CASE("The stated and the run-time form of a kernel do the same")
{
    const auto program = Program::from_source(std::string{source.text()});
    CHECK(run(one) == 1);
    CHECK(run(RunTime{program, "one"}) == 1);
    CHECK(run(two) == 2);
    CHECK(run(RunTime{program, "two"}) == 2);
}

TEST_CASE("The program behind a Source serves run-time kernels too")
{
    const auto program = clutch::program<source>();
    CHECK(run(RunTime{program, "two"}) == 2);
    CHECK(program == one.program());
}

TEST_CASE("Stated kernels with the same parameters never get each other's code")
{
    for (int i = 0; i < 5; ++i) {
        CHECK(run(one) == 1);
        CHECK(run(two) == 2);
    }
}

TEST_CASE("Run-time kernels of one type and program, with different names, never get each other's code")
{
    const auto program = Program::from_source(std::string{source.text()});
    const RunTime a{program, "one"}, b{program, "two"};
    for (int i = 0; i < 5; ++i) {
        CHECK(run(a) == 1);
        CHECK(run(b) == 2);
        CHECK(run(b) == 2);
    }
}

TEST_CASE("Run-time kernels of one type and name, of different programs, never get each other's code")
{
    std::vector<RunTime> kernels;
    for (int number = 0; number < 4; ++number)
        kernels.emplace_back(writing(number), "k");
    for (int round = 0; round < 3; ++round)
        for (int number = 0; number < 4; ++number)
            CHECK(run(kernels[static_cast<std::size_t>(number)]) == number);
}

TEST_CASE("A program made after another was dropped never runs the dropped one's code")
{
    for (int number = 0; number < 8; ++number)
        CHECK(run(RunTime{writing(number), "k"}) == number);
}

TEST_CASE("Programs of one text with different options never get each other's code")
{
    const std::string text = "kernel void k(global int* out) { out[0] = NUMBER; }";
    const RunTime three{Program::from_source(text, {.options = "-DNUMBER=3"}), "k"};
    const RunTime four{Program::from_source(text, {.options = "-DNUMBER=4"}), "k"};
    for (int i = 0; i < 3; ++i) {
        CHECK(run(three) == 3);
        CHECK(run(four) == 4);
    }
}

TEST_CASE("A kernel keeps its program alive")
{
    const RunTime kernel = [] { return RunTime{writing(5), "k"}; }();
    CHECK(run(kernel) == 5);
    CHECK(run(kernel) == 5);
}

TEST_CASE("A copy of a kernel runs the same code, and an assigned one the code it was assigned")
{
    const RunTime six{writing(6), "k"};
    RunTime other = six;
    CHECK(run(other) == 6);
    other = RunTime{writing(7), "k"};
    CHECK(run(other) == 7);
    CHECK(run(six) == 6);
}

TEST_CASE("A program of a file runs the file's text")
{
    const auto path = std::filesystem::temp_directory_path() / "clutch_device_test_kernels.cl";
    std::ofstream{path} << "kernel void k(global int* out) { out[0] = 8; }\n";
    const auto program = Program::from_file(path);
    std::filesystem::remove(path);
    CHECK(run(RunTime{program, "k"}) == 8);
}

TEST_CASE("After a replacement every launch runs the new text")
{
    const auto program = writing(1);
    const RunTime kernel{program, "k"};
    const RunTime copy = kernel;
    CHECK(run(kernel) == 1);
    for (int number = 2; number < 8; ++number) {
        program.replace("kernel void k(global int* out) { out[0] = " + std::to_string(number) + "; }");
        CHECK(run(kernel) == number);
        CHECK(run(copy) == number);
        CHECK(run(kernel) == number);
    }
}

TEST_CASE("The program of a Source can be replaced, and stated kernels run the new text")
{
    constexpr Kernel<Entry<replaceable, "k">, Global<cl_int>> kernel{};
    CHECK(run(kernel) == 1);
    kernel.program().replace("kernel void k(global int* out) { out[0] = 2; }");
    CHECK(run(kernel) == 2);
}

TEST_CASE("A launch that is enqueued before a replacement runs the old text, one after it the new", "[all-devices]")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Queue other{queue.context(), queue.device()};
    const auto program = writing(1);
    const RunTime kernel{program, "k"};
    const auto before = filled<cl_int>(queue, 1, -1), after = filled<cl_int>(queue, 1, -1);
    Gate gate{queue};
    kernel(queue, {.global = {1}, .after = gate.list()}, before);
    program.replace("kernel void k(global int* out) { out[0] = 2; }");
    kernel(other, {1}, after);
    CHECK(first(other, after) == 2);
    gate.open();
    CHECK(first(queue, before) == 1);
}

TEST_CASE("A replacement that does not build is the error of each launch, until the next one mends it")
{
    const auto program = writing(1);
    const RunTime kernel{program, "k"};
    CHECK(run(kernel) == 1);
    program.replace("kernel void k(global int* out) { this is no program }");
    for (int i = 0; i < 2; ++i)
        CHECK_THROWS_AS(run(kernel), clutch::BuildError);
    program.replace("kernel void k(global int* out) { out[0] = 3; }");
    CHECK(run(kernel) == 3);
}

TEST_CASE("A replacement may bring other kernels")
{
    const auto program = writing(1);
    const RunTime k{program, "k"}, added{program, "added"};
    CHECK(run(k) == 1);
    CHECK(code([&] { run(added); }) == CL_INVALID_KERNEL_NAME);
    program.replace("kernel void added(global int* out) { out[0] = 9; }");
    CHECK(run(added) == 9);
    CHECK(code([&] { run(k); }) == CL_INVALID_KERNEL_NAME);
}

TEST_CASE("A program can be built before its first launch")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto program = writing(4);
    program.build(queue);
    CHECK(run(RunTime{program, "k"}) == 4);
    const auto broken = Program::from_source("kernel void k( {");
    CHECK_THROWS_AS(broken.build(queue), clutch::BuildError);
}

TEST_CASE("A failed launch returns its code from try_launch, and the next one runs")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto program = Program::from_source("kernel void k(global int* out, int a) { out[0] += a; }");
    const Kernel<Global<cl_int>, cl_int> k{program, "k"};
    const auto out = filled<cl_int>(queue, 1, 0);
    CHECK_FALSE(k.try_launch(queue, {1}, out, 1));
    CHECK(k.try_launch(queue, {-1}, out, 10).value() == CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK(k.try_launch(queue, {{10}, {3}}, out, 100).value() == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(k.try_launch(queue, {1}, out, 1LL << 40).value() == CL_INVALID_ARG_VALUE);
    CHECK_FALSE(k.try_launch(queue, {1}, out, 1000));
    CHECK(first(queue, out) == 1001);
}

TEST_CASE("try_launch gives the code of a program that does not build, and of a kernel that is not there")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto out = filled<cl_int>(queue, 1, 0);
    const RunTime broken{Program::from_source("kernel void k( {"), "k"};
    CHECK(broken.try_launch(queue, {1}, out) == std::error_code(CL_BUILD_PROGRAM_FAILURE, clutch::opencl_category()));
    CHECK(RunTime{writing(1), "absent"}.try_launch(queue, {1}, out).value() == CL_INVALID_KERNEL_NAME);
}

TEST_CASE("info tells the kernel's name, and the names, types and address spaces of its parameters")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto program = Program::from_source(
        "kernel void axpy(global float* y, constant float* x, local int* scratch, float a, uint4 v) { y[0] = a; }");
    const Kernel<Global<float>, clutch::Constant<float>, clutch::Local<cl_int>, float, cl_uint4> axpy{program, "axpy"};
    const clutch::KernelInfo info = axpy.info(queue);
    CHECK(info.name == "axpy");
    std::string parameters;
    std::vector<cl_kernel_arg_address_qualifier> spaces;
    for (const auto& parameter : info.parameters) {
        parameters += parameter.type + " " + parameter.name + ";";
        spaces.push_back(parameter.address_space);
    }
    CHECK(parameters == "float* y;float* x;int* scratch;float a;uint4 v;");
    CHECK(spaces == std::vector<cl_kernel_arg_address_qualifier>{
                        CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL,
                        CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_PRIVATE});
}

TEST_CASE("info tells work-group sizes that the device can run")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto program = Program::from_source("kernel void k(global int* out) { out[get_global_id(0)] = 1; }");
    const RunTime k{program, "k"};
    const clutch::KernelInfo info = k.info(queue);
    CHECK(info.required_work_group_size == std::array<std::size_t, 3>{0, 0, 0});
    CHECK(info.preferred_multiple >= 1);
    CHECK(info.max_work_group_size >= info.preferred_multiple);
    CHECK(info.max_work_group_size <= queue.device().max_work_group_size());
    const auto out = filled<cl_int>(queue, info.max_work_group_size, 0);
    k(queue, {{info.max_work_group_size}, {info.max_work_group_size}}, out);
    CHECK(contents(queue, out) == std::vector<cl_int>(info.max_work_group_size, 1));
}

TEST_CASE("info tells the work-group size and the local memory that a kernel's text fixes")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto program = Program::from_source(R"CLC(
        kernel __attribute__((reqd_work_group_size(8, 4, 1))) void k(global int* out)
        {
            local int shared[64];
            size_t i = get_local_id(0) + 8 * get_local_id(1);
            shared[i] = out[i];
            shared[63 - i] = out[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            out[i] = shared[i + 32] + shared[31 - i];
        })CLC");
    const clutch::KernelInfo info = RunTime{program, "k"}.info(queue);
    CHECK(info.required_work_group_size == std::array<std::size_t, 3>{8, 4, 1});
    CHECK(info.local_bytes >= 64 * sizeof(cl_int));
    CHECK(info.local_bytes <= queue.device().local_memory_size());
}
