// Queues, events and contexts: what runs when and where.
#include "device_test.hpp"

#include <chrono>
#include <memory>
#include <type_traits>
#include <vector>

namespace {

using namespace test;
using clutch::Entry;
using clutch::Event;
using clutch::Global;
using clutch::Kernel;

inline constexpr clutch::Source source{R"CLC(
// Order matters: other arguments, or the same in another order, end in another number.
kernel void append(global uint* number, uint digit)
{
    number[0] = number[0] * 10 + digit;
}

kernel void copy(global uint* to, global const uint* from)
{
    to[0] = from[0];
}
)CLC"};

constexpr Kernel<Entry<source, "append">, Global<cl_uint>, cl_uint> append{};
constexpr Kernel<Entry<source, "copy">, Global<cl_uint>, Global<const cl_uint>> copy{};

struct ByGet {
    cl_command_queue queue;
    cl_command_queue get() const { return queue; }
};

struct ByCall {
    cl_command_queue queue;
    const cl_command_queue& operator()() const { return queue; }
};

} // namespace

TEST_CASE("Launches in one queue run in their order")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto number = filled<cl_uint>(queue, 1, 0);
    for (cl_uint digit = 1; digit <= 9; ++digit)
        append(queue, {1}, number, digit);
    CHECK(first(queue, number) == 123456789u);
}

TEST_CASE("A wait list keeps the order in a queue that has none")
{
    const clutch::Queue queue = out_of_order(clutch::default_queue());
    const auto number = filled<cl_uint>(queue, 1, 0);
    Event last = append.enqueue(queue, {1}, number, 1);
    for (cl_uint digit = 2; digit <= 9; ++digit)
        last = append.enqueue(queue, {.global = {1}, .after = {&last, 1}}, number, digit);
    last.wait();
    CHECK(first(queue, number) == 123456789u);
}

TEST_CASE("A launch waits for its wait list, and the launches of other queues do not", "[all-devices]")
{
    const clutch::Queue held = clutch::default_queue();
    const clutch::Queue free{held.context(), held.device()};
    const auto number = filled<cl_uint>(held, 1, 0);
    Gate gate{held};
    append(held, {.global = {1}, .after = gate.list()}, number, 2);
    held.flush();
    append.enqueue(free, {1}, number, 1).wait();
    CHECK(first(free, number) == 1u);
    gate.open();
    CHECK(first(held, number) == 12u);
}

TEST_CASE("A launch waits for the launches of other queues that are in its wait list", "[all-devices]")
{
    const clutch::Queue one = clutch::default_queue();
    const clutch::Queue two{one.context(), one.device()};
    const clutch::Queue loose = out_of_order(one);
    const auto number = filled<cl_uint>(one, 1, 0);
    Gate gate{one};
    const Event a = append.enqueue(one, {.global = {1}, .after = gate.list()}, number, 1);
    const Event b = append.enqueue(two, {.global = {1}, .after = {&a, 1}}, number, 2);
    const Event c = append.enqueue(loose, {.global = {1}, .after = {&b, 1}}, number, 3);
    const Event d = append.enqueue(one, {.global = {1}, .after = {&c, 1}}, number, 4);
    two.flush();
    loose.flush();
    one.flush();
    CHECK_FALSE(a.done());
    CHECK_FALSE(d.done());
    gate.open();
    d.wait();
    CHECK(first(one, number) == 1234u);
}

TEST_CASE("A wait list of several events waits for each of them", "[all-devices]")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Queue other{queue.context(), queue.device()};
    const auto number = filled<cl_uint>(queue, 1, 0);
    Gate first_gate{queue}, second_gate{queue};
    const std::vector<Event> both{first_gate.list()[0], second_gate.list()[0]};
    const Event held = append.enqueue(queue, {.global = {1}, .after = both}, number, 2);
    queue.flush();
    for (Gate* gate : {&first_gate, &second_gate}) {
        CHECK_FALSE(held.done());
        append.enqueue(other, {1}, number, 1).wait();
        gate->open();
    }
    held.wait();
    CHECK(first(queue, number) == 112u);
}

