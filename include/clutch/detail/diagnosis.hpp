// What to say after the driver said no. Nothing here runs on a launch that works.
#pragma once

#include <clutch/detail/argument.hpp>
#include <clutch/detail/info.hpp>
#include <clutch/event.hpp>
#include <clutch/kernel_info.hpp>
#include <clutch/ndrange.hpp>
#include <clutch/source.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clutch::detail {

// A launch hands to the functions below handles, pointers and numbers, no objects: an object whose address is taken, or
// that is copied whole, even on a branch that never runs, would have to be in memory on the way there.

template <class Explain>
[[noreturn]] CLUTCH_COLD void raise_explained(Explain explain)
{
    raise(explain());
}

/// The one way a launch ends badly: an Error made by `explain`, which may ask the driver, or the bare code.
template <Report report, class Explain>
CLUTCH_INLINE cl_int fail(cl_int code, Explain explain)
{
    if constexpr (report == Report::raise)
        raise_explained(explain);
    else
        return code;
}

/// The bytes of an OpenCL C type by its name, "uint" or "float4"; 0 for one that is not built in.
inline std::size_t size_of_type(std::string_view type) noexcept
{
    struct Scalar {
        std::string_view name;
        std::size_t bytes;
    };
    constexpr Scalar scalars[] = {
        {"unsigned char", 1}, {"unsigned short", 2}, {"unsigned int", 4}, {"unsigned long", 8}, {"uchar", 1},
        {"ushort", 2},        {"uint", 4},           {"ulong", 8},        {"char", 1},          {"short", 2},
        {"int", 4},           {"long", 8},           {"half", 2},         {"float", 4},         {"double", 8}};
    for (const Scalar& scalar : scalars) {
        if (!type.starts_with(scalar.name))
            continue;
        const std::string_view rest_of_it = type.substr(scalar.name.size());
        std::size_t width = 1;
        if (!rest_of_it.empty()) {
            const char* const end = rest_of_it.data() + rest_of_it.size();
            if (std::from_chars(rest_of_it.data(), end, width).ptr != end)
                return 0;
        }
        return scalar.bytes * (width == 3 ? 4 : width);
    }
    return 0;
}

/// "axpy: argument 2 'a': clSetKernelArg: CL_INVALID_ARG_SIZE (-51): 8 bytes given, 4 expected".
CLUTCH_COLD inline Failure explain_argument(const EntryRecord* entry, cl_kernel kernel, cl_device_id device,
                                            cl_uint index, cl_int code, std::size_t bytes, const std::string& refusal)
{
    const auto info = kernel_argument_info(kernel, index);
    const std::string argument_name = info.text_or_empty(CL_KERNEL_ARG_NAME);
    const std::string type = info.text_or_empty(CL_KERNEL_ARG_TYPE_NAME);
    std::string subject = std::string{entry->name} + ": argument " + std::to_string(index);
    if (!argument_name.empty())
        subject += " '" + argument_name + "'";
    if (!refusal.empty())
        return failure(subject, {}, code, refusal);

    const auto address = info.value_or<cl_kernel_arg_address_qualifier>(CL_KERNEL_ARG_ADDRESS_QUALIFIER, 0);
    const bool is_memory = address == CL_KERNEL_ARG_ADDRESS_GLOBAL || address == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    std::string detail = std::to_string(bytes) + " bytes given";
    if (address == CL_KERNEL_ARG_ADDRESS_LOCAL) {
        const auto limit = device_info(device).value_or<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE, 0);
        detail = std::to_string(bytes) + " bytes of local memory given, the device has " + std::to_string(limit);
    } else if (code == CL_INVALID_MEM_OBJECT) {
        detail = "the memory object is not valid in the queue's context: of another context, released, or not one";
    } else if (const std::size_t expected = is_memory ? sizeof(cl_mem) : size_of_type(type); expected != 0) {
        detail += ", " + std::to_string(expected) + " expected";
    }
    if (!type.empty())
        detail += "; the kernel declares '" + type + " " + argument_name + "'";
    return failure(subject, "clSetKernelArg", code, detail);
}

