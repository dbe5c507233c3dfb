// expect: OpenCL has no bool parameters; write cl_int or cl_uchar
// Sizes and values of bool differ between compilers.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(int flag) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, bool> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};
#endif
