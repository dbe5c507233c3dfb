// Threads: a kernel for each, taken from and given back to the program.
#include "../support/driver_test.hpp"

#include <atomic>
#include <barrier>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace test;
using clutch::Entry;
using clutch::Global;
using clutch::Kernel;

inline constexpr clutch::Source source{"kernel void k(global int* p, int thread, float value) {}"};
constexpr Kernel<Entry<source, "k">, Global<cl_int>, cl_int, float> stated{};

template <class Work>
void in_threads(int count, Work work)
{
    std::barrier start{count};
    std::vector<std::jthread> threads;
    for (int t = 0; t < count; ++t)
        threads.emplace_back([&, t] {
            start.arrive_and_wait();
            work(t);
        });
}

/// 8 threads, one kernel object, 10 000 launches each: every recorded launch carries the arguments of its own thread,
/// and no kernel was used by two threads at once (which the driver would count as a violation).
template <class K>
void check_one_kernel_in_eight_threads(const K& k)
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    std::vector<clutch::Buffer<cl_int>> buffers;
    for (int t = 0; t < 8; ++t)
        buffers.emplace_back(queue, 16);
    std::atomic<int> failures{0};

    driver.reset();
    in_threads(8, [&](int t) {
        for (int i = 0; i < 10'000; ++i)
            if (k.try_launch(queue, {1}, buffers[static_cast<std::size_t>(t)], t, static_cast<float>(i)))
                ++failures;
    });
    CHECK(failures == 0);
    CHECK(driver.count(Call::clEnqueueNDRangeKernel) == 80'000);
    CHECK(driver.count(Call::clCreateKernel) <= 8);

    driver.reset();
    driver.record(true);
    in_threads(8, [&](int t) {
        for (int i = 0; i < 1'000; ++i)
            k(queue, {1}, buffers[static_cast<std::size_t>(t)], t, static_cast<float>(i));
    });
    driver.record(false);
    const auto enqueues = driver.records_of(Call::clEnqueueNDRangeKernel);
    CHECK(enqueues.size() == 8'000);
    std::map<int, int> next;
    std::size_t wrong = 0;
    for (const auto* record : enqueues) {
        const int t = record->arguments[1].template as<cl_int>();
        const bool right = record->arguments[0].template as<cl_mem>() == buffers[static_cast<std::size_t>(t)].get() &&
                           record->arguments[2].template as<float>() == static_cast<float>(next[t]++) &&
                           record->arguments[0].thread == record->thread &&
                           record->arguments[2].thread == record->thread;
        wrong += right ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(next.size() == 8);
}

/// Launches from the destructor of a thread_local object.
struct AtThreadEnd {
    const Kernel<cl_int>* kernel = nullptr;
    const clutch::Queue* queue = nullptr;
    ~AtThreadEnd()
    {
        if (kernel != nullptr) {
            (*kernel)(*queue, {1}, 2);
            (*kernel)(*queue, {1}, 3);
        }
    }
};
thread_local AtThreadEnd at_thread_end;

} // namespace

TEST_CASE("Eight threads that launch one stated kernel each get their own arguments")
{
    check_one_kernel_in_eight_threads(stated);
}

TEST_CASE("Eight threads that launch one run-time kernel each get their own arguments")
{
    const auto program = clutch::Program::from_source(std::string{source.text()});
    check_one_kernel_in_eight_threads(Kernel<Global<cl_int>, cl_int, float>{program, "k"});
}

TEST_CASE("Threads that run at the same time have a kernel each, built once")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source("kernel void k(int x) {}");
    const Kernel<cl_int> k{program, "k"};
    driver.reset();
    driver.record(true);
    std::barrier all_launched{6};
    in_threads(6, [&](int t) {
        k(queue, {1}, t);
        all_launched.arrive_and_wait(); // so that none ends, and gives back, before all have launched
        k(queue, {1}, t);
    });
    driver.record(false);
    std::map<std::uint64_t, std::set<std::uint32_t>> threads_of_kernel;
    for (const auto* record : driver.records_of(Call::clEnqueueNDRangeKernel))
        threads_of_kernel[record->kernel_serial].insert(record->thread);
    CHECK(threads_of_kernel.size() == 6);
    for (const auto& [kernel, threads] : threads_of_kernel)
        CHECK(threads.size() == 1);
    CHECK(driver.count(Call::clCreateKernel) == 6);
    CHECK(driver.count(Call::clBuildProgram) == 1);
}

TEST_CASE("Ten thousand threads, one after the other, share one kernel")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source("kernel void k(int x) {}");
    const Kernel<cl_int> k{program, "k"};
    driver.reset();
    for (int t = 0; t < 10'000; ++t)
        std::thread{[&] { k(queue, {1}, t); }}.join();
    CHECK(driver.count(Call::clEnqueueNDRangeKernel) == 10'000);
    CHECK(driver.count(Call::clCreateKernel) == 1);
    CHECK(driver.count(Call::clReleaseKernel) == 0);
}

TEST_CASE("A thread that ends makes no driver call")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source("kernel void k(int x) {}");
    const Kernel<cl_int> k{program, "k"};
    std::uint64_t at_end = 0;
    std::thread{[&] {
        k(queue, {1}, 1);
        program.replace("kernel void k(int x) { }"); // what the thread gives back is not even of use any more
        at_end = driver.total();
    }}.join();
    CHECK(driver.total() == at_end);
}

TEST_CASE("A launch by a thread_local object that outlives the thread's kernels works")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source("kernel void k(int x) {}");
    const Kernel<cl_int> k{program, "k"};
    driver.reset();
    std::thread{[&] {
        at_thread_end.kernel = nullptr; // made before the first launch, so destroyed after the thread's list of kernels
        at_thread_end.kernel = &k;
        at_thread_end.queue = &queue;
        k(queue, {1}, 1);
    }}.join();
    CHECK(driver.count(Call::clEnqueueNDRangeKernel) == 3);
    std::thread{[&] { k(queue, {1}, 1); }}.join();
}

TEST_CASE("A program dropped while other threads still hold its kernels releases them at once")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const auto kernels = driver.live(Kind::kernel);
    const auto programs = driver.live(Kind::program);
    std::barrier sync{2};
    std::jthread thread;
    {
        const auto program = clutch::Program::from_source("kernel void k(int x) {}");
        const Kernel<cl_int> k{program, "k"};
        thread = std::jthread{[&] {
            k(queue, {1}, 1);
            sync.arrive_and_wait(); // launched
            sync.arrive_and_wait(); // the program is gone
        }};
        sync.arrive_and_wait();
        CHECK(driver.live(Kind::kernel) == kernels + 1);
    }
    CHECK(driver.live(Kind::kernel) == kernels);
    CHECK(driver.live(Kind::program) == programs);
    sync.arrive_and_wait();
}

