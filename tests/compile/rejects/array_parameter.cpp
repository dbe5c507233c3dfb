// expect: OpenCL has no arrays by value; put the array into a struct
// OpenCL C, like C, makes a pointer of it.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"typedef struct { float values[4]; } Four; kernel void k(Four four) {}"};

struct Four {
    float values[4];
};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, float[4]> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, Four> k{};
#endif
