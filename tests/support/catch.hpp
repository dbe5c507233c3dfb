// Catch2, whichever version is installed. Tests are written in the words of version 3; what version 2 lacks is made
// here.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

#else

#include <catch2/catch.hpp>

#include <cstdio>
#include <string>

namespace clutch_test {

inline bool skipped = false; // main() tells CTest

[[noreturn]] inline void skip(const char* file, int line, const std::string& reason)
{
    skipped = true;
    std::printf("%s:%d: SKIPPED:\n  %s\n", file, line, reason.c_str());
    throw Catch::TestFailureException{}; // ends the test case; only a failed assertion makes it fail
}

} // namespace clutch_test

#define SKIP(reason) ::clutch_test::skip(__FILE__, __LINE__, reason)

namespace Catch::Matchers {

inline auto ContainsSubstring(const std::string& text)
{
    return Contains(text);
}

} // namespace Catch::Matchers

#endif
