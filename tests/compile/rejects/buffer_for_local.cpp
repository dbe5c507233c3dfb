// expect: a local parameter takes its size: clutch::local<T>.count.
// Local memory is made by the launch.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(local float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Local<float>> k{};

void launch(const clutch::Queue& queue, const clutch::Buffer<float>& buffer)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, buffer);
#else
    k(queue, {1}, clutch::local<float>(buffer.size()));
#endif
}
