// expect: static storage|no linkage|not a constant expression
// A kernel may be launched as long as the program runs, and so its text has to last.
#include <clutch/clutch.hpp>

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    constexpr clutch::Source source{"kernel void k() {}"};
#else
    static constexpr clutch::Source source{"kernel void k() {}"};
#endif
    constexpr clutch::Kernel<clutch::Entry<source, "k">> k{};
    k(queue, {1});
}