/// Sends one argument, and reports one that does not go.
template <Report report, class P, class A>
CLUTCH_INLINE cl_int set_argument(const EntryRecord* entry, cl_kernel kernel, cl_device_id device, cl_uint index,
                                  const A& given)
{
    const cl_int status = Parameter<P>::set(kernel, index, given);
    if (status != CL_SUCCESS) [[unlikely]]
        return fail<report>(status, [=, &given] {
            return explain_argument(entry, kernel, device, index, status, Parameter<P>::size(given),
                                    Parameter<P>::refusal(given));
        });
    return CL_SUCCESS;
}

CLUTCH_COLD inline Failure explain_queue(const EntryRecord* entry, cl_int code)
{
    return failure(entry->name, "clGetCommandQueueInfo", code, "the queue given is not a valid one");
}

/// What `examine` returns for sizes that can be launched all the same: large, but sound. No OpenCL code is positive.
inline constexpr cl_int launch_it = 1;

/// Looks at sizes that `plain` stopped at, and does what is to be done unless it returns `launch_it`: an error, or for
/// a zero in `global` a marker for those who wait.
CLUTCH_COLD inline cl_int examine(Report report, const EntryRecord* entry, cl_command_queue queue, RangeView global,
                                  RangeView local, RangeView offset, std::span<const Event> after, cl_event* event)
{
    const auto refuse = [&](cl_int code, const std::string& detail) {
        if (report == Report::raise)
            raise(entry->name, {}, code, detail);
        return code;
    };
    const auto dimension = [](cl_uint d) { return " in dimension " + std::to_string(d); };

    if (global.empty())
        return refuse(CL_INVALID_WORK_DIMENSION, "the global size is empty; give 1 to 3 dimensions, as in {n}");
    if (!local.empty() && local.rank != global.rank)
        return refuse(CL_INVALID_WORK_DIMENSION, "global size " + to_text(global) + " and local size " +
                                                     to_text(local) + " differ in their number of dimensions");
    if (!offset.empty() && offset.rank != global.rank)
        return refuse(CL_INVALID_WORK_DIMENSION, "global size " + to_text(global) + " and offset " + to_text(offset) +
                                                     " differ in their number of dimensions");
    bool nothing = false;
    for (cl_uint d = 0; d < global.rank; ++d) {
        if (negative(global[d]))
            return refuse(CL_INVALID_GLOBAL_WORK_SIZE,
                          "global size " + to_text(global[d]) + dimension(d) + " is negative");
        if (!local.empty() && (local[d] == 0 || negative(local[d])))
            return refuse(CL_INVALID_WORK_ITEM_SIZE,
                          "local size " + to_text(local[d]) + dimension(d) +
                              "; give 1 or more, or no local size to let the implementation choose");
        if (!offset.empty() && negative(offset[d]))
            return refuse(CL_INVALID_GLOBAL_OFFSET, "offset " + to_text(offset[d]) + dimension(d) + " is negative");
        nothing = nothing || global[d] == 0;
    }
    if (nothing) {
        if (event == nullptr && after.empty())
            return CL_SUCCESS;
        const cl_int status = enqueue_marker(queue, after, event);
        if (status != CL_SUCCESS && report == Report::raise)
            raise(entry->name, "clEnqueueMarkerWithWaitList", status, explain_wait_list(after));
        return status;
    }
    if (overflows(global))
        return refuse(CL_INVALID_GLOBAL_WORK_SIZE,
                      "global size " + to_text(global) + " has more work-items than size_t can count");
    if (!local.empty() && overflows(local))
        return refuse(CL_INVALID_WORK_GROUP_SIZE,
                      "local size " + to_text(local) + " has more work-items than size_t can count");
    return launch_it;
}

