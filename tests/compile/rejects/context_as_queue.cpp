// expect: no match(ing function)? for call to
// A launch goes to a queue.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};

void launch(const clutch::Queue& queue, const clutch::Context& context)
{
#ifndef CLUTCH_ACCEPT
    k(context, {1}, 1);
#else
    k(clutch::Queue{context, queue.device()}, {1}, 1);
#endif
}
