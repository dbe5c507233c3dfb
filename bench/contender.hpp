// What the benchmarks compare: ways to launch the same kernel, and where they launch it.
#pragma once

#include <clutch/detail/opencl.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// The kernels, empty so that nothing but the launch is measured. Every contender builds this text.
inline constexpr char kernel_text[] = R"CLC(
kernel void two(global float* a, float b)
{
}

kernel void eight(global float* a, global float* b, global const float* c, global const int* d, float e, float f, int g,
                  uint h)
{
}
)CLC";

/// A device with what launches on it need: an in-order queue without profiling, and buffers. Borrowed handles.
struct Place {
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    cl_command_queue queue = nullptr;
    cl_mem a = nullptr, b = nullptr, c = nullptr, d = nullptr; ///< one element each
};

/// The arguments that are not buffers, the same for every contender.
struct Values {
    cl_float b = 1.0f; // of `two`
    cl_float e = 2.0f, f = 3.0f;
    cl_int g = 4;
    cl_uint h = 5;
};

/// Makes that many launches, one after the other, each with all its arguments set anew, and does not wait for them.
/// The loop stands inside, so that nothing but the contender's own code is between two launches.
using Launches = std::function<void(std::size_t times)>;

struct Contender {
    std::string_view name;  ///< for command lines and files: "clutch-event"
    std::string_view title; ///< for people
    int arguments;          ///< 2 or 8
    bool event;             ///< whether each launch gives an event, which the contender then releases at once
    Launches (*make)(const Place& place);

    std::string id() const { return std::string{name} + "/" + std::to_string(arguments); }
};

/// Those that are compiled in, the bare calls first.
const std::vector<Contender>& contenders();

/// Throws a std::invalid_argument that lists the ids, for one that is not there.
const Contender& contender(std::string_view id);

// One function a library, each in a file of its own: the headers are large.
void add_bare(std::vector<Contender>& list);
void add_clutch(std::vector<Contender>& list);
void add_clhpp(std::vector<Contender>& list);
void add_boost(std::vector<Contender>& list);

} // namespace bench