TEST_CASE("The event of a launch is complete only when the kernel has run", "[all-devices]")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Queue other{queue.context(), queue.device()};
    const auto number = filled<cl_uint>(queue, 1, 0);
    Gate gate{queue};
    const Event event = append.enqueue(queue, {.global = {1}, .after = gate.list()}, number, 7);
    queue.flush();
    CHECK_FALSE(event.done());
    CHECK(event.status() > CL_COMPLETE);
    gate.open();
    event.wait();
    CHECK(event.done());
    CHECK(event.status() == CL_COMPLETE);
    CHECK(first(other, number) == 7u);
}

TEST_CASE("Once the event of a launch is complete, another queue sees what it wrote")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Queue other{queue.context(), queue.device()};
    for (cl_uint digit = 0; digit < 50; ++digit) {
        const auto number = filled<cl_uint>(queue, 1, 0);
        append.enqueue(queue, {1}, number, digit).wait();
        CHECK(first(other, number) == digit);
    }
}

TEST_CASE("A zero-size launch's event waits for its wait list", "[all-devices]")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto number = filled<cl_uint>(queue, 1, 0);
    Gate gate{queue};
    const Event event = append.enqueue(queue, {.global = {0}, .after = gate.list()}, number, 1);
    queue.flush();
    CHECK_FALSE(event.done());
    gate.open();
    event.wait();
    CHECK(event.done());
    CHECK(first(queue, number) == 0u);
}

TEST_CASE("A zero-size launch's event waits for what stands before it in its queue", "[all-devices]")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto number = filled<cl_uint>(queue, 1, 0);
    Gate gate{queue};
    append(queue, {.global = {1}, .after = gate.list()}, number, 1);
    const Event event = append.enqueue(queue, {0}, number, 2);
    queue.flush();
    CHECK_FALSE(event.done());
    gate.open();
    event.wait();
    CHECK(first(queue, number) == 1u);
}

TEST_CASE("Launches may follow a zero-size launch's event")
{
    const clutch::Queue queue = out_of_order(clutch::default_queue());
    const auto number = filled<cl_uint>(queue, 1, 0);
    const Event one = append.enqueue(queue, {1}, number, 1);
    const Event none = append.enqueue(queue, {.global = {0}, .after = {&one, 1}}, number, 5);
    append.enqueue(queue, {.global = {1}, .after = {&none, 1}}, number, 2).wait();
    CHECK(first(queue, number) == 12u);
}

TEST_CASE("A profiled launch begins before it ends, and one launch ends before the next begins")
{
    const clutch::Queue plain = clutch::default_queue();
    const clutch::Queue queue{plain.context(), plain.device(), {.profiling = true}};
    const auto number = filled<cl_uint>(queue, 1, 0);
    const Event one = append.enqueue(queue, {1}, number, 1);
    const Event two = append.enqueue(queue, {1}, number, 2);
    Event::wait_all(std::vector<Event>{one, two});
    CHECK(one.start() > std::chrono::nanoseconds{0});
    CHECK(one.start() <= one.end());
    CHECK(one.duration() == one.end() - one.start());
    CHECK(one.end() <= two.start());
}

TEST_CASE("The times of a launch in a queue without profiling are an error")
{
    const clutch::Queue queue{clutch::default_queue().device()};
    const auto number = filled<cl_uint>(queue, 1, 0);
    const Event event = append.enqueue(queue, {1}, number, 1);
    event.wait();
    CHECK(code([&] { static_cast<void>(event.duration()); }) == CL_PROFILING_INFO_NOT_AVAILABLE);
}

TEST_CASE("A raw queue serves as one, and so does a wrapper that gives it")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto number = filled<cl_uint>(queue, 1, 0);
    append(queue.get(), {1}, number, 1);
    append(ByGet{queue.get()}, {1}, number, 2);
    append(ByCall{queue.get()}, {1}, number, 3);
    append.enqueue(queue.get(), {1}, number, 4).wait();
    CHECK_FALSE(append.try_launch(ByCall{queue.get()}, {1}, number, 5));
    CHECK(first(queue, number) == 12345u);
}

