// Events: when a command is done, how it ended, and when it ran.
#include "probe.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

namespace {

using namespace test;
using clutch::Buffer;
using clutch::Event;
using clutch::Queue;

/// A bench whose commands stay queued until the test completes them.
struct HeldBench : Bench {
    HeldBench() { driver().hold_events(true); }

    Event command() const { return buffer.fill_async(queue, 1); }

    Buffer<int> buffer{queue, 8};
};

TEST_CASE("status follows the command")
{
    const HeldBench bench;
    const Event event = bench.command();
    CHECK(event.status() == CL_QUEUED);
    CHECK_FALSE(event.done());
    bench.driver().complete(event.get(), CL_SUBMITTED);
    CHECK(event.status() == CL_SUBMITTED);
    CHECK_FALSE(event.done());
    bench.driver().complete(event.get(), CL_RUNNING);
    CHECK(event.status() == CL_RUNNING);
    CHECK_FALSE(event.done());
    bench.driver().complete(event.get());
    CHECK(event.status() == CL_COMPLETE);
    CHECK(event.done());
}

TEST_CASE("a command that failed is done and its status is its code")
{
    const HeldBench bench;
    const Event event = bench.command();
    bench.driver().complete(event.get(), CL_OUT_OF_RESOURCES);
    CHECK(event.done());
    CHECK(event.status() == CL_OUT_OF_RESOURCES);
}

TEST_CASE("done and status do not block")
{
    const HeldBench bench;
    const Event event = bench.command();
    CHECK(makes_calls({Call::clGetEventInfo}, [&] { static_cast<void>(event.done()); }));
    CHECK(makes_calls({Call::clGetEventInfo}, [&] { static_cast<void>(event.status()); }));
}

TEST_CASE("wait blocks until the command has completed")
{
    const HeldBench bench;
    const Event event = bench.command();
    std::atomic<bool> waited{false};
    std::thread waiter{[&] {
        event.wait();
        waited = true;
    }};
    while (bench.driver().count(Call::clWaitForEvents) == 0)
        std::this_thread::yield();
    CHECK_FALSE(waited);
    bench.driver().complete(event.get());
    waiter.join();
    CHECK(waited);
}

TEST_CASE("wait makes one call")
{
    const Bench bench;
    const Event event = Buffer<int>{bench.queue, 1}.fill_async(bench.queue, 1);
    CHECK(makes_calls({Call::clWaitForEvents}, [&] { event.wait(); }));
}

TEST_CASE("wait reports the code of a command that failed")
{
    const HeldBench bench;
    const Event event = bench.command();
    bench.driver().complete(event.get(), CL_OUT_OF_RESOURCES);
    const std::string text = message([&] { event.wait(); });
    CHECK(holds(text, "clWaitForEvents: CL_OUT_OF_RESOURCES (-5)"));
    CHECK(code([&] { event.wait(); }) == CL_OUT_OF_RESOURCES);
}

TEST_CASE("a failed command is reported at every wait")
{
    const HeldBench bench;
    const Event event = bench.command();
    bench.driver().complete(event.get(), CL_OUT_OF_RESOURCES);
    const Event copy = event;
    for (int i = 0; i < 3; ++i) {
        CHECK(code([&] { event.wait(); }) == CL_OUT_OF_RESOURCES);
        CHECK(code([&] { copy.wait(); }) == CL_OUT_OF_RESOURCES);
    }
}

TEST_CASE("wait_all waits for every event in one call")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 1};
    std::vector<Event> events;
    for (int i = 0; i < 20; ++i)
        events.push_back(buffer.fill_async(bench.queue, i));
    bench.driver().reset();
    {
        const clutch_test::Recording recording;
        Event::wait_all(events);
    }
    const auto records = bench.driver().records();
    REQUIRE(records.size() == 1);
    CHECK(records[0].call == Call::clWaitForEvents);
    CHECK(records[0].wait_count == 20);
    for (std::size_t i = 0; i < records[0].waits.size(); ++i)
        CHECK(records[0].waits[i] == events[i].get());
}

TEST_CASE("waiting for no events returns at once without a call")
{
    const Bench bench;
    CHECK(calls([] { Event::wait_all({}); }) == 0);
    CHECK(calls([] { Event::wait_all(std::vector<Event>{}); }) == 0);
}

