// Platforms and devices: how they are listed, found and asked.
#include "probe.hpp"

#include <system_error>
#include <utility>

namespace {

using namespace test;
using clutch::Device;
using clutch::Platform;
using clutch_test::DeviceTraits;

Device device_at(std::size_t index)
{
    return Device::all().at(index);
}

/// Changes what a device says of itself, until the driver is cleaned.
template <class Change>
void change(const CleanDriver& clean, std::size_t index, Change make_change)
{
    const Device device = device_at(index);
    DeviceTraits traits = clean.driver().traits(device.get());
    make_change(traits);
    clean.driver().set_traits(device.get(), traits);
}

void set(const CleanDriver& clean, std::size_t index, cl_device_type type, cl_uint compute_units)
{
    change(clean, index, [&](DeviceTraits& traits) {
        traits.type = type;
        traits.compute_units = compute_units;
    });
}

TEST_CASE("all platforms are listed with what they say of themselves")
{
    const CleanDriver clean;
    const auto platforms = Platform::all();
    REQUIRE(platforms.size() == 1);
    const Platform& platform = platforms[0];
    CHECK(platform);
    CHECK(platform.name() == "clutch test driver");
    CHECK(platform.vendor() == "clutch");
    CHECK(platform.version() == "OpenCL 3.0 clutch test driver");
    CHECK(platform.extensions() == "cl_khr_icd");
}

TEST_CASE("a platform is a plain value")
{
    const CleanDriver clean;
    const Platform platform = Platform::all().at(0);
    CHECK(calls([&] {
              const Platform copy = platform;
              CHECK(copy == platform);
              CHECK(Platform::adopt(platform.get()) == platform);
              CHECK(Platform::retain(platform.get()) == platform);
              CHECK_FALSE(Platform{});
              CHECK(Platform{} != platform);
          }) == 0);
}

TEST_CASE("all devices are listed in the order of the loader")
{
    const CleanDriver clean;
    const auto devices = Device::all();
    REQUIRE(devices.size() == 2);
    CHECK(devices[0].name() == "clutch test device 0");
    CHECK(devices[1].name() == "clutch test device 1");
    CHECK(Device::of(Platform::all().at(0)) == devices);
    for (const Device& device : devices)
        CHECK(device.platform() == Platform::all().at(0));
}

TEST_CASE("a device answers with what the driver says")
{
    const CleanDriver clean;
    change(clean, 1, [](DeviceTraits& traits) {
        traits.name = "Odd One";
        traits.extensions = "cl_a cl_b";
        traits.driver_version = "7.5";
        traits.type = CL_DEVICE_TYPE_ACCELERATOR;
        traits.compute_units = 3;
        traits.max_work_group_size = 96;
        traits.max_work_item_sizes = {96, 12, 5};
        traits.local_memory = 12345;
        traits.global_memory = cl_ulong{5} << 32;
        traits.max_allocation = cl_ulong{3} << 32;
        traits.address_bits = 32;
        traits.base_alignment_bits = 512;
    });
    const Device device = device_at(1);
    CHECK(device.name() == "Odd One");
    CHECK(device.vendor() == "clutch");
    CHECK(device.version() == "OpenCL 3.0 clutch test driver");
    CHECK(device.driver_version() == "7.5");
    CHECK(device.extensions() == "cl_a cl_b");
    CHECK(device.type() == CL_DEVICE_TYPE_ACCELERATOR);
    CHECK(device.compute_units() == 3);
    CHECK(device.max_work_group_size() == 96);
    CHECK(device.max_work_item_sizes() == std::vector<std::size_t>{96, 12, 5});
    CHECK(device.local_memory_size() == 12345);
    CHECK(device.global_memory_size() == cl_ulong{5} << 32);
    CHECK(device.max_allocation_size() == cl_ulong{3} << 32);
    CHECK(device.address_bits() == 32);
    CHECK(device.base_address_alignment() == 64);
}

TEST_CASE("the version a device speaks is read from its version text")
{
    const CleanDriver clean;
    const Device::Version version = device_at(0).opencl_version();
    CHECK(version.major == 3);
    CHECK(version.minor == 0);
    CHECK(version == Device::Version{3, 0});
    CHECK(version > Device::Version{2, 2});
    CHECK(Device::Version{1, 2} < Device::Version{1, 10});
}

TEST_CASE("an extension is known by its whole name")
{
    const CleanDriver clean;
    const auto with = [&](const char* extensions, std::string_view wanted) {
        change(clean, 0, [&](DeviceTraits& traits) { traits.extensions = extensions; });
        return device_at(0).has_extension(wanted);
    };
    CHECK(with("cl_khr_fp64", "cl_khr_fp64"));
    CHECK(with("cl_khr_fp64 cl_b", "cl_khr_fp64"));
    CHECK(with("cl_a cl_khr_fp64", "cl_khr_fp64"));
    CHECK(with("cl_a cl_khr_fp64 cl_b", "cl_khr_fp64"));
    CHECK(with("cl_a  cl_khr_fp64 ", "cl_khr_fp64"));
    CHECK_FALSE(with("", "cl_khr_fp64"));
    CHECK_FALSE(with("cl_khr_fp64_more", "cl_khr_fp64"));
    CHECK_FALSE(with("more_cl_khr_fp64", "cl_khr_fp64"));
    CHECK_FALSE(with("cl_khr_fp64_more more_cl_khr_fp64", "cl_khr_fp64"));
    CHECK_FALSE(with("cl_khr_fp64", "CL_KHR_FP64"));
    CHECK_FALSE(with("cl_khr_fp64", "cl_khr_fp6"));
}

TEST_CASE("no device has an extension without a name")
{
    const CleanDriver clean;
    for (const char* extensions : {"", "cl_a cl_b", "cl_a  cl_b "}) {
        change(clean, 0, [&](DeviceTraits& traits) { traits.extensions = extensions; });
        INFO("extensions '" << extensions << "'");
        CHECK_FALSE(device_at(0).has_extension(""));
    }
}

TEST_CASE("a device is found by its type")
{
    const CleanDriver clean;
    CHECK(Device::find("gpu") == device_at(0));
    CHECK(Device::find("cpu") == device_at(1));
    set(clean, 1, CL_DEVICE_TYPE_ACCELERATOR, 8);
    CHECK(Device::find("accelerator") == device_at(1));
    set(clean, 1, CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT, 8);
    CHECK(Device::find("cpu") == device_at(1));
}

TEST_CASE("a device is found by its place")
{
    const CleanDriver clean;
    CHECK(Device::find("0:0") == device_at(0));
    CHECK(Device::find("0:1") == device_at(1));
}

TEST_CASE("a device is found by a part of its name or its vendor's or its platform's")
{
    const CleanDriver clean;
    change(clean, 1, [](DeviceTraits& traits) { traits.name = "Wobbly Rocket 9000"; });
    CHECK(Device::find("Wobbly Rocket 9000") == device_at(1));
    CHECK(Device::find("bbly Ro") == device_at(1));
    CHECK(Device::find("9000") == device_at(1));
    CHECK(Device::find("test device 0") == device_at(0));
    CHECK(Device::find("clutch") == device_at(0));      // the vendor of both
    CHECK(Device::find("test driver") == device_at(0)); // the platform of both
}

TEST_CASE("a device is found in any case of letters")
{
    const CleanDriver clean;
    change(clean, 1, [](DeviceTraits& traits) { traits.name = "Wobbly Rocket"; });
    CHECK(Device::find("wOBBLY rocket") == device_at(1));
    CHECK(Device::find("WOBBLY") == device_at(1));
    CHECK(Device::find("GPU") == device_at(0));
    CHECK(Device::find("Cpu") == device_at(1));
    CHECK(Device::find("TEST DRIVER") == device_at(0));
}

TEST_CASE("a type's name is not looked for in names")
{
    const CleanDriver clean;
    change(clean, 0, [](DeviceTraits& traits) { traits.name = "not a cpu"; });
    CHECK(Device::find("cpu") == device_at(1));
    change(clean, 1, [](DeviceTraits& traits) { traits.type = CL_DEVICE_TYPE_GPU; });
    CHECK(code([] { Device::find("cpu"); }) == CL_DEVICE_NOT_FOUND);
}

TEST_CASE("of several devices that fit the best is found")
{
    const CleanDriver clean;
    const auto best_is = [&](std::size_t index) {
        CHECK(Device::find("clutch") == device_at(index));
        CHECK(Device::best() == device_at(index));
    };
    SECTION("a GPU before an accelerator")
    {
        set(clean, 0, CL_DEVICE_TYPE_ACCELERATOR, 100);
        set(clean, 1, CL_DEVICE_TYPE_GPU, 1);
        best_is(1);
    }
    SECTION("a GPU before a CPU")
    {
        set(clean, 0, CL_DEVICE_TYPE_CPU, 100);
        set(clean, 1, CL_DEVICE_TYPE_GPU, 1);
        best_is(1);
    }
    SECTION("an accelerator before a CPU")
    {
        set(clean, 0, CL_DEVICE_TYPE_CPU, 100);
        set(clean, 1, CL_DEVICE_TYPE_ACCELERATOR, 1);
        best_is(1);
    }
    SECTION("a CPU before a custom device")
    {
        set(clean, 0, CL_DEVICE_TYPE_CUSTOM, 100);
        set(clean, 1, CL_DEVICE_TYPE_CPU, 1);
        best_is(1);
    }
    SECTION("more compute units first")
    {
        set(clean, 0, CL_DEVICE_TYPE_GPU, 8);
        set(clean, 1, CL_DEVICE_TYPE_GPU, 9);
        best_is(1);
        CHECK(Device::find("gpu") == device_at(1));
    }
    SECTION("the first among equals")
    {
        set(clean, 0, CL_DEVICE_TYPE_GPU, 8);
        set(clean, 1, CL_DEVICE_TYPE_GPU, 8);
        best_is(0);
    }
    SECTION("a type may be the default one too")
    {
        set(clean, 0, CL_DEVICE_TYPE_CPU, 100);
        set(clean, 1, CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT, 1);
        best_is(1);
    }
}

TEST_CASE("what no device fits is an Error that lists the devices")
{
    const CleanDriver clean;
    const std::string text = message([] { Device::find("Quantum 3"); });
    CHECK(holds(text, "'Quantum 3'"));
    CHECK(holds(text, "CL_DEVICE_NOT_FOUND (-1)"));
    CHECK(holds(text, "0:0 clutch test device 0 (clutch test driver)"));
    CHECK(holds(text, "0:1 clutch test device 1 (clutch test driver)"));
}

TEST_CASE("a device that is not there is no_such_device to std::errc")
{
    const CleanDriver clean;
    try {
        Device::find("Quantum 3");
        FAIL("found");
    } catch (const std::system_error& error) {
        CHECK(error.code() == std::errc::no_such_device);
    }
}

TEST_CASE("a place that is none finds no device")
{
    const CleanDriver clean;
    const char* const wanted = GENERATE("", "0:2", "1:0", "0:", ":0", ":", "0:0:0", "0:0 ", "0:x", "-1:0", "0:-1",
                                        "99999999999:0", "0:4294967296", "0:99999999999", "0:18446744073709551616");
    INFO("'" << wanted << "'");
    CHECK(code([&] { Device::find(wanted); }) == CL_DEVICE_NOT_FOUND);
}

TEST_CASE("finding a device leaves nothing behind")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    Device::find("clutch");
    CHECK(driver.count(Call::clRetainDevice) + 2 == driver.count(Call::clReleaseDevice)); // all() took over two
    driver.reset();
    message([] { Device::find("Quantum 3"); });
    CHECK(driver.count(Call::clReleaseDevice) >= driver.count(Call::clRetainDevice));
}

