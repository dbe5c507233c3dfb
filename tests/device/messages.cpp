// What an Error says when a real driver refuses.
#include "device_test.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace {

using namespace test;
using clutch::Global;
using clutch::Kernel;
using clutch::Local;
using clutch::Program;

/// A program with a name for messages; not a Source, whose name would be this file's.
const Program& program()
{
    static const Program result = Program::from_source(R"CLC(
        kernel void store(global int* out, int a) { out[get_global_id(0)] = a; }
        kernel __attribute__((reqd_work_group_size(8, 4, 1))) void tiled(global int* out) { out[0] = 1; }
        kernel void share(global int* out, local int* t) { t[0] = 1; out[0] = t[0]; }
        )CLC",
                                                       {.name = "messages.cl"});
    return result;
}

/// The message of a launch of `store`, which has run for no work-item.
std::string refused(const clutch::Launch& launch)
{
    const clutch::Queue queue = clutch::default_queue();
    const Kernel<Global<cl_int>, cl_int> store{program(), "store"};
    const auto out = filled<cl_int>(queue, 4, 5);
    const std::string result = message([&] { store(queue, launch, out, 6); });
    CHECK(contents(queue, out) == std::vector<cl_int>(4, 5));
    return result;
}

} // namespace

TEST_CASE("A local size that does not divide: the dimension, both sizes and the remedy")
{
    CHECK_CONTAINS(refused({.global = {10}, .local = {3}}),
                   "store: clEnqueueNDRangeKernel: CL_INVALID_WORK_GROUP_SIZE (-54): global size 10 in dimension 0 is "
                   "not a multiple of local size 3; round_up gives 12");
    CHECK_CONTAINS(refused({.global = {16, 9}, .local = {4, 2}}),
                   "global size 9 in dimension 1 is not a multiple of local size 2; round_up gives 10");
}

TEST_CASE("A local size over the device's limit for a dimension: the dimension, the size and the limit")
{
    const auto limits = clutch::default_queue().device().max_work_item_sizes();
    const std::size_t size = 2 * limits.at(2);
    CHECK_CONTAINS(refused({.global = {1, 1, size}, .local = {1, 1, size}}),
                   "local size " + std::to_string(size) + " in dimension 2, the device's limit there is " +
                       std::to_string(limits.at(2)));
}

TEST_CASE("A work-group over the kernel's limit: its size in work-items and the limit")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto limits = queue.device().max_work_item_sizes();
    const std::size_t most = Kernel<Global<cl_int>, cl_int>{program(), "store"}.info(queue).max_work_group_size;
    const std::size_t w = limits.at(0), h = 2 * most / limits.at(0);
    if (h < 2 || h > limits.at(1))
        SKIP("the device takes no work-group of " + std::to_string(w) + " by " + std::to_string(h) + " work-items");
    CHECK_CONTAINS(refused({.global = {w, h}, .local = {w, h}}),
                   "a work-group of " + std::to_string(w) + " x " + std::to_string(h) + " = " + std::to_string(w * h) +
                       " work-items, the limit for this kernel on this device is " + std::to_string(most));
}

TEST_CASE("Another work-group size than the kernel requires: both")
{
    const clutch::Queue queue = clutch::default_queue();
    const Kernel<Global<cl_int>> tiled{program(), "tiled"};
    const clutch::Buffer<cl_int> out{queue, 1};
    CHECK_CONTAINS(message([&] {
                       tiled(queue, {{16, 16}, {4, 4}}, out);
                   }),
                   "local size 4 x 4, the kernel requires 8 x 4 x 1 (reqd_work_group_size)");
}

TEST_CASE("Too few or too many parameters: both numbers and the kernel's own list")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> out{queue, 1};
    const Kernel<Global<cl_int>> few{program(), "store"};
    const std::string too_few = message([&] { few(queue, {1}, out); });
    CHECK_CONTAINS(too_few, "store: CL_INVALID_KERNEL_ARGS (-52)");
    CHECK_CONTAINS(too_few, "declares 1 parameter");
    CHECK_CONTAINS(too_few, "the kernel has 2: store(global int* out, int a)");
    const Kernel<Global<cl_int>, cl_int, float> many{program(), "store"};
    CHECK_CONTAINS(message([&] { many(queue, {1}, out, 1, 2); }), "declares 3 parameters, the kernel has 2: store(");
}

TEST_CASE("A kernel that the program does not have: the names of those it has")
{
    const clutch::Queue queue = clutch::default_queue();
    const Kernel<> absent{program(), "stroe"};
    const std::string text = message([&] { absent(queue, {1}); });
    CHECK_CONTAINS(text, "stroe: clCreateKernel: CL_INVALID_KERNEL_NAME (-46): program 'messages.cl'");
    CHECK_CONTAINS(text, "store");
    CHECK_CONTAINS(text, "tiled");
}

TEST_CASE("A parameter of another size: the argument, its place and both sizes")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> out{queue, 1};
    const Kernel<Global<cl_int>, cl_long> wide{program(), "store"};
    CHECK_CONTAINS(message([&] { wide(queue, {1}, out, 1); }),
                   "store: argument 1 'a': clSetKernelArg: CL_INVALID_ARG_SIZE (-51): 8 bytes given, 4 expected");
    const Kernel<Global<cl_int>, cl_char> narrow{program(), "store"};
    CHECK_CONTAINS(message([&] { narrow(queue, {1}, out, 1); }), "1 bytes given, 4 expected");
}

