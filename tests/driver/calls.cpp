// Counters, records, planned failures, hooks.
#include "calls.hpp"

#include "objects.hpp"
#include "violations.hpp"

#include <algorithm>

namespace clutch_test {

constinit std::atomic<unsigned> watching{0};
constinit std::array<Shard, shard_count> shards{};
thread_local constinit std::uint32_t this_thread = 0;

namespace {

constexpr std::size_t record_room = 1 << 16;

struct Plan {
    std::atomic<std::int64_t> countdown{0}; // calls until the failure; 0: none
    std::atomic<bool> always{false};
    std::atomic<cl_int> code{CL_SUCCESS};
};

struct HookPlace {
    std::atomic<Hook> hook{nullptr};
    std::atomic<void*> data{nullptr};
};

constinit std::atomic<std::uint32_t> threads_seen{0};
constinit std::array<Plan, call_kinds> plans{};
constinit std::array<HookPlace, call_kinds> hooks{};
thread_local constinit bool in_hook __attribute__((tls_model("initial-exec"))) = false;

// Counts at the last reset: subtracted, so that a reset never races with a counter.
constinit std::array<std::atomic<std::uint64_t>, call_kinds> forgotten{};

// Mapped at the first use: 60 MiB of address space, of which only what is written becomes memory.
constinit Record* records_kept = nullptr;
constinit std::atomic<std::uint64_t> records_made{0};

constexpr std::array<int, call_kinds> since{
#define CLUTCH_TEST_SINCE(name, version) version,
    CLUTCH_TEST_CALLS(CLUTCH_TEST_SINCE)
#undef CLUTCH_TEST_SINCE
};

std::uint64_t raw_count(std::size_t call)
{
    std::uint64_t sum = 0;
    for (const Shard& shard : shards) {
        sum += shard.calls[call].load(std::memory_order_relaxed);
    }
    return sum;
}

} // namespace

void watch(Watch reason, bool on)
{
    if (on) {
        watching.fetch_or(reason, std::memory_order_relaxed);
    } else {
        watching.fetch_and(~static_cast<unsigned>(reason), std::memory_order_relaxed);
    }
}

std::uint32_t number_this_thread()
{
    this_thread = threads_seen.fetch_add(1, std::memory_order_relaxed) + 1;
    return this_thread;
}

CLUTCH_TEST_FOREIGN_CALL void run_hook(Call call)
{
    if ((watching.load(std::memory_order_relaxed) & watch_hooks) == 0 || in_hook) {
        return;
    }
    const HookPlace& place = hooks[static_cast<std::size_t>(call)];
    if (const Hook hook = place.hook.load(std::memory_order_acquire)) {
        in_hook = true;
        hook(place.data.load(std::memory_order_relaxed));
        in_hook = false;
    }
}

bool available(Call call)
{
    const int needed = since[static_cast<std::size_t>(call)];
    if (needed <= platform_version()) {
        return true;
    }
    violation("%s: the platform has OpenCL %d.%d only", name(call), platform_version() / 100,
              platform_version() / 10 % 10);
    return false;
}

cl_int planned_failure(Call call)
{
    if ((watching.load(std::memory_order_relaxed) & watch_failures) == 0) {
        return CL_SUCCESS;
    }
    Plan& plan = plans[static_cast<std::size_t>(call)];
    if (plan.always.load(std::memory_order_acquire)) {
        return plan.code.load(std::memory_order_relaxed);
    }
    if (plan.countdown.load(std::memory_order_relaxed) > 0 &&
        plan.countdown.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        return plan.code.load(std::memory_order_relaxed);
    }
    return CL_SUCCESS;
}

Record* new_record(Call call)
{
    if ((watching.load(std::memory_order_relaxed) & watch_records) == 0) {
        return nullptr;
    }
    const std::uint64_t index = records_made.fetch_add(1, std::memory_order_relaxed);
    if (index >= record_room) {
        return nullptr;
    }
    Record* const record = std::construct_at(records_kept + index);
    record->call = call;
    record->thread = thread_number();
    return record;
}

std::span<const Record> all_records()
{
    const std::uint64_t made = records_made.load(std::memory_order_relaxed);
    return {records_kept, static_cast<std::size_t>(std::min<std::uint64_t>(made, record_room))};
}

std::uint64_t records_dropped()
{
    const std::uint64_t made = records_made.load(std::memory_order_relaxed);
    return made > record_room ? made - record_room : 0;
}

void start_recording(bool on)
{
    if (on && records_kept == nullptr) {
        records_kept = static_cast<Record*>(map_memory(record_room * sizeof(Record)));
    }
    watch(watch_records, on);
}

void forget_records()
{
    records_made.store(0, std::memory_order_relaxed);
}

void forget_counts()
{
    for (std::size_t call = 0; call < call_kinds; ++call) {
        forgotten[call].store(raw_count(call), std::memory_order_relaxed);
    }
}

std::uint64_t count_of(Call call)
{
    const auto index = static_cast<std::size_t>(call);
    return raw_count(index) - forgotten[index].load(std::memory_order_relaxed);
}

void plan_failure(Call call, std::int64_t countdown, bool always, cl_int code)
{
    Plan& plan = plans[static_cast<std::size_t>(call)];
    plan.code.store(code, std::memory_order_relaxed);
    plan.countdown.store(countdown, std::memory_order_release);
    plan.always.store(always, std::memory_order_release);
    watch(watch_failures, true);
}

void drop_failures()
{
    watch(watch_failures, false);
    for (Plan& plan : plans) {
        plan.countdown.store(0, std::memory_order_relaxed);
        plan.always.store(false, std::memory_order_relaxed);
    }
}

void set_hook(Call call, Hook hook, void* data)
{
    HookPlace& place = hooks[static_cast<std::size_t>(call)];
    place.hook.store(nullptr, std::memory_order_release);
    place.data.store(data, std::memory_order_release);
    place.hook.store(hook, std::memory_order_release);
    const bool any = std::any_of(hooks.begin(), hooks.end(), [](const HookPlace& other) {
        return other.hook.load(std::memory_order_relaxed) != nullptr;
    });
    watch(watch_hooks, any);
}

void drop_hooks()
{
    for (HookPlace& place : hooks) {
        place.hook.store(nullptr, std::memory_order_release);
    }
    watch(watch_hooks, false);
}

} // namespace clutch_test