TEST_CASE("every question to a device reports the driver's refusal")
{
    const CleanDriver clean;
    const Device device = device_at(0);
    fail_each_call_of([&] { static_cast<void>(device.name()); });
    fail_each_call_of([&] { static_cast<void>(device.vendor()); });
    fail_each_call_of([&] { static_cast<void>(device.version()); });
    fail_each_call_of([&] { static_cast<void>(device.driver_version()); });
    fail_each_call_of([&] { static_cast<void>(device.extensions()); });
    fail_each_call_of([&] { static_cast<void>(device.has_extension("cl_khr_fp64")); });
    fail_each_call_of([&] { static_cast<void>(device.opencl_version()); });
    fail_each_call_of([&] { static_cast<void>(device.platform()); });
    fail_each_call_of([&] { static_cast<void>(device.type()); });
    fail_each_call_of([&] { static_cast<void>(device.compute_units()); });
    fail_each_call_of([&] { static_cast<void>(device.max_work_group_size()); });
    fail_each_call_of([&] { static_cast<void>(device.max_work_item_sizes()); });
    fail_each_call_of([&] { static_cast<void>(device.global_memory_size()); });
    fail_each_call_of([&] { static_cast<void>(device.local_memory_size()); });
    fail_each_call_of([&] { static_cast<void>(device.max_allocation_size()); });
    fail_each_call_of([&] { static_cast<void>(device.address_bits()); });
    fail_each_call_of([&] { static_cast<void>(device.base_address_alignment()); });
}

