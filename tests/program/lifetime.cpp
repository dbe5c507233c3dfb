// How long programs, kernels and contexts live: no longer than their last handle, however many come and go.
#include "program_test.hpp"

#include <latch>
#include <optional>
#include <set>

namespace {

using namespace test;
using clutch::Buffer;
using clutch::Device;
using clutch::Program;
using clutch::Queue;

TEST_CASE("copies of a program share what is built")
{
    const Bench bench;
    const Program program = Program::from_source(two_kernels);
    const Program copy = program;
    CHECK(copy == program);
    CHECK(copy.generation() == program.generation());
    CHECK(builds([&] {
              copy.build(bench.queue);
              program.build(bench.queue);
          }) == 1);
}

TEST_CASE("a program lives as long as any of its handles")
{
    const LaunchBench bench;
    const auto before = live();
    {
        std::optional<Scale> scale;
        std::optional<Scale> copy;
        {
            Program program = Program::from_source(two_kernels);
            program.build(bench.queue);
            const Program other = std::move(program);
            scale.emplace(other, "scale");
        }
        CHECK(bench.alive(Kind::program) == 1);
        CHECK_NOTHROW((*scale)(bench.queue, {1}, bench.data, 2.0f));
        copy.emplace(*scale);
        scale.reset();
        CHECK(bench.alive(Kind::program) == 1);
        CHECK_NOTHROW((*copy)(bench.queue, {1}, bench.data, 2.0f));
        const Program last = copy->program();
        copy.reset();
        CHECK(builds([&] { last.build(bench.queue); }) == 0);
    }
    CHECK(live() == before);
}

TEST_CASE("assigning a program drops the old one")
{
    const Bench bench;
    Program program = Program::from_source(two_kernels);
    program.build(bench.queue);
    CHECK(bench.alive(Kind::program) == 1);
    auto& same = program;
    program = same;
    CHECK(bench.alive(Kind::program) == 1);
    program = std::move(same);
    CHECK(program);
    CHECK(bench.alive(Kind::program) == 1);
    program = Program::from_source(two_kernels);
    CHECK(bench.alive(Kind::program) == 0);
}

TEST_CASE("the last handle releases program and kernels at once")
{
    const LaunchBench bench;
    const auto before = live();
    {
        const Program program = Program::from_source(two_kernels);
        Scale{program, "scale"}(bench.queue, {1}, bench.data, 2.0f);
        Clear{program, "clear"}(bench.queue, {1}, bench.data);
        CHECK(bench.alive(Kind::kernel) == 2);
        CHECK(bench.alive(Kind::program) == 1);
    }
    CHECK(live() == before);
}

TEST_CASE("dropping a program does not use the heap")
{
    const LaunchBench bench;
    const Queue other{bench.queue.device()};
    std::optional<Program> program{Program::from_source(two_kernels)};
    Scale{*program, "scale"}(bench.queue, {1}, bench.data, 2.0f);
    program->replace(two_kernels);
    program->build(bench.queue);
    program->build(other);
    CHECK(allocations([&] { program.reset(); }) == 0);
}

TEST_CASE("the last handle releases kernels that other threads still have")
{
    const LaunchBench bench;
    const auto before = live();
    std::optional<Scale> scale{std::in_place, Program::from_source(two_kernels), "scale"};
    std::latch launched{4}, dropped{1};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            (*scale)(bench.queue, {1}, bench.data, 2.0f);
            launched.count_down();
            dropped.wait();
            // What the thread remembers of the program that is gone does no harm.
            const Scale other{Program::from_source(two_kernels), "scale"};
            other(bench.queue, {1}, bench.data, 2.0f);
        });
    launched.wait();
    CHECK(bench.alive(Kind::kernel) == 4);
    scale.reset();
    CHECK(live() == before);
    dropped.count_down();
    for (std::thread& thread : threads)
        thread.join();
    CHECK(live() == before);
}

