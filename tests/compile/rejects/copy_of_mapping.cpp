// expect: (use of|call to) (implicitly-)?deleted
// A mapping is given back once.
#include <clutch/clutch.hpp>
#include <utility>

void use(const clutch::Queue& queue, const clutch::Buffer<float>& buffer)
{
#ifndef CLUTCH_ACCEPT
    clutch::Mapping<float> mapping = buffer.map(queue);
    clutch::Mapping<float> other = mapping;
#else
    clutch::Mapping<float> mapping = buffer.map(queue);
    clutch::Mapping<float> other = std::move(mapping);
#endif
}
