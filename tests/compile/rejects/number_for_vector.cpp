// expect: a parameter by value takes that very type, or one that converts to it
// OpenCL C would spread a scalar, the host does not.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(float4 x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_float4> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, 1.0f);
#else
    k(queue, {1}, cl_float4{{1, 1, 1, 1}});
#endif
}