TEST_CASE("threads that end give their kernels back to those that follow")
{
    const LaunchBench bench;
    const Scale scale{Program::from_source(two_kernels), "scale"};
    for (int i = 0; i < 100; ++i)
        std::thread{[&] { scale(bench.queue, {1}, bench.data, 2.0f); }}.join();
    CHECK(bench.alive(Kind::kernel) == 1);
    CHECK(bench.driver().count(Call::clCreateKernel) == 1);
}

TEST_CASE("a thread that ends makes no driver call")
{
    const LaunchBench bench;
    const Scale scale{Program::from_source(two_kernels), "scale"};
    std::latch launched{1}, counted{1};
    std::thread thread{[&] {
        scale(bench.queue, {1}, bench.data, 2.0f);
        launched.count_down();
        counted.wait();
    }};
    launched.wait();
    bench.driver().reset();
    counted.count_down();
    thread.join();
    CHECK(bench.driver().total() == 0);
}

TEST_CASE("a thread may outlive the program whose kernel it has")
{
    const LaunchBench bench;
    const auto before = live();
    std::optional<Scale> scale{std::in_place, Program::from_source(two_kernels), "scale"};
    std::latch launched{1}, dropped{1};
    std::thread thread{[&] {
        (*scale)(bench.queue, {1}, bench.data, 2.0f);
        launched.count_down();
        dropped.wait();
    }};
    launched.wait();
    scale.reset();
    dropped.count_down();
    thread.join();
    CHECK(live() == before);
}

TEST_CASE("a queue and its context may go before the program")
{
    const CleanDriver clean;
    const auto before = live();
    {
        const Scale scale{Program::from_source(two_kernels), "scale"};
        {
            const Queue queue{Device::find("0:0")};
            scale(queue, {1}, Buffer<float>{queue, 1}, 2.0f);
        }
        const Queue queue{Device::find("0:0")};
        CHECK_NOTHROW(scale(queue, {1}, Buffer<float>{queue, 1}, 2.0f));
    }
    CHECK(live() == before);
}

/// Launches in a new context `count` times, and gives the most contexts, programs or kernels that were alive at once.
template <class Launch>
std::int64_t most_alive(const Alive& alive, int count, Launch launch)
{
    std::int64_t most = 0;
    for (int i = 0; i < count; ++i) {
        const Queue queue{Device::find("0:0")};
        launch(queue);
        for (Kind kind : {Kind::context, Kind::program, Kind::kernel})
            most = std::max(most, alive(kind));
    }
    return most;
}

TEST_CASE("ten thousand contexts that come and go keep a bounded number of objects alive")
{
    const CleanDriver clean;
    const auto before = live();
    const Alive alive;
    {
        const Scale scale{Program::from_source(two_kernels), "scale"};
        const auto launch = [&](const Queue& queue) { scale(queue, {1}, Buffer<float>{queue, 1}, 2.0f); };
        CHECK(most_alive(alive, 200, launch) <= 33);
        const std::size_t bytes = heap_in_use();
        CHECK(most_alive(alive, 10000, launch) <= 33);
        CHECK(heap_in_use() <= bytes + 16384);
    }
    CHECK(live() == before);
}

TEST_CASE("ten thousand contexts in which a text does not build keep a bounded number of objects alive")
{
    const CleanDriver clean;
    const auto before = live();
    const Alive alive;
    {
        const Scale scale{Program::from_source("kernel void scale() {"), "scale"};
        const auto launch = [&](const Queue& queue) {
            CHECK(scale.try_launch(queue, {1}, Buffer<float>{queue, 1}, 2.0f).value() == CL_BUILD_PROGRAM_FAILURE);
        };
        CHECK(most_alive(alive, 200, launch) <= 33);
        const std::size_t bytes = heap_in_use();
        CHECK(most_alive(alive, 10000, launch) <= 33);
        CHECK(heap_in_use() <= bytes + 16384);
    }
    CHECK(live() == before);
}

