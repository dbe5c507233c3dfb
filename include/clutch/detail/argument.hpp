// How an argument reaches the driver: the parameter's type decides what is sent, the argument's only how it is got at.
#pragma once

#include <clutch/buffer.hpp>
#include <clutch/detail/handle.hpp>
#include <clutch/parameters.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace clutch::detail {

template <class T>
inline constexpr bool is_local_memory = false;
template <class T>
inline constexpr bool is_local_memory<LocalMemory<T>> = true;

/// The element type of a Buffer, a BufferView, or a class derived from one; void for anything else.
template <class T>
std::type_identity<T> element_type(const BufferBase<T>*); // wrapped: a return type of const float counts as float
std::type_identity<void> element_type(const void*);

template <class A>
using element_t = typename decltype(element_type(static_cast<const A*>(nullptr)))::type;

template <class A>
inline constexpr bool is_buffer = !std::is_void_v<element_t<A>>;

/// What a pointer of the host would be sent as, if it were: never what the user means.
template <class A>
inline constexpr bool is_host_pointer = (std::is_pointer_v<A> && !std::is_same_v<A, cl_mem>) || std::is_array_v<A>;

/// A container: the address of its elements is the host's.
template <class A>
concept has_data = requires(const A& a)
{
    a.data();
    a.size();
};

template <class P>
inline constexpr bool is_integer = std::is_integral_v<P> && !std::is_same_v<P, bool>;

/// The type of an enumeration's values, and any other type as it is.
template <class A>
struct NumberOf : std::type_identity<A> {};
template <class A>
    requires std::is_enum_v<A>
struct NumberOf<A> : std::underlying_type<A> {
};

template <class A>
using number_t = typename NumberOf<A>::type;

/// Whether every value of `A` is a value of `P`.
template <class P, class A>
inline constexpr bool always_fits = std::numeric_limits<P>::digits >= std::numeric_limits<A>::digits &&
                                    (std::is_signed_v<P> || std::is_unsigned_v<A>);

/// Whether `P` has the value `a`. As std::in_range, for all integer types and not the standard ones alone.
template <class P, class A>
constexpr bool fits(A a) noexcept
{
    if constexpr (std::is_signed_v<A> && std::is_unsigned_v<P>)
        return a >= 0 && static_cast<std::make_unsigned_t<A>>(a) <= std::numeric_limits<P>::max();
    else if constexpr (std::is_unsigned_v<A> && std::is_signed_v<P>)
        return a <= static_cast<std::make_unsigned_t<P>>(std::numeric_limits<P>::max());
    else
        return a >= std::numeric_limits<P>::min() && a <= std::numeric_limits<P>::max();
}

/// A parameter type and its arguments: `set` sends one to the driver, `size` says in bytes what that sends, and
/// `refusal`, for messages, why clutch itself would not send it. `set` makes one driver call, or none and returns the
/// code to report.
///
/// The primary template is for parameters by value.
template <class P>
struct Parameter {
    static_assert(!std::is_reference_v<P>, "clutch: a kernel parameter is no reference; write the type it refers to");
    static_assert(!std::is_pointer_v<P>,
                  "clutch: a kernel parameter is no pointer; write clutch::Global<T>, Constant<T> or Local<T>");
    static_assert(!std::is_same_v<std::remove_cv_t<P>, bool>,
                  "clutch: OpenCL has no bool parameters; write cl_int or cl_uchar, and so in the kernel");
    static_assert(!std::is_same_v<std::remove_cv_t<P>, long double>,
                  "clutch: OpenCL has no long double; write float or double");
    static_assert(!std::is_const_v<P> && !std::is_volatile_v<P>,
                  "clutch: a kernel parameter by value is written without const or volatile");
    static_assert(std::is_trivially_copyable_v<P>,
                  "clutch: a struct parameter is sent as its bytes, so it must be trivially copyable");
    static_assert(
        std::is_standard_layout_v<P>,
        "clutch: a struct parameter needs the layout that OpenCL C gives it, so it must be of standard layout");
    static_assert(!std::is_empty_v<P>, "clutch: OpenCL has no parameters of no size");
    static_assert(!std::is_array_v<P>, "clutch: OpenCL has no arrays by value; put the array into a struct");

    template <class A>
    CLUTCH_INLINE static cl_int set(cl_kernel kernel, cl_uint index, const A& given)
    {
        if constexpr (std::is_same_v<A, P>) {
            return clSetKernelArg(kernel, index, sizeof(P), std::addressof(given));
        } else if constexpr (std::is_arithmetic_v<P>) {
            static_assert(!std::is_same_v<A, bool>,
                          "clutch: a bool is no kernel argument; write cl_int{flag}, or flag ? 1 : 0");
            static_assert(std::is_arithmetic_v<A> || std::is_enum_v<A>,
                          "clutch: this parameter is a number; what was given is none (a memory object, a pointer, a "
                          "container or a struct)");
            static_assert(!std::is_enum_v<A> || std::is_convertible_v<A, P>,
                          "clutch: a scoped enumeration is no number; write static_cast to the parameter's type");
            static_assert(std::is_floating_point_v<P> || !std::is_floating_point_v<A>,
                          "clutch: a floating-point value for an integer parameter; convert it as you mean it "
                          "(static_cast, std::lround, ...)");
            if constexpr (is_integer<P> && is_integer<number_t<A>> && !always_fits<P, number_t<A>>)
                if (!fits<P>(static_cast<number_t<A>>(given))) [[unlikely]]
                    return CL_INVALID_ARG_VALUE;
            const P value = static_cast<P>(given);
            return clSetKernelArg(kernel, index, sizeof(P), &value);
        } else {
            static_assert(std::is_convertible_v<const A&, P>,
                          "clutch: a parameter by value takes that very type, or one that converts to it");
            const P value = given;
            return clSetKernelArg(kernel, index, sizeof(P), std::addressof(value));
        }
    }

