// What tests on real devices share. They run on the device of `clutch::default_queue()`, which CLUTCH_DEVICE names.
#pragma once

#include "../support/catch.hpp"

#include <clutch/clutch.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace test {

/// The elements of a buffer or a view, read by `queue` after what was enqueued there before.
template <class T>
std::vector<std::remove_const_t<T>> contents(const clutch::Queue& queue, const clutch::BufferBase<T>& buffer)
{
    std::vector<std::remove_const_t<T>> elements(buffer.size());
    buffer.read(queue, elements);
    return elements;
}

/// The first of them.
template <class T>
std::remove_const_t<T> first(const clutch::Queue& queue, const clutch::BufferBase<T>& buffer)
{
    return contents(queue, buffer).at(0);
}

/// A buffer of `count` elements that are all `value`.
template <class T>
clutch::Buffer<T> filled(const clutch::Queue& queue, std::size_t count, const T& value)
{
    return clutch::Buffer<T>{queue, std::vector<T>(count, value)};
}

/// Skips a test in which the end of one command, or a user event, lets another run. PoCL 3.1 holds the lock of the
/// latter meanwhile, and its basic device runs it there and then, which takes that lock again: a deadlock in the
/// driver.
inline void skip_where_the_caller_runs_kernels(const clutch::Queue& queue)
{
    const clutch::Device device = queue.device();
    if (device.platform().name() == "Portable Computing Language" && device.name().starts_with("basic"))
        SKIP("PoCL's basic device deadlocks when one command lets another run");
}

/// A queue beside `like` that keeps no order. Skips a test on a device without.
inline clutch::Queue out_of_order(const clutch::Queue& like)
{
    try {
        return clutch::Queue{like.context(), like.device(), {.out_of_order = true}};
    } catch (const clutch::Error& error) {
        SKIP(error.what());
    }
    return {};
}

/// An event that is complete when `open` says so: what waits for it is known not to have run before.
class Gate {
public:
    explicit Gate(const clutch::Queue& queue)
    {
        skip_where_the_caller_runs_kernels(queue);
        cl_int status = CL_SUCCESS;
        event_ = clutch::Event::adopt(clCreateUserEvent(queue.context().get(), &status));
        REQUIRE(status == CL_SUCCESS);
    }

    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    ~Gate() { open(); } // whoever waits for a gate that is never opened waits for ever

    /// A wait list of this gate alone.
    std::span<const clutch::Event> list() const { return {&event_, 1}; }

    void open()
    {
        if (!open_)
            clSetUserEventStatus(event_.get(), CL_COMPLETE);
        open_ = true;
    }

private:
    clutch::Event event_;
    bool open_ = false;
};

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

#define CHECK_CONTAINS(text, part)                                                                                     \
    do {                                                                                                               \
        const std::string whole = (text);                                                                              \
        INFO(whole);                                                                                                   \
        CHECK(whole.find(part) != std::string::npos);                                                                  \
    } while (false)

/// Ends a test that needs double precision on a device without it.
#define SKIP_WITHOUT_DOUBLE(queue)                                                                                     \
    do {                                                                                                               \
        if (!(queue).device().has_extension("cl_khr_fp64"))                                                            \
            SKIP("the device lacks cl_khr_fp64");                                                                      \
    } while (false)
