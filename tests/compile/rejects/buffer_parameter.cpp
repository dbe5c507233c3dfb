// expect: must be trivially copyable
// A buffer is what a call gives; the parameter is the memory.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(global float* x) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Buffer<float>> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float>> k{};
#endif
