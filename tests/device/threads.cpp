// Threads on a real device: however many launch one kernel object, each launch runs with its own arguments.
#include "device_test.hpp"

#include <array>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using namespace test;
using clutch::Buffer;
using clutch::Entry;
using clutch::Global;
using clutch::Kernel;
using clutch::Program;
using clutch::Queue;

inline constexpr clutch::Source source{R"CLC(
// The result depends on every value given and on their order.
kernel void chain(global uint* state, uint value)
{
    state[0] = state[0] * 1664525u + value;
}

kernel void put(global uint* out, uint index, uint value)
{
    out[index] = value;
}

kernel void chain_xor(global uint* state, uint value)
{
    state[0] = (state[0] ^ value) * 22695477u;
}
)CLC"};

constexpr Kernel<Entry<source, "chain">, Global<cl_uint>, cl_uint> chain{};
constexpr Kernel<Entry<source, "chain_xor">, Global<cl_uint>, cl_uint> chain_xor{};
constexpr Kernel<Entry<source, "put">, Global<cl_uint>, cl_uint, cl_uint> put{};

using RunTime = Kernel<Global<cl_uint>, cl_uint>;

constexpr cl_uint chained(cl_uint state, cl_uint value)
{
    return state * 1664525u + value;
}

constexpr cl_uint chained_xor(cl_uint state, cl_uint value)
{
    return (state ^ value) * 22695477u;
}

/// What thread `t` gives in its launch `i`: another value for each pair.
constexpr cl_uint value(unsigned t, unsigned i)
{
    return (t << 24) + i;
}

constexpr unsigned threads = 8;
constexpr unsigned launches = 10'000;

/// Runs `work(t)` in `threads` threads that begin together, and waits for them. An exception of one is a failure.
template <class Work>
void in_threads(Work work)
{
    std::barrier start{threads};
    std::array<std::string, threads> errors;
    {
        std::vector<std::jthread> running;
        for (unsigned t = 0; t < threads; ++t)
            running.emplace_back([&, t] {
                start.arrive_and_wait();
                try {
                    work(t);
                } catch (const std::exception& error) {
                    errors[t] = error.what();
                }
            });
    }
    for (const std::string& error : errors)
        CHECK(error == "");
}

/// Each thread launches `kernel` with values and memory of its own, in its queue; all of it must be in the results.
template <class K>
void check_own_arguments(const K& kernel, const std::vector<Queue>& queues)
{
    std::vector<Buffer<cl_uint>> states;
    for (unsigned t = 0; t < threads; ++t)
        states.push_back(filled<cl_uint>(queues[t], 1, t));
    in_threads([&](unsigned t) {
        for (unsigned i = 0; i < launches; ++i)
            kernel(queues[t], {1}, states[t], value(t, i));
    });
    for (unsigned t = 0; t < threads; ++t) {
        cl_uint expected = t;
        for (unsigned i = 0; i < launches; ++i)
            expected = chained(expected, value(t, i));
        CAPTURE(t);
        CHECK(first(queues[t], states[t]) == expected);
    }
}

std::vector<Queue> one_each()
{
    const Queue queue = clutch::default_queue();
    std::vector<Queue> queues;
    for (unsigned t = 0; t < threads; ++t)
        queues.emplace_back(queue.context(), queue.device());
    return queues;
}

Program program()
{
    return Program::from_source(std::string{source.text()});
}

} // namespace

TEST_CASE("Eight threads with a queue each launch one stated kernel 10 000 times, each with its own arguments",
          "[threads][all-devices]")
{
    check_own_arguments(chain, one_each());
}

TEST_CASE("Eight threads with a queue each launch one run-time kernel 10 000 times, each with its own arguments",
          "[threads][all-devices]")
{
    check_own_arguments(RunTime{program(), "chain"}, one_each());
}

TEST_CASE("Eight threads launch one kernel 10 000 times in one queue, each with its own arguments",
          "[threads][all-devices]")
{
    const Queue queue = clutch::default_queue();
    skip_where_the_caller_runs_kernels(queue);
    check_own_arguments(chain, std::vector<Queue>(threads, queue));
}

TEST_CASE("Eight threads launch one kernel 10 000 times in one out-of-order queue, each with its own arguments",
          "[threads][all-devices]")
{
    const Queue queue = out_of_order(clutch::default_queue());
    std::vector<Buffer<cl_uint>> outs;
    for (unsigned t = 0; t < threads; ++t)
        outs.push_back(filled<cl_uint>(queue, launches, ~0u));
    in_threads([&](unsigned t) {
        for (unsigned i = 0; i < launches; ++i)
            put(queue, {1}, outs[t], i, value(t, i));
    });
    queue.finish();
    for (unsigned t = 0; t < threads; ++t) {
        std::vector<cl_uint> expected(launches);
        for (unsigned i = 0; i < launches; ++i)
            expected[i] = value(t, i);
        CAPTURE(t);
        CHECK((contents(queue, outs[t]) == expected)); // in parentheses: a failure prints no 10 000 numbers
    }
}

TEST_CASE("Eight threads with a context each launch one kernel, each with its own arguments", "[threads][all-devices]")
{
    std::vector<Queue> queues;
    for (unsigned t = 0; t < threads; ++t)
        queues.emplace_back(clutch::default_queue().device());
    check_own_arguments(RunTime{program(), "chain"}, queues);
}

