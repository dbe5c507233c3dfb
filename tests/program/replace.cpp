// Replacing a program's text: later launches run the new one, and the old one is gone once nobody has it.
#include "program_test.hpp"

#include <atomic>
#include <latch>

namespace {

using namespace test;
using clutch::Program;

const std::string second_text = two_kernels + "// second";
const std::string third_text = two_kernels + "// third";
const std::string broken = "kernel void scale(global float* data, float by) {";

TEST_CASE("a launch after replace runs the new text")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    const Clear clear{program, "clear"};
    const auto launch = [&] {
        scale(bench.queue, {1}, bench.data, 2.0f);
        clear(bench.queue, {1}, bench.data);
    };
    CHECK(text_run_by(launch) == two_kernels);
    program.replace(second_text);
    CHECK(text_run_by(launch) == second_text);
    CHECK(text_run_by(launch) == second_text);
    CHECK(builds(launch) == 0);
}

TEST_CASE("replace builds nothing and calls no driver")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    Scale{program, "scale"}(bench.queue, {1}, bench.data, 2.0f);
    CHECK(calls([&] { program.replace(second_text); }) == 0);
}

TEST_CASE("every copy of a program sees the replacement")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels), copy = program;
    const Scale scale{program, "scale"}, other{copy, "scale"};
    other(bench.queue, {1}, bench.data, 2.0f);
    const std::uint64_t old = copy.generation();
    scale.program().replace(second_text);
    CHECK(copy.generation() != old);
    CHECK(copy.generation() == program.generation());
    CHECK(text_run_by([&] { other(bench.queue, {1}, bench.data, 2.0f); }) == second_text);
}

TEST_CASE("a thread that is warm runs the new text at its next launch")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    std::latch warm{1}, replaced{1};
    std::string text;
    std::thread thread{[&] {
        scale(bench.queue, {1}, bench.data, 2.0f);
        scale(bench.queue, {1}, bench.data, 2.0f);
        warm.count_down();
        replaced.wait();
        text = text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); });
    }};
    warm.wait();
    program.replace(second_text);
    replaced.count_down();
    thread.join();
    CHECK(text == second_text);
}

TEST_CASE("a replacement with the same text is built anew")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    scale(bench.queue, {1}, bench.data, 2.0f);
    program.replace(two_kernels);
    CHECK(builds([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == 1);
}

TEST_CASE("the options and the name stay when the text is replaced")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels, {.name = "my program", .options = "-DA=1"});
    program.replace(second_text);
    const auto built = built_by([&] { program.build(bench.queue); });
    REQUIRE(built.size() == 1);
    CHECK(options_of(built[0], bench.queue.device_handle()) == "-DA=1 -cl-kernel-arg-info");
    program.replace(broken);
    CHECK(holds(message([&] { program.build(bench.queue); }), "'my program'"));
}

TEST_CASE("what a replaced text was built to is released once the thread has launched again")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    const Clear clear{program, "clear"};
    scale(bench.queue, {1}, bench.data, 2.0f);
    clear(bench.queue, {1}, bench.data);
    program.replace(second_text);
    scale(bench.queue, {1}, bench.data, 2.0f);
    clear(bench.queue, {1}, bench.data);
    CHECK(bench.alive(Kind::program) == 1);
    CHECK(bench.alive(Kind::kernel) == 2);
}

TEST_CASE("what a replaced text was built to is released once other threads have launched again or ended")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    std::latch warm{2}, replaced{1}, launched{1}, end{1};
    std::thread goes_on{[&] {
        scale(bench.queue, {1}, bench.data, 2.0f);
        warm.count_down();
        replaced.wait();
        scale(bench.queue, {1}, bench.data, 2.0f);
        launched.count_down();
        end.wait();
    }};
    std::thread ends{[&] {
        scale(bench.queue, {1}, bench.data, 2.0f);
        warm.count_down();
    }};
    warm.wait();
    ends.join();
    program.replace(second_text);
    replaced.count_down();
    launched.wait();
    scale(bench.queue, {1}, bench.data, 2.0f);
    CHECK(bench.alive(Kind::program) == 1);
    CHECK(bench.alive(Kind::kernel) == 2);
    end.count_down();
    goes_on.join();
}

TEST_CASE("a thousand replacements leave nothing behind")
{
    const LaunchBench bench;
    const auto before = live();
    {
        const Program program = Program::from_source(two_kernels);
        const Scale scale{program, "scale"};
        const auto work = [&](int count) {
            for (int i = 0; i < count; ++i) {
                program.replace(i % 2 == 0 ? second_text : third_text);
                scale(bench.queue, {1}, bench.data, 2.0f);
            }
        };
        work(100);
        const std::size_t bytes = heap_in_use();
        work(1000);
        CHECK(heap_in_use() <= bytes + 16384);
        CHECK(bench.alive(Kind::program) == 1);
        CHECK(bench.alive(Kind::kernel) == 1);
    }
    CHECK(live() == before);
}