TEST_CASE("ten thousand programs that come and go leave nothing behind")
{
    const LaunchBench bench;
    const auto launch = [&] {
        const Scale scale{Program::from_source(two_kernels), "scale"};
        scale(bench.queue, {1}, bench.data, 2.0f);
    };
    for (int i = 0; i < 200; ++i)
        launch();
    const auto before = live();
    const std::size_t bytes = heap_in_use();
    for (int i = 0; i < 10000; ++i)
        launch();
    CHECK(live() == before);
    CHECK(heap_in_use() <= bytes + 16384);
}

TEST_CASE("ten thousand programs that come and go cost a thread that launched one no more memory")
{
    const LaunchBench bench;
    const Clear clear{Program::from_source(two_kernels), "clear"};
    const auto launch = [&] {
        const Scale scale{Program::from_source(two_kernels), "scale"};
        scale(bench.queue, {1}, bench.data, 2.0f);
        clear(bench.queue, {1}, bench.data);
    };
    for (int i = 0; i < 200; ++i)
        launch();
    const std::size_t bytes = heap_in_use();
    for (int i = 0; i < 10000; ++i)
        launch();
    CHECK(heap_in_use() <= bytes + 16384);
    CHECK(builds([&] { clear(bench.queue, {1}, bench.data); }) == 0);
}

TEST_CASE("a context at the address of one that is gone never meets its kernels")
{
    const CleanDriver clean;
    clean.driver().reuse_addresses(true);
    const Scale scale{Program::from_source(two_kernels), "scale"};
    std::set<cl_context> contexts;
    std::set<std::uint64_t> programs;
    bool reused = false;
    clean.driver().reset();
    const clutch_test::Recording recording;
    for (int i = 0; i < 200; ++i) {
        const Queue queue{Device::find("0:0")};
        reused = !contexts.insert(queue.context_handle()).second || reused;
        CHECK_NOTHROW(scale(queue, {1}, Buffer<float>{queue, 1}, 2.0f));
    }
    CHECK(reused);
    for (const clutch_test::Record* record : clean.driver().records_of(Call::clEnqueueNDRangeKernel))
        programs.insert(record->program_serial);
    CHECK(programs.size() == 200); // each context had a build of its own
}

TEST_CASE("a program at the address of one that is gone never meets its kernels")
{
    const LaunchBench bench;
    bench.driver().reuse_addresses(true);
    for (int i = 0; i < 200; ++i) {
        const std::string text = two_kernels + "// " + std::to_string(i);
        const Scale scale{Program::from_source(text), "scale"};
        CHECK(text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == text);
    }
}

TEST_CASE("a generation is stable as long as the text is")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const std::uint64_t generation = program.generation();
    CHECK(generation != 0);
    Scale{program, "scale"}(bench.queue, {1}, bench.data, 2.0f);
    CHECK(program.generation() == generation);
    CHECK(Program{program}.generation() == generation);
}

TEST_CASE("a generation never repeats across programs and replacements")
{
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 500; ++i) {
        const Program program = Program::from_source(two_kernels);
        CHECK(seen.insert(program.generation()).second);
        for (int j = 0; j < 3; ++j) {
            program.replace(two_kernels);
            CHECK(seen.insert(program.generation()).second);
        }
    }
    CHECK(seen.size() == 2000);
}

TEST_CASE("a generation never repeats across threads")
{
    std::array<std::vector<std::uint64_t>, 4> given;
    in_threads(4, [&](int i) {
        for (int j = 0; j < 500; ++j)
            given[static_cast<std::size_t>(i)].push_back(Program::from_source("").generation());
    });
    std::set<std::uint64_t> seen;
    for (const auto& list : given)
        seen.insert(list.begin(), list.end());
    CHECK(seen.size() == 2000);
}

} // namespace
