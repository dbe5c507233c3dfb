// One reference to one OpenCL object: what the thin owners (Device, Context, Queue, Event, Buffer, ...) are made of.
#pragma once

#include <clutch/detail/opencl.hpp>
#include <clutch/error.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace clutch::detail {

/// How a kind of handle is named, retained and released. `retain` and `release` are the driver's functions, `call` the
/// name of the first, `noun` what messages say.
template <class H>
struct HandleTraits;

// A macro, since the ten lines would otherwise stand here once for each kind of handle.
#define CLUTCH_DETAIL_HANDLE(TYPE, NOUN, SUFFIX)                                                                       \
    template <>                                                                                                        \
    struct HandleTraits<TYPE> {                                                                                        \
        static constexpr const char* noun = NOUN;                                                                      \
        static constexpr const char* retain_name = "clRetain" #SUFFIX;                                                 \
        static cl_int retain(TYPE handle) { return clRetain##SUFFIX(handle); }                                         \
        static cl_int release(TYPE handle) { return clRelease##SUFFIX(handle); }                                       \
    }

CLUTCH_DETAIL_HANDLE(cl_device_id, "Device", Device);
CLUTCH_DETAIL_HANDLE(cl_context, "Context", Context);
CLUTCH_DETAIL_HANDLE(cl_command_queue, "Queue", CommandQueue);
CLUTCH_DETAIL_HANDLE(cl_event, "Event", Event);
CLUTCH_DETAIL_HANDLE(cl_mem, "memory object", MemObject);
CLUTCH_DETAIL_HANDLE(cl_program, "program", Program);
CLUTCH_DETAIL_HANDLE(cl_kernel, "kernel", Kernel);

#undef CLUTCH_DETAIL_HANDLE

/// Owns one reference. Copying retains (and throws what the driver says), moving steals, destroying releases: a failed
/// release has nobody to report to, since a destructor does not throw.
template <class H>
class Owned {
public:
    constexpr Owned() noexcept = default;

    static Owned adopt(H handle) noexcept
    {
        Owned owned;
        owned.handle_ = handle;
        return owned;
    }

    /// Adds a reference. A null handle is the driver's error, as with the bare call.
    static Owned retain(H handle)
    {
        check(HandleTraits<H>::retain(handle), HandleTraits<H>::noun, HandleTraits<H>::retain_name);
        return adopt(handle);
    }

    Owned(const Owned& other) : Owned{other.handle_ == nullptr ? Owned{} : retain(other.handle_)} {}
    constexpr Owned(Owned&& other) noexcept : handle_{std::exchange(other.handle_, nullptr)} {}

    Owned& operator=(const Owned& other)
    {
        if (this != &other)
            *this = Owned{other};
        return *this;
    }

    Owned& operator=(Owned&& other) noexcept
    {
        if (this != &other) {
            reset();
            handle_ = std::exchange(other.handle_, nullptr);
        }
        return *this;
    }

    ~Owned() { reset(); }

    H get() const noexcept { return handle_; }

private:
    void reset() noexcept
    {
        if (handle_ != nullptr)
            static_cast<void>(HandleTraits<H>::release(std::exchange(handle_, nullptr)));
    }

    H handle_ = nullptr;
};

/// What an owner knows of its object beside the handle: empty again once it is moved from, as the handle is.
template <class T>
class Known {
public:
    constexpr Known() noexcept = default;
    constexpr Known(T value) noexcept : value_{value} {}
    constexpr Known(const Known&) noexcept = default;
    constexpr Known(Known&& other) noexcept : value_{std::exchange(other.value_, T{})} {}
    constexpr Known& operator=(const Known&) noexcept = default;

    constexpr Known& operator=(Known&& other) noexcept
    {
        if (this != &other)
            value_ = std::exchange(other.value_, T{});
        return *this;
    }

    ~Known() = default;

    constexpr operator T() const noexcept { return value_; }

private:
    T value_{};
};

/// An object that yields the handle by `get()` or `operator()()`: clutch's own owners, and other libraries' wrappers.
template <class T, class H>
concept gives_by_get = requires(const T& t)
{
    {
        t.get()
        } -> std::convertible_to<H>;
}
&&std::is_same_v<std::remove_cvref_t<decltype(std::declval<const T&>().get())>, H>;

template <class T, class H>
concept gives_by_call = requires(const T& t)
{
    {
        t()
        } -> std::convertible_to<H>;
}
&&std::is_same_v<std::remove_cvref_t<decltype(std::declval<const T&>()())>, H>;

/// The handle itself, or something that gives one.
template <class T, class H>
concept handle_of = std::is_same_v<std::remove_cvref_t<T>, H> || gives_by_get<T, H> || gives_by_call<T, H>;

template <class H, handle_of<H> T>
CLUTCH_INLINE H handle(const T& t)
{
    if constexpr (std::is_same_v<T, H>)
        return t;
    else if constexpr (gives_by_get<T, H>)
        return t.get();
    else
        return t();
}

} // namespace clutch::detail
