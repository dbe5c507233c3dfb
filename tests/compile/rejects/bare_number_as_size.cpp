// expect: no match(ing function)? for call to
// Sizes stand in braces, so that they are never taken for arguments.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};

void launch(const clutch::Queue& queue, int n)
{
#ifndef CLUTCH_ACCEPT
    k(queue, n, 1);
#else
    k(queue, {n}, 1);
#endif
}