TEST_CASE("waiting does not use the heap")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 1};
    std::vector<Event> events;
    for (int i = 0; i < 20; ++i)
        events.push_back(buffer.fill_async(bench.queue, i));
    CHECK(allocations([&] { events[0].wait(); }) == 0);
    CHECK(allocations([&] { Event::wait_all(events); }) == 0);
    CHECK(allocations([&] { static_cast<void>(events[0].done()); }) == 0);
}

TEST_CASE("wait_all reports the code of the first command that failed and which it was")
{
    const HeldBench bench;
    const Queue second{bench.queue.context(), bench.queue.device(), {.out_of_order = true}};
    std::vector<Event> events;
    for (int i = 0; i < 4; ++i)
        events.push_back(bench.buffer.fill_async(second, i));
    bench.driver().complete(events[0].get());
    bench.driver().complete(events[1].get());
    bench.driver().complete(events[2].get(), CL_OUT_OF_RESOURCES);
    bench.driver().complete(events[3].get(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    const std::string text = message([&] { Event::wait_all(events); });
    CHECK(holds(text, "clWaitForEvents: CL_OUT_OF_RESOURCES (-5)"));
    CHECK(holds(text, "event 2 of 4"));
}

TEST_CASE("an empty event to wait for is an Error that says which")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 1};
    Event moved = buffer.fill_async(bench.queue, 1);
    const Event full = std::move(moved);
    CHECK(code([] { Event{}.wait(); }) == CL_INVALID_EVENT);
    CHECK(holds(message([] { Event{}.wait(); }), "event 0 of 1 is empty"));
    CHECK(holds(message([&] { moved.wait(); }), "event 0 of 1 is empty")); // NOLINT: moved from on purpose
    const std::array first{Event{}, full}, last{full, Event{}};
    CHECK(code([&] { Event::wait_all(first); }) == CL_INVALID_EVENT);
    CHECK(holds(message([&] { Event::wait_all(first); }), "event 0 of 2 is empty"));
    CHECK(code([&] { Event::wait_all(last); }) == CL_INVALID_EVENT);
    CHECK(holds(message([&] { Event::wait_all(last); }), "event 1 of 2 is empty"));
}

TEST_CASE("an empty event in the wait list of a copy is an Error that says which")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 4}, other{bench.queue, 4}, nothing;
    const std::array after{buffer.fill_async(bench.queue, 1), Event{}};
    std::array<int, 4> host{};
    clutch::Mapping<int> mapping;
    const auto before = live();
    const auto explained = [&](auto work) {
        const std::string text = message(work);
        CHECK(holds(text, "CL_INVALID_EVENT_WAIT_LIST (-57)"));
        CHECK(holds(text, "event 1 of 2 is empty"));
        CHECK(live() == before);
    };
    explained([&] { static_cast<void>(buffer.read_async(bench.queue, host, 0, after)); });
    explained([&] { static_cast<void>(buffer.write_async(bench.queue, host, 0, after)); });
    explained([&] { static_cast<void>(buffer.fill_async(bench.queue, 1, 0, 4, after)); });
    explained([&] { static_cast<void>(buffer.copy_from_async(bench.queue, other, 0, 0, 4, after)); });
    explained([&] { static_cast<void>(buffer.map_async(bench.queue, mapping, 0, 4, after)); });
    explained([&] { static_cast<void>(nothing.fill_async(bench.queue, 1, 0, 0, after)); });
    explained([&] { static_cast<void>(nothing.map_async(bench.queue, mapping, 0, 0, after)); });
}

TEST_CASE("asking an empty event is an Error")
{
    const CleanDriver clean;
    CHECK(code([] { static_cast<void>(Event{}.status()); }) == CL_INVALID_EVENT);
    CHECK(code([] { static_cast<void>(Event{}.done()); }) == CL_INVALID_EVENT);
    CHECK(code([] { static_cast<void>(Event{}.start()); }) == CL_INVALID_EVENT);
    CHECK(code([] { static_cast<void>(Event{}.end()); }) == CL_INVALID_EVENT);
    CHECK(code([] { static_cast<void>(Event{}.duration()); }) == CL_INVALID_EVENT);
}

