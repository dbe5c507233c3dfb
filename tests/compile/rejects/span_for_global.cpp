// expect: a container of the host is no kernel argument; copy it: clutch::Buffer<T>
// The device does not see the host's memory.
#include <clutch/clutch.hpp>
#include <span>

inline constexpr clutch::Source source{"kernel void k(global float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float>> k{};

void launch(const clutch::Queue& queue, std::span<float> values)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, values);
#else
    k(queue, {1}, clutch::Buffer<float>{queue, values});
#endif
}
