// expect: Local<T> takes the element.s type: a number, a vector or a trivially copyable struct
// Sizes and values of bool differ between compilers.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(local uchar* x) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Local<bool>> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Local<cl_uchar>> k{};
#endif
