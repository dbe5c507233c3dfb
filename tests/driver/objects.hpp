// The life of OpenCL objects: where they are stored, how a handle is recognised, how references are counted.
//
// Each kind of object has an arena: a range of addresses cut into equal slots. A handle is valid exactly if it is the
// address of a slot that is alive, which can be told without touching memory that may not be there. What must outlast
// an object (state, references, serial) is in a cell beside the arena, so that use after release is found, not
// suffered.
#pragma once

#include "calls.hpp"
#include "violations.hpp"

#include <new>

namespace clutch_test {

inline constexpr std::uint32_t arena_slots = 1 << 18;
inline constexpr std::uint32_t arena_chunk = 1 << 10; // slots made known to the leak checker at a time

// Fresh zeroed memory of the process's own; aborts when there is none.
void* map_memory(std::size_t bytes);
// Tells a leak checker, if one is there, to look for pointers in this memory.
void search_for_leaks_from(const void* memory, std::size_t bytes);

int platform_version(); // 120, 200 or 300
extern std::atomic<bool> addresses_reused;

// The first word of every handle belongs to the loader.
struct Object {
    const cl_icd_dispatch* dispatch = &dispatch_table;
};

enum class State : std::uint32_t { fresh, busy, live, dead };

// Zeroed memory is a valid cell, of a fresh slot: cells are not constructed, so that those never used cost nothing.
struct Cell {
    std::atomic<std::uint64_t> references; // the user's in the low half, other objects' in the high half
    std::atomic<std::uint64_t> serial;
    std::atomic<State> state;
    std::atomic<std::uint32_t> below; // in the stack of released slots: the next one's index + 1
    std::atomic<bool> stacked;
};
inline constexpr std::uint64_t one_internal = std::uint64_t{1} << 32;

// What is known of an arena without knowing the type of its objects.
struct ArenaView {
    const std::byte* memory;
    std::size_t slot_size;
    Cell* cells;
};
extern std::array<ArenaView, object_kinds> arenas;

template <class T>
class Arena {
public:
    // Maps the address range; called once when the library is loaded. `recycled` (a power of two) slots serve before
    // the oldest released ones are used again; if all of them are alive, the number doubles.
    static void open(std::uint32_t recycled = arena_slots)
    {
        memory_ = static_cast<std::byte*>(map_memory(std::size_t{arena_slots} * sizeof(T)));
        cells_ = static_cast<Cell*>(map_memory(std::size_t{arena_slots} * sizeof(Cell)));
        ring_.store(recycled, std::memory_order_relaxed);
        arenas[static_cast<std::size_t>(T::kind)] = {memory_, sizeof(T), cells_};
    }

    // A new object with one reference of the user's; null when all slots are alive.
    template <class... A>
    static T* make(A&&... given)
    {
        const std::uint64_t ticket = tickets_.fetch_add(1, std::memory_order_relaxed);
        std::uint32_t index = arena_slots;
        if (addresses_reused.load(std::memory_order_relaxed)) {
            index = pop();
        }
        if (index == arena_slots) {
            index = probe(ticket);
        }
        if (index == arena_slots) {
            return nullptr;
        }
        T* const object = std::construct_at(slot(index), std::forward<A>(given)...);
        Cell& cell = cells_[index];
        cell.serial.store(ticket + 1, std::memory_order_relaxed);
        cell.references.store(1, std::memory_order_relaxed);
        cell.state.store(State::live, std::memory_order_release);
        my_shard().born[static_cast<std::size_t>(T::kind)].fetch_add(1, std::memory_order_relaxed);
        return object;
    }

    // The object behind a handle, or null if the handle is none of this arena's live objects.
    static T* find(const void* handle)
    {
        const std::uint32_t index = index_of(handle);
        if (index == arena_slots || cells_[index].state.load(std::memory_order_acquire) != State::live) {
            return nullptr;
        }
        return slot(index);
    }

    static Cell& cell_of(const T* object) { return cells_[index_of(object)]; }

