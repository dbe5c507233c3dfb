#include "heap.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <new>
#include <string_view>
#include <unwind.h>

// glibc's own entries, so that the counter needs no dlsym, which allocates. Under a sanitizer the allocator is the
// sanitizer's and must stay so: nothing is counted there, and `thread_count` stays at zero.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEAP_COUNTS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HEAP_COUNTS 0
#endif
#endif
#ifndef HEAP_COUNTS
#define HEAP_COUNTS 1
#endif

namespace heap {
namespace {

constinit thread_local Count this_thread;
constinit thread_local bool walking = false;
constinit std::atomic<bool> attributing{false};
constinit std::atomic<std::uint64_t> all_allocations{0}, all_bytes{0}, all_own{0}, all_own_bytes{0};

/// The code that is not a driver's: this program and the libraries it was linked with, less the ICD loader.
struct Range {
    std::uintptr_t begin = 0, end = 0;
};
constexpr std::size_t max_ranges = 128;
constinit Range own_ranges[max_ranges];
constinit std::size_t own_range_count = 0;

bool is_own(std::uintptr_t address) noexcept
{
    for (std::size_t i = 0; i < own_range_count; ++i)
        if (address >= own_ranges[i].begin && address < own_ranges[i].end)
            return true;
    return false;
}

/// Libraries that a program of ours may be linked with; whatever else is loaded came with a driver.
bool named_as_own(std::string_view path, bool first) noexcept
{
    if (first) // the program itself comes first, without a name
        return true;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    for (std::string_view prefix : {"libc.", "libc-", "libm.", "libm-", "libstdc++.", "libgcc_s.", "libpthread",
                                    "ld-linux", "libdl.", "librt.", "linux-vdso", "libbenchmark.", "libpng", "libz."})
        if (name.starts_with(prefix))
            return true;
    return false;
}

int note_library(dl_phdr_info* info, std::size_t, void* data)
{
    bool& first = *static_cast<bool*>(data);
    const bool own = named_as_own(info->dlpi_name == nullptr ? "" : info->dlpi_name, first);
    first = false;
    for (int i = 0; own && i < info->dlpi_phnum && own_range_count < max_ranges; ++i) {
        const auto& header = info->dlpi_phdr[i];
        if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0) {
            const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            own_ranges[own_range_count++] = {begin, begin + header.p_memsz};
        }
    }
    return 0;
}

_Unwind_Reason_Code look_at(_Unwind_Context* context, void* data)
{
    if (const std::uintptr_t address = _Unwind_GetIP(context); address != 0 && !is_own(address)) {
        *static_cast<bool*>(data) = true;
        return _URC_END_OF_STACK;
    }
    return _URC_NO_REASON;
}

bool inside_driver() noexcept
{
    if (walking) // the unwinder's own allocation, at its first use
        return true;
    walking = true;
    bool found = false;
    _Unwind_Backtrace(look_at, &found);
    walking = false;
    return found;
}

[[maybe_unused]] void note(std::size_t bytes) noexcept
{
    const bool own = attributing.load(std::memory_order_relaxed) && !inside_driver();
    this_thread.allocations += 1;
    this_thread.bytes += bytes;
    all_allocations.fetch_add(1, std::memory_order_relaxed);
    all_bytes.fetch_add(bytes, std::memory_order_relaxed);
    if (own) {
        this_thread.own += 1;
        this_thread.own_bytes += bytes;
        all_own.fetch_add(1, std::memory_order_relaxed);
        all_own_bytes.fetch_add(bytes, std::memory_order_relaxed);
    }
}

} // namespace

Count thread_count() noexcept
{
    return this_thread;
}

Count process_count() noexcept
{
    return {all_allocations.load(), all_bytes.load(), all_own.load(), all_own_bytes.load()};
}

void attribute(bool on)
{
    if (on && own_range_count == 0) {
        bool first = true;
        dl_iterate_phdr(note_library, &first);
    }
    attributing.store(on);
}

} // namespace heap

#if HEAP_COUNTS

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size)
{
    heap::note(size);
    return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size)
{
    heap::note(count * size);
    return __libc_calloc(count, size);
}

void* realloc(void* pointer, std::size_t size)
{
    heap::note(size);
    return __libc_realloc(pointer, size);
}

void* memalign(std::size_t alignment, std::size_t size)
{
    heap::note(size);
    return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void** pointer, std::size_t alignment, std::size_t size)
{
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    void* const memory = memalign(alignment, size);
    if (memory == nullptr)
        return ENOMEM;
    *pointer = memory;
    return 0;
}
}

// operator new of libstdc++ calls malloc or aligned_alloc and so is counted already, once.

#endif