TEST_CASE("every question to a platform reports the driver's refusal")
{
    const CleanDriver clean;
    const Platform platform = Platform::all().at(0);
    fail_each_call_of([&] { static_cast<void>(platform.name()); });
    fail_each_call_of([&] { static_cast<void>(platform.vendor()); });
    fail_each_call_of([&] { static_cast<void>(platform.version()); });
    fail_each_call_of([&] { static_cast<void>(platform.extensions()); });
}

TEST_CASE("finding and listing devices reports the driver's refusal at each call")
{
    const CleanDriver clean;
    fail_each_call_of([] { static_cast<void>(Device::all()); });
    fail_each_call_of([] { static_cast<void>(Device::best()); });
    fail_each_call_of([] { static_cast<void>(Device::find("gpu")); });
    fail_each_call_of([] { static_cast<void>(Device::find("0:1")); });
    fail_each_call_of([] { static_cast<void>(Device::find("test driver")); });
    const Device device = device_at(0);
    fail_each_call_of([&] { static_cast<void>(Device::retain(device.get())); });
}

TEST_CASE("a platform that says it has no device is no Error")
{
    const CleanDriver clean;
    clean.driver().fail_always(Call::clGetDeviceIDs, CL_DEVICE_NOT_FOUND);
    CHECK(Device::all().empty());
    CHECK(code([] { Device::best(); }) == CL_DEVICE_NOT_FOUND);
    const std::string text = message([] { Device::find("gpu"); });
    CHECK(holds(text, "no device"));
    CHECK(holds(text, "clutch test driver"));
}

TEST_CASE("asking a device that is empty is an Error")
{
    const CleanDriver clean;
    const Device device;
    CHECK(code([&] { static_cast<void>(device.name()); }) == CL_INVALID_DEVICE);
    CHECK(code([&] { static_cast<void>(device.type()); }) == CL_INVALID_DEVICE);
    CHECK(code([&] { static_cast<void>(device.opencl_version()); }) == CL_INVALID_DEVICE);
}

} // namespace
