// expect: no match(ing function|ing member function)? for call to|no matching member function for call to
// Its elements are const.
#include <clutch/clutch.hpp>

void use(const clutch::Queue& queue, const clutch::Buffer<const float>& constant, const clutch::Buffer<float>& buffer)
{
#ifndef CLUTCH_ACCEPT
    constant.fill(queue, 1.0f);
#else
    buffer.fill(queue, 1.0f);
#endif
}