TEST_CASE("replacements that nobody launches leave nothing behind")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const auto work = [&](int count) {
        for (int i = 0; i < count; ++i)
            program.replace(i % 2 == 0 ? second_text : third_text);
    };
    work(100);
    const std::size_t bytes = heap_in_use();
    work(1000);
    CHECK(heap_in_use() <= bytes + 16384);
}

TEST_CASE("replacements that are only built leave nothing behind")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    for (int i = 0; i < 100; ++i) {
        program.replace(i % 2 == 0 ? second_text : third_text);
        program.build(bench.queue);
    }
    CHECK(bench.alive(Kind::program) == 1);
}

TEST_CASE("a new text that does not build is the BuildError of the launches that meet it")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    scale(bench.queue, {1}, bench.data, 2.0f);
    CHECK_NOTHROW(program.replace(broken));
    bench.driver().reset();
    for (int i = 0; i < 3; ++i)
        CHECK_THROWS_AS(scale(bench.queue, {1}, bench.data, 2.0f), clutch::BuildError);
    CHECK(bench.driver().count(Call::clBuildProgram) == 1);
    CHECK(bench.driver().count(Call::clEnqueueNDRangeKernel) == 0); // and not the old code instead
}

TEST_CASE("replacing again mends a text that did not build")
{
    const LaunchBench bench;
    const Program program = Program::from_source(broken);
    const Scale scale{program, "scale"};
    CHECK(code([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == CL_BUILD_PROGRAM_FAILURE);
    program.replace(two_kernels);
    CHECK(text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == two_kernels);
    program.replace(broken);
    CHECK(code([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == CL_BUILD_PROGRAM_FAILURE);
    program.replace(second_text);
    CHECK(text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == second_text);
    CHECK(bench.alive(Kind::program) == 1);
}

TEST_CASE("a new text with other parameters is an Error until it fits again")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    scale(bench.queue, {1}, bench.data, 2.0f);
    program.replace("kernel void scale(global float* data) {}");
    CHECK(code([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == CL_INVALID_KERNEL_ARGS);
    program.replace("kernel void clear(global float* data) {}");
    CHECK(code([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == CL_INVALID_KERNEL_NAME);
    program.replace(second_text);
    CHECK(text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == second_text);
}

TEST_CASE("a replacement while the text is built is seen by the next launch")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    const std::uint64_t generation = program.generation();
    {
        const clutch_test::OnCall replacing{Call::clBuildProgram, [&] {
                                                if (program.generation() == generation)
                                                    program.replace(second_text);
                                            }};
        CHECK(text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == two_kernels);
    }
    CHECK(text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == second_text);
    CHECK(bench.alive(Kind::program) == 1);
    CHECK(bench.alive(Kind::kernel) == 1);
}

TEST_CASE("a replacement while a kernel is made is seen by the next launch")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    for (Call call : {Call::clCreateProgramWithSource, Call::clCreateKernel, Call::clGetKernelInfo,
                      Call::clSetKernelArg, Call::clEnqueueNDRangeKernel}) {
        INFO(clutch_test::name(call));
        program.replace(two_kernels);
        bool done = false;
        {
            const clutch_test::OnCall replacing{call, [&] {
                                                    if (!std::exchange(done, true))
                                                        program.replace(second_text);
                                                }};
            CHECK_NOTHROW(scale(bench.queue, {1}, bench.data, 2.0f));
        }
        CHECK(done);
        CHECK(text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == second_text);
        CHECK(bench.alive(Kind::program) == 1);
        CHECK(bench.alive(Kind::kernel) == 1);
    }
}

TEST_CASE("a replacement does not wait for a build that is under way")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    std::atomic<bool> building{false}, replaced{false};
    const clutch_test::OnCall hold{Call::clBuildProgram, [&] {
                                       building = true;
                                       while (!replaced)
                                           std::this_thread::yield();
                                   }};
    std::thread thread{[&] { scale(bench.queue, {1}, bench.data, 2.0f); }};
    while (!building)
        std::this_thread::yield();
    program.replace(second_text); // comes back while the other thread is inside clBuildProgram
    replaced = true;
    thread.join();
    CHECK(text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == second_text);
}

TEST_CASE("threads that launch while the text is replaced meet no error and leave nothing behind")
{
    const LaunchBench bench;
    const Program program = Program::from_source(two_kernels);
    const Scale scale{program, "scale"};
    std::atomic<int> failed{0};
    std::atomic<bool> over{false};
    std::thread replacing{[&] {
        for (int i = 0; !over; ++i) {
            program.replace(i % 2 == 0 ? second_text : third_text);
            std::this_thread::yield();
        }
    }};
    in_threads(4, [&](int) {
        for (int i = 0; i < 500; ++i)
            if (scale.try_launch(bench.queue, {1}, bench.data, 2.0f))
                ++failed;
    });
    over = true;
    replacing.join();
    CHECK(failed == 0);
    program.replace(two_kernels);
    CHECK(text_run_by([&] { scale(bench.queue, {1}, bench.data, 2.0f); }) == two_kernels);
    CHECK(bench.alive(Kind::program) == 1);
    CHECK(bench.alive(Kind::kernel) == 1);
}

} // namespace
