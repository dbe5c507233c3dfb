// NDRange: one to three work sizes on the stack.
#pragma once

#include <clutch/detail/opencl.hpp>
#include <clutch/error.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

namespace clutch {

namespace detail {

template <class I>
concept size_like = std::integral<I> && !std::is_same_v<std::remove_cv_t<I>, bool>;

/// One size. A class of its own so that `{n}` is a range and a bare `n` is not: the way from a number to an NDRange
/// takes two conversions, and the language makes only one of them unless there are braces.
class Extent {
public:
    template <size_like I>
    constexpr Extent(I size) noexcept : size_{static_cast<std::size_t>(size)}
    {}

    constexpr std::size_t size() const noexcept { return size_; }

private:
    std::size_t size_;
};

} // namespace detail

/// The work sizes of a launch: 1 to 3 dimensions, written in braces, of any integer types: `{n}`, `{w, h}`, `{w, h,
/// d}`. An empty one, `{}`, stands for "not given". Holds its sizes on the stack; making one never allocates and never
/// fails: a negative size is an Error of the launch that uses it, so that `try_launch` can report it. OpenCL 3.0,
/// sections 3.2.1 and 5.10.
class NDRange {
public:
    constexpr NDRange() noexcept = default;
    constexpr NDRange(detail::Extent size) noexcept : sizes_{size.size(), 1, 1}, rank_{1} {}

    template <detail::size_like A, detail::size_like B>
    constexpr NDRange(A a, B b) noexcept : sizes_{static_cast<std::size_t>(a), static_cast<std::size_t>(b), 1}, rank_{2}
    {}

    template <detail::size_like A, detail::size_like B, detail::size_like C>
    constexpr NDRange(A a, B b, C c) noexcept
        : sizes_{static_cast<std::size_t>(a), static_cast<std::size_t>(b), static_cast<std::size_t>(c)}, rank_{3}
    {}

    /// The number of dimensions given, which is the `work_dim` that the kernel sees; 0 for an empty range.
    constexpr cl_uint rank() const noexcept { return rank_; }
    constexpr bool empty() const noexcept { return rank_ == 0; }

    /// The sizes; those of dimensions that were not given are 1 (0 in an empty range).
    constexpr const std::array<std::size_t, 3>& sizes() const noexcept { return sizes_; }
    constexpr std::size_t operator[](std::size_t dimension) const noexcept { return sizes_[dimension]; }

    friend constexpr bool operator==(const NDRange&, const NDRange&) noexcept = default;

private:
    std::array<std::size_t, 3> sizes_{};
    cl_uint rank_ = 0;
};

namespace detail {

/// A range as it goes to the driver: null for an empty one. Two words, so that it travels in registers: a launch keeps
/// a range in memory only because the driver reads it there.
struct RangeView {
    cl_uint rank;
    const std::size_t* sizes;

    constexpr bool empty() const noexcept { return rank == 0; }
    constexpr std::size_t operator[](std::size_t dimension) const noexcept { return sizes[dimension]; }
};

/// How many bits each size of a range may have if the product is to fit `size_t` with a bit to spare: one comparison
/// then finds a zero (size - 1 wraps), a negative number, and every product that might overflow.
constexpr unsigned safe_bits(cl_uint rank) noexcept
{
    constexpr unsigned bits = std::numeric_limits<std::size_t>::digits - 1;
    return rank == 0 ? bits : bits / rank;
}

/// True for a range that can be launched as it stands; false for one that has to be looked at: see `examine`.
CLUTCH_INLINE constexpr bool plain(NDRange range) noexcept
{
    return (((range[0] - 1) | (range[1] - 1) | (range[2] - 1)) >> safe_bits(range.rank())) == 0;
}

constexpr bool negative(std::size_t size) noexcept
{
    return size > std::numeric_limits<std::size_t>::max() / 2;
}

CLUTCH_COLD inline std::string to_text(std::size_t size)
{
    return negative(size) ? "-" + std::to_string(std::size_t{0} - size) : std::to_string(size);
}

/// "64" or "16 x 16".
CLUTCH_COLD inline std::string to_text(RangeView range)
{
    std::string text;
    for (cl_uint d = 0; d < range.rank; ++d)
        text.append(d == 0 ? "" : " x ").append(to_text(range[d]));
    return text.empty() ? "(none)" : text;
}

/// Whether the product of the sizes does not fit `size_t`. No size is zero.
constexpr bool overflows(RangeView range) noexcept
{
    std::size_t product = 1;
    for (cl_uint d = 0; d < range.rank; ++d) {
        if (range[d] > std::numeric_limits<std::size_t>::max() / product)
            return true;
        product *= range[d];
    }
    return false;
}

} // namespace detail

/// The smallest multiple of `multiple` that is not below `size`; both in the same unit. Errors: CL_INVALID_VALUE for a
/// `multiple` of zero, a negative number, or a result that `size_t` does not hold.
template <detail::size_like I, detail::size_like J>
constexpr std::size_t round_up(I size, J multiple)
{
    const auto n = static_cast<std::size_t>(size);
    const auto m = static_cast<std::size_t>(multiple);
    if (m == 0 || detail::negative(n) || detail::negative(m) || n > std::numeric_limits<std::size_t>::max() - (m - 1))
        detail::raise("round_up", {}, CL_INVALID_VALUE, detail::to_text(n) + " to a multiple of " + detail::to_text(m));
    return (n + m - 1) / m * m;
}

/// Each dimension of `global` rounded up to a multiple of that of `local`, for a launch that tests its index against
/// the true size. Errors: CL_INVALID_VALUE as above, and for ranges of different rank.
constexpr NDRange round_up(const NDRange& global, const NDRange& local)
{
    if (global.rank() != local.rank())
        detail::raise("round_up", {}, CL_INVALID_VALUE,
                      "a range of " + std::to_string(global.rank()) + " dimensions by one of " +
                          std::to_string(local.rank()));
    switch (global.rank()) {
    case 0:
        return {};
    case 1:
        return {round_up(global[0], local[0])};
    case 2:
        return {round_up(global[0], local[0]), round_up(global[1], local[1])};
    default:
        return {round_up(global[0], local[0]), round_up(global[1], local[1]), round_up(global[2], local[2])};
    }
}

} // namespace clutch
