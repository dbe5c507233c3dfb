// expect: clutch::NDRange
// Neither two dimensions nor a global and a local size: it has to be said.
#include <clutch/clutch.hpp>

void use()
{
#ifndef CLUTCH_ACCEPT
    static_cast<void>(clutch::Launch{1024, 64});
#else
    static_cast<void>(clutch::Launch{{1024}, {64}});
#endif
}
