// expect: the buffer.s element type is another than the parameter.s
// An unsigned number is read as a signed one.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(global const int* x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<const cl_int>> k{};

void launch(const clutch::Queue& queue, const clutch::BufferView<cl_uint>& unsigned_ones,
            const clutch::BufferView<cl_int>& ints)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, unsigned_ones);
#else
    k(queue, {1}, ints);
#endif
}
