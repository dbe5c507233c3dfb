// expect: a bool is no kernel argument
// A bool is no number.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(float x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, float> k{};

void launch(const clutch::Queue& queue, bool flag)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, flag);
#else
    k(queue, {1}, flag ? 1 : 0);
#endif
}
