// expect: this parameter is memory of the device: .*or nullptr
// The null pointer is written nullptr.
#include <clutch/clutch.hpp>
#include <cstddef>

inline constexpr clutch::Source source{"kernel void k(global float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float>> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, NULL);
#else
    k(queue, {1}, nullptr);
#endif
}
