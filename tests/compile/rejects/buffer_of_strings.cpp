// expect: clutch::Buffer<T>: T must be trivially copyable
// The bytes of a string are a pointer to host memory.
#include <clutch/clutch.hpp>
#include <string>

void use(const clutch::Queue& queue)
{
#ifndef CLUTCH_ACCEPT
    const clutch::Buffer<std::string> buffer{queue, 4};
#else
    const clutch::Buffer<char> buffer{queue, 4};
#endif
}
