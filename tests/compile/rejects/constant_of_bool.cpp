// expect: OpenCL has no bool in memory that host and device share
// Sizes and values of bool differ between compilers.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(constant uchar* x) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Constant<bool>> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Constant<cl_uchar>> k{};
#endif
