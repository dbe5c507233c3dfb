// expect: no match(ing function)? for call to
// Half a work-item does not run.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};

void launch(const clutch::Queue& queue, double n)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {n}, 1);
#else
    k(queue, {static_cast<int>(n)}, 1);
#endif
}
