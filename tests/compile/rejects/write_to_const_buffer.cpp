// expect: no match(ing function|ing member function)? for call to|no matching member function for call to
// Its elements are const.
#include <clutch/clutch.hpp>
#include <vector>

void use(const clutch::Queue& queue, const clutch::Buffer<const float>& constant, const clutch::Buffer<float>& buffer,
         const std::vector<float>& values)
{
#ifndef CLUTCH_ACCEPT
    constant.write(queue, values);
#else
    buffer.write(queue, values);
#endif
}
