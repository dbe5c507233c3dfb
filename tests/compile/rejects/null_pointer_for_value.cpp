// expect: this parameter is a number; what was given is none
// The null pointer is no number.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, nullptr);
#else
    k(queue, {1}, 0);
#endif
}
