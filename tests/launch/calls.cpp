// What a warm launch is made of: exact call counts, exact arguments of the calls, and no heap.
#include "../support/driver_test.hpp"

#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace test;
using clutch::Constant;
using clutch::Entry;
using clutch::Global;
using clutch::Kernel;
using clutch::Launch;
using clutch::Local;

struct Padded {
    char tag;
    double value;
    char tail;
};

struct Nested {
    cl_float4 direction;
    Padded inner;
};

/// A user's own wrapper of a handle, in the two usual forms.
struct GetWrapper {
    cl_mem memory;
    cl_mem get() const { return memory; }
};
struct CallWrapper {
    cl_mem memory;
    const cl_mem& operator()() const { return memory; }
};
struct QueueWrapper {
    cl_command_queue queue;
    cl_command_queue operator()() const { return queue; }
};

/// A warm launch of `k` makes one clSetKernelArg an argument, one clEnqueueNDRangeKernel, nothing else, and no heap
/// use; by each of the three calls.
template <class K, class How, class... Given>
void check_warm(const clutch::Queue& queue, const K& k, const How& how, const Given&... given)
{
    auto& driver = clutch_test::driver();
    k(queue, how, given...);
    static_cast<void>(k.enqueue(queue, how, given...));
    const auto expect = [&](std::uint64_t releases, auto launch) {
        driver.reset();
        const std::uint64_t heap_use = allocations(launch);
        CHECK(heap_use == 0);
        CHECK(driver.count(Call::clSetKernelArg) == sizeof...(Given));
        CHECK(driver.count(Call::clEnqueueNDRangeKernel) == 1);
        CHECK(driver.count(Call::clReleaseEvent) == releases);
        CHECK(driver.total() == sizeof...(Given) + 1 + releases);
    };
    expect(0, [&] { k(queue, how, given...); });
    std::error_code code;
    expect(0, [&] { code = k.try_launch(queue, how, given...); });
    CHECK(!code);
    expect(1, [&] { static_cast<void>(k.enqueue(queue, how, given...)); }); // the release is the dropped Event's
}

template <class... Args, class... Given>
void check_parameters(const std::string& parameters, const Given&... given)
{
    CAPTURE(parameters);
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source("struct S { int x; }; kernel void k(" + parameters + ") {}");
    const Kernel<Args...> k{program, "k"};
    check_warm(queue, k, clutch::NDRange{64}, given...);
}

template <std::size_t>
using Int = cl_int;

template <std::size_t... I>
void check_count(std::index_sequence<I...>)
{
    std::string parameters;
    ((parameters += (I == 0 ? "int a" : ", int a") + std::to_string(I)), ...);
    check_parameters<Int<I>...>(parameters, static_cast<cl_int>(I)...);
}

inline constexpr clutch::Source stated_source{R"CLC(
kernel void none() {}
kernel void axpy(global float* y, global const float* x, float a) {}
)CLC"};
constexpr Kernel<Entry<stated_source, "none">> stated_none{};
constexpr Kernel<Entry<stated_source, "axpy">, Global<float>, Global<const float>, float> stated_axpy{};

} // namespace

TEST_CASE("A warm launch of the stated form is its arguments and the enqueue, without heap")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> x{queue, 16}, y{queue, 16};
    check_warm(queue, stated_none, clutch::NDRange{64});
    check_warm(queue, stated_axpy, clutch::NDRange{64}, y, x, 2.0f);
}

TEST_CASE("A warm launch with a scalar of any type is its arguments and the enqueue, without heap")
{
    const CleanDriver clean;
    check_parameters<cl_char>("char a", cl_char{1});
    check_parameters<cl_uchar>("uchar a", cl_uchar{1});
    check_parameters<cl_short>("short a", cl_short{1});
    check_parameters<cl_ushort>("ushort a", cl_ushort{1});
    check_parameters<cl_int>("int a", cl_int{1});
    check_parameters<cl_uint>("uint a", cl_uint{1});
    check_parameters<cl_long>("long a", cl_long{1});
    check_parameters<cl_ulong>("ulong a", cl_ulong{1});
    check_parameters<float>("float a", 1.0f);
    check_parameters<double>("double a", 1.0);
}

TEST_CASE("A warm launch that converts its arguments is its arguments and the enqueue, without heap")
{
    const CleanDriver clean;
    check_parameters<float, cl_int, cl_uchar>("float a, int b, uchar c", 3.14, std::size_t{7}, 200);
}

TEST_CASE("A warm launch with memory of any kind is its arguments and the enqueue, without heap")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> buffer{queue, 1024};
    const std::vector<float> data(8, 1.0f);
    const clutch::Buffer<const float> constant{queue, data};
    const clutch::BufferView<float> view = buffer.view(512, 100);
    const clutch::BufferView<const float> const_view = view;
    const clutch::Buffer<float> empty{queue, 0};

    check_parameters<Global<float>>("global float* a", buffer);
    check_parameters<Global<float>>("global float* a", view);
    check_parameters<Global<float>>("global float* a", empty);
    check_parameters<Global<float>>("global float* a", buffer.get());
    check_parameters<Global<float>>("global float* a", GetWrapper{buffer.get()});
    check_parameters<Global<float>>("global float* a", CallWrapper{buffer.get()});
    check_parameters<Global<float>>("global float* a", nullptr);
    check_parameters<Global<const float>>("global const float* a", buffer);
    check_parameters<Global<const float>>("global const float* a", constant);
    check_parameters<Global<const float>>("global const float* a", const_view);
    check_parameters<Constant<float>>("constant float* a", buffer);
    check_parameters<Constant<float>>("constant float* a", constant);
    check_parameters<Constant<float>>("constant float* a", view);
}

