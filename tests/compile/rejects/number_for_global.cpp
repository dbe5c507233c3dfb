// expect: this parameter is memory of the device: give a Buffer, a BufferView, a cl_mem
// A number is no memory.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(global float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float>> k{};

void launch(const clutch::Queue& queue, const clutch::Buffer<float>& buffer)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, 3);
#else
    k(queue, {1}, buffer);
#endif
}
