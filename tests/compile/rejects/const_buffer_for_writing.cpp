// expect: the kernel may write to this parameter, and the buffer is of const elements
// The kernel would write to what must not change.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(global float* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float>> k{};

void launch(const clutch::Queue& queue, const clutch::Buffer<const float>& constant,
            const clutch::Buffer<float>& buffer)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, constant);
#else
    k(queue, {1}, buffer);
#endif
}