TEST_CASE("A shared_ptr to a queue's object serves as a queue")
{
    const clutch::Queue queue = clutch::default_queue();
    const std::shared_ptr<std::remove_pointer_t<cl_command_queue>> shared{queue.get(), [](cl_command_queue) {}};
    const auto number = filled<cl_uint>(queue, 1, 0);
    append(shared, {1}, number, 6);
    CHECK(first(queue, number) == 6u);
}

TEST_CASE("One kernel serves several queues in turn")
{
    const clutch::Queue one = clutch::default_queue();
    const clutch::Queue two{one.context(), one.device()};
    const auto a = filled<cl_uint>(one, 1, 0), b = filled<cl_uint>(one, 1, 0);
    for (cl_uint digit = 1; digit <= 5; ++digit) {
        append(one, {1}, a, digit);
        append(two, {1}, b, 9 - digit);
    }
    CHECK(first(one, a) == 12345u);
    CHECK(first(two, b) == 87654u);
}

TEST_CASE("One kernel serves several contexts in turn")
{
    const clutch::Queue one = clutch::default_queue();
    const clutch::Queue two{one.device()};
    REQUIRE(one.context() != two.context());
    const auto a = filled<cl_uint>(one, 1, 0), b = filled<cl_uint>(two, 1, 0);
    for (cl_uint digit = 1; digit <= 5; ++digit) {
        append(one, {1}, a, digit);
        append(two, {1}, b, 9 - digit);
    }
    CHECK(first(one, a) == 12345u);
    CHECK(first(two, b) == 87654u);
}

TEST_CASE("One kernel serves contexts that come and go, more than it remembers")
{
    const clutch::Device device = clutch::default_queue().device();
    for (cl_uint i = 0; i < 34; ++i) {
        const clutch::Queue queue{device};
        const auto number = filled<cl_uint>(queue, 1, i);
        append(queue, {1}, number, 7);
        CHECK(first(queue, number) == 10 * i + 7);
    }
}

TEST_CASE("One kernel serves several devices of a context in turn", "[all-devices]")
{
    const auto devices = clutch::Device::of(clutch::default_queue().device().platform());
    if (devices.size() < 2)
        SKIP("the platform has one device");
    const clutch::Context context{devices};
    const clutch::Queue one{context, devices[0]}, two{context, devices[1]};
    const auto a = filled<cl_uint>(one, 1, 0), b = filled<cl_uint>(two, 1, 0);
    for (cl_uint digit = 1; digit <= 5; ++digit) {
        append(one, {1}, a, digit);
        append(two, {1}, b, 9 - digit);
    }
    CHECK(first(one, a) == 12345u);
    CHECK(first(two, b) == 87654u);
}

TEST_CASE("Everything that a launch needs may be dropped before it has run", "[all-devices]")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto out = filled<cl_uint>(queue, 1, 0);
    Gate gate{queue};
    {
        const auto program = clutch::Program::from_source(
            "kernel void k(global uint* to, global const uint* from) { to[0] = 2 * from[0]; }");
        const Kernel<Global<cl_uint>, Global<const cl_uint>> k{program, "k"};
        const auto from = filled<cl_uint>(queue, 1, 21);
        const std::vector<Event> after{gate.list()[0]};
        k(queue, {.global = {1}, .after = after}, out, from);
    }
    gate.open();
    CHECK(first(queue, out) == 42u);
}

TEST_CASE("A queue that is dropped with launches in it runs them", "[all-devices]")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto number = filled<cl_uint>(queue, 1, 0);
    Gate gate{queue};
    Event event;
    {
        const clutch::Queue brief{queue.context(), queue.device()};
        event = append.enqueue(brief, {.global = {1}, .after = gate.list()}, number, 8);
        brief.flush();
    }
    gate.open();
    event.wait();
    CHECK(first(queue, number) == 8u);
}

TEST_CASE("A launch that follows a copy between buffers sees the copy")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto a = filled<cl_uint>(queue, 1, 5), b = filled<cl_uint>(queue, 1, 0), c = filled<cl_uint>(queue, 1, 0);
    const Event copied = b.copy_from_async(queue, a);
    copy(queue, {.global = {1}, .after = {&copied, 1}}, c, b);
    CHECK(first(queue, c) == 5u);
}
