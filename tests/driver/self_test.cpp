// Tests of the test driver itself, through the loader, with plain OpenCL calls: what it claims of others must be true.
#include "driver.hpp"

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#ifdef CLUTCH_TEST_OWN_MAIN
#define CATCH_CONFIG_MAIN
#endif
#include <catch2/catch.hpp>
#endif

#if __has_include("heap.hpp") // of tests/support, where the project builds this
#include "heap.hpp"
#define CLUTCH_TEST_COUNTS_HEAP
#endif

#include <atomic>
#include <string>
#include <thread>
#include <vector>

// OpenCL 1.2's clCreateCommandQueue and clCreateSampler work on every version that the driver plays.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

using clutch_test::Call;
using clutch_test::driver;
using clutch_test::Kind;

namespace {

constexpr const char* axpy_source = R"CLC(
// kernel void not_me(global int* x) {}
/* kernel void nor_me(int x) {} */
kernel void axpy(global float* y, global const float* restrict x, float a, unsigned int n)
{
    size_t i = get_global_id(0);
    if (i < n) { y[i] += a * x[i]; }
}

__kernel __attribute__((reqd_work_group_size(8, 4, 1)))
void tiled(__local float4 *tile, __constant int* table, read_only image2d_t image, sampler_t sampler, struct Box box)
{
}
)CLC";

cl_platform_id the_platform()
{
    std::array<cl_platform_id, 8> platforms{};
    cl_uint count = 0;
    REQUIRE(clGetPlatformIDs(8, platforms.data(), &count) == CL_SUCCESS);
    for (cl_uint i = 0; i < count; ++i) {
        std::array<char, 64> text{};
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, text.size(), text.data(), nullptr);
        if (std::string(text.data()) == "clutch test driver") {
            return platforms[i];
        }
    }
    FAIL("no test driver");
    return nullptr;
}

// The platform's OpenCL version, times 100.
int version()
{
    std::array<char, 64> text{};
    REQUIRE(clGetPlatformInfo(the_platform(), CL_PLATFORM_VERSION, text.size(), text.data(), nullptr) == CL_SUCCESS);
    return (text[7] - '0') * 100 + (text[9] - '0') * 10; // "OpenCL 3.0 ..."
}

// A context with a queue, a program and two buffers; checks at its end that nothing was left or done wrong.
struct Bench {
    Bench()
    {
        driver().restore_defaults();
        for (std::size_t kind = 0; kind < clutch_test::object_kinds; ++kind) {
            before[kind] = driver().live(static_cast<Kind>(kind));
        }
        REQUIRE(clGetDeviceIDs(the_platform(), CL_DEVICE_TYPE_ALL, 2, devices.data(), nullptr) == CL_SUCCESS);
        cl_int code = CL_SUCCESS;
        context = clCreateContext(nullptr, 2, devices.data(), nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        queue = clCreateCommandQueue(context, devices[0], 0, &code);
        REQUIRE(code == CL_SUCCESS);
        program = build(axpy_source, "");
        x = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &code);
        y = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
    }
    ~Bench()
    {
        clReleaseMemObject(x);
        clReleaseMemObject(y);
        clReleaseProgram(program);
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
        for (std::size_t i = 0; i < driver().violations() && i < 8; ++i) {
            UNSCOPED_INFO(driver().violation_text(i));
        }
        CHECK(driver().violations() == 0);
        for (std::size_t kind = 0; kind < clutch_test::object_kinds; ++kind) {
            INFO(clutch_test::name(static_cast<Kind>(kind)));
            CHECK(driver().live(static_cast<Kind>(kind)) == before[kind]);
        }
        driver().restore_defaults();
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    cl_program build(const char* text, const char* options) const
    {
        cl_int code = CL_SUCCESS;
        const cl_program made = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        REQUIRE(clBuildProgram(made, 0, nullptr, options, nullptr, nullptr) == CL_SUCCESS);
        return made;
    }

    cl_kernel axpy() const
    {
        cl_int code = CL_SUCCESS;
        const cl_kernel kernel = clCreateKernel(program, "axpy", &code);
        REQUIRE(code == CL_SUCCESS);
        return kernel;
    }

    void set(cl_kernel kernel, float a, cl_uint n = 7) const
    {
        CHECK(clSetKernelArg(kernel, 0, sizeof y, &y) == CL_SUCCESS);
        CHECK(clSetKernelArg(kernel, 1, sizeof x, &x) == CL_SUCCESS);
        CHECK(clSetKernelArg(kernel, 2, sizeof a, &a) == CL_SUCCESS);
        CHECK(clSetKernelArg(kernel, 3, sizeof n, &n) == CL_SUCCESS);
    }

    cl_int launch(cl_kernel kernel, std::size_t global, cl_event* event = nullptr) const
    {
        return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, event);
    }

    cl_int status(cl_event event) const
    {
        cl_int value = 99;
        CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, nullptr) == CL_SUCCESS);
        return value;
    }

    std::array<std::int64_t, clutch_test::object_kinds> before{};
    std::array<cl_device_id, 2> devices{};
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_program program = nullptr;
    cl_mem x = nullptr, y = nullptr;
};

std::string argument_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info parameter)
{
    std::array<char, 64> text{};
    CHECK(clGetKernelArgInfo(kernel, index, parameter, text.size(), text.data(), nullptr) == CL_SUCCESS);
    return text.data();
}

// One violation, expected: its text, and a clean list again.
std::string one_violation()
{
    CHECK(driver().violations() == 1);
    std::string text = driver().violation_text(0);
    driver().forgive();
    return text;
}

