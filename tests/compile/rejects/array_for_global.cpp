// expect: a pointer to host memory is no kernel argument
// The device does not see the host's memory.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(global const float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<const float>> k{};

void launch(const clutch::Queue& queue)
{
    static const float values[] = {1, 2, 3};
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, values);
#else
    k(queue, {1}, clutch::Buffer<float>{queue, values});
#endif
}
