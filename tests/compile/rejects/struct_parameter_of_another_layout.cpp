// expect: it must be of standard layout
// A base class with members lays the struct out in a way of its own.
#include <clutch/clutch.hpp>

struct Base {
    cl_int a;
};

struct Derived : Base {
    cl_int b;
};

struct Pair {
    cl_int a, b;
};

inline constexpr clutch::Source source{"typedef struct { int a, b; } Pair; kernel void k(Pair pair) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, Derived> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, Pair> k{};
#endif
