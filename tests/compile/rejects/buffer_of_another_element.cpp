// expect: the buffer.s element type is another than the parameter.s
// An int is read as a float.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(global float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float>> k{};

void launch(const clutch::Queue& queue, const clutch::Buffer<cl_int>& ints, const clutch::Buffer<float>& floats)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, ints);
#else
    k(queue, {1}, floats);
#endif
}
