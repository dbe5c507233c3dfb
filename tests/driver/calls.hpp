// What stands around each OpenCL function: counting always; recording, failing and hooks behind a single flag, so that
// a plain launch pays one counter and one branch that is never taken.
#pragma once

#include "table.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <tuple>

namespace clutch_test {

// Why calls are to take the slow way; 0 when they need not.
enum Watch : unsigned {
    watch_records = 1,
    watch_failures = 2,
    watch_hooks = 4,
    watch_version = 8, // the platform is older than 3.0: calls it lacks are violations
};
extern std::atomic<unsigned> watching;
void watch(Watch reason, bool on);

// Counters are spread over shards, one cache line apart, so that threads that launch at the same time do not meet in
// them. A shard belongs to one thread until there are more than 64.
struct alignas(64) Shard {
    std::array<std::atomic<std::uint64_t>, call_kinds> calls;
    std::array<std::atomic<std::uint64_t>, object_kinds> born;
    std::array<std::atomic<std::uint64_t>, object_kinds> died;
};
inline constexpr std::size_t shard_count = 64;
extern std::array<Shard, shard_count> shards;

// The calling thread's number; from 1. Initial-exec storage, because the general kind may allocate at a thread's first
// access to a library that was loaded late, and a launch must not allocate.
extern thread_local constinit std::uint32_t this_thread __attribute__((tls_model("initial-exec")));
std::uint32_t number_this_thread();
inline std::uint32_t thread_number()
{
    const std::uint32_t known = this_thread;
    return known != 0 ? known : number_this_thread();
}
inline Shard& my_shard()
{
    return shards[thread_number() % shard_count];
}

inline void count(Call call)
{
    my_shard().calls[static_cast<std::size_t>(call)].fetch_add(1, std::memory_order_relaxed);
}

// The driver's notes, for the slow way and the control panel.
void run_hook(Call call);
bool available(Call call);
cl_int planned_failure(Call call); // CL_SUCCESS: none
Record* new_record(Call call);     // null: not recording, or no room
std::span<const Record> all_records();
std::uint64_t records_dropped();
void start_recording(bool on);
void forget_records();
void forget_counts();
std::uint64_t count_of(Call call);
void plan_failure(Call call, std::int64_t countdown, bool always, cl_int code);
void drop_failures();
void set_hook(Call call, Hook hook, void* data);
void drop_hooks();

// Marks a kernel as in use for a call's whole length, where a hook can hold the call; see kernel.hpp.
struct KernelMark {
    KernelMark(cl_kernel kernel);
    ~KernelMark();
    KernelMark(const KernelMark&) = delete;
    KernelMark& operator=(const KernelMark&) = delete;
    cl_kernel marked;
};
void note_kernel(Record& record, cl_kernel kernel, bool with_arguments);

constexpr bool works_on_kernel(Call call)
{
    return call == Call::clSetKernelArg || call == Call::clSetKernelArgSVMPointer ||
           call == Call::clSetKernelArgMemPointerINTEL || call == Call::clSetKernelExecInfo ||
           call == Call::clEnqueueNDRangeKernel;
}

namespace details {

template <class T>
std::uint64_t as_integer(T value)
{
    if constexpr (std::is_pointer_v<T>) {
        return reinterpret_cast<std::uintptr_t>(value);
    } else {
        return static_cast<std::uint64_t>(value);
    }
}

template <class R>
R failed_result(cl_int code)
{
    if constexpr (std::is_same_v<R, cl_int>) {
        return code;
    } else if constexpr (!std::is_void_v<R>) {
        return R{};
    }
}

// Writes down what a call was given. Only what OpenCL lets the driver read is read.
template <Call call, class... A>
void note_parameters(Record& record, const std::tuple<A...>& given)
{
    constexpr std::size_t n = sizeof...(A);
    std::apply(
        [&](auto... value) {
            ((record.value_count < record.values.size() ? void(record.values[record.value_count++] = as_integer(value))
                                                        : void()),
             ...);
        },
        given);
    const auto note_waits = [&](cl_uint count, const cl_event* waits) {
        record.wait_count = count;
        for (std::size_t i = 0; waits != nullptr && i < count && i < record.waits.size(); ++i) {
            record.waits[i] = waits[i];
        }
    };
    if constexpr (n >= 3) {
        using Types = std::tuple<A...>;
        // A call that maps memory has errcode_ret behind its event.
        constexpr std::size_t last = call == Call::clEnqueueMapBuffer ? n - 2 : n - 1;
        if constexpr (std::is_same_v<std::tuple_element_t<last, Types>, cl_event*> &&
                      std::is_same_v<std::tuple_element_t<last - 1, Types>, const cl_event*>) {
            note_waits(std::get<last - 2>(given), std::get<last - 1>(given));
            record.event_asked = std::get<last>(given) != nullptr;
        }
    }
    if constexpr (call == Call::clWaitForEvents) {
        note_waits(std::get<0>(given), std::get<1>(given));
    }
    if constexpr (works_on_kernel(call)) {
        record.kernel = std::get<cl_kernel>(given);
        note_kernel(record, record.kernel, call == Call::clEnqueueNDRangeKernel);
    }
    if constexpr (call == Call::clSetKernelArg) {
        record.index = std::get<1>(given);
        record.size = std::get<2>(given);
        record.null_value = std::get<3>(given) == nullptr;
    } else if constexpr (call == Call::clSetKernelArgSVMPointer || call == Call::clSetKernelArgMemPointerINTEL) {
        const void* const pointer = std::get<2>(given);
        record.index = std::get<1>(given);
        record.size = sizeof pointer;
        record.null_value = pointer == nullptr;
        std::memcpy(record.value.data(), &pointer, sizeof pointer);
    } else if constexpr (call == Call::clEnqueueNDRangeKernel) {
        record.queue = std::get<0>(given);
        record.work_dim = std::get<2>(given);
        const auto note_sizes = [&](const std::size_t* sizes, bool& has, std::array<std::size_t, 3>& copy) {
            has = sizes != nullptr;
            for (std::size_t i = 0; has && i < record.work_dim && i < copy.size(); ++i) {
                copy[i] = sizes[i];
            }
        };
        note_sizes(std::get<3>(given), record.has_offset, record.offset);
        note_sizes(std::get<4>(given), record.has_global, record.global);
        note_sizes(std::get<5>(given), record.has_local, record.local);
    }
}

// An argument's value may be read only once its size is known to be right.
template <Call call, class... A>
void note_value([[maybe_unused]] Record& record, [[maybe_unused]] const std::tuple<A...>& given)
{
    if constexpr (call == Call::clSetKernelArg) {
        if (record.result == CL_SUCCESS && !record.null_value) {
            std::memcpy(record.value.data(), std::get<3>(given), std::min<std::size_t>(record.size, 64));
        }
    }
}

template <Call call, auto function, class R, class... A>
[[gnu::noinline, gnu::cold]] R watched(A... given)
{
    std::tuple<A...> values{given...};
    constexpr std::size_t n = sizeof...(A);
    using Last = std::tuple_element_t<n == 0 ? 0 : n - 1, std::tuple<A..., std::conditional_t<n == 0, int, void*>>>;

    // The mark stands outside the hook, so that a hook that waits holds the kernel.
    [[maybe_unused]] const auto mark = [&] {
        if constexpr (works_on_kernel(call)) {
            return KernelMark{std::get<cl_kernel>(values)};
        } else {
            return 0;
        }
    }();
    run_hook(call);
    Record* const record = new_record(call);
    if (record != nullptr) {
        note_parameters<call>(*record, values);
    }

    // Calls that return a handle store their code through errcode_ret; give them one to store through.
    cl_int code = CL_SUCCESS;
    if constexpr (std::is_same_v<Last, cl_int*> && !std::is_same_v<R, cl_int>) {
        auto& errcode_ret = std::get<n - 1>(values);
        cl_int* const users = errcode_ret;
        errcode_ret = &code;
        R result{};
        code = available(call) ? planned_failure(call) : CL_INVALID_OPERATION;
        if (code == CL_SUCCESS) {
            result = std::apply(function, values);
        }
        if (users != nullptr) {
            *users = code;
        }
        if (record != nullptr) {
            record->result = code;
            record->returned = as_integer(result);
        }
        return result;
    } else if constexpr (std::is_void_v<R>) {
        if (available(call) && planned_failure(call) == CL_SUCCESS) {
            std::apply(function, values);
        }
    } else {
        code = available(call) ? planned_failure(call) : CL_INVALID_OPERATION;
        R result = code == CL_SUCCESS ? std::apply(function, values) : failed_result<R>(code);
        if (record != nullptr) {
            if constexpr (std::is_same_v<R, cl_int>) {
                record->result = result;
                note_value<call>(*record, values);
                if constexpr (std::is_same_v<Last, cl_event*>) {
                    cl_event* const event = std::get<n - 1>(values);
                    record->returned = result == CL_SUCCESS && event != nullptr ? as_integer(*event) : 0;
                }
            } else {
                record->result = code;
                record->returned = as_integer(result);
            }
        }
        return result;
    }
}

// The function that the dispatch table holds for `function`.
template <Call call, class F>
struct Wrapped;
template <Call call, class R, class... A>
struct Wrapped<call, R(A...)> {
    template <auto function>
    static R CL_API_CALL entry(A... given)
    {
        count(call);
        if (watching.load(std::memory_order_relaxed) != 0) [[unlikely]] {
            return watched<call, function, R, A...>(given...);
        }
        return function(given...);
    }
};

} // namespace details
} // namespace clutch_test
