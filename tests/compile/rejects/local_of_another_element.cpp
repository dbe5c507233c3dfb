// expect: local<T>.count. of another element type than the parameter.s
// The size in bytes would be another.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(local float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Local<float>> k{};

void launch(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, clutch::local<double>(64));
#else
    k(queue, {1}, clutch::local<float>(64));
#endif
}
