// expect: take the element.s type, not a reference
// Memory holds elements.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(global float* x) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float&>> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float>> k{};
#endif