bool contains(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("the loader finds the driver and says what it is")
{
    const Bench bench;
    std::array<char, 64> text{};
    CHECK(clGetDeviceInfo(bench.devices[1], CL_DEVICE_NAME, text.size(), text.data(), nullptr) == CL_SUCCESS);
    CHECK(std::string(text.data()) == "clutch test device 1");
    cl_device_type type = 0;
    CHECK(clGetDeviceInfo(bench.devices[1], CL_DEVICE_TYPE, sizeof type, &type, nullptr) == CL_SUCCESS);
    CHECK(type == CL_DEVICE_TYPE_CPU);
    CHECK(clGetDeviceInfo(bench.devices[1], 0xFFFF, sizeof type, &type, nullptr) == CL_INVALID_VALUE);
    CHECK(clGetDeviceInfo(bench.devices[1], CL_DEVICE_TYPE, 1, &type, nullptr) == CL_INVALID_VALUE);

    cl_uint devices = 0;
    CHECK(clGetContextInfo(bench.context, CL_CONTEXT_NUM_DEVICES, sizeof devices, &devices, nullptr) == CL_SUCCESS);
    CHECK(devices == 2);
}

TEST_CASE("each call is counted under its own name")
{
    const Bench bench;
    driver().reset();
    CHECK(driver().total() == 0);
    const cl_kernel kernel = bench.axpy();
    bench.set(kernel, 1.0f);
    CHECK(bench.launch(kernel, 64) == CL_SUCCESS);
    CHECK(bench.launch(kernel, 64) == CL_SUCCESS);
    CHECK(driver().count(Call::clCreateKernel) == 1);
    CHECK(driver().count(Call::clSetKernelArg) == 4);
    CHECK(driver().count(Call::clEnqueueNDRangeKernel) == 2);
    CHECK(driver().total() == 7);
    CHECK(std::string(name(Call::clEnqueueNDRangeKernel)) == "clEnqueueNDRangeKernel");
    clReleaseKernel(kernel);
}

TEST_CASE("records tell what a launch was given and what its arguments were")
{
    const Bench bench;
    const cl_kernel kernel = bench.axpy();
    const cl_event gate = clCreateUserEvent(bench.context, nullptr);
    REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    cl_event event = nullptr;
    driver().reset();
    {
        const clutch_test::Recording recording;
        bench.set(kernel, 2.5f, 9);
        const std::array<std::size_t, 2> offset{1, 2}, global{64, 32}, local{8, 4};
        CHECK(clEnqueueNDRangeKernel(bench.queue, kernel, 2, offset.data(), global.data(), local.data(), 1, &gate,
                                     &event) == CL_SUCCESS);
        float wrong = 0;
        CHECK(clSetKernelArg(kernel, 9, sizeof wrong, &wrong) == CL_INVALID_ARG_INDEX);
    }
    CHECK(driver().records().size() == 6);

    const auto sets = driver().records_of(Call::clSetKernelArg);
    REQUIRE(sets.size() == 5);
    CHECK(sets[2]->index == 2);
    CHECK(sets[2]->size == sizeof(float));
    CHECK_FALSE(sets[2]->null_value);
    CHECK(sets[2]->value_as<float>() == 2.5f);
    CHECK(sets[1]->value_as<cl_mem>() == bench.x);
    CHECK(sets[4]->result == CL_INVALID_ARG_INDEX);
    CHECK(sets[0]->thread == driver().thread());

    const auto launches = driver().records_of(Call::clEnqueueNDRangeKernel);
    REQUIRE(launches.size() == 1);
    const clutch_test::Record& launch = *launches[0];
    CHECK(launch.result == CL_SUCCESS);
    CHECK(launch.queue == bench.queue);
    CHECK(launch.kernel == kernel);
    CHECK(std::string(launch.kernel_name.data()) == "axpy");
    CHECK(launch.kernel_serial == driver().references(kernel).serial);
    CHECK(launch.program_serial == driver().references(bench.program).serial);
    CHECK(launch.work_dim == 2);
    CHECK(launch.offset == std::array<std::size_t, 3>{1, 2, 0});
    CHECK(launch.global == std::array<std::size_t, 3>{64, 32, 0});
    CHECK(launch.local == std::array<std::size_t, 3>{8, 4, 0});
    CHECK((launch.has_offset && launch.has_global && launch.has_local));
    CHECK(launch.wait_count == 1);
    CHECK(launch.waits[0] == gate);
    CHECK(launch.event_asked);
    CHECK(launch.returned == reinterpret_cast<std::uintptr_t>(event));
    CHECK(launch.argument_count == 4);
    CHECK(launch.arguments[0].as<cl_mem>() == bench.y);
    CHECK(launch.arguments[2].as<float>() == 2.5f);
    CHECK(launch.arguments[3].as<cl_uint>() == 9);
    CHECK(launch.arguments[3].thread == driver().thread());

    clReleaseEvent(event);
    clReleaseEvent(gate);
    clReleaseKernel(kernel);
}

TEST_CASE("the nth call fails, and only that")
{
    const Bench bench;
    const cl_kernel kernel = bench.axpy();
    bench.set(kernel, 1.0f);
    driver().fail(Call::clEnqueueNDRangeKernel, 2, CL_OUT_OF_RESOURCES);
    CHECK(bench.launch(kernel, 1) == CL_SUCCESS);
    CHECK(bench.launch(kernel, 1) == CL_OUT_OF_RESOURCES);
    CHECK(bench.launch(kernel, 1) == CL_SUCCESS);
    driver().fail_always(Call::clCreateBuffer, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    for (int i = 0; i < 3; ++i) {
        cl_int code = CL_SUCCESS;
        CHECK(clCreateBuffer(bench.context, 0, 16, nullptr, &code) == nullptr);
        CHECK(code == CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    driver().clear_failures();
    cl_int code = -1;
    clReleaseMemObject(clCreateBuffer(bench.context, 0, 16, nullptr, &code));
    CHECK(code == CL_SUCCESS);
    clReleaseKernel(kernel);
}

TEST_CASE("a hook runs inside its call and may make calls itself")
{
    const Bench bench;
    int runs = 0;
    {
        const clutch_test::OnCall hook{Call::clFlush, [&] {
                                           ++runs;
                                           clFlush(bench.queue);
                                       }};
        clFlush(bench.queue);
    }
    clFlush(bench.queue);
    CHECK(runs == 1);
}

TEST_CASE("references are told apart into the user's and other objects'")
{
    const Bench bench;
    // the queue, the program and two buffers hold the context
    CHECK(driver().references(bench.context).user == 1);
    CHECK(driver().references(bench.context).internal == 4);
    clRetainContext(bench.context);
    CHECK(driver().references(bench.context).user == 2);
    cl_uint told = 0;
    clGetContextInfo(bench.context, CL_CONTEXT_REFERENCE_COUNT, sizeof told, &told, nullptr);
    CHECK(told == 6);
    clReleaseContext(bench.context);

    const cl_kernel kernel = bench.axpy();
    CHECK(driver().references(bench.program).internal == 1);
    cl_event event = nullptr;
    bench.set(kernel, 1.0f);
    bench.launch(kernel, 1, &event);
    CHECK(driver().references(bench.queue).internal == 1);
    CHECK(driver().references(bench.x).internal == 0); // kernels keep no argument
    clReleaseEvent(event);
    CHECK_FALSE(driver().references(event).live);
    clReleaseKernel(kernel);

    // an object outlives the user's last reference while another holds it
    cl_int code = CL_SUCCESS;
    const cl_mem parent = clCreateBuffer(bench.context, 0, 4096, nullptr, &code);
    const cl_buffer_region region{1024, 1024};
    const cl_mem part = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    CHECK(code == CL_SUCCESS);
    clReleaseMemObject(parent);
    CHECK(driver().references(parent).live);
    CHECK(clReleaseMemObject(parent) == CL_INVALID_MEM_OBJECT);
    CHECK(contains(one_violation(), "released more often than retained"));
    clReleaseMemObject(part);
    CHECK_FALSE(driver().references(parent).live);
}

TEST_CASE("a handle is not usable after its release, nor as another kind, nor if it never was one")
{
    const Bench bench;
    const cl_kernel kernel = bench.axpy();
    bench.set(kernel, 1.0f);
    cl_int code = CL_SUCCESS;
    const cl_mem gone = clCreateBuffer(bench.context, 0, 16, nullptr, &code);
    clReleaseMemObject(gone);

    CHECK(clRetainMemObject(gone) == CL_INVALID_MEM_OBJECT);
    CHECK(contains(one_violation(), "used after its release"));
    CHECK(clReleaseMemObject(gone) == CL_INVALID_MEM_OBJECT);
    CHECK(contains(one_violation(), "used after its release"));
    CHECK(clSetKernelArg(kernel, 0, sizeof gone, &gone) == CL_INVALID_MEM_OBJECT);
    CHECK(contains(one_violation(), "used after its release"));
    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bench.queue) == CL_INVALID_MEM_OBJECT);
    CHECK(contains(one_violation(), "given queue"));
    int here = 0;
    void* const pointer = &here;
    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &pointer) == CL_INVALID_MEM_OBJECT);
    CHECK(contains(one_violation(), "is not a memory object of this driver"));
    const std::uintptr_t wild = 0x1234;
    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &wild) == CL_INVALID_MEM_OBJECT);
    CHECK(contains(one_violation(), "is not a memory object of this driver"));

    // released between set and enqueue
    const cl_mem late = clCreateBuffer(bench.context, 0, 16, nullptr, &code);
    CHECK(clSetKernelArg(kernel, 0, sizeof late, &late) == CL_SUCCESS);
    clReleaseMemObject(late);
    CHECK(bench.launch(kernel, 1) == CL_INVALID_MEM_OBJECT);
    CHECK(contains(one_violation(), "ended after it was set"));
    clReleaseKernel(kernel);
    CHECK(clRetainKernel(kernel) == CL_INVALID_KERNEL);
    CHECK(contains(one_violation(), "kernel #"));
}

