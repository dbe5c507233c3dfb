// expect: clutch::NDRange
// Sizes stand in braces.
#include <clutch/clutch.hpp>

void use(int n)
{
#ifndef CLUTCH_ACCEPT
    const clutch::Launch launch{.global = n};
#else
    const clutch::Launch launch{.global = {n}};
#endif
}
