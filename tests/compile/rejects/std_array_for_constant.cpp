// expect: a container of the host is no kernel argument; copy it: clutch::Buffer<T>
// The device does not see the host's memory.
#include <array>
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(constant float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Constant<float>> k{};

void launch(const clutch::Queue& queue, const std::array<float, 4>& values)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, values);
#else
    k(queue, {1}, clutch::Buffer<float>{queue, values});
#endif
}
