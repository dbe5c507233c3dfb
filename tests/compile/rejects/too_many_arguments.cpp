// expect: too many arguments for this kernel
// Each argument needs a parameter.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int a, int b) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int, cl_int> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, 1, 2, 3);
#else
    k(queue, {1}, 1, 2);
#endif
}
