// expect: a struct parameter is sent as its bytes, so it must be trivially copyable
// The bytes of a string are a pointer to host memory.
#include <clutch/clutch.hpp>
#include <string>

struct Named {
    cl_int tag;
    std::string name;
};

struct Plain {
    cl_int tag;
};

inline constexpr clutch::Source source{"typedef struct { int tag; } Named; kernel void k(Named named) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, Named> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, Plain> k{};
#endif
