// expect: a scoped enumeration is no number; write static_cast to the parameter.s type
// A scoped enumeration does not turn into a number by itself.
#include <clutch/clutch.hpp>

enum class Mode { slow, fast };

inline constexpr clutch::Source source{"kernel void k(int x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};

void launch(const clutch::Queue& queue, Mode mode)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, mode);
#else
    k(queue, {1}, static_cast<cl_int>(mode));
#endif
}