TEST_CASE("Threads that launch several kernels in turn get each kernel's code with their own arguments",
          "[threads][all-devices]")
{
    const auto queues = one_each();
    const Program shared = program();
    const RunTime one{shared, "chain"}, two{shared, "chain_xor"}; // of one type, so of one slot
    std::vector<Buffer<cl_uint>> states;
    for (unsigned t = 0; t < threads; ++t)
        states.push_back(filled<cl_uint>(queues[t], 1, t));
    in_threads([&](unsigned t) {
        for (unsigned i = 0; i < 1'000; ++i) {
            chain(queues[t], {1}, states[t], value(t, i));
            one(queues[t], {1}, states[t], value(t, i));
            chain_xor(queues[t], {1}, states[t], value(t, i));
            two(queues[t], {1}, states[t], value(t, i));
        }
    });
    for (unsigned t = 0; t < threads; ++t) {
        cl_uint expected = t;
        for (unsigned i = 0; i < 1'000; ++i) {
            const cl_uint v = value(t, i);
            expected = chained_xor(chained_xor(chained(chained(expected, v), v), v), v);
        }
        CAPTURE(t);
        CHECK(first(queues[t], states[t]) == expected);
    }
}

TEST_CASE("Threads that come and go, one after the other, each launch with their own arguments",
          "[threads][all-devices]")
{
    const Queue queue = clutch::default_queue();
    const RunTime kernel{program(), "chain"};
    const auto state = filled<cl_uint>(queue, 1, 0);
    cl_uint expected = 0;
    for (unsigned t = 0; t < 500; ++t) {
        std::thread{[&] {
            kernel(queue, {1}, state, t);
            chain(queue, {1}, state, t + 1);
            kernel(queue, {1}, state, t + 2);
        }}.join();
        expected = chained(chained(chained(expected, t), t + 1), t + 2);
    }
    CHECK(first(queue, state) == expected);
}

TEST_CASE("Threads that all come to a program that is not built yet all launch its kernel", "[threads][all-devices]")
{
    const auto queues = one_each();
    for (unsigned round = 0; round < 5; ++round) {
        const RunTime kernel{Program::from_source(std::string{source.text()} + "\n// " + std::to_string(round)),
                             "chain"};
        std::vector<Buffer<cl_uint>> states;
        for (unsigned t = 0; t < threads; ++t)
            states.push_back(filled<cl_uint>(queues[t], 1, 1));
        in_threads([&](unsigned t) { kernel(queues[t], {1}, states[t], t); });
        for (unsigned t = 0; t < threads; ++t)
            CHECK(first(queues[t], states[t]) == chained(1, t));
    }
}

TEST_CASE("Once a replacement has returned, every launch of every thread runs the new text", "[threads][all-devices]")
{
    const auto queues = one_each();
    const auto text = [](cl_uint version) {
        return std::string{"kernel void k(global uint* out) { out[0] = "}.append(std::to_string(version)).append("; }");
    };
    constexpr cl_uint last = 5;
    const Program program = Program::from_source(text(1));
    const Kernel<Global<cl_uint>> k{program, "k"};
    std::vector<Buffer<cl_uint>> outs;
    for (unsigned t = 0; t < threads; ++t)
        outs.push_back(filled<cl_uint>(queues[t], 1, 0));
    std::atomic<cl_uint> replaced{1};
    std::atomic<unsigned> too_old{0};
    in_threads([&](unsigned t) {
        if (t == 0) {
            for (cl_uint version = 2; version <= last; ++version) {
                program.replace(text(version));
                replaced = version;
                k(queues[t], {1}, outs[t]);
            }
            return;
        }
        for (cl_uint seen = 0; seen < last;) {
            const cl_uint at_least = replaced;
            k(queues[t], {1}, outs[t]);
            seen = first(queues[t], outs[t]);
            if (seen < at_least)
                ++too_old;
        }
    });
    CHECK(too_old == 0);
}

TEST_CASE("A kernel and a program that one thread drops stay alive for the others", "[threads][all-devices]")
{
    const auto queues = one_each();
    std::vector<Buffer<cl_uint>> states;
    for (unsigned t = 0; t < threads; ++t)
        states.push_back(filled<cl_uint>(queues[t], 1, 0));
    std::vector<RunTime> kernels(threads, RunTime{program(), "chain"});
    in_threads([&](unsigned t) {
        const RunTime own = kernels[t];
        kernels[t] = RunTime{Program::from_source("kernel void other() {}"), "other"};
        for (unsigned i = 0; i < 100 * (t + 1); ++i)
            own(queues[t], {1}, states[t], value(t, i));
    });
    for (unsigned t = 0; t < threads; ++t) {
        cl_uint expected = 0;
        for (unsigned i = 0; i < 100 * (t + 1); ++i)
            expected = chained(expected, value(t, i));
        CAPTURE(t);
        CHECK(first(queues[t], states[t]) == expected);
    }
}

TEST_CASE("Failed launches of some threads leave those of the others alone", "[threads][all-devices]")
{
    const auto queues = one_each();
    std::vector<Buffer<cl_uint>> states;
    for (unsigned t = 0; t < threads; ++t)
        states.push_back(filled<cl_uint>(queues[t], 1, 0));
    std::atomic<unsigned> unexpected{0};
    in_threads([&](unsigned t) {
        for (unsigned i = 0; i < 1'000; ++i) {
            if (t % 2 == 1) {
                const std::error_code refused = chain.try_launch(queues[t], {1}, states[t], -1);
                if (refused.value() != CL_INVALID_ARG_VALUE)
                    ++unexpected;
            }
            if (chain.try_launch(queues[t], {1}, states[t], value(t, i)))
                ++unexpected;
        }
    });
    CHECK(unexpected == 0);
    for (unsigned t = 0; t < threads; ++t) {
        cl_uint expected = 0;
        for (unsigned i = 0; i < 1'000; ++i)
            expected = chained(expected, value(t, i));
        CAPTURE(t);
        CHECK(first(queues[t], states[t]) == expected);
    }
}
