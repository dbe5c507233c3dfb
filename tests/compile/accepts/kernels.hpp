// A user's header with kernels in it: included where they are launched, as often as that is.
#pragma once

#include <clutch/clutch.hpp>

namespace user {

inline constexpr clutch::Source vectors{R"CLC(
kernel void axpy(global float* y, global const float* x, float a)
{
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}
)CLC"};

constexpr clutch::Kernel<clutch::Entry<vectors, "axpy">, clutch::Global<float>, clutch::Global<const float>, float>
    axpy{};

using RunTime = clutch::Kernel<clutch::Global<float>, clutch::Global<const float>, float>;

} // namespace user
