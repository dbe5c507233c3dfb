// expect: this parameter is a number; what was given is none
// A pointer is no number.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(ulong x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_ulong> k{};

void launch(const clutch::Queue& queue, const float* pointer, cl_ulong value)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, pointer);
#else
    k(queue, {1}, value);
#endif
}