TEST_CASE("A program lives in a thread through that thread's own copy")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    std::barrier sync{2};
    std::jthread thread;
    std::atomic<int> failures{0};
    {
        const auto program = clutch::Program::from_source("kernel void k(int x) {}");
        thread = std::jthread{[&, k = Kernel<cl_int>{program, "k"}] {
            sync.arrive_and_wait();
            for (int i = 0; i < 10'000; ++i)
                if (k.try_launch(queue, {1}, i))
                    ++failures;
        }};
        sync.arrive_and_wait();
    }
    thread.join();
    CHECK(failures == 0);
}

TEST_CASE("Replacements while threads launch: every launch runs, and the last text is what remains")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source("kernel void k(int x) {}");
    const Kernel<cl_int> k{program, "k"};
    std::atomic<int> failures{0};
    std::atomic<bool> stop{false};
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                while (!stop)
                    if (k.try_launch(queue, {1}, 1))
                        ++failures;
            });
        for (int i = 0; i < 200; ++i)
            program.replace("kernel void k(int x) { x = " + std::to_string(i) + "; }");
        stop = true;
    }
    CHECK(failures == 0);
    k(queue, {1}, 1);
    k(queue, {1}, 1);
    CHECK(driver.live(Kind::kernel) < 20); // what the ended threads gave back of old texts is released by now
}
