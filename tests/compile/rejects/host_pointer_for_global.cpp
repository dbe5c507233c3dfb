// expect: a pointer to host memory is no kernel argument; copy into a clutch::Buffer<T>
// The device does not see the host's memory.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(global float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float>> k{};

void launch(const clutch::Queue& queue, float* pointer, const clutch::Buffer<float>& buffer)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, pointer);
#else
    k(queue, {1}, buffer);
#endif
}
