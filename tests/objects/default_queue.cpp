// The process-wide queue: one, on the device that the user named or on the best, whoever asks first.
#include "probe.hpp"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>

namespace {

using namespace test;
using clutch::default_queue;
using clutch::Device;
using clutch::Queue;

/// A process in which nobody has asked for the default queue yet, and CLUTCH_DEVICE as given.
class FreshProcess {
public:
    explicit FreshProcess(const char* device = nullptr)
    {
        forget();
        set_device(device);
    }
    FreshProcess(const FreshProcess&) = delete;
    FreshProcess& operator=(const FreshProcess&) = delete;
    ~FreshProcess()
    {
        forget();
        set_device(nullptr);
    }

    static void set_device(const char* device)
    {
        if (device == nullptr)
            unsetenv("CLUTCH_DEVICE");
        else
            setenv("CLUTCH_DEVICE", device, 1);
    }

private:
    static void forget() { delete clutch::detail::default_queue_instance.exchange(nullptr); }
};

TEST_CASE("the default queue is the same for the whole process")
{
    const CleanDriver clean;
    const FreshProcess fresh;
    const Queue queue = default_queue();
    CHECK(queue);
    CHECK(default_queue() == queue);
    cl_command_queue from_thread = nullptr;
    std::thread{[&] { from_thread = default_queue().get(); }}.join();
    CHECK(from_thread == queue.get());
}

TEST_CASE("the default queue is on the best device")
{
    const CleanDriver clean;
    const FreshProcess fresh;
    auto traits = clean.driver().traits(Device::find("0:1").get());
    traits.type = CL_DEVICE_TYPE_GPU;
    traits.compute_units = 100;
    clean.driver().set_traits(Device::find("0:1").get(), traits);
    CHECK(default_queue().device() == Device::find("0:1"));
}

TEST_CASE("the default queue is on the device that CLUTCH_DEVICE names")
{
    const CleanDriver clean;
    const char* const named = GENERATE("cpu", "CPU", "0:1", "test device 1");
    const FreshProcess fresh{named};
    INFO("CLUTCH_DEVICE=" << named);
    CHECK(default_queue().device() == Device::find("0:1"));
}

TEST_CASE("an empty CLUTCH_DEVICE names no device")
{
    const CleanDriver clean;
    const FreshProcess fresh{""};
    CHECK(default_queue().device() == Device::best());
}

TEST_CASE("a CLUTCH_DEVICE that no device fits is an Error that lists the devices")
{
    const CleanDriver clean;
    const FreshProcess fresh{"Quantum 3"};
    const std::string text = message([] { static_cast<void>(default_queue()); });
    CHECK(holds(text, "'Quantum 3'"));
    CHECK(holds(text, "CL_DEVICE_NOT_FOUND (-1)"));
    CHECK(holds(text, "0:1 clutch test device 1"));
}

TEST_CASE("a default queue that could not be made is tried anew by the next call")
{
    const CleanDriver clean;
    const FreshProcess fresh{"Quantum 3"};
    const auto before = live();
    CHECK(code([] { static_cast<void>(default_queue()); }) == CL_DEVICE_NOT_FOUND);
    CHECK(live() == before);
    FreshProcess::set_device("cpu");
    const Queue queue = default_queue();
    CHECK(queue.device() == Device::find("cpu"));
    FreshProcess::set_device("gpu"); // too late
    CHECK(default_queue() == queue);
}

TEST_CASE("the default queue reports the driver's refusal at each call")
{
    const CleanDriver clean;
    fail_each_call([] {
        return [fresh = std::make_unique<FreshProcess>()] {
            static_cast<void>(default_queue());
            delete clutch::detail::default_queue_instance.exchange(nullptr);
        };
    });
}

TEST_CASE("the default queue once made costs a call one reference")
{
    const CleanDriver clean;
    const FreshProcess fresh;
    static_cast<void>(default_queue());
    CHECK(makes_calls({Call::clRetainCommandQueue, Call::clReleaseCommandQueue},
                      [] { static_cast<void>(default_queue()); }));
}

TEST_CASE("the default queue outlives those who used it")
{
    const CleanDriver clean;
    const FreshProcess fresh;
    const cl_command_queue raw = default_queue().get();
    CHECK(user_references(raw) == 1);
    CHECK(default_queue().get() == raw);
}

TEST_CASE("threads that ask for the default queue at once get one queue and leave no other")
{
    const CleanDriver clean;
    const FreshProcess fresh;
    const Alive alive;
    constexpr int count = 8;
    // Every thread is on its way to a queue of its own before the first has one.
    std::atomic<int> inside{0};
    const clutch_test::OnCall meet{Call::clCreateCommandQueue, [&] {
                                       ++inside;
                                       while (inside < count)
                                           std::this_thread::yield();
                                   }};
    std::array<cl_command_queue, count> seen{};
    std::vector<std::thread> threads;
    for (cl_command_queue& queue : seen)
        threads.emplace_back([&queue] { queue = default_queue().get(); });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(inside == count);
    for (cl_command_queue queue : seen)
        CHECK(queue == default_queue().get());
    CHECK(user_references(seen[0]) == 1);
    CHECK(alive(Kind::queue) == 1);
    CHECK(alive(Kind::context) == 1);
}

} // namespace
