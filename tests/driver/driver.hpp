// The test driver's control panel.
//
// The test driver is an OpenCL driver that executes nothing: it checks, counts, records and fails on demand. It is
// loaded through the ordinary ICD loader, so that code under test calls plain OpenCL; tests reach this interface
// through the loader as well (`clutch_test::driver()`), and so steer the very library that the code under test talks
// to.
//
// Thread rule: the counters, `count`, `thread`, `references`, `live`, `complete` and the failure and hook calls may be
// used from any thread at any time. Knobs, `reset`, `record` and `records` belong to moments when no other thread is
// inside an OpenCL call.
//
// Environment, read once when the loader loads the driver:
//   CLUTCH_TEST_PLATFORMS  how many platforms to show (default 1, 0 to 8)
//   CLUTCH_TEST_DEVICES    devices of each platform (default 2, 1 to 8): the first is a GPU, the others are CPUs
//   CLUTCH_TEST_VERSION    "1.2", "2.0" or "3.0" (default): a call that the version lacks is a violation
#pragma once

#include "call_list.hpp"

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace clutch_test {

// One enumerator for each OpenCL function, named as the function.
enum class Call : std::uint16_t {
#define CLUTCH_TEST_ENUMERATOR(name, since) name,
    CLUTCH_TEST_CALLS(CLUTCH_TEST_ENUMERATOR)
#undef CLUTCH_TEST_ENUMERATOR
};

#define CLUTCH_TEST_ONE(name, since) +1
inline constexpr std::size_t call_kinds = 0 CLUTCH_TEST_CALLS(CLUTCH_TEST_ONE);
#undef CLUTCH_TEST_ONE

constexpr const char* name(Call call)
{
    constexpr std::array<const char*, call_kinds> names{
#define CLUTCH_TEST_NAME(name, since) #name,
        CLUTCH_TEST_CALLS(CLUTCH_TEST_NAME)
#undef CLUTCH_TEST_NAME
    };
    return names[static_cast<std::size_t>(call)];
}

enum class Kind : std::uint8_t { context, queue, memory, sampler, program, kernel, event };
inline constexpr std::size_t object_kinds = 7;

constexpr const char* name(Kind kind)
{
    constexpr std::array<const char*, object_kinds> names{"context", "queue",  "memory object", "sampler",
                                                          "program", "kernel", "event"};
    return names[static_cast<std::size_t>(kind)];
}

// What an object's reference count is made of. The user's part is what clRetain... and clRelease... change; other
// objects hold the rest (a queue its context, a kernel its program, ...). CL_..._REFERENCE_COUNT answers the sum.
struct References {
    bool live = false;
    std::uint32_t user = 0;
    std::uint32_t internal = 0;
    std::uint64_t serial = 0; // 1, 2, 3, ... in order of creation among the objects of its kind; never used twice
};

// One argument of a kernel as it stood at a recorded enqueue.
struct ArgumentSnapshot {
    bool set = false;
    bool null = false;        // given as a null value: a local size, or no memory object
    bool svm = false;         // set by clSetKernelArgSVMPointer or clSetKernelArgMemPointerINTEL
    std::uint32_t thread = 0; // the thread that set it
    std::uint64_t size = 0;   // as given to clSetKernelArg
    std::array<std::byte, 16> bytes{};

    // The value's first bytes as a T.
    template <class T>
    T as() const
    {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16);
        T value;
        std::memcpy(&value, bytes.data(), sizeof(T));
        return value;
    }
};

// One call of the code under test, written down while recording is on.
struct Record {
    Call call{};
    cl_int result = CL_SUCCESS;    // for calls that return a handle: the code stored through errcode_ret, given or not
    std::uint32_t thread = 0;      // `Control::thread()` of the caller
    std::uint32_t value_count = 0; // how many of `values` are used
    std::array<std::uint64_t, 10> values{}; // the call's parameters, in order, as integers; pointers as addresses
    std::uint64_t returned = 0; // the handle or pointer that the call returned, or the event that an enqueue gave out

