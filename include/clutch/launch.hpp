// Launch: everything about one launch that is not an argument of the kernel.
#pragma once

#include <clutch/event.hpp>
#include <clutch/ndrange.hpp>

#include <span>

namespace clutch {

/// Where and after what a kernel runs, by name: `{.global = {n}, .local = {64}, .after = events}`. Made for one call:
/// it views the wait list and keeps nothing. OpenCL 3.0, section 5.10.
struct Launch {
    NDRange global;                 ///< work-items in each dimension; a zero launches nothing
    NDRange local{};                ///< work-items of a work-group; empty: the implementation chooses
    NDRange offset{};               ///< the first global id in each dimension; empty: zero
    std::span<const Event> after{}; ///< the launch waits for these
};

} // namespace clutch
