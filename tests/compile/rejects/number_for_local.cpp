// expect: a local parameter takes its size: clutch::local<T>.count.
// Elements or bytes? It has to be said.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(local float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Local<float>> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, 64);
#else
    k(queue, {1}, clutch::local<float>(64));
#endif
}
