// expect: no match(ing function|ing member function)? for call to|no matching member function for call to
// An int is read as a float.
#include <clutch/clutch.hpp>

void use(const clutch::Queue& queue, const clutch::Buffer<float>& to, const clutch::Buffer<cl_int>& ints,
         const clutch::Buffer<const float>& floats)
{
#ifndef CLUTCH_ACCEPT
    to.copy_from(queue, ints);
#else
    to.copy_from(queue, floats);
#endif
}
