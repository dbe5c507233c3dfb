// Event: the completion of one command, for who asked for it.
#pragma once

#include <clutch/detail/handle.hpp>
#include <clutch/detail/info.hpp>

#include <chrono>
#include <span>
#include <type_traits>

namespace clutch {

/// An OpenCL event (OpenCL 3.0, section 5.11). Owns one reference: copying retains, moving steals. Any thread.
class Event {
public:
    Event() noexcept = default;

    static Event adopt(cl_event event) noexcept
    {
        Event result;
        result.handle_ = detail::Owned<cl_event>::adopt(event);
        return result;
    }

    static Event retain(cl_event event)
    {
        Event result;
        result.handle_ = detail::Owned<cl_event>::retain(event);
        return result;
    }

    cl_event get() const noexcept { return handle_.get(); }
    explicit operator bool() const noexcept { return get() != nullptr; }
    friend bool operator==(const Event& a, const Event& b) noexcept { return a.get() == b.get(); }

    /// Blocks until the command has completed. Errors: the code with which the command itself ended, if it failed.
    void wait() const { wait_all(std::span{this, 1}); }

    /// Blocks until every command has completed; an empty list returns at once. Errors: as `wait`, for the first of
    /// them.
    static void wait_all(std::span<const Event> events);

    /// Whether the command has completed, well or not. Asks the driver, does not block.
    bool done() const { return status() <= CL_COMPLETE; }

    /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE, or the negative code of a command that failed. Does not block.
    cl_int status() const
    {
        return detail::event_info(get()).value<cl_int>(CL_EVENT_COMMAND_EXECUTION_STATUS, "Event");
    }

    /// When the command began and ended to run, on the device's clock. The queue must have been made with profiling.
    /// Errors: CL_PROFILING_INFO_NOT_AVAILABLE without it, or before the command has completed. Section 5.14.
    std::chrono::nanoseconds start() const { return time(CL_PROFILING_COMMAND_START); }
    std::chrono::nanoseconds end() const { return time(CL_PROFILING_COMMAND_END); }
    std::chrono::nanoseconds duration() const { return end() - start(); }

private:
    std::chrono::nanoseconds time(cl_profiling_info param) const
    {
        const cl_ulong count = detail::event_profiling_info(get()).value<cl_ulong>(param, "Event");
        return std::chrono::nanoseconds{static_cast<std::chrono::nanoseconds::rep>(count)};
    }

    detail::Owned<cl_event> handle_;
};

namespace detail {

// A list of events goes to the driver where it stands: an Event is its handle and nothing else, so a wait list costs no
// copy and no heap, whatever its length.
static_assert(sizeof(Event) == sizeof(cl_event) && alignof(Event) == alignof(cl_event) &&
              std::is_standard_layout_v<Event>);

CLUTCH_INLINE const cl_event* handles(std::span<const Event> events) noexcept
{
    return events.empty() ? nullptr : reinterpret_cast<const cl_event*>(events.data());
}

CLUTCH_INLINE cl_uint count(std::span<const Event> events) noexcept
{
    return static_cast<cl_uint>(events.size());
}

/// Why a wait list was refused, or how a command in it ended; for messages.
CLUTCH_COLD inline std::string explain_wait_list(std::span<const Event> events)
{
    for (std::size_t i = 0; i < events.size(); ++i) {
        const std::string which = "event " + std::to_string(i) + " of " + std::to_string(events.size());
        if (!events[i])
            return which + " is empty (default-constructed or moved from)";
        const cl_int status =
            event_info(events[i].get()).value_or<cl_int>(CL_EVENT_COMMAND_EXECUTION_STATUS, CL_COMPLETE);
        if (status < 0)
            return which + " ended with " + opencl_category().message(status);
    }
    return {};
}

} // namespace detail

inline void Event::wait_all(std::span<const Event> events)
{
    if (events.empty())
        return;
    const cl_int status = clWaitForEvents(detail::count(events), detail::handles(events));
    if (status == CL_SUCCESS) [[likely]]
        return;
    // The command's own code says more than "an event in the list failed".
    for (const Event& event : events)
        if (event) {
            const cl_int own =
                detail::event_info(event.get()).value_or<cl_int>(CL_EVENT_COMMAND_EXECUTION_STATUS, CL_COMPLETE);
            if (own < 0)
                detail::raise("Event::wait", "clWaitForEvents", own, detail::explain_wait_list(events));
        }
    detail::raise("Event::wait", "clWaitForEvents", status, detail::explain_wait_list(events));
}

} // namespace clutch
