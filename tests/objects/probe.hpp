// What the tests of objects and of programs share: a look into texts, raw queries, and a failure at every driver call.
#pragma once

#include "../support/driver_test.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace test {

/// Whether `text` has `part` in it; a check that fails prints both.
inline bool holds(const std::string& text, std::string_view part)
{
    if (text.find(part) != std::string::npos)
        return true;
    UNSCOPED_INFO("no '" << std::string{part} << "' in: " << text);
    return false;
}

/// The references that the user has to an object of the driver; 0 for one that is gone.
inline std::uint32_t user_references(const void* handle)
{
    return clutch_test::driver().references(handle).user;
}

inline bool is_live(const void* handle)
{
    return clutch_test::driver().references(handle).live;
}

constexpr bool is_release(Call call) noexcept
{
    return std::string_view{clutch_test::name(call)}.starts_with("clRelease");
}

/// The calls that the driver got while `work` ran, in order.
template <class Work>
std::vector<Call> calls_of(Work&& work)
{
    clutch_test::driver().reset();
    {
        const clutch_test::Recording recording;
        work();
    }
    std::vector<Call> calls;
    for (const clutch_test::Record& record : clutch_test::driver().records())
        calls.push_back(record.call);
    return calls;
}

inline std::string to_text(const std::vector<Call>& calls)
{
    std::string text;
    for (Call call : calls)
        text += std::string{text.empty() ? "" : " "} + clutch_test::name(call);
    return text;
}

/// Whether `work` makes exactly these calls, in this order; a check that fails prints those it made.
template <class Work>
bool makes_calls(std::initializer_list<Call> wanted, Work work)
{
    const std::vector<Call> made = calls_of(work);
    if (std::equal(made.begin(), made.end(), wanted.begin(), wanted.end()))
        return true;
    UNSCOPED_INFO("made: " << to_text(made));
    return false;
}

/// For each driver call that a piece of work makes: with that call failing, the work throws an Error with the driver's
/// code and the call's name in its text, leaves no object behind, breaks no rule, and works when it is done again.
///
/// `prepare` returns the work; what it does itself is not failed. Releases are left out: a destructor has nobody to
/// tell. So are the `quiet` calls, whose failure only makes an answer poorer; with them failing the work succeeds.
template <class Prepare>
void fail_each_call(Prepare prepare, std::initializer_list<Call> quiet = {})
{
    auto& driver = clutch_test::driver();
    constexpr cl_int code = CL_OUT_OF_RESOURCES;
    prepare()(); // what is made once for good is made now
    std::vector<Call> calls;
    {
        auto work = prepare();
        calls = calls_of(work);
    }
    REQUIRE(!calls.empty());
    std::map<Call, unsigned> seen;
    for (Call call : calls) {
        if (is_release(call))
            continue;
        const unsigned nth = ++seen[call];
        const bool is_quiet = std::find(quiet.begin(), quiet.end(), call) != quiet.end();
        INFO("call " << nth << " of " << clutch_test::name(call) << " failed; all calls: " << to_text(calls));
        const auto before = live();
        {
            auto work = prepare();
            driver.fail(call, nth, code);
            int surfaced = CL_SUCCESS;
            std::string text;
            try {
                work();
            } catch (const clutch::Error& error) {
                surfaced = error.code().value();
                text = error.what();
                CHECK(error.code().category() == clutch::opencl_category());
            }
            driver.clear_failures();
            CHECK(surfaced == (is_quiet ? CL_SUCCESS : code));
            if (!is_quiet) {
                CHECK(holds(text, clutch_test::name(call)));
                CHECK(holds(text, "CL_OUT_OF_RESOURCES (-5)"));
            }
        }
        CHECK(live() == before);
        CHECK_NOTHROW(prepare()());
        CHECK(live() == before);
    }
}

/// As above, for work that needs no preparation.
template <class Work>
void fail_each_call_of(Work work, std::initializer_list<Call> quiet = {})
{
    fail_each_call([&] { return [&] { work(); }; }, quiet);
}

/// One value from a clGet...Info call.
template <class T, class Query, class Handle>
T ask(Query query, Handle handle, cl_uint param)
{
    T value{};
    REQUIRE(query(handle, param, sizeof value, &value, nullptr) == CL_SUCCESS);
    return value;
}

/// Counts the objects that are alive beyond those that were when it was made.
class Alive {
public:
    std::int64_t operator()(Kind kind) const
    {
        return clutch_test::driver().live(kind) - start_[static_cast<std::size_t>(kind)];
    }

private:
    std::array<std::int64_t, clutch_test::object_kinds> start_ = live();
};

/// A driver that is clean, and one queue on it. What is alive is counted from then on.
struct Bench {
    CleanDriver clean;
    clutch::Queue queue{clutch::Device::find("0:0")};
    Alive alive;

    clutch_test::Control& driver() const { return clean.driver(); }
};

/// A user's own wrappers of a handle, in the two usual forms.
template <class H>
struct GetWrapper {
    H handle;
    H get() const { return handle; }
};
template <class H>
struct CallWrapper {
    H handle;
    const H& operator()() const { return handle; }
};

} // namespace test
