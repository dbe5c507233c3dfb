// expect: a bool is no kernel argument
// A bool is no number.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};

void launch(const clutch::Queue& queue, bool flag)
{
#ifndef CLUTCH_ACCEPT
    static_cast<void>(k.try_launch(queue, {1}, flag));
#else
    static_cast<void>(k.try_launch(queue, {1}, int{flag}));
#endif
}
