// expect: a floating-point value for an integer parameter; convert it as you mean it
// What becomes of the fraction is for the caller to say.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};

void launch(const clutch::Queue& queue, double value)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, value);
#else
    k(queue, {1}, static_cast<cl_int>(value));
#endif
}
