// Programs: their text, what each device made of it, and binaries that carry the text with them.
#pragma once

#include "context.hpp"
#include "scanner.hpp"

namespace clutch_test {

// What one device made of a program.
struct Build {
    std::atomic<cl_build_status> status{CL_BUILD_NONE}; // launches look at it without a lock
    cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
    std::string text;         // what was, or with a binary is to be, built
    std::string options;      // of the last build
    std::string kept_options; // that the text in a binary was built with
    std::string log;
    bool argument_info = false;
    Kernels kernels;
};

} // namespace clutch_test

struct _cl_program : clutch_test::Object {
    static constexpr clutch_test::Kind kind = clutch_test::Kind::program;
    enum class Made { from_source, from_il, from_binary, by_linking };

    _cl_program(_cl_context* its_context, Made its_origin, std::vector<_cl_device_id*> its_devices)
        : context(its_context), made(its_origin), devices(std::move(its_devices)), builds(devices.size())
    {}

    // The build for a device, null if the program is not for it.
    clutch_test::Build* build_for(const _cl_device_id* device)
    {
        const auto found = std::find(devices.begin(), devices.end(), device);
        return found == devices.end() ? nullptr : &builds[static_cast<std::size_t>(found - devices.begin())];
    }

    clutch_test::Held<_cl_context> context;
    const Made made;
    const std::vector<_cl_device_id*> devices;
    std::string source;
    std::vector<std::byte> il;
    std::atomic<std::uint32_t> kernels_alive{0};

    std::mutex mutex; // guards the builds, but for their status
    std::vector<clutch_test::Build> builds;
};

namespace clutch_test {
using Program = _cl_program;
}
