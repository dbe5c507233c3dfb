// expect: a kernel parameter is no pointer; write clutch::Global<T>, Constant<T> or Local<T>
// A pointer says nothing of the address space.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(global float* x) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, float*> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float>> k{};
#endif
