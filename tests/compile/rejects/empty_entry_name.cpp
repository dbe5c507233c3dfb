// expect: clutch::Entry: the kernel.s name is empty
// A kernel has a name.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k() {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "">> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">> k{};
#endif

void launch(const clutch::Queue& queue)
{
    k(queue, {1});
}
