// KernelInfo: what the driver knows of a kernel.
#pragma once

#include <clutch/detail/info.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace clutch {

/// One parameter as the driver reports it (OpenCL 3.0, section 5.9.4).
struct ParameterInfo {
    std::string type;                                ///< "float*", "int"; empty where the driver has none
    std::string name;                                ///< empty where the driver has none
    cl_kernel_arg_address_qualifier address_space{}; ///< CL_KERNEL_ARG_ADDRESS_GLOBAL, ...; 0 where the driver has none
};

/// What `Kernel::info` returns.
struct KernelInfo {
    std::string name;
    std::vector<ParameterInfo> parameters; ///< one for each, in order, even where the driver has no details
    std::size_t max_work_group_size = 0;   ///< work-items, for this kernel on this device
    std::array<std::size_t, 3> required_work_group_size{}; ///< work-items; zeros: none required
    std::size_t preferred_multiple = 0;                    ///< work-items; a good work-group size is a multiple of it
    cl_ulong local_bytes = 0;   ///< local memory of a work-group, as far as known before a launch
    cl_ulong private_bytes = 0; ///< private memory of a work-item
};

namespace detail {

inline KernelInfo describe_kernel(cl_kernel kernel, cl_device_id device)
{
    const auto info = kernel_info(kernel);
    const auto group = kernel_work_group_info(kernel, device);
    KernelInfo result;
    result.name = info.text(CL_KERNEL_FUNCTION_NAME, "KernelInfo");
    const auto count = info.value<cl_uint>(CL_KERNEL_NUM_ARGS, result.name);
    for (cl_uint i = 0; i < count; ++i) {
        const auto argument = kernel_argument_info(kernel, i);
        result.parameters.push_back(
            {argument.text_or_empty(CL_KERNEL_ARG_TYPE_NAME), argument.text_or_empty(CL_KERNEL_ARG_NAME),
             argument.value_or<cl_kernel_arg_address_qualifier>(CL_KERNEL_ARG_ADDRESS_QUALIFIER, 0)});
    }
    result.max_work_group_size = group.value<std::size_t>(CL_KERNEL_WORK_GROUP_SIZE, result.name);
    result.required_work_group_size =
        group.value<std::array<std::size_t, 3>>(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, result.name);
    result.preferred_multiple = group.value<std::size_t>(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, result.name);
    result.local_bytes = group.value<cl_ulong>(CL_KERNEL_LOCAL_MEM_SIZE, result.name);
    result.private_bytes = group.value<cl_ulong>(CL_KERNEL_PRIVATE_MEM_SIZE, result.name);
    return result;
}

/// "axpy(global float* y, float a)", as far as the driver tells.
CLUTCH_COLD inline std::string signature(cl_kernel kernel)
{
    std::string text = kernel_info(kernel).text_or_empty(CL_KERNEL_FUNCTION_NAME) + "(";
    const auto count = kernel_info(kernel).value_or<cl_uint>(CL_KERNEL_NUM_ARGS, 0);
    for (cl_uint i = 0; i < count; ++i) {
        const auto info = kernel_argument_info(kernel, i);
        std::string type = info.text_or_empty(CL_KERNEL_ARG_TYPE_NAME);
        if (type.empty())
            return std::move(text) + std::to_string(count) + " parameters)";
        switch (info.value_or<cl_kernel_arg_address_qualifier>(CL_KERNEL_ARG_ADDRESS_QUALIFIER, 0)) {
        case CL_KERNEL_ARG_ADDRESS_GLOBAL:
            type.insert(0, "global ");
            break;
        case CL_KERNEL_ARG_ADDRESS_CONSTANT:
            type.insert(0, "constant ");
            break;
        case CL_KERNEL_ARG_ADDRESS_LOCAL:
            type.insert(0, "local ");
            break;
        default:
            break;
        }
        text += (i == 0 ? "" : ", ") + type + " " + info.text_or_empty(CL_KERNEL_ARG_NAME);
    }
    return text + ")";
}

} // namespace detail
} // namespace clutch