TEST_CASE("addresses are reused at once on demand, and never otherwise")
{
    const Bench bench;
    cl_int code = CL_SUCCESS;
    const auto make = [&] { return clCreateContext(nullptr, 1, bench.devices.data(), nullptr, nullptr, &code); };
    cl_context first = make();
    clReleaseContext(first);
    cl_context second = make();
    CHECK(first != second);
    clReleaseContext(second);

    driver().reuse_addresses(true);
    first = make();
    const auto serial = driver().references(first).serial;
    clReleaseContext(first);
    second = make();
    CHECK(first == second);
    CHECK(driver().references(second).serial != serial);
    clReleaseContext(second);

    const cl_kernel kernel = bench.axpy();
    clReleaseKernel(kernel);
    const cl_kernel again = bench.axpy();
    CHECK(kernel == again);
    clReleaseKernel(again);

    // a memory object at the old address is another one
    const cl_kernel user = bench.axpy();
    bench.set(user, 1.0f);
    const cl_mem old = clCreateBuffer(bench.context, 0, 16, nullptr, &code);
    clSetKernelArg(user, 0, sizeof old, &old);
    clReleaseMemObject(old);
    const cl_mem fresh = clCreateBuffer(bench.context, 0, 16, nullptr, &code);
    CHECK(old == fresh);
    CHECK(bench.launch(user, 1) == CL_INVALID_MEM_OBJECT);
    one_violation();
    clReleaseMemObject(fresh);
    clReleaseKernel(user);

    driver().reuse_addresses(false);
    const cl_context third = make();
    CHECK(third != second);
    clReleaseContext(third);
}

