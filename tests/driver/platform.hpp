// Platforms and devices: made when the library is loaded, never destroyed.
#pragma once

#include "objects.hpp"

#include <string_view>

struct _cl_platform_id : clutch_test::Object {
    std::string name;
    cl_uint number = 0;
};

struct _cl_device_id : clutch_test::Object {
    _cl_platform_id* platform = nullptr;
    cl_uint number = 0; // within its platform
    clutch_test::DeviceTraits traits;
};

namespace clutch_test {

using Platform = _cl_platform_id;
using Device = _cl_device_id;

void open_platforms(); // reads the environment
std::span<Platform> all_platforms();
std::span<Device> all_devices();
std::span<Device> devices_of(const Platform& platform);
DeviceTraits default_traits(const Device& device);

Platform* checked(Call call, cl_platform_id platform);
Device* checked(Call call, cl_device_id device);

// Whether a list of extensions, separated by spaces, holds one.
bool has_extension(const Device& device, std::string_view extension);

} // namespace clutch_test
