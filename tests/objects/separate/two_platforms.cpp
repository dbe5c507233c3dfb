// A machine with two OpenCL drivers.
#include "../probe.hpp"

#include <cstdlib>

namespace {

using namespace test;
using clutch::Context;
using clutch::Device;
using clutch::Platform;

const int environment = setenv("CLUTCH_TEST_PLATFORMS", "2", 1);

TEST_CASE("the devices of all platforms are listed in the order of the loader")
{
    REQUIRE(environment == 0);
    const CleanDriver clean;
    const auto platforms = Platform::all();
    REQUIRE(platforms.size() == 2);
    const auto devices = Device::all();
    REQUIRE(devices.size() == 4);
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(devices[i].platform() == platforms[i / 2]);
    CHECK(Device::of(platforms[1]) == std::vector{devices[2], devices[3]});
}

TEST_CASE("a device is found by its platform's number and its own")
{
    const CleanDriver clean;
    const auto devices = Device::all();
    CHECK(Device::find("0:0") == devices[0]);
    CHECK(Device::find("0:1") == devices[1]);
    CHECK(Device::find("1:0") == devices[2]);
    CHECK(Device::find("1:1") == devices[3]);
    CHECK(code([] { Device::find("2:0"); }) == CL_DEVICE_NOT_FOUND);
    CHECK(code([] { Device::find("1:2"); }) == CL_DEVICE_NOT_FOUND);
}

TEST_CASE("a device is found by its platform's name")
{
    const CleanDriver clean;
    const auto devices = Device::all();
    CHECK(Device::find("Test Driver 1") == devices[2]);
    CHECK(Device::find("test driver") == devices[0]);
}

TEST_CASE("the best device may be of any platform")
{
    const CleanDriver clean;
    const auto devices = Device::all();
    auto traits = clean.driver().traits(devices[2].get());
    traits.compute_units += 1;
    clean.driver().set_traits(devices[2].get(), traits);
    CHECK(Device::best() == devices[2]);
    CHECK(Device::find("gpu") == devices[2]);
}

TEST_CASE("what no device fits is an Error that lists the devices of all platforms")
{
    const CleanDriver clean;
    const std::string text = message([] { Device::find("Quantum 3"); });
    CHECK(holds(text, "0:1 clutch test device 1 (clutch test driver)"));
    CHECK(holds(text, "1:0 clutch test device 0 (clutch test driver 1)"));
    CHECK(holds(text, "1:1 clutch test device 1 (clutch test driver 1)"));
    CHECK(Platform::all().at(1).name() == "clutch test driver 1");
}

TEST_CASE("a context of devices of two platforms is an Error before the driver makes it")
{
    const CleanDriver clean;
    const auto devices = Device::all();
    const std::vector<Device> mixed{devices[1], devices[2]};
    CHECK(code([&] { Context{mixed}; }) == CL_INVALID_DEVICE);
    const std::string text = message([&] { Context{mixed}; });
    CHECK(holds(text, "'clutch test device 1'"));
    CHECK(holds(text, "'clutch test device 0'"));
    CHECK(holds(text, "two platforms"));
    CHECK(clean.driver().count(Call::clCreateContext) == 0);
    CHECK_NOTHROW(Context{std::span{devices}.last(2)});
}

TEST_CASE("queues of two platforms work side by side")
{
    const CleanDriver clean;
    const auto before = live();
    {
        const clutch::Queue first{Device::find("0:0")}, second{Device::find("1:0")};
        for (const clutch::Queue& queue : {first, second}) {
            const clutch::Buffer<int> buffer{queue, 4};
            buffer.fill(queue, 7);
            std::array<int, 4> host{};
            buffer.read(queue, host);
            CHECK(host == std::array{7, 7, 7, 7});
        }
        const clutch::Buffer<int> buffer{second, 4};
        CHECK(code([&] { buffer.fill(first, 1); }) == CL_INVALID_CONTEXT);
    }
    CHECK(live() == before);
}

TEST_CASE("listing and finding devices of two platforms reports the driver's refusal at each call")
{
    const CleanDriver clean;
    fail_each_call_of([] { static_cast<void>(Device::all()); });
    fail_each_call_of([] { static_cast<void>(Device::find("test driver 1")); });
}

} // namespace
