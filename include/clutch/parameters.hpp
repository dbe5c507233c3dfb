// The types of kernel parameters, as they stand in Kernel<...>, and the argument that is not a value: local memory.
#pragma once

#include <clutch/ndrange.hpp>

#include <cstddef>
#include <limits>
#include <type_traits>

namespace clutch {

/// `global T*`. A call accepts `Buffer<T>`, `BufferView<T>`, `cl_mem`, a wrapper that gives one, or `nullptr`; for
/// `Global<const T>` also `Buffer<const T>` and `BufferView<const T>`. OpenCL C 3.0, section 6.7.1.
template <class T>
struct Global;

/// `constant T*`. A call accepts what it does for `Global<const T>`. OpenCL C 3.0, section 6.7.3.
template <class T>
struct Constant;

/// `local T*`. A call accepts `local<T>(count)`. OpenCL C 3.0, section 6.7.2.
template <class T>
struct Local;

/// The argument for a `Local<T>`: see `local`.
template <class T>
class LocalMemory {
public:
    template <detail::size_like I>
    constexpr explicit LocalMemory(I count) noexcept : count_{static_cast<std::size_t>(count)}
    {}

    constexpr std::size_t count() const noexcept { return count_; } ///< elements

    /// 0 where the count is zero, negative, or too large for a size in bytes: each an Error of the launch.
    constexpr std::size_t bytes() const noexcept
    {
        return count_ > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T) ? 0 : count_ * sizeof(T);
    }

private:
    std::size_t count_;
};

/// `count` elements of local memory for each work-group. Holds the count only; never fails, never allocates. The launch
/// that gets it reports a count of zero or less (CL_INVALID_ARG_SIZE), and one that the device does not have where the
/// driver looks (PoCL 3.1 does not).
template <class T, detail::size_like I>
constexpr LocalMemory<T> local(I count) noexcept
{
    static_assert(std::is_object_v<T> && std::is_trivially_copyable_v<T>,
                  "clutch::local<T>(count): T is the element type of the kernel's 'local T*' parameter");
    return LocalMemory<T>{count};
}

} // namespace clutch
