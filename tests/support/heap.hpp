// Counts heap use by thread: every malloc, calloc, realloc, aligned_alloc, posix_memalign, memalign and operator new of
// the process goes through the counter once heap.cpp is linked in. For tests, benchmarks and examples.
#pragma once

#include <cstdint>

namespace heap {

/// What one thread, or one stretch of code, took from the heap.
struct Count {
    std::uint64_t allocations = 0; ///< calls that gave memory; a realloc counts as one
    std::uint64_t bytes = 0;       ///< as asked for
    std::uint64_t own = 0;         ///< those not made inside an OpenCL driver; only while `attribute` is on
    std::uint64_t own_bytes = 0;

    friend constexpr Count operator-(Count a, const Count& b) noexcept
    {
        return {a.allocations - b.allocations, a.bytes - b.bytes, a.own - b.own, a.own_bytes - b.own_bytes};
    }
};

/// The calling thread's heap use since it began. Never allocates.
Count thread_count() noexcept;

/// The heap use of all threads since the process began. Never allocates.
Count process_count() noexcept;

/// Switches attribution on or off, for all threads. While it is on, each allocation walks its stack, which is slow: one
/// with a frame in the ICD loader or in a library that the loader opened (the driver, its compiler) is the driver's,
/// any other is own. Libraries opened later are the driver's too, so switch on after the program has its own.
void attribute(bool on);

} // namespace heap
