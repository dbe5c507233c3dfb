// The objects of OpenCL's own C++ bindings serve as queue, context and memory.
#include "device_test.hpp"

#if __has_include(<CL/opencl.hpp>)

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#include <CL/opencl.hpp>

#include <vector>

namespace {

using namespace test;
using clutch::Entry;
using clutch::Global;
using clutch::Kernel;

inline constexpr clutch::Source source{R"CLC(
kernel void twice(global int* y, global const int* x)
{
    size_t i = get_global_id(0);
    y[i] = 2 * x[i];
}
)CLC"};

constexpr Kernel<Entry<source, "twice">, Global<cl_int>, Global<const cl_int>> twice{};

} // namespace

TEST_CASE("A cl::Buffer serves as memory and a cl::CommandQueue as a queue")
{
    const clutch::Queue ours = clutch::default_queue();
    const cl::Context context{ours.context().get(), true};
    const cl::Device device{ours.device().get(), true};
    const cl::CommandQueue queue{context, device};
    std::vector<cl_int> values{1, 2, 3};
    const cl::Buffer x{context, values.begin(), values.end(), true}, y{context, CL_MEM_READ_WRITE, 3 * sizeof(cl_int)};
    twice(queue, {3}, y, x);
    twice.enqueue(queue, {.global = {3}, .local = {1}}, y, y).wait();
    cl::copy(queue, y, values.begin(), values.end());
    CHECK(values == std::vector<cl_int>{4, 8, 12});
}

TEST_CASE("A cl::Context and a cl::CommandQueue serve to make and to read a buffer")
{
    const clutch::Queue ours = clutch::default_queue();
    const cl::Context context{ours.context().get(), true};
    const cl::CommandQueue queue{ours.get(), true};
    const std::vector<cl_int> values{5, 6};
    const clutch::Buffer<cl_int> x{context, values}, y{queue, 2};
    twice(queue, {2}, y, x);
    std::vector<cl_int> result(2);
    y.read(queue, result);
    CHECK(result == std::vector<cl_int>{10, 12});
}

#else

TEST_CASE("A cl::Buffer serves as memory and a cl::CommandQueue as a queue")
{
    SKIP("CL/opencl.hpp is not installed");
}

#endif
