// What tests on the test driver share: a clean driver for each test, and one that is found out to be clean at its end.
#pragma once

#include "catch.hpp"
#include "heap.hpp"

#include <driver.hpp>

#include <clutch/clutch.hpp>

#include <array>
#include <string>

namespace test {

using clutch_test::Call;
using clutch_test::Kind;

/// Resets the driver before a test, and after it checks that no rule of OpenCL was broken on the way.
class CleanDriver {
public:
    CleanDriver() { reset(); }
    CleanDriver(const CleanDriver&) = delete;
    CleanDriver& operator=(const CleanDriver&) = delete;

    ~CleanDriver()
    {
        for (std::size_t i = 0; i < driver().violations(); ++i)
            UNSCOPED_INFO(driver().violation_text(i));
        CHECK(driver().violations() == 0);
        reset();
    }

    clutch_test::Control& driver() const { return clutch_test::driver(); }

private:
    void reset()
    {
        driver().forgive();
        driver().restore_defaults();
    }
};

/// The number of calls the driver got while `work` ran.
template <class Work>
std::uint64_t calls(Work work)
{
    const std::uint64_t before = clutch_test::driver().total();
    work();
    return clutch_test::driver().total() - before;
}

/// The live objects of each kind, for tests of "nothing is left behind".
inline std::array<std::int64_t, clutch_test::object_kinds> live()
{
    std::array<std::int64_t, clutch_test::object_kinds> result{};
    for (std::size_t kind = 0; kind < result.size(); ++kind)
        result[kind] = clutch_test::driver().live(static_cast<Kind>(kind));
    return result;
}

/// The heap allocations of this thread while `work` ran.
template <class Work>
std::uint64_t allocations(Work work)
{
    const heap::Count before = heap::thread_count();
    work();
    return (heap::thread_count() - before).allocations;
}

/// `what()` of the Error that `work` throws, or "" if it throws none.
template <class Work>
std::string message(Work work)
{
    try {
        work();
    } catch (const clutch::Error& error) {
        return error.what();
    }
    return {};
}

/// The OpenCL code of the Error that `work` throws, or CL_SUCCESS.
template <class Work>
int code(Work work)
{
    try {
        work();
    } catch (const clutch::Error& error) {
        CHECK(error.code().category() == clutch::opencl_category());
        return error.code().value();
    }
    return CL_SUCCESS;
}

} // namespace test
