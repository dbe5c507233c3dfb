// Contexts and queues: what they are made of, what reaches the driver, and what they keep alive.
#include "probe.hpp"

#include <atomic>
#include <thread>
#include <utility>

namespace {

using namespace test;
using clutch::Context;
using clutch::Device;
using clutch::Queue;
using clutch::QueueOptions;

cl_command_queue_properties properties_of(const Queue& queue)
{
    return ask<cl_command_queue_properties>(clGetCommandQueueInfo, queue.get(), CL_QUEUE_PROPERTIES);
}

TEST_CASE("a context has the devices that it was made of")
{
    const CleanDriver clean;
    const auto devices = Device::all();
    CHECK(Context{devices[1]}.devices() == std::vector{devices[1]});
    CHECK(Context{devices}.devices() == devices);
    CHECK(Context{std::span{devices}.first(1)}.devices() == std::vector{devices[0]});
}

TEST_CASE("a context names its platform to the driver")
{
    const CleanDriver clean;
    const Device device = Device::find("0:0");
    const Context context{device};
    std::array<cl_context_properties, 3> properties{};
    REQUIRE(clGetContextInfo(context.get(), CL_CONTEXT_PROPERTIES, sizeof properties, properties.data(), nullptr) ==
            CL_SUCCESS);
    CHECK(properties[0] == CL_CONTEXT_PLATFORM);
    CHECK(properties[1] == reinterpret_cast<cl_context_properties>(device.platform().get()));
    CHECK(properties[2] == 0);
}

TEST_CASE("a context of no devices is an Error before the driver is called")
{
    const CleanDriver clean;
    clean.driver().reset();
    CHECK(code([] { Context{std::span<const Device>{}}; }) == CL_INVALID_VALUE);
    CHECK(clean.driver().total() == 0);
}

TEST_CASE("a context of an empty device is an Error before the driver makes it")
{
    const CleanDriver clean;
    CHECK(code([] { Context{Device{}}; }) == CL_INVALID_DEVICE);
    const std::vector<Device> devices{Device::find("0:0"), Device{}};
    CHECK(code([&] { Context{devices}; }) == CL_INVALID_DEVICE);
    CHECK(clean.driver().count(Call::clCreateContext) == 0);
}

TEST_CASE("making and asking a context reports the driver's refusal at each call")
{
    const CleanDriver clean;
    const auto devices = Device::all();
    fail_each_call_of([&] { const Context context{devices[0]}; });
    fail_each_call_of([&] { const Context context{devices}; });
    const Context context{devices};
    fail_each_call_of([&] { static_cast<void>(context.devices()); });
    fail_each_call_of([&] { static_cast<void>(Context::retain(context.get())); });
}

TEST_CASE("asking a context that is empty is an Error")
{
    const CleanDriver clean;
    CHECK(code([] { static_cast<void>(Context{}.devices()); }) == CL_INVALID_CONTEXT);
}

TEST_CASE("a queue's options reach the driver")
{
    const CleanDriver clean;
    const Device device = Device::find("0:0");
    const Context context{device};
    CHECK(properties_of(Queue{device}) == 0);
    CHECK(properties_of(Queue{device, {.profiling = true}}) == CL_QUEUE_PROFILING_ENABLE);
    CHECK(properties_of(Queue{device, {.out_of_order = true}}) == CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    CHECK(properties_of(Queue{context, device, {.profiling = true, .out_of_order = true}}) ==
          (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    CHECK(properties_of(Queue{context, device}) == 0);
}

TEST_CASE("a queue option that the device lacks is an Error")
{
    const CleanDriver clean;
    const Device device = Device::find("0:0");
    auto traits = clean.driver().traits(device.get());
    traits.out_of_order = false;
    clean.driver().set_traits(device.get(), traits);
    CHECK_NOTHROW(Queue{device});
    CHECK(code([&] { Queue{device, {.out_of_order = true}}; }) == CL_INVALID_QUEUE_PROPERTIES);
}

TEST_CASE("a queue for a device that is not in the context is an Error")
{
    const CleanDriver clean;
    const Context context{Device::find("0:0")};
    const std::string text = message([&] { Queue{context, Device::find("0:1")}; });
    CHECK(holds(text, "clCreateCommandQueue: CL_INVALID_DEVICE (-33)"));
}

TEST_CASE("a queue knows its context and its device")
{
    const CleanDriver clean;
    const auto devices = Device::all();
    const Context context{devices};
    const Queue queue{context, devices[1]};
    CHECK(queue.context() == context);
    CHECK(queue.device() == devices[1]);
    CHECK(calls([&] {
              CHECK(queue.context_handle() == context.get());
              CHECK(queue.device_handle() == devices[1].get());
          }) == 0);
}

TEST_CASE("a queue gives its context with a reference of its own")
{
    const CleanDriver clean;
    const Device device = Device::find("0:0");
    Context context = Queue{device}.context();
    CHECK(user_references(context.get()) == 1);
    CHECK(context.devices() == std::vector{device});
}

TEST_CASE("a queue asks for its context and device once when it is made")
{
    const CleanDriver clean;
    const Device device = Device::find("0:0");
    const Context context{device};
    CHECK(makes_calls({Call::clCreateCommandQueue, Call::clGetCommandQueueInfo, Call::clGetCommandQueueInfo,
                       Call::clReleaseCommandQueue},
                      [&] {
                          const Queue queue{context, device};
                      }));
    const Queue queue{context, device};
    CHECK(makes_calls({Call::clRetainCommandQueue, Call::clGetCommandQueueInfo, Call::clGetCommandQueueInfo,
                       Call::clReleaseCommandQueue},
                      [&] { const Queue retained = Queue::retain(queue.get()); }));
    CHECK(makes_calls({Call::clRetainCommandQueue, Call::clReleaseCommandQueue},
                      [&] { const Queue copy = queue; })); // NOLINT: the copy is what is tested
}

TEST_CASE("a queue of a device keeps a context of its own alive and ends it")
{
    const CleanDriver clean;
    const auto before = live();
    const Alive alive;
    {
        const Queue queue{Device::find("0:0")};
        CHECK(alive(Kind::context) == 1);
        CHECK(user_references(queue.context_handle()) == 0); // the queue's reference alone
        CHECK(is_live(queue.context_handle()));
    }
    CHECK(live() == before);
}

TEST_CASE("a queue that cannot be asked is released by adopt")
{
    const Bench bench;
    for (unsigned nth = 1; nth <= 2; ++nth) {
        REQUIRE(clRetainCommandQueue(bench.queue.get()) == CL_SUCCESS);
        CHECK(user_references(bench.queue.get()) == 2);
        bench.driver().fail(Call::clGetCommandQueueInfo, nth, CL_OUT_OF_HOST_MEMORY);
        CHECK(code([&] { static_cast<void>(Queue::adopt(bench.queue.get())); }) == CL_OUT_OF_HOST_MEMORY);
        CHECK(user_references(bench.queue.get()) == 1);
    }
}

TEST_CASE("a queue that cannot be asked keeps its count after retain")
{
    const Bench bench;
    for (unsigned nth = 1; nth <= 2; ++nth) {
        bench.driver().fail(Call::clGetCommandQueueInfo, nth, CL_OUT_OF_HOST_MEMORY);
        CHECK(code([&] { static_cast<void>(Queue::retain(bench.queue.get())); }) == CL_OUT_OF_HOST_MEMORY);
        CHECK(user_references(bench.queue.get()) == 1);
    }
}

TEST_CASE("a queue adopted from C code works as one of clutch's own")
{
    const CleanDriver clean;
    const Device device = Device::find("0:0");
    const Context context{device};
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int status = CL_SUCCESS;
    const Queue queue =
        Queue::adopt(clCreateCommandQueueWithProperties(context.get(), device.get(), properties, &status));
    REQUIRE(status == CL_SUCCESS);
    CHECK(user_references(queue.get()) == 1);
    CHECK(queue.context() == context);
    CHECK(queue.device() == device);
    const clutch::Buffer<int> buffer{queue, 4};
    CHECK_NOTHROW(buffer.fill(queue, 1));
}

TEST_CASE("finish and flush make one call each")
{
    const Bench bench;
    CHECK(makes_calls({Call::clFinish}, [&] { bench.queue.finish(); }));
    CHECK(makes_calls({Call::clFlush}, [&] { bench.queue.flush(); }));
}

TEST_CASE("finish blocks until every command has completed")
{
    const Bench bench;
    const clutch::Buffer<int> buffer{bench.queue, 4};
    bench.driver().hold_events(true);
    const clutch::Event event = buffer.fill_async(bench.queue, 1);
    std::atomic<bool> finished{false};
    std::thread waiter{[&] {
        bench.queue.finish();
        finished = true;
    }};
    while (bench.driver().count(Call::clFinish) == 0)
        std::this_thread::yield();
    CHECK_FALSE(finished);
    CHECK_FALSE(event.done());
    bench.driver().complete_all();
    waiter.join();
    CHECK(finished);
    CHECK(event.done());
}

TEST_CASE("an empty queue is an Error to whatever needs one")
{
    const Bench bench;
    Queue source{bench.queue.device()};
    const Queue used = std::move(source);
    for (const Queue& empty : {Queue{}, source}) { // NOLINT: moved from on purpose
        CHECK(code([&] { empty.finish(); }) == CL_INVALID_COMMAND_QUEUE);
        CHECK(code([&] { empty.flush(); }) == CL_INVALID_COMMAND_QUEUE);
        CHECK(code([&] { static_cast<void>(empty.context()); }) == CL_INVALID_CONTEXT);
        CHECK(code([&] { static_cast<void>(empty.device()); }) == CL_INVALID_DEVICE);
        CHECK(code([&] { clutch::Buffer<int>{empty, 4}; }) == CL_INVALID_CONTEXT);
        const clutch::Buffer<int> buffer{bench.queue, 4};
        CHECK(code([&] { buffer.fill(empty, 1); }) == CL_INVALID_COMMAND_QUEUE);
        CHECK(code([&] { static_cast<void>(buffer.map(empty)); }) == CL_INVALID_COMMAND_QUEUE);
    }
}

TEST_CASE("making and using a queue reports the driver's refusal at each call")
{
    const Bench bench;
    const Device device = bench.queue.device();
    const Context context = bench.queue.context();
    fail_each_call_of([&] { const Queue queue{device}; });
    fail_each_call_of([&] { const Queue queue{context, device, {.profiling = true}}; });
    fail_each_call_of([&] { const Queue queue = Queue::retain(bench.queue.get()); });
    fail_each_call_of([&] { static_cast<void>(bench.queue.context()); });
    fail_each_call_of([&] { static_cast<void>(bench.queue.device()); });
    fail_each_call_of([&] { bench.queue.finish(); });
    fail_each_call_of([&] { bench.queue.flush(); });
    fail_each_call([&] {
        REQUIRE(clRetainCommandQueue(bench.queue.get()) == CL_SUCCESS);
        return [&] { const Queue queue = Queue::adopt(bench.queue.get()); };
    });
}

} // namespace
