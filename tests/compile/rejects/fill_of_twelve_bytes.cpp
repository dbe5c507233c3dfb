// expect: OpenCL fills with patterns of 1, 2, 4, 8, 16, 32, 64 or 128 bytes
// No OpenCL driver fills with that.
#include <clutch/clutch.hpp>

struct Three {
    float x, y, z;
};

void use(const clutch::Queue& queue, const clutch::Buffer<Three>& threes, const clutch::Buffer<cl_float3>& vectors)
{
#ifndef CLUTCH_ACCEPT
    threes.fill(queue, {1, 2, 3});
#else
    vectors.fill(queue, {{1, 2, 3}});
#endif
}
