// expect: a parameter by value takes that very type, or one that converts to it
// Two elements are not four.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(float4 x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_float4> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, cl_float2{{1, 2}});
#else
    k(queue, {1}, cl_float4{{1, 2, 0, 0}});
#endif
}