#ifdef CLUTCH_TEST_COUNTS_HEAP
TEST_CASE("a launch takes nothing from the heap, with an event or without")
{
    const Bench bench;
    const cl_kernel kernel = bench.axpy();
    float a = 1;
    bench.set(kernel, a);
    const std::size_t global = 64;
    const heap::Count before = heap::thread_count();
    for (int i = 0; i < 1000; ++i) {
        clSetKernelArg(kernel, 0, sizeof bench.y, &bench.y);
        clSetKernelArg(kernel, 2, sizeof a, &a);
        clEnqueueNDRangeKernel(bench.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
        cl_event event = nullptr;
        clEnqueueNDRangeKernel(bench.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, &event);
        clRetainEvent(event);
        clReleaseEvent(event);
        clReleaseEvent(event);
    }
    const heap::Count taken = heap::thread_count() - before;
    CHECK(taken.allocations == 0);
    CHECK(driver().event_pool_growths() == 0);
    clReleaseKernel(kernel);
}
#endif

TEST_CASE("events are recycled, and more may be alive than the pool had room for")
{
    const Bench bench;
    const auto growths = driver().event_pool_growths();
    std::vector<cl_event> events(70000);
    for (cl_event& event : events) {
        clEnqueueMarkerWithWaitList(bench.queue, 0, nullptr, &event);
    }
    CHECK(driver().event_pool_growths() == growths + 1);
    for (const cl_event event : events) {
        clReleaseEvent(event);
    }
}

TEST_CASE("a kernel used by two threads at once is noticed")
{
    const Bench bench;
    const cl_kernel kernel = bench.axpy();
    bench.set(kernel, 1.0f);
    CHECK(driver().threads_that_used(kernel) == 1);

    std::atomic<int> stage{0};
    cl_int other_code = CL_SUCCESS;
    const float value = 3;
    std::thread other;
    {
        // This thread stays inside its clEnqueueNDRangeKernel until the other's clSetKernelArg has returned.
        const clutch_test::OnCall hook{Call::clEnqueueNDRangeKernel, [&] {
                                           stage = 1;
                                           while (stage != 2) {
                                               std::this_thread::yield();
                                           }
                                       }};
        other = std::thread{[&] {
            while (stage != 1) {
                std::this_thread::yield();
            }
            other_code = clSetKernelArg(kernel, 2, sizeof value, &value);
            stage = 2;
        }};
        CHECK(bench.launch(kernel, 1) == CL_SUCCESS);
        other.join();
    }
    CHECK(other_code == CL_INVALID_OPERATION);
    CHECK(contains(one_violation(), "in use by another thread"));
    CHECK(driver().threads_that_used(kernel) == 2);
    clReleaseKernel(kernel);
}

TEST_CASE("threads with kernels of their own launch side by side, each with its own arguments")
{
    const Bench bench;
    constexpr int threads = 4, launches = 500;
    driver().reset();
    {
        const clutch_test::Recording recording;
        std::vector<std::thread> workers;
        for (int t = 0; t < threads; ++t) {
            workers.emplace_back([&, t] {
                const cl_kernel kernel = clCreateKernel(bench.program, "axpy", nullptr);
                clSetKernelArg(kernel, 0, sizeof bench.y, &bench.y);
                clSetKernelArg(kernel, 1, sizeof bench.x, &bench.x);
                const cl_uint n = 0;
                clSetKernelArg(kernel, 3, sizeof n, &n);
                for (int i = 0; i < launches; ++i) {
                    const auto value = static_cast<float>(t * launches + i);
                    const auto global = static_cast<std::size_t>(t * launches + i + 1);
                    clSetKernelArg(kernel, 2, sizeof value, &value);
                    cl_event event = nullptr;
                    clEnqueueNDRangeKernel(bench.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, &event);
                    clReleaseEvent(event);
                }
                clReleaseKernel(kernel);
            });
        }
        for (std::thread& worker : workers) {
            worker.join();
        }
    }
    const auto enqueues = driver().records_of(Call::clEnqueueNDRangeKernel);
    CHECK(enqueues.size() == threads * launches);
    CHECK(driver().count(Call::clReleaseEvent) == threads * launches);
    bool right = true;
    for (const clutch_test::Record* record : enqueues) {
        right = right && record->arguments[2].as<float>() == static_cast<float>(record->global[0] - 1) &&
                record->arguments[2].thread == record->thread;
    }
    CHECK(right);
}

TEST_CASE("argument information is there when the build asked for it")
{
    const Bench bench;
    const cl_kernel plain = bench.axpy();
    cl_kernel_arg_type_qualifier bits = 0;
    CHECK(clGetKernelArgInfo(plain, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof bits, &bits, nullptr) ==
          CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    auto traits = driver().traits(bench.devices[0]);
    traits.argument_info = clutch_test::ArgumentInfo::always;
    driver().set_traits(bench.devices[0], traits);
    CHECK(argument_text(plain, 0, CL_KERNEL_ARG_TYPE_NAME) == "float*");
    traits.argument_info = clutch_test::ArgumentInfo::as_built;
    driver().set_traits(bench.devices[0], traits);

    const cl_program program = bench.build(axpy_source, "-cl-kernel-arg-info");
    std::array<char, 64> names{};
    CHECK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, names.size(), names.data(), nullptr) == CL_SUCCESS);
    CHECK(std::string(names.data()) == "axpy;tiled");

    std::array<cl_kernel, 2> kernels{};
    cl_uint count = 0;
    REQUIRE(clCreateKernelsInProgram(program, 2, kernels.data(), &count) == CL_SUCCESS);
    CHECK(count == 2);
    CHECK(argument_text(kernels[0], 3, CL_KERNEL_ARG_TYPE_NAME) == "uint");
    CHECK(argument_text(kernels[0], 3, CL_KERNEL_ARG_NAME) == "n");
    CHECK(argument_text(kernels[0], 1, CL_KERNEL_ARG_TYPE_NAME) == "float*");
    CHECK(clGetKernelArgInfo(kernels[0], 1, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof bits, &bits, nullptr) == CL_SUCCESS);
    CHECK(bits == (CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT));

    const auto space = [&](cl_uint index) {
        cl_kernel_arg_address_qualifier value = 0;
        clGetKernelArgInfo(kernels[1], index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof value, &value, nullptr);
        return value;
    };
    CHECK(space(0) == CL_KERNEL_ARG_ADDRESS_LOCAL);
    CHECK(space(1) == CL_KERNEL_ARG_ADDRESS_CONSTANT);
    CHECK(space(2) == CL_KERNEL_ARG_ADDRESS_GLOBAL);
    CHECK(space(3) == CL_KERNEL_ARG_ADDRESS_PRIVATE);
    CHECK(argument_text(kernels[1], 0, CL_KERNEL_ARG_TYPE_NAME) == "float4*");
    CHECK(argument_text(kernels[1], 4, CL_KERNEL_ARG_TYPE_NAME) == "struct Box");
    cl_kernel_arg_access_qualifier access = 0;
    clGetKernelArgInfo(kernels[1], 2, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr);
    CHECK(access == CL_KERNEL_ARG_ACCESS_READ_ONLY);
    std::array<std::size_t, 3> required{};
    CHECK(clGetKernelWorkGroupInfo(kernels[1], bench.devices[0], CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                                   required.data(), nullptr) == CL_SUCCESS);
    CHECK(required == std::array<std::size_t, 3>{8, 4, 1});

    CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_INVALID_OPERATION); // kernels are attached
    clReleaseKernel(kernels[0]);
    clReleaseKernel(kernels[1]);
    clReleaseKernel(plain);
    clReleaseProgram(program);
}