    // Calls that end in a wait list and an event, and clWaitForEvents.
    std::uint32_t wait_count = 0;
    std::array<cl_event, 8> waits{}; // the first eight
    bool event_asked = false;

    // clSetKernelArg and its pointer twins.
    cl_uint index = 0;
    std::uint64_t size = 0;
    bool null_value = false;
    // The first 64 bytes, if the call succeeded; of the pointer twins the pointer itself.
    std::array<std::byte, 64> value{};

    // clEnqueueNDRangeKernel, and the kernel's identity for the calls that take a kernel as well.
    cl_command_queue queue = nullptr;
    cl_kernel kernel = nullptr;
    std::uint64_t kernel_serial = 0;
    std::uint64_t program_serial = 0;
    std::array<char, 64> kernel_name{};
    cl_uint work_dim = 0;
    bool has_offset = false, has_global = false, has_local = false;
    std::array<std::size_t, 3> offset{}, global{}, local{};
    std::uint32_t argument_count = 0; // of the kernel; the first 32 are in `arguments`
    std::array<ArgumentSnapshot, 32> arguments{};
    std::uint32_t svm_pointer_count = 0; // set by clSetKernelExecInfo, the first eight in `svm_pointers`
    std::array<const void*, 8> svm_pointers{};

    // The value of a recorded clSetKernelArg as a T.
    template <class T>
    T value_as() const
    {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64);
        T result_value;
        std::memcpy(&result_value, value.data(), sizeof(T));
        return result_value;
    }
};

// When clGetKernelArgInfo answers.
enum class ArgumentInfo {
    as_built, // as the specification says: built from source with -cl-kernel-arg-info
    always,
    never,
};

// What a device says of itself and what launches are checked against. Change a copy, then `Control::set_traits`.
struct DeviceTraits {
    cl_device_type type = CL_DEVICE_TYPE_GPU;
    std::string name;
    std::string extensions = "cl_khr_byte_addressable_store cl_khr_fp64 cl_khr_global_int32_base_atomics "
                             "cl_khr_il_program cl_intel_unified_shared_memory";
    std::string driver_version = "1.0"; // binaries of another version are refused
    cl_uint vendor_id = 0xC107;
    cl_uint compute_units = 8;
    std::size_t max_work_group_size = 256;
    std::array<std::size_t, 3> max_work_item_sizes{256, 256, 64};
    std::size_t preferred_multiple = 32;
    cl_ulong local_memory = 32768;
    cl_ulong global_memory = cl_ulong{1} << 32;
    cl_ulong max_allocation = cl_ulong{1} << 30;
    cl_uint address_bits = 64;
    cl_uint base_alignment_bits = 1024;
    std::size_t max_parameter_size = 1024;
    bool available = true;
    bool compiler_available = true;
    bool image_support = true;
    bool out_of_order = true;
    cl_bitfield svm_capabilities = 3; // coarse and fine grain buffers; 0 on OpenCL 1.2
    ArgumentInfo argument_info = ArgumentInfo::as_built;
    bool zero_work_size_allowed = false;  // as OpenCL 2.1 allows; otherwise CL_INVALID_GLOBAL_WORK_SIZE
    bool empty_exec_info_allowed = false; // size 0 clears the SVM list; otherwise CL_INVALID_VALUE
};

// A function that runs at the entry of an OpenCL call, in the calling thread, before anything is checked or failed.
using Hook = void (*)(void* data);

class Control {
public:
    // Counting. Every call counts, also those made by the loader and those that fail.
    virtual std::uint64_t count(Call call) const = 0;
    virtual std::uint64_t total() const = 0;
    virtual void reset() = 0; // forgets counts and records, nothing else

    // Recording; off by default. At most 65536 calls are kept, the others counted as dropped.
    virtual void record(bool on) = 0;
    virtual std::span<const Record> records() const = 0;
    virtual std::uint64_t dropped_records() const = 0;

    // Failures. `nth` counts from now, 1 is the next call. A new plan for a function replaces its old one.
    virtual void fail(Call call, unsigned nth, cl_int code) = 0;
    virtual void fail_always(Call call, cl_int code) = 0;
    virtual void clear_failures() = 0;

