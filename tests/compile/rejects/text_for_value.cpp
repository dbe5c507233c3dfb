// expect: this parameter is a number; what was given is none
// A text is no number.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(float x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, float> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, "1.5");
#else
    k(queue, {1}, 1.5);
#endif
}
