// expect: OpenCL has no long double; write float or double
// No OpenCL C type has its size.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(double x) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, long double> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, double> k{};
#endif
