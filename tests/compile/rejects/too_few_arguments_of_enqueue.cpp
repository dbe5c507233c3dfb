// expect: too few arguments for this kernel
// Each parameter takes an argument in each launch.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int a) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    k.enqueue(queue, {1}).wait();
#else
    k.enqueue(queue, {1}, 1).wait();
#endif
}
