// expect: T is the element type of the kernel.s .local T.. parameter
// Local memory holds bytes of the device.
#include <clutch/clutch.hpp>
#include <string>

void use()
{
#ifndef CLUTCH_ACCEPT
    static_cast<void>(clutch::local<std::string>(4));
#else
    static_cast<void>(clutch::local<char>(4));
#endif
}
