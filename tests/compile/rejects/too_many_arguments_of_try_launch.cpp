// expect: too many arguments for this kernel
// Each argument needs a parameter.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k() {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    static_cast<void>(k.try_launch(queue, {1}, 1));
#else
    static_cast<void>(k.try_launch(queue, {1}));
#endif
}
