// expect: OpenCL has no parameters of no size
// An empty struct has a size in C++ only.
#include <clutch/clutch.hpp>

struct Tag {};

inline constexpr clutch::Source source{"kernel void k(int tag) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, Tag> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};
#endif