TEST_CASE("arguments and sizes are checked as a strict driver does")
{
    const Bench bench;
    const cl_kernel kernel = bench.axpy();
    const double wide = 1;
    const float a = 1;
    CHECK(bench.launch(kernel, 1) == CL_INVALID_KERNEL_ARGS);
    CHECK(clSetKernelArg(kernel, 4, sizeof a, &a) == CL_INVALID_ARG_INDEX);
    CHECK(clSetKernelArg(kernel, 2, sizeof wide, &wide) == CL_INVALID_ARG_SIZE);
    CHECK(clSetKernelArg(kernel, 2, sizeof a, nullptr) == CL_INVALID_ARG_VALUE);
    CHECK(clSetKernelArg(kernel, 0, 4, &a) == CL_INVALID_ARG_SIZE);
    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr) == CL_SUCCESS);
    bench.set(kernel, 1);

    const auto launch = [&](cl_uint dimensions, std::array<std::size_t, 3> global, std::array<std::size_t, 3> local) {
        return clEnqueueNDRangeKernel(bench.queue, kernel, dimensions, nullptr, global.data(), local.data(), 0, nullptr,
                                      nullptr);
    };
    CHECK(launch(0, {1, 1, 1}, {1, 1, 1}) == CL_INVALID_WORK_DIMENSION);
    CHECK(launch(1, {100, 1, 1}, {64, 1, 1}) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(launch(1, {512, 1, 1}, {512, 1, 1}) == CL_INVALID_WORK_ITEM_SIZE);
    CHECK(launch(2, {64, 64, 1}, {64, 64, 1}) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(launch(1, {64, 1, 1}, {0, 1, 1}) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(bench.launch(kernel, 0) == CL_INVALID_GLOBAL_WORK_SIZE);
    auto traits = driver().traits(bench.devices[0]);
    traits.zero_work_size_allowed = true;
    traits.address_bits = 32;
    driver().set_traits(bench.devices[0], traits);
    CHECK(bench.launch(kernel, 0) == CL_SUCCESS);
    CHECK(bench.launch(kernel, std::size_t{1} << 32) == CL_INVALID_GLOBAL_WORK_SIZE);

    cl_int code = CL_SUCCESS;
    const cl_kernel tiled = clCreateKernel(bench.program, "tiled", &code);
    CHECK(clSetKernelArg(tiled, 0, 0, nullptr) == CL_INVALID_ARG_SIZE);
    CHECK(clSetKernelArg(tiled, 0, 64, &a) == CL_INVALID_ARG_VALUE);
    CHECK(clSetKernelArg(tiled, 0, 64, nullptr) == CL_SUCCESS);
    CHECK(clSetKernelArg(tiled, 1, sizeof bench.x, &bench.x) == CL_SUCCESS);
    CHECK(clSetKernelArg(tiled, 2, sizeof bench.x, &bench.x) == CL_INVALID_ARG_VALUE); // a buffer for an image
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = 16;
    description.image_height = 4;
    const cl_mem image = clCreateImage(bench.context, CL_MEM_READ_ONLY, &format, &description, nullptr, &code);
    CHECK(code == CL_SUCCESS);
    CHECK(clSetKernelArg(tiled, 2, sizeof image, &image) == CL_SUCCESS);
    const cl_sampler sampler = clCreateSampler(bench.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    CHECK(clSetKernelArg(tiled, 3, sizeof sampler, &sampler) == CL_SUCCESS);
    const std::array<char, 37> box{};
    CHECK(clSetKernelArg(tiled, 4, sizeof box, box.data()) == CL_SUCCESS);
    const std::array<std::size_t, 2> global{64, 64}, good{8, 4}, bad{4, 8};
    const auto launch_tiled = [&](const std::size_t* local) {
        return clEnqueueNDRangeKernel(bench.queue, tiled, 2, nullptr, global.data(), local, 0, nullptr, nullptr);
    };
    CHECK(launch_tiled(good.data()) == CL_SUCCESS);
    CHECK(launch_tiled(bad.data()) == CL_INVALID_WORK_GROUP_SIZE);
    // OpenCL 2.1 took back that a required size must be given
    CHECK(launch_tiled(nullptr) == (version() >= 210 ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE));
    CHECK(clSetKernelArg(tiled, 0, 1 << 20, nullptr) == CL_SUCCESS);
    CHECK(launch_tiled(good.data()) == CL_OUT_OF_RESOURCES);

    clReleaseSampler(sampler);
    clReleaseMemObject(image);
    clReleaseKernel(tiled);
    clReleaseKernel(kernel);
}

TEST_CASE("objects of another context are refused")
{
    const Bench bench;
    cl_int code = CL_SUCCESS;
    const cl_context other = clCreateContext(nullptr, 1, &bench.devices[1], nullptr, nullptr, &code);
    const cl_mem foreign = clCreateBuffer(other, 0, 64, nullptr, &code);
    const cl_command_queue elsewhere = clCreateCommandQueue(other, bench.devices[1], 0, &code);
    const cl_event event = clCreateUserEvent(other, &code);
    const cl_kernel kernel = bench.axpy();
    bench.set(kernel, 1);
    const std::size_t global = 1;
    CHECK(clEnqueueNDRangeKernel(elsewhere, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr) ==
          CL_INVALID_CONTEXT);
    CHECK(clEnqueueNDRangeKernel(bench.queue, kernel, 1, nullptr, &global, nullptr, 1, &event, nullptr) ==
          CL_INVALID_CONTEXT);
    CHECK(clEnqueueNDRangeKernel(bench.queue, kernel, 1, nullptr, &global, nullptr, 1, nullptr, nullptr) ==
          CL_INVALID_EVENT_WAIT_LIST);
    CHECK(clSetKernelArg(kernel, 0, sizeof foreign, &foreign) == CL_SUCCESS);
    CHECK(bench.launch(kernel, 1) == CL_INVALID_CONTEXT);
    CHECK(clCreateCommandQueue(other, bench.devices[0], 0, &code) == nullptr);
    CHECK(code == CL_INVALID_DEVICE);
    clReleaseKernel(kernel);
    clReleaseEvent(event);
    clReleaseCommandQueue(elsewhere);
    clReleaseMemObject(foreign);
    clReleaseContext(other);
}

TEST_CASE("a failed build has a log for each device, and conditions and options are honoured")
{
    const Bench bench;
    const char* text = R"CLC(
#if defined(TILE) && TILE >= 8 /* #error not this */
#define WIDTH float4
kernel void good(global WIDTH* x, WIDTH y) {}
#else
#error needs a tile of 8
#endif
)CLC";
    cl_int code = CL_SUCCESS;
    const cl_program program = clCreateProgramWithSource(bench.context, 1, &text, nullptr, &code);
    CHECK(clCreateKernel(program, "good", &code) == nullptr);
    CHECK(code == CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK(clBuildProgram(program, 0, nullptr, "-DTILE=4", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
    for (const cl_device_id device : bench.devices) {
        std::array<char, 256> log{};
        CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr) ==
              CL_SUCCESS);
        CHECK(contains(log.data(), "needs a tile of 8"));
        CHECK(contains(log.data(), "program.cl:6"));
    }
    CHECK(clBuildProgram(program, 0, nullptr, "nonsense", nullptr, nullptr) == CL_INVALID_BUILD_OPTIONS);
    CHECK(clBuildProgram(program, 1, &bench.devices[0], "-D TILE=16", nullptr, nullptr) == CL_SUCCESS);
    CHECK(clCreateKernel(program, "bad", &code) == nullptr);
    CHECK(code == CL_INVALID_KERNEL_NAME);
    const cl_kernel kernel = clCreateKernel(program, "good", &code);
    CHECK(code == CL_SUCCESS);
    const cl_float4 value{};
    CHECK(clSetKernelArg(kernel, 1, sizeof value, &value) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 1, sizeof(float), &value) == CL_INVALID_ARG_SIZE);
    // not built for the second device
    CHECK(clSetKernelArg(kernel, 0, sizeof bench.x, &bench.x) == CL_SUCCESS);
    const cl_command_queue second = clCreateCommandQueue(bench.context, bench.devices[1], 0, &code);
    const std::size_t global = 1;
    CHECK(clEnqueueNDRangeKernel(second, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr) ==
          CL_INVALID_PROGRAM_EXECUTABLE);
    clReleaseCommandQueue(second);
    clReleaseKernel(kernel);
    clReleaseProgram(program);

    auto traits = driver().traits(bench.devices[1]);
    traits.extensions = "cl_khr_fp16";
    driver().set_traits(bench.devices[1], traits);
    const char* doubles = "kernel void f(global double* x) {}";
    const cl_program half = clCreateProgramWithSource(bench.context, 1, &doubles, nullptr, &code);
    CHECK(clBuildProgram(half, 1, &bench.devices[0], "", nullptr, nullptr) == CL_SUCCESS);
    CHECK(clBuildProgram(half, 1, &bench.devices[1], "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
    clReleaseProgram(half);
}

TEST_CASE("binaries go round, and are refused when damaged or made by another driver version")
{
    const Bench bench;
    std::array<std::size_t, 2> sizes{};
    REQUIRE(clGetProgramInfo(bench.program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes.data(), nullptr) ==
            CL_SUCCESS);
    std::vector<unsigned char> first(sizes[0]), second(sizes[1]);
    std::array<unsigned char*, 2> places{first.data(), second.data()};
    REQUIRE(clGetProgramInfo(bench.program, CL_PROGRAM_BINARIES, sizeof places, places.data(), nullptr) == CL_SUCCESS);

    cl_int code = CL_SUCCESS, status = CL_SUCCESS;
    const auto load = [&](cl_device_id device) {
        const unsigned char* binary = first.data();
        return clCreateProgramWithBinary(bench.context, 1, &device, sizes.data(), &binary, &status, &code);
    };
    const cl_program program = load(bench.devices[0]);
    REQUIRE(code == CL_SUCCESS);
    CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
    const cl_kernel kernel = clCreateKernel(program, "axpy", &code);
    CHECK(code == CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(program);

    CHECK(load(bench.devices[1]) == nullptr);
    CHECK(code == CL_INVALID_BINARY);
    CHECK(status == CL_INVALID_BINARY);
    auto traits = driver().traits(bench.devices[0]);
    traits.driver_version = "2.0";
    driver().set_traits(bench.devices[0], traits);
    CHECK(load(bench.devices[0]) == nullptr);
    traits.driver_version = "1.0";
    driver().set_traits(bench.devices[0], traits);
    first[first.size() / 2] ^= 1;
    CHECK(load(bench.devices[0]) == nullptr);
}

TEST_CASE("compiled objects link, with headers")
{
    const Bench bench;
    cl_int code = CL_SUCCESS;
    const char* header_text = "#define NAME included\n";
    const char* text = "#include \"name.h\"\nkernel void NAME(int x) {}";
    const cl_program header = clCreateProgramWithSource(bench.context, 1, &header_text, nullptr, &code);
    const cl_program object = clCreateProgramWithSource(bench.context, 1, &text, nullptr, &code);
    CHECK(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) ==
          CL_COMPILE_PROGRAM_FAILURE);
    const char* header_name = "name.h";
    CHECK(clCompileProgram(object, 0, nullptr, "", 1, &header, &header_name, nullptr, nullptr) == CL_SUCCESS);
    const cl_program linked = clLinkProgram(bench.context, 0, nullptr, "", 1, &object, nullptr, nullptr, &code);
    CHECK(code == CL_SUCCESS);
    const cl_kernel kernel = clCreateKernel(linked, "included", &code);
    CHECK(code == CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(linked);
    clReleaseProgram(object);
    clReleaseProgram(header);
}

TEST_CASE("buffers hold what is written, copied, filled and mapped")
{
    const Bench bench;
    std::array<int, 8> out{}, in{0, 1, 2, 3, 4, 5, 6, 7};
    CHECK(clEnqueueWriteBuffer(bench.queue, bench.x, CL_TRUE, 0, sizeof in, in.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(clEnqueueCopyBuffer(bench.queue, bench.x, bench.y, 0, 128, sizeof in, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(bench.queue, bench.y, CL_TRUE, 128, sizeof out, out.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(out == in);
    CHECK(clEnqueueReadBuffer(bench.queue, bench.y, CL_TRUE, 4090, sizeof out, out.data(), 0, nullptr, nullptr) ==
          CL_INVALID_VALUE);
    CHECK(clEnqueueCopyBuffer(bench.queue, bench.x, bench.x, 0, 4, 64, 0, nullptr, nullptr) == CL_MEM_COPY_OVERLAP);
    const int nine = 9;
    CHECK(clEnqueueFillBuffer(bench.queue, bench.x, &nine, sizeof nine, 4, 8, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueFillBuffer(bench.queue, bench.x, &nine, 3, 4, 8, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    cl_int code = CL_SUCCESS;
    const auto* const mapped = static_cast<int*>(
        clEnqueueMapBuffer(bench.queue, bench.x, CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    CHECK(mapped[1] == 9);
    CHECK(mapped[3] == 3);
    CHECK(clEnqueueUnmapMemObject(bench.queue, bench.x, const_cast<int*>(mapped), 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueUnmapMemObject(bench.queue, bench.x, const_cast<int*>(mapped), 0, nullptr, nullptr) ==
          CL_INVALID_VALUE);

    // four ints as a 2 x 2 block out of a 4 x 2 one
    const std::array<std::size_t, 3> origin{4, 0, 0}, host{0, 0, 0}, region{8, 2, 1};
    CHECK(clEnqueueReadBufferRect(bench.queue, bench.y, CL_TRUE, std::array<std::size_t, 3>{4, 8, 0}.data(),
                                  host.data(), region.data(), 16, 0, 8, 0, out.data(), 0, nullptr,
                                  nullptr) == CL_SUCCESS);
    CHECK(std::vector<int>(out.begin(), out.begin() + 4) == std::vector<int>{1, 2, 5, 6});
    CHECK(origin[0] == 4);

    const cl_buffer_region odd{4, 64};
    CHECK(clCreateSubBuffer(bench.x, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &code) == nullptr);
    CHECK(code == CL_MISALIGNED_SUB_BUFFER_OFFSET);
    CHECK(clCreateBuffer(bench.context, CL_MEM_COPY_HOST_PTR, 16, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_HOST_PTR);
    CHECK(clCreateBuffer(bench.context, 0, 0, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_BUFFER_SIZE);
    CHECK(clCreateBuffer(bench.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("held events wait for the test, and what follows waits for them")
{
    const Bench bench;
    const cl_kernel kernel = bench.axpy();
    bench.set(kernel, 1);
    driver().hold_events(true);
    cl_event first = nullptr, second = nullptr;
    CHECK(bench.launch(kernel, 1, &first) == CL_SUCCESS);
    CHECK(bench.status(first) == CL_QUEUED);
    driver().hold_events(false);
    CHECK(bench.launch(kernel, 1, &second) == CL_SUCCESS);
    CHECK(bench.status(second) == CL_QUEUED); // the queue is in order

    struct Told {
        std::atomic<int> times{0};
        std::atomic<int> status{99};
    } told;
    const auto tell = [](cl_event, cl_int status, void* data) {
        static_cast<Told*>(data)->times++;
        static_cast<Told*>(data)->status = status;
    };
    CHECK(clSetEventCallback(second, CL_COMPLETE, tell, &told) == CL_SUCCESS);
    CHECK(told.times == 0);

    driver().complete(first, CL_RUNNING);
    CHECK(bench.status(first) == CL_RUNNING);
    std::thread completer{[&] { driver().complete(first); }};
    CHECK(clWaitForEvents(1, &second) == CL_SUCCESS);
    completer.join();
    CHECK(clFinish(bench.queue) == CL_SUCCESS);
    CHECK(told.times == 1);
    CHECK(told.status == CL_COMPLETE);

    driver().callbacks_in_helper_thread(true);
    CHECK(clSetEventCallback(second, CL_COMPLETE, tell, &told) == CL_SUCCESS);
    driver().wait_for_callbacks();
    CHECK(told.times == 2);

    clReleaseEvent(first);
    clReleaseEvent(second);
    clReleaseKernel(kernel);
}

TEST_CASE("user events gate commands, and failures spread")
{
    const Bench bench;
    cl_int code = CL_SUCCESS;
    const cl_command_queue queue =
        clCreateCommandQueue(bench.context, bench.devices[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    const cl_event gate = clCreateUserEvent(bench.context, &code);
    cl_event gated = nullptr, after = nullptr, free = nullptr, all = nullptr;
    CHECK(clEnqueueMarkerWithWaitList(queue, 1, &gate, &gated) == CL_SUCCESS);
    CHECK(clEnqueueMarkerWithWaitList(queue, 1, &gated, &after) == CL_SUCCESS);
    CHECK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &all) == CL_SUCCESS);
    const int nine = 9;
    CHECK(clEnqueueFillBuffer(queue, bench.x, &nine, 4, 0, 4, 0, nullptr, &free) == CL_SUCCESS);
    CHECK(bench.status(gated) == CL_QUEUED);
    CHECK(bench.status(free) == CL_COMPLETE);
    CHECK(bench.status(all) == CL_QUEUED);
    // without an event, a command behind the gate still holds the queue back
    CHECK(clEnqueueMarkerWithWaitList(queue, 1, &gate, nullptr) == CL_SUCCESS);

    std::thread opener{[&] { clSetUserEventStatus(gate, -42); }};
    CHECK(clWaitForEvents(1, &after) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(clFinish(queue) == CL_SUCCESS);
    opener.join();
    CHECK(bench.status(gate) == -42);
    CHECK(bench.status(gated) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(bench.status(all) == CL_COMPLETE);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_INVALID_OPERATION);
    int value = 0;
    CHECK(clEnqueueReadBuffer(queue, bench.x, CL_TRUE, 0, 4, &value, 1, &gate, nullptr) ==
          CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(value == 0);
    for (const cl_event event : {gate, gated, after, free, all}) {
        clReleaseEvent(event);
    }
    clReleaseCommandQueue(queue);
}

TEST_CASE("profiling is there exactly when the queue has it")
{
    const Bench bench;
    cl_int code = CL_SUCCESS;
    const cl_command_queue queue =
        clCreateCommandQueue(bench.context, bench.devices[0], CL_QUEUE_PROFILING_ENABLE, &code);
    cl_event timed = nullptr, untimed = nullptr;
    clEnqueueMarkerWithWaitList(queue, 0, nullptr, &timed);
    clEnqueueMarkerWithWaitList(bench.queue, 0, nullptr, &untimed);
    cl_ulong start = 0, end = 0;
    CHECK(clGetEventProfilingInfo(timed, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr) == CL_SUCCESS);
    CHECK(clGetEventProfilingInfo(timed, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr) == CL_SUCCESS);
    CHECK(end - start == 1000);
    CHECK(clGetEventProfilingInfo(untimed, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr) ==
          CL_PROFILING_INFO_NOT_AVAILABLE);
    clReleaseEvent(timed);
    clReleaseEvent(untimed);
    clReleaseCommandQueue(queue);
}

#ifdef CL_VERSION_2_0
TEST_CASE("a call that the platform's version lacks is a violation")
{
    const Bench bench;
    if (version() >= 200) {
        return; // runs with CLUTCH_TEST_VERSION=1.2
    }
    CHECK(clSVMAlloc(bench.context, CL_MEM_READ_WRITE, 64, 0) == nullptr);
    CHECK(contains(one_violation(), "clSVMAlloc: the platform has OpenCL 1.2 only"));
}

TEST_CASE("shared virtual memory is known by its addresses")
{
    const Bench bench;
    if (version() < 200) {
        return;
    }
    auto* const memory = static_cast<float*>(clSVMAlloc(bench.context, CL_MEM_READ_WRITE, 64, 0));
    REQUIRE(memory != nullptr);
    const cl_kernel kernel = bench.axpy();
    bench.set(kernel, 1);
    float host = 0;
    CHECK(clSetKernelArgSVMPointer(kernel, 0, &host) == CL_INVALID_ARG_VALUE);
    CHECK(clSetKernelArgSVMPointer(kernel, 2, memory) == CL_INVALID_ARG_VALUE);
    CHECK(clSetKernelArgSVMPointer(kernel, 0, memory + 1) == CL_SUCCESS);
    const void* list[] = {memory};
    CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list) == CL_SUCCESS);
    CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr) == CL_INVALID_VALUE);
    driver().reset();
    {
        const clutch_test::Recording recording;
        CHECK(bench.launch(kernel, 1) == CL_SUCCESS);
    }
    const auto launches = driver().records_of(Call::clEnqueueNDRangeKernel);
    CHECK(launches[0]->svm_pointer_count == 1);
    CHECK(launches[0]->svm_pointers[0] == memory);
    CHECK(launches[0]->arguments[0].svm);
    CHECK(launches[0]->arguments[0].as<float*>() == memory + 1);
    clSVMFree(bench.context, memory);
    CHECK(bench.launch(kernel, 1) == CL_INVALID_KERNEL_ARGS);
    CHECK(contains(one_violation(), "allocation ended after it was set"));
    clSVMFree(bench.context, memory);
    one_violation();
    clReleaseKernel(kernel);
}
#endif

TEST_CASE("launches do nothing on demand, but for those that ask for an event")
{
    const Bench bench;
    const cl_kernel kernel = bench.axpy();
    driver().reset();
    driver().do_nothing(true);
    bench.set(kernel, 1);
    CHECK(bench.launch(kernel, 1) == CL_SUCCESS);
    CHECK(driver().total() == 0);
    cl_event event = nullptr;
    CHECK(bench.launch(kernel, 1, &event) == CL_INVALID_KERNEL_ARGS); // nothing was set
    driver().do_nothing(false);
    bench.set(kernel, 1);
    CHECK(bench.launch(kernel, 1) == CL_SUCCESS);
    clReleaseKernel(kernel);
}

TEST_CASE("a call that the driver lacks is a violation that names it")
{
    const Bench bench;
    std::array<cl_device_id, 4> parts{};
    const std::array<cl_device_partition_property, 3> equally{CL_DEVICE_PARTITION_EQUALLY, 2, 0};
    CHECK(clCreateSubDevices(bench.devices[0], equally.data(), 4, parts.data(), nullptr) == CL_INVALID_OPERATION);
    CHECK(contains(one_violation(), "clCreateSubDevices"));
}
