// expect: a kernel parameter by value is written without const or volatile
// What is sent is a copy: its volatile is the kernel's own affair.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(volatile float x) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, volatile float> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, float> k{};
#endif
