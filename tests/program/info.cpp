// KernelInfo: what the driver knows of a kernel.
#include "program_test.hpp"

namespace {

using namespace test;
using clutch::Constant;
using clutch::Global;
using clutch::Kernel;
using clutch::KernelInfo;
using clutch::Local;
using clutch::Program;

const std::string text = "kernel __attribute__((reqd_work_group_size(8, 4, 2)))\n"
                         "void all(global const float4* a, constant int* table, local uchar* scratch,\n"
                         "                ulong n, unsigned int m) {}\n"
                         "kernel void plain(int n) {}\n"
                         "kernel void none() {}\n";
using All = Kernel<Global<const cl_float4>, Constant<cl_int>, Local<cl_uchar>, cl_ulong, cl_uint>;

template <class T>
T raw(cl_kernel kernel, const clutch::Queue& queue, cl_kernel_work_group_info param)
{
    T value{};
    REQUIRE(clGetKernelWorkGroupInfo(kernel, queue.device_handle(), param, sizeof value, &value, nullptr) ==
            CL_SUCCESS);
    return value;
}

TEST_CASE("a kernel's information has its name and its parameters in order")
{
    const Bench bench;
    const KernelInfo info = All{Program::from_source(text), "all"}.info(bench.queue);
    CHECK(info.name == "all");
    REQUIRE(info.parameters.size() == 5);
    const auto is = [&](std::size_t i, const char* type, const char* name, cl_kernel_arg_address_qualifier space) {
        CHECK(info.parameters[i].type == type);
        CHECK(info.parameters[i].name == name);
        CHECK(info.parameters[i].address_space == space);
    };
    is(0, "float4*", "a", CL_KERNEL_ARG_ADDRESS_GLOBAL);
    is(1, "int*", "table", CL_KERNEL_ARG_ADDRESS_CONSTANT);
    is(2, "uchar*", "scratch", CL_KERNEL_ARG_ADDRESS_LOCAL);
    is(3, "ulong", "n", CL_KERNEL_ARG_ADDRESS_PRIVATE);
    is(4, "uint", "m", CL_KERNEL_ARG_ADDRESS_PRIVATE);
}

TEST_CASE("a kernel's information has its sizes on the queue's device")
{
    const Bench bench;
    auto traits = bench.driver().traits(bench.queue.device_handle());
    traits.max_work_group_size = 96;
    traits.preferred_multiple = 12;
    bench.driver().set_traits(bench.queue.device_handle(), traits);
    const Program program = Program::from_source(text);
    const KernelInfo info = All{program, "all"}.info(bench.queue);
    CHECK(info.max_work_group_size == 96);
    CHECK(info.preferred_multiple == 12);
    CHECK(info.required_work_group_size == std::array<std::size_t, 3>{8, 4, 2});
    const KernelInfo plain = Kernel<cl_int>{program, "plain"}.info(bench.queue);
    CHECK(plain.required_work_group_size == std::array<std::size_t, 3>{});
    CHECK(plain.local_bytes == 0);
}

TEST_CASE("a kernel's information has the local and private memory that the driver tells")
{
    const Bench bench;
    const All all{Program::from_source(text), "all"};
    const clutch::Buffer<cl_float4> a{bench.queue, 1};
    const clutch::Buffer<cl_int> table{bench.queue, 1};
    cl_kernel kernel = nullptr;
    {
        const clutch_test::Recording recording;
        all(bench.queue, {{8, 4, 2}, {8, 4, 2}}, a, table, clutch::local<cl_uchar>(100), 1u, 2u);
        kernel = bench.driver().records_of(Call::clEnqueueNDRangeKernel).at(0)->kernel;
    }
    const KernelInfo info = all.info(bench.queue);
    CHECK(info.local_bytes == 100);
    CHECK(info.local_bytes == raw<cl_ulong>(kernel, bench.queue, CL_KERNEL_LOCAL_MEM_SIZE));
    CHECK(info.private_bytes == raw<cl_ulong>(kernel, bench.queue, CL_KERNEL_PRIVATE_MEM_SIZE));
}

TEST_CASE("a kernel without parameters has none in its information")
{
    const Bench bench;
    const KernelInfo info = Kernel<>{Program::from_source(text), "none"}.info(bench.queue);
    CHECK(info.name == "none");
    CHECK(info.parameters.empty());
}

TEST_CASE("without argument information the parameters are there and unnamed")
{
    const Bench bench;
    auto traits = bench.driver().traits(bench.queue.device_handle());
    traits.argument_info = clutch_test::ArgumentInfo::never;
    bench.driver().set_traits(bench.queue.device_handle(), traits);
    const KernelInfo info = All{Program::from_source(text), "all"}.info(bench.queue);
    CHECK(info.name == "all");
    REQUIRE(info.parameters.size() == 5);
    for (const clutch::ParameterInfo& parameter : info.parameters) {
        CHECK(parameter.type.empty());
        CHECK(parameter.name.empty());
        CHECK(parameter.address_space == 0);
    }
}

TEST_CASE("information is had before and after a launch with one build and one kernel")
{
    const LaunchBench bench;
    const Scale scale{Program::from_source(two_kernels), "scale"};
    CHECK(scale.info(bench.queue).name == "scale");
    scale(bench.queue, {1}, bench.data, 2.0f);
    CHECK(scale.info(bench.queue.get()).name == "scale");
    CHECK(bench.driver().count(Call::clBuildProgram) == 1);
    CHECK(bench.driver().count(Call::clCreateKernel) == 1);
    CHECK(makes_calls({Call::clSetKernelArg, Call::clSetKernelArg, Call::clEnqueueNDRangeKernel},
                      [&] { scale(bench.queue, {1}, bench.data, 2.0f); }));
}

TEST_CASE("information of kernels of one type is of each its own")
{
    const Bench bench;
    const Program program = Program::from_source("kernel void a(global float* first, float by) {}\n"
                                                 "kernel void b(global float* second, float by) {}");
    const Scale a{program, "a"}, b{program, "b"};
    for (int i = 0; i < 2; ++i) {
        CHECK(a.info(bench.queue).parameters.at(0).name == "first");
        CHECK(b.info(bench.queue).parameters.at(0).name == "second");
    }
}

TEST_CASE("information reports the driver's refusal at each call")
{
    const Bench bench;
    fail_each_call_of(
        [&] {
            static_cast<void>(All{Program::from_source(text), "all"}.info(bench.queue));
        },
        {Call::clGetKernelArgInfo});
}

} // namespace
