// expect: this parameter is a number; what was given is none
// Memory is no number.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(float x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, float> k{};

void launch(const clutch::Queue& queue, const clutch::Buffer<float>& buffer, float value)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, buffer);
#else
    k(queue, {1}, value);
#endif
}
