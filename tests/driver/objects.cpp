// The parts of object life that do not depend on the objects' type.
#include "objects.hpp"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

// There when the program is built with the address or leak sanitizer.
extern "C" __attribute__((weak)) void __lsan_register_root_region(const void* memory, std::size_t bytes);

namespace clutch_test {

constinit std::atomic<bool> addresses_reused{false};
constinit std::array<ArenaView, object_kinds> arenas{};

void* map_memory(std::size_t bytes)
{
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        std::fputs("clutch test driver: no address space for its objects\n", stderr);
        std::abort();
    }
    return memory;
}

void search_for_leaks_from(const void* memory, std::size_t bytes)
{
    if (__lsan_register_root_region != nullptr) {
        __lsan_register_root_region(memory, bytes);
    }
}

namespace {

// Where a handle lies: its kind and cell, or no cell if it is not a slot of any arena.
struct Place {
    Kind kind{};
    const Cell* cell = nullptr;
};

Place place_of(const void* handle)
{
    for (std::size_t kind = 0; kind < object_kinds; ++kind) {
        const ArenaView& arena = arenas[kind];
        const std::uintptr_t distance =
            reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(arena.memory);
        if (arena.slot_size != 0 && distance < arena_slots * arena.slot_size && distance % arena.slot_size == 0) {
            return {static_cast<Kind>(kind), arena.cells + distance / arena.slot_size};
        }
    }
    return {};
}

} // namespace

void complain_of_handle(Call call, Kind wanted, const void* handle)
{
    if (handle == nullptr) {
        return;
    }
    const Place place = place_of(handle);
    const State state = place.cell == nullptr ? State::fresh : place.cell->state.load(std::memory_order_acquire);
    if (state == State::fresh) {
        violation("%s: %p is not a %s of this driver", name(call), handle, name(wanted));
        return;
    }
    const auto serial = static_cast<unsigned long long>(place.cell->serial.load(std::memory_order_relaxed));
    if (place.kind != wanted) {
        violation("%s: given %s #%llu for a %s", name(call), name(place.kind), serial, name(wanted));
    } else {
        violation("%s: %s #%llu was used after its release", name(call), name(wanted), serial);
    }
}

void complain_of_release(Call call, Kind kind, std::uint64_t serial)
{
    violation("%s: %s #%llu was released more often than retained", name(call), name(kind),
              static_cast<unsigned long long>(serial));
}

References references_of(const void* handle)
{
    const Place place = place_of(handle);
    References found;
    if (place.cell == nullptr) {
        return found;
    }
    found.serial = place.cell->serial.load(std::memory_order_relaxed);
    found.live = place.cell->state.load(std::memory_order_acquire) == State::live;
    if (found.live) {
        const std::uint64_t references = place.cell->references.load(std::memory_order_relaxed);
        found.user = static_cast<std::uint32_t>(references);
        found.internal = static_cast<std::uint32_t>(references >> 32);
    }
    return found;
}

} // namespace clutch_test
