// expect: a kernel parameter is no reference; write the type it refers to
// What is sent is a value.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(float x) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, const float&> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, float> k{};
#endif