    template <class A>
    static constexpr std::size_t size(const A&) noexcept
    {
        return sizeof(P);
    }

    template <class A>
    static std::string refusal(const A& given)
    {
        if constexpr (is_integer<P> && is_integer<number_t<A>> && !std::is_same_v<A, P>)
            if (const auto number = static_cast<number_t<A>>(given); !fits<P>(number))
                return std::to_string(number) + " is not within " + std::to_string(std::numeric_limits<P>::min()) +
                       " to " + std::to_string(std::numeric_limits<P>::max());
        return {};
    }
};

/// Memory in the global or constant address space, sent as a cl_mem.
template <class T>
struct MemoryParameter {
    static_assert(!std::is_pointer_v<T>,
                  "clutch: OpenCL 1.2 has no pointers to pointers as parameters; pass an index, or "
                  "a Global<cl_ulong> of addresses");
    static_assert(!std::is_same_v<std::remove_cv_t<T>, bool>,
                  "clutch: OpenCL has no bool in memory that host and device share; write cl_int or cl_uchar");
    static_assert(!std::is_reference_v<T>,
                  "clutch: Global<T> and Constant<T> take the element's type, not a reference");

    template <class A>
    CLUTCH_INLINE static cl_int set(cl_kernel kernel, cl_uint index, const A& given)
    {
        cl_mem memory = nullptr;
        if constexpr (is_buffer<A>) {
            using E = element_t<A>;
            static_assert(std::is_void_v<T> || std::is_same_v<std::remove_cv_t<E>, std::remove_cv_t<T>>,
                          "clutch: the buffer's element type is another than the parameter's");
            static_assert(
                std::is_const_v<T> || !std::is_const_v<E>,
                "clutch: the kernel may write to this parameter, and the buffer is of const elements; declare "
                "Global<const T> if the kernel only reads");
            memory = given.get();
        } else if constexpr (!std::is_null_pointer_v<A>) {
            static_assert(
                !is_host_pointer<A>,
                "clutch: a pointer to host memory is no kernel argument; copy into a clutch::Buffer<T>, or pass "
                "nullptr for the null pointer");
            static_assert(!has_data<A> || handle_of<A, cl_mem>,
                          "clutch: a container of the host is no kernel argument; copy it: clutch::Buffer<T>{queue, "
                          "container}");
            static_assert(handle_of<A, cl_mem>,
                          "clutch: this parameter is memory of the device: give a Buffer, a BufferView, a cl_mem, a "
                          "wrapper with get() or operator()() that gives one, or nullptr");
            memory = handle<cl_mem>(given);
        }
        return clSetKernelArg(kernel, index, sizeof memory, &memory);
    }

    template <class A>
    static constexpr std::size_t size(const A&) noexcept
    {
        return sizeof(cl_mem);
    }

    template <class A>
    static std::string refusal(const A&)
    {
        return {};
    }
};

template <class T>
struct Parameter<Global<T>> : MemoryParameter<T> {};

template <class T>
struct Parameter<Constant<T>> : MemoryParameter<const T> {};

template <class T>
struct Parameter<Local<T>> {
    static_assert(std::is_object_v<T> && std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                      !std::is_same_v<std::remove_cv_t<T>, bool>,
                  "clutch: Local<T> takes the element's type: a number, a vector or a trivially copyable struct");

    template <class A>
    CLUTCH_INLINE static cl_int set(cl_kernel kernel, cl_uint index, const A& given)
    {
        static_assert(is_local_memory<A>, "clutch: a local parameter takes its size: clutch::local<T>(count)");
        if constexpr (is_local_memory<A>) {
            static_assert(std::is_same_v<A, LocalMemory<T>>,
                          "clutch: local<T>(count) of another element type than the parameter's");
            const std::size_t bytes = given.bytes();
            if (bytes == 0) [[unlikely]]
                return CL_INVALID_ARG_SIZE;
            return clSetKernelArg(kernel, index, bytes, nullptr);
        }
    }

    template <class A>
    static constexpr std::size_t size(const A& given) noexcept
    {
        if constexpr (is_local_memory<A>) // else `set` says what is wrong, and nothing else should say more
            return given.bytes();
        else
            return 0;
    }

    template <class A>
    static std::string refusal(const A& given)
    {
        if constexpr (is_local_memory<A>)
            if (given.bytes() == 0)
                return "local memory of " + to_text(given.count()) + " elements; a local parameter needs 1 or more";
        return {};
    }
};

} // namespace clutch::detail