TEST_CASE("A number that its parameter cannot hold: the argument, the number and the limits")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> out{queue, 1};
    const Kernel<Global<cl_int>, cl_int> store{program(), "store"};
    CHECK_CONTAINS(message([&] { store(queue, {1}, out, 1LL << 31); }),
                   "store: argument 1 'a': CL_INVALID_ARG_VALUE (-50): 2147483648 is not within -2147483648 to "
                   "2147483647");
}

TEST_CASE("Local memory of no size: the argument and its count")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> out{queue, 1};
    const Kernel<Global<cl_int>, Local<cl_int>> share{program(), "share"};
    CHECK_CONTAINS(message([&] { share(queue, {1}, out, clutch::local<cl_int>(0)); }),
                   "share: argument 1 't': CL_INVALID_ARG_SIZE (-51): local memory of 0 elements");
}

TEST_CASE("More local memory than the device has: an error that says how much there is")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Device device = queue.device();
    if (device.platform().name() == "Portable Computing Language")
        SKIP("PoCL takes any size of local memory, and its launch then crashes");
    const clutch::Buffer<cl_int> out{queue, 1};
    const Kernel<Global<cl_int>, Local<cl_int>> share{program(), "share"};
    CHECK_CONTAINS(message([&] { share(queue, {1}, out, clutch::local<cl_int>(device.local_memory_size())); }),
                   std::to_string(device.local_memory_size()));
}

TEST_CASE("A program that does not build: its name, the device and the compiler's log")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto broken = Program::from_source("kernel void k(global int* out)\n{\n    out[0] = undeclared_name;\n}\n",
                                             {.name = "broken.cl"});
    const Kernel<Global<cl_int>> k{broken, "k"};
    const clutch::Buffer<cl_int> out{queue, 1};
    try {
        k(queue, {1}, out);
        FAIL("the program was built");
    } catch (const clutch::BuildError& error) {
        CHECK(error.code() == std::error_code(CL_BUILD_PROGRAM_FAILURE, clutch::opencl_category()));
        CHECK_CONTAINS(error.what(), "program 'broken.cl': clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)");
        CHECK_CONTAINS(error.what(), "undeclared_name");
        REQUIRE(error.logs().size() == 1);
        CHECK(error.logs()[0].device == queue.device().name());
        CHECK_CONTAINS(error.logs()[0].text, "undeclared_name");
    }
}

TEST_CASE("A build option that the compiler does not know: an error that names it")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto broken = Program::from_source("kernel void k() {}", {.options = "-this-is-no-option"});
    const Kernel<> k{broken, "k"};
    CHECK_CONTAINS(message([&] { k(queue, {1}); }), "this-is-no-option");
}

TEST_CASE("Double precision on a device without it: an error that says so")
{
    const clutch::Queue queue = clutch::default_queue();
    if (queue.device().has_extension("cl_khr_fp64"))
        SKIP("the device has cl_khr_fp64");
    const auto doubles = Program::from_source("kernel void k(global double* x) { x[0] = 1.0; }");
    CHECK_CONTAINS(message([&] { doubles.build(queue); }), "cl_khr_fp64");
}

TEST_CASE("A buffer of another context: an error that says so, where the driver looks")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Queue other{queue.device()};
    const Kernel<Global<cl_int>, cl_int> store{program(), "store"};
    const clutch::Buffer<cl_int> out{other, 1};
    const std::string text = message([&] { store(queue, {1}, out, 1); });
    if (text.empty()) {
        queue.finish();
        SKIP("the driver takes a buffer of another context");
    }
    CHECK_CONTAINS(text, "context");
}

TEST_CASE("A view at an offset that the device cannot address: the offset and the multiple that it can")
{
    const clutch::Queue queue = clutch::default_queue();
    const std::size_t multiple = queue.device().base_address_alignment();
    if (multiple <= sizeof(cl_int))
        SKIP("the device takes any offset");
    const clutch::Buffer<cl_int> buffer{queue, multiple};
    const std::string text = message([&] { static_cast<void>(buffer.view(1)); });
    CHECK_CONTAINS(text, "CL_MISALIGNED_SUB_BUFFER_OFFSET (-13): a view from byte 4 on");
    CHECK_CONTAINS(text, "multiples of " + std::to_string(multiple) + " bytes, " +
                             std::to_string(multiple / sizeof(cl_int)) + " elements here");
}

TEST_CASE("A buffer that no device can hold: its size in bytes")
{
    const clutch::Queue queue = clutch::default_queue();
    CHECK_CONTAINS(message([&] {
                       clutch::Buffer<cl_int>{queue, std::size_t{1} << 50};
                   }),
                   "Buffer: clCreateBuffer: CL_");
    CHECK_CONTAINS(message([&] { clutch::Buffer<cl_int>{queue, std::size_t{1} << 50}; }), "4503599627370496 bytes");
}

TEST_CASE("The times of an event that has none: the call and the code")
{
    const clutch::Queue queue{clutch::default_queue().device()};
    const auto out = filled<cl_int>(queue, 1, 0);
    const clutch::Event event = out.fill_async(queue, 1);
    event.wait();
    CHECK_CONTAINS(message([&] { static_cast<void>(event.start()); }),
                   "clGetEventProfilingInfo: CL_PROFILING_INFO_NOT_AVAILABLE (-7)");
}