    // Hooks. One a function; a null hook removes it. Calls that a hook makes run no hooks. The hook of a call that
    // works on a kernel (setting arguments, enqueueing) runs inside the span that counts as use of the kernel.
    virtual void on_call(Call call, Hook hook, void* data) = 0;
    virtual void clear_hooks() = 0;

    // Violations of OpenCL's rules by the caller: dead or foreign handles, one release too many, simultaneous use of a
    // kernel, unimplemented calls. The first 256 texts are kept; an index past the end gives "".
    virtual std::uint64_t violations() const = 0;
    virtual const char* violation_text(std::size_t index) const = 0;
    virtual void forgive() = 0; // forgets them

    // Objects.
    virtual std::int64_t live(Kind kind) const = 0;
    virtual std::uint64_t created(Kind kind) const = 0;
    virtual References references(const void* handle) const = 0;
    // Times that more events were alive at once than the pool had room for.
    virtual std::uint64_t event_pool_growths() const = 0;
    // Distinct threads that set arguments of a kernel or enqueued it; exact up to 256 threads of the process.
    virtual unsigned threads_that_used(cl_kernel kernel) const = 0;
    // True: a released object's storage goes to the next object of its kind, at once. False (default): it goes into
    // quarantine, reused only after 2^18 further objects (events: 2^16).
    virtual void reuse_addresses(bool on) = 0;

    // Events. True: events that commands give out (not those of blocking commands) stay CL_QUEUED until `complete`;
    // clFinish and clWaitForEvents wait for them, and so do the commands that come after. What a command copies is
    // copied at its enqueue all the same, except by blocking commands, which wait first.
    virtual void hold_events(bool on) = 0;
    virtual void complete(cl_event event, cl_int status = CL_COMPLETE) = 0; // or CL_RUNNING, CL_SUBMITTED, an error
    virtual void complete_all() = 0;                                        // all that are held
    // True: event callbacks run in a thread of the driver's. False (default): in the thread that completes the event,
    // or in clSetEventCallback when it is complete already.
    virtual void callbacks_in_helper_thread(bool on) = 0;
    virtual void wait_for_callbacks() = 0; // until the helper thread has run all

    // Devices.
    virtual DeviceTraits traits(cl_device_id device) const = 0;
    virtual void set_traits(cl_device_id device, const DeviceTraits& traits) = 0;

    // True: setting arguments and enqueueing kernels without an event return CL_SUCCESS and do nothing else, not even
    // count: the floor that measurements of the host's side start from. All else works as ever.
    virtual void do_nothing(bool on) = 0;

    // The small number, from 1, that records call the calling thread by.
    virtual std::uint32_t thread() const = 0;

    // Everything as at the start, except objects: completes held events, clears failures, hooks, violations, counts,
    // records, knobs and traits.
    virtual void restore_defaults() = 0;

    // The records of one function, in order.
    std::vector<const Record*> records_of(Call call) const
    {
        std::vector<const Record*> found;
        for (const Record& record : records()) {
            if (record.call == call) {
                found.push_back(&record);
            }
        }
        return found;
    }

protected:
    ~Control() = default;
};

// The control panel of the loaded driver; the reference is looked up once. Without the driver (OCL_ICD_VENDORS not
// set?) throws std::runtime_error that lists the platforms seen.
Control& driver();

// Records while it lives.
class Recording {
public:
    Recording() { driver().record(true); }
    ~Recording() { driver().record(false); }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
};

// Runs a function at each call of one OpenCL function while it lives.
class OnCall {
public:
    OnCall(Call call, std::function<void()> function) : call_(call), function_(std::move(function))
    {
        driver().on_call(
            call_, [](void* self) { static_cast<OnCall*>(self)->function_(); }, this);
    }
    ~OnCall() { driver().on_call(call_, nullptr, nullptr); }
    OnCall(const OnCall&) = delete;
    OnCall& operator=(const OnCall&) = delete;

private:
    Call call_;
    std::function<void()> function_;
};

} // namespace clutch_test