TEST_CASE("a command that waited for one that failed fails with a code of its own")
{
    const HeldBench bench;
    const Event first = bench.command();
    const Event second = bench.buffer.fill_async(bench.queue, 2, 0, 8, {&first, 1});
    bench.driver().complete(first.get(), CL_OUT_OF_RESOURCES);
    bench.driver().complete_all();
    CHECK(code([&] { second.wait(); }) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_CASE("a user event of C code can be adopted and waited for")
{
    const Bench bench;
    cl_int status = CL_SUCCESS;
    const Event event = Event::adopt(clCreateUserEvent(bench.queue.context_handle(), &status));
    REQUIRE(status == CL_SUCCESS);
    CHECK(user_references(event.get()) == 1);
    CHECK(event.status() == CL_SUBMITTED);
    REQUIRE(clSetUserEventStatus(event.get(), CL_COMPLETE) == CL_SUCCESS);
    CHECK_NOTHROW(event.wait());
    CHECK(event.done());
}

TEST_CASE("events of two contexts in one wait are an Error")
{
    const Bench bench;
    const Queue other{bench.queue.device()};
    const std::array events{Buffer<int>{bench.queue, 1}.fill_async(bench.queue, 1),
                            Buffer<int>{other, 1}.fill_async(other, 1)};
    CHECK(code([&] { Event::wait_all(events); }) == CL_INVALID_CONTEXT);
}

TEST_CASE("a profiled command says when it began and ended")
{
    const Bench bench;
    const Queue queue{bench.queue.device(), {.profiling = true}};
    const Event event = Buffer<int>{queue, 1}.fill_async(queue, 1);
    const auto raw = [&](cl_profiling_info param) {
        return std::chrono::nanoseconds{ask<cl_ulong>(clGetEventProfilingInfo, event.get(), param)};
    };
    CHECK(event.start() == raw(CL_PROFILING_COMMAND_START));
    CHECK(event.end() == raw(CL_PROFILING_COMMAND_END));
    CHECK(event.end() > event.start());
    CHECK(event.duration() == event.end() - event.start());
}

TEST_CASE("times of a command of a queue without profiling are an Error")
{
    const Bench bench;
    const Event event = Buffer<int>{bench.queue, 1}.fill_async(bench.queue, 1);
    CHECK(code([&] { static_cast<void>(event.start()); }) == CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(code([&] { static_cast<void>(event.end()); }) == CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(code([&] { static_cast<void>(event.duration()); }) == CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(holds(message([&] { static_cast<void>(event.start()); }),
                "clGetEventProfilingInfo: CL_PROFILING_INFO_NOT_AVAILABLE (-7)"));
}

TEST_CASE("times of a command that has not completed are an Error until it has")
{
    const Bench bench;
    const Queue queue{bench.queue.device(), {.profiling = true}};
    const Buffer<int> buffer{queue, 1};
    bench.driver().hold_events(true);
    const Event event = buffer.fill_async(queue, 1);
    CHECK(code([&] { static_cast<void>(event.duration()); }) == CL_PROFILING_INFO_NOT_AVAILABLE);
    bench.driver().complete(event.get());
    CHECK(event.duration() > std::chrono::nanoseconds::zero());
}

TEST_CASE("an event keeps what it needs after queue and buffer were dropped")
{
    const CleanDriver clean;
    const auto before = live();
    {
        Event event;
        {
            const Queue queue{clutch::Device::find("0:0"), {.profiling = true}};
            event = Buffer<int>{queue, 1}.fill_async(queue, 1);
        }
        CHECK_NOTHROW(event.wait());
        CHECK(event.done());
        CHECK(event.duration() > std::chrono::nanoseconds::zero());
    }
    CHECK(live() == before);
}

TEST_CASE("waiting and asking report the driver's refusal at each call")
{
    const Bench bench;
    const Queue queue{bench.queue.device(), {.profiling = true}};
    const Event event = Buffer<int>{queue, 1}.fill_async(queue, 1);
    const std::array both{event, event};
    fail_each_call_of([&] { event.wait(); });
    fail_each_call_of([&] { Event::wait_all(both); });
    fail_each_call_of([&] { static_cast<void>(event.status()); });
    fail_each_call_of([&] { static_cast<void>(event.done()); });
    fail_each_call_of([&] { static_cast<void>(event.start()); });
    fail_each_call_of([&] { static_cast<void>(event.end()); });
    fail_each_call_of([&] { static_cast<void>(event.duration()); });
    fail_each_call_of([&] { static_cast<void>(Event::retain(event.get())); });
}

} // namespace