    static void retain(T* object) { cell_of(object).references.fetch_add(1, std::memory_order_relaxed); }
    static void retain_internal(T* object)
    {
        cell_of(object).references.fetch_add(one_internal, std::memory_order_relaxed);
    }

    // False if the user has no reference to give back.
    static bool release(T* object)
    {
        std::atomic<std::uint64_t>& references = cell_of(object).references;
        std::uint64_t old = references.load(std::memory_order_relaxed);
        do {
            if (static_cast<std::uint32_t>(old) == 0) {
                return false;
            }
        } while (!references.compare_exchange_weak(old, old - 1, std::memory_order_acq_rel, std::memory_order_relaxed));
        if (old == 1) {
            end(object);
        }
        return true;
    }

    static void release_internal(T* object)
    {
        if (cell_of(object).references.fetch_sub(one_internal, std::memory_order_acq_rel) == one_internal) {
            end(object);
        }
    }

    static void empty_stack()
    {
        while (pop_any([](Cell& cell) { cell.stacked.store(false, std::memory_order_release); }) != arena_slots) {
        }
    }

    static std::uint64_t growths() { return growths_.load(std::memory_order_relaxed); }

private:
    static std::uint32_t index_of(const void* handle)
    {
        const std::uintptr_t distance =
            reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(memory_);
        if (distance >= std::size_t{arena_slots} * sizeof(T) || distance % sizeof(T) != 0) {
            return arena_slots;
        }
        return static_cast<std::uint32_t>(distance / sizeof(T));
    }

    static T* slot(std::uint32_t index)
    {
        return reinterpret_cast<T*>(memory_ + std::size_t{index} * sizeof(T)); // NOLINT
    }

    // The first slot from the ticket's on that is free: tickets go round, so the oldest released slot comes first.
    static std::uint32_t probe(std::uint64_t ticket)
    {
        for (;;) {
            std::uint32_t ring = ring_.load(std::memory_order_relaxed);
            for (std::uint32_t i = 0; i < ring; ++i) {
                const auto index = static_cast<std::uint32_t>((ticket + i) & (ring - 1));
                Cell& cell = cells_[index];
                State state = cell.state.load(std::memory_order_acquire);
                if (state != State::fresh && (state != State::dead || cell.stacked.load(std::memory_order_acquire))) {
                    continue;
                }
                const bool first = state == State::fresh;
                if (cell.state.compare_exchange_strong(state, State::busy, std::memory_order_acq_rel)) {
                    if (first) {
                        announce(index / arena_chunk);
                    }
                    return index;
                }
            }
            if (ring == arena_slots) {
                return arena_slots;
            }
            if (ring_.compare_exchange_strong(ring, ring * 2, std::memory_order_relaxed)) {
                growths_.fetch_add(1, std::memory_order_relaxed);
            }
        }
    }

    static void announce(std::uint32_t chunk)
    {
        if (!announced_[chunk].load(std::memory_order_relaxed) &&
            !announced_[chunk].exchange(true, std::memory_order_relaxed)) {
            search_for_leaks_from(slot(chunk * arena_chunk), std::size_t{arena_chunk} * sizeof(T));
        }
    }

    static void end(T* object)
    {
        const std::uint32_t index = index_of(object);
        Cell& cell = cells_[index];
        cell.state.store(State::busy, std::memory_order_relaxed);
        std::destroy_at(object);
        ::new (static_cast<void*>(object)) Object; // the loader still follows the first word of a dead handle
        my_shard().died[static_cast<std::size_t>(T::kind)].fetch_add(1, std::memory_order_relaxed);
        const bool push = addresses_reused.load(std::memory_order_relaxed);
        if (push) {
            cell.stacked.store(true, std::memory_order_relaxed);
        }
        cell.state.store(State::dead, std::memory_order_release);
        if (push) {
            std::uint64_t top = top_.load(std::memory_order_relaxed);
            do {
                cell.below.store(static_cast<std::uint32_t>(top), std::memory_order_relaxed);
            } while (!top_.compare_exchange_weak(top, tagged(top, index + 1), std::memory_order_acq_rel,
                                                 std::memory_order_relaxed));
        }
    }

