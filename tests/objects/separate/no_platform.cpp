// A machine without an OpenCL driver.
#include "../probe.hpp"

#include <cstdlib>

namespace {

using namespace test;
using clutch::Device;
using clutch::Platform;

const int environment = setenv("CLUTCH_TEST_PLATFORMS", "0", 1);

TEST_CASE("without a driver there are no platforms and no devices and no Error")
{
    REQUIRE(environment == 0);
    CHECK(Platform::all().empty());
    CHECK(Device::all().empty());
}

TEST_CASE("without a driver the default queue is an Error that says how to install one")
{
    unsetenv("CLUTCH_DEVICE");
    for (int i = 0; i < 2; ++i) {
        CHECK(code([] { static_cast<void>(clutch::default_queue()); }) == CL_DEVICE_NOT_FOUND);
        const std::string text = message([] { static_cast<void>(clutch::default_queue()); });
        CHECK(holds(text, "CL_DEVICE_NOT_FOUND (-1)"));
        CHECK(holds(text, "no OpenCL driver is installed"));
        CHECK(holds(text, "pocl-opencl-icd"));
    }
}

TEST_CASE("without a driver finding a device is an Error that says how to install one")
{
    CHECK(code([] { Device::find("gpu"); }) == CL_DEVICE_NOT_FOUND);
    CHECK(code([] { Device::find("0:0"); }) == CL_DEVICE_NOT_FOUND);
    CHECK(code([] { Device::best(); }) == CL_DEVICE_NOT_FOUND);
    for (const std::string& text : {message([] { Device::find("gpu"); }), message([] { Device::best(); })}) {
        CHECK(holds(text, "no OpenCL driver is installed"));
        CHECK(holds(text, "pocl-opencl-icd"));
    }
    CHECK(holds(message([] { Device::find("gpu"); }), "'gpu'"));
}

TEST_CASE("without a driver a CLUTCH_DEVICE is an Error that names it")
{
    setenv("CLUTCH_DEVICE", "Quantum 3", 1);
    const std::string text = message([] { static_cast<void>(clutch::default_queue()); });
    CHECK(holds(text, "'Quantum 3'"));
    CHECK(holds(text, "no OpenCL driver is installed"));
    unsetenv("CLUTCH_DEVICE");
}

} // namespace