/// Which work-group size the device or the kernel cannot have, and one that it can.
CLUTCH_COLD inline std::string explain_local(cl_kernel kernel, cl_device_id device, RangeView global, RangeView local)
{
    const auto group = kernel_work_group_info(kernel, device);
    const auto required =
        group.value_or<std::array<std::size_t, 3>>(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, std::array<std::size_t, 3>{});
    if (required[0] != 0) {
        const RangeView wanted{3, required.data()};
        bool same = !local.empty();
        for (cl_uint d = 0; d < local.rank; ++d)
            same = same && local[d] == required[d];
        if (!same)
            return "local size " + to_text(local) + ", the kernel requires " + to_text(wanted) +
                   " (reqd_work_group_size)";
    }
    if (local.empty())
        return "global size " + to_text(global) + ", no local size given";

    std::vector<std::size_t> limits(3);
    const std::size_t bytes = limits.size() * sizeof(std::size_t);
    if (clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, bytes, limits.data(), nullptr) == CL_SUCCESS)
        for (cl_uint d = 0; d < local.rank; ++d)
            if (local[d] > limits[d])
                return "local size " + std::to_string(local[d]) + " in dimension " + std::to_string(d) +
                       ", the device's limit there is " + std::to_string(limits[d]);

    std::size_t items = 1;
    for (cl_uint d = 0; d < local.rank; ++d)
        items *= local[d];
    const auto most = group.value_or<std::size_t>(CL_KERNEL_WORK_GROUP_SIZE, 0);
    if (most != 0 && items > most)
        return "a work-group of " + to_text(local) + " = " + std::to_string(items) +
               " work-items, the limit for this kernel on this device is " + std::to_string(most);
    for (cl_uint d = 0; d < local.rank; ++d)
        if (global[d] % local[d] != 0)
            return "global size " + std::to_string(global[d]) + " in dimension " + std::to_string(d) +
                   " is not a multiple of local size " + std::to_string(local[d]) + "; round_up gives " +
                   std::to_string(round_up(global[d], local[d])) + ", and the kernel then tests its index";
    return "global size " + to_text(global) + ", local size " + to_text(local);
}

/// Why the driver refused a launch whose arguments it had taken.
CLUTCH_COLD inline Failure explain_enqueue(const EntryRecord* entry, cl_kernel kernel, cl_device_id device,
                                           RangeView global, RangeView local, RangeView offset,
                                           std::span<const Event> after, cl_int code)
{
    std::string detail;
    switch (code) {
    case CL_INVALID_WORK_GROUP_SIZE:
    case CL_INVALID_WORK_ITEM_SIZE:
        detail = explain_local(kernel, device, global, local);
        break;
    case CL_INVALID_GLOBAL_WORK_SIZE:
    case CL_INVALID_GLOBAL_OFFSET:
        detail = "global size " + to_text(global) + ", offset " + to_text(offset) + ", the device counts in " +
                 std::to_string(device_info(device).value_or<cl_uint>(CL_DEVICE_ADDRESS_BITS, 0)) + " bits";
        break;
    case CL_INVALID_EVENT_WAIT_LIST:
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
        detail = explain_wait_list(after);
        break;
    case CL_INVALID_COMMAND_QUEUE:
        detail = "the queue given is not a valid one";
        break;
    case CL_INVALID_CONTEXT:
        detail = "an argument or an event of the wait list belongs to another context than the queue";
        break;
    case CL_INVALID_KERNEL_ARGS:
        detail = signature(kernel);
        break;
    case CL_OUT_OF_RESOURCES:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: {
        const auto used = kernel_work_group_info(kernel, device).value_or<cl_ulong>(CL_KERNEL_LOCAL_MEM_SIZE, 0);
        const auto limit = device_info(device).value_or<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE, 0);
        detail = "global size " + to_text(global) + ", local size " + to_text(local) + ", local memory " +
                 std::to_string(used) + " of " + std::to_string(limit) + " bytes";
        break;
    }
    default:
        break;
    }
    return failure(entry->name, "clEnqueueNDRangeKernel", code, detail);
}

} // namespace clutch::detail
