// expect: no match(ing function)? for call to
// OpenCL has three at the most.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {4, 4, 4, 4}, 1);
#else
    k(queue, {4, 4, 16}, 1);
#endif
}
