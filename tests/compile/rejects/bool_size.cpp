// expect: no match(ing function)? for call to
// A bool is no size.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};

void launch(const clutch::Queue& queue, bool n)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {n}, 1);
#else
    k(queue, {n ? 1 : 0}, 1);
#endif
}
