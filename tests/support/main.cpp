#define CATCH_CONFIG_RUNNER // asks version 2 for its runner
#include "catch.hpp"

int main(int argc, char** argv)
{
    const int result = Catch::Session().run(argc, argv);
#if CATCH_VERSION_MAJOR < 3
    if (result == 0 && clutch_test::skipped)
        return 4; // what version 3 returns
#endif
    return result;
}