TEST_CASE("A warm launch with local memory is its arguments and the enqueue, without heap")
{
    const CleanDriver clean;
    check_parameters<Local<float>>("local float* a", clutch::local<float>(64));
    check_parameters<Local<double>, Local<cl_int>>("local double* a, local int* b", clutch::local<double>(1),
                                                   clutch::local<cl_int>(7));
}

TEST_CASE("A warm launch with structs and vectors is its arguments and the enqueue, without heap")
{
    const CleanDriver clean;
    check_parameters<Padded>("struct S a", Padded{1, 2.0, 3});
    check_parameters<Nested>("struct S a", Nested{});
    check_parameters<cl_float4, cl_int2>("float4 a, int2 b", cl_float4{}, cl_int2{});
    check_parameters<cl_float3>("float3 a", cl_float3{});
}

TEST_CASE("A warm launch of 0 to 16 arguments is its arguments and the enqueue, without heap")
{
    const CleanDriver clean;
    [&]<std::size_t... N>(std::index_sequence<N...>)
    {
        (check_count(std::make_index_sequence<N>{}), ...);
    }
    (std::make_index_sequence<17>{});
}

TEST_CASE("A warm launch with local size, offset and wait list is its arguments and the enqueue, without heap")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> x{queue, 16}, y{queue, 16};
    std::vector<clutch::Event> events;
    for (int i = 0; i < 100; ++i)
        events.push_back(x.fill_async(queue, 1.0f));

    check_warm(queue, stated_axpy, Launch{.global = {64}, .local = {16}}, y, x, 2.0f);
    check_warm(queue, stated_axpy, Launch{.global = {64, 2}, .local = {16, 1}, .offset = {5, 6}}, y, x, 2.0f);
    check_warm(queue, stated_axpy, Launch{.global = {64}, .after = events}, y, x, 2.0f);
    check_warm(queue, stated_axpy,
               Launch{.global = {8, 8, 8}, .local = {2, 2, 2}, .offset = {1, 1, 1}, .after = events}, y, x, 2.0f);
}

TEST_CASE("A raw queue costs each launch the two queries for its context and device, and no heap")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> x{queue, 16}, y{queue, 16};
    const cl_command_queue raw = queue.get();
    const QueueWrapper wrapper{raw};
    stated_axpy(raw, {64}, y, x, 2.0f);
    const auto expect = [&](auto launch) {
        clean.driver().reset();
        const auto heap_use = allocations(launch);
        CHECK(heap_use == 0);
        CHECK(clean.driver().count(Call::clGetCommandQueueInfo) == 2);
        CHECK(clean.driver().count(Call::clSetKernelArg) == 3);
        CHECK(clean.driver().count(Call::clEnqueueNDRangeKernel) == 1);
        CHECK(clean.driver().total() == 6);
    };
    expect([&] { stated_axpy(raw, {64}, y, x, 2.0f); });
    expect([&] { stated_axpy(wrapper, {64}, y, x, 2.0f); });
}

TEST_CASE("The driver gets the sizes, offset and wait list of the call, and no event unless asked")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> x{queue, 16};
    const std::vector<clutch::Event> after{x.fill_async(queue, 1.0f), x.fill_async(queue, 2.0f)};
    stated_none(queue, {1});

    driver.reset();
    driver.record(true);
    stated_none(queue, {7});
    stated_none(queue, {7, 5});
    stated_none(queue, {{8, 6, 4}, {4, 3, 2}});
    stated_none(queue, {.global = {8, 6}, .offset = {1, 2}, .after = after});
    static_cast<void>(stated_none.enqueue(queue, {{4}, {2}}));
    driver.record(false);

    const auto enqueues = driver.records_of(Call::clEnqueueNDRangeKernel);
    REQUIRE(enqueues.size() == 5);
    CHECK(enqueues[0]->work_dim == 1);
    CHECK(enqueues[0]->global[0] == 7);
    CHECK_FALSE(enqueues[0]->has_local);
    CHECK_FALSE(enqueues[0]->has_offset);
    CHECK(enqueues[0]->wait_count == 0);
    CHECK_FALSE(enqueues[0]->event_asked);
    CHECK(enqueues[0]->queue == queue.get());
    CHECK(enqueues[1]->work_dim == 2);
    CHECK((enqueues[1]->global[0] == 7 && enqueues[1]->global[1] == 5));
    CHECK(enqueues[2]->work_dim == 3);
    CHECK(enqueues[2]->global == std::array<std::size_t, 3>{8, 6, 4});
    CHECK(enqueues[2]->has_local);
    CHECK(enqueues[2]->local == std::array<std::size_t, 3>{4, 3, 2});
    CHECK(enqueues[3]->has_offset);
    CHECK((enqueues[3]->offset[0] == 1 && enqueues[3]->offset[1] == 2));
    CHECK(enqueues[3]->wait_count == 2);
    CHECK((enqueues[3]->waits[0] == after[0].get() && enqueues[3]->waits[1] == after[1].get()));
    CHECK(enqueues[4]->event_asked);
}