    // The stack's top is an index + 1 in the low half and, against the ABA problem, a count of changes in the high
    // half.
    static std::uint64_t tagged(std::uint64_t old, std::uint32_t place) { return (((old >> 32) + 1) << 32) | place; }

    template <class Take>
    static std::uint32_t pop_any(Take take)
    {
        std::uint64_t top = top_.load(std::memory_order_acquire);
        while (static_cast<std::uint32_t>(top) != 0) {
            Cell& cell = cells_[static_cast<std::uint32_t>(top) - 1];
            const std::uint32_t below = cell.below.load(std::memory_order_relaxed);
            if (top_.compare_exchange_weak(top, tagged(top, below), std::memory_order_acq_rel,
                                           std::memory_order_acquire)) {
                take(cell);
                return static_cast<std::uint32_t>(top) - 1;
            }
        }
        return arena_slots;
    }

    static std::uint32_t pop()
    {
        return pop_any([](Cell& cell) {
            cell.state.store(State::busy, std::memory_order_relaxed);
            cell.stacked.store(false, std::memory_order_relaxed);
        });
    }

    static constinit inline Cell* cells_ = nullptr;
    static constinit inline std::array<std::atomic<bool>, arena_slots / arena_chunk> announced_{};
    static constinit inline std::byte* memory_ = nullptr;
    alignas(64) static constinit inline std::atomic<std::uint64_t> tickets_{0};
    alignas(64) static constinit inline std::atomic<std::uint64_t> top_{0};
    static constinit inline std::atomic<std::uint32_t> ring_{arena_slots};
    static constinit inline std::atomic<std::uint64_t> growths_{0};
};

// A reference that one object holds to another.
template <class T>
class Held {
public:
    Held() = default;
    explicit Held(T* object) : object_(object)
    {
        if (object_ != nullptr) {
            Arena<T>::retain_internal(object_);
        }
    }
    Held(const Held& other) : Held(other.object_) {}
    Held(Held&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Held& operator=(Held other) noexcept
    {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Held()
    {
        if (object_ != nullptr) {
            Arena<T>::release_internal(object_);
        }
    }
    T* get() const { return object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }

private:
    T* object_ = nullptr;
};

// Notes what is wrong with a handle that is not a live object of its kind. A null handle is an error, not a violation.
[[gnu::cold, gnu::noinline]] void complain_of_handle(Call call, Kind wanted, const void* handle);
[[gnu::cold, gnu::noinline]] void complain_of_release(Call call, Kind kind, std::uint64_t serial);

// The object behind a handle that `call` was given, or null, with a violation noted.
template <class T>
T* checked(Call call, T* handle)
{
    T* const object = Arena<T>::find(handle);
    if (object == nullptr) [[unlikely]] {
        complain_of_handle(call, T::kind, handle);
    }
    return object;
}

// clRetain... and clRelease...; `wrong` is the code for a handle that is none.
template <class T>
cl_int retain_handle(Call call, T* handle, cl_int wrong)
{
    T* const object = checked(call, handle);
    if (object == nullptr) {
        return wrong;
    }
    Arena<T>::retain(object);
    return CL_SUCCESS;
}

template <class T>
cl_int release_handle(Call call, T* handle, cl_int wrong)
{
    T* const object = checked(call, handle);
    if (object == nullptr) {
        return wrong;
    }
    if (!Arena<T>::release(object)) {
        complain_of_release(call, T::kind, Arena<T>::cell_of(object).serial.load(std::memory_order_relaxed));
        return wrong;
    }
    return CL_SUCCESS;
}

// CL_..._REFERENCE_COUNT.
template <class T>
cl_uint reference_count(const T* object)
{
    const std::uint64_t references = Arena<T>::cell_of(object).references.load(std::memory_order_relaxed);
    return static_cast<cl_uint>(references) + static_cast<cl_uint>(references >> 32);
}

template <class T>
std::uint64_t serial_of(const T* object)
{
    return Arena<T>::cell_of(object).serial.load(std::memory_order_relaxed);
}

References references_of(const void* handle);

} // namespace clutch_test
