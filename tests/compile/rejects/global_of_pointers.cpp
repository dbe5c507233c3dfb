// expect: OpenCL 1.2 has no pointers to pointers as parameters
// A pointer in memory would be one of the host.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void k(global ulong* x) {}"};

#ifndef CLUTCH_ACCEPT
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<float*>> k{};
#else
constexpr clutch::Kernel<clutch::Entry<source, "k">, clutch::Global<cl_ulong>> k{};
#endif
