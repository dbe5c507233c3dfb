#include "platform.hpp"

#include "info.hpp"

#include <algorithm>
#include <cstdlib>

namespace clutch_test {
namespace {

// On the heap for good, so that they stay whole until the process ends.
std::vector<Platform>* platforms = nullptr;
std::vector<Device>* devices = nullptr;
std::size_t devices_each = 0;
int version = 300;

std::size_t number_from_environment(const char* variable, std::size_t normal, std::size_t least, std::size_t most)
{
    const char* const text = std::getenv(variable);
    if (text == nullptr || *text == '\0') {
        return normal;
    }
    char* end = nullptr;
    const unsigned long number = std::strtoul(text, &end, 10);
    return *end == '\0' ? std::clamp<std::size_t>(number, least, most) : normal;
}

int version_from_environment()
{
    const char* const text = std::getenv("CLUTCH_TEST_VERSION");
    const std::string_view wanted = text == nullptr ? "3.0" : text;
    return wanted == "1.2" ? 120 : wanted == "2.0" ? 200 : 300;
}

std::string version_text(std::string_view before, std::string_view after)
{
    return std::string(before) + std::to_string(version / 100) + "." + std::to_string(version / 10 % 10) +
           std::string(after);
}

// A version times 100 in OpenCL's packed form.
cl_version packed(int number)
{
    const auto plain = static_cast<cl_version>(number);
    return CL_MAKE_VERSION(plain / 100, plain / 10 % 10, cl_version{0});
}

std::vector<cl_name_version> named_versions(std::string_view names, cl_version number)
{
    std::vector<cl_name_version> list;
    for (std::size_t begin = 0; begin < names.size();) {
        const std::size_t end = std::min(names.find(' ', begin), names.size());
        if (end > begin) {
            cl_name_version item{};
            item.version = number;
            names.substr(begin, std::min<std::size_t>(end - begin, CL_NAME_VERSION_MAX_NAME_SIZE - 1))
                .copy(item.name, CL_NAME_VERSION_MAX_NAME_SIZE - 1);
            list.push_back(item);
        }
        begin = end + 1;
    }
    return list;
}

// The OpenCL version that brought a device parameter; parameters not named here are of 1.0 to 1.2.
int parameter_version(cl_device_info parameter)
{
    switch (parameter) {
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
    case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
    case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
    case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
    case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
    case CL_DEVICE_SVM_CAPABILITIES:
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    case CL_DEVICE_MAX_PIPE_ARGS:
    case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
    case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
    case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
    case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
    case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
        return 200;
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
        return 210;
    case CL_DEVICE_NUMERIC_VERSION:
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    case CL_DEVICE_ILS_WITH_VERSION:
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    case CL_DEVICE_OPENCL_C_FEATURES:
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
    case CL_DEVICE_PIPE_SUPPORT:
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
        return 300;
    default:
        return 100;
    }
}

constexpr std::string_view il_version = "SPIR-V_1.0";

std::vector<cl_name_version> c_versions()
{
    std::vector<cl_name_version> list;
    for (const int known : {100, 110, 120, 200, 300}) {
        if (known <= version) {
            const auto more = named_versions("OpenCL_C", packed(known));
            list.insert(list.end(), more.begin(), more.end());
            std::replace(std::begin(list.back().name), std::end(list.back().name), '_', ' ');
        }
    }
    return list;
}

cl_int integers_of(const Device& device, cl_device_info parameter, const Answer& answer)
{
    const DeviceTraits& traits = device.traits;
    const bool fp64 = has_extension(device, "cl_khr_fp64");
    const bool fp16 = has_extension(device, "cl_khr_fp16");
    switch (parameter) {
    case CL_DEVICE_VENDOR_ID:
        return answer.value(traits.vendor_id);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return answer.value(traits.compute_units);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
        return answer.value(cl_uint{3});
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
        return answer.value(cl_uint{16});
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
        return answer.value(cl_uint{8});
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
        return answer.value(cl_uint{4});
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
        return answer.value(cl_uint{2});
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
        return answer.value(cl_uint{fp64 ? 2u : 0u});
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
        return answer.value(cl_uint{fp16 ? 8u : 0u});
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return answer.value(cl_uint{1000});
    case CL_DEVICE_ADDRESS_BITS:
        return answer.value(traits.address_bits);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
        return answer.value(traits.base_alignment_bits);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
        return answer.value(cl_uint{128});
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
        return answer.value(cl_device_mem_cache_type{CL_READ_WRITE_CACHE});
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
        return answer.value(cl_uint{64});
    case CL_DEVICE_LOCAL_MEM_TYPE:
        return answer.value(cl_device_local_mem_type{CL_LOCAL});
    case CL_DEVICE_MAX_CONSTANT_ARGS:
        return answer.value(cl_uint{8});
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
        return answer.value(cl_uint{traits.image_support ? 128u : 0u});
    case CL_DEVICE_MAX_SAMPLERS:
        return answer.value(cl_uint{traits.image_support ? 16u : 0u});
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
    case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
    case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
    case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
    case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
    case CL_DEVICE_MAX_PIPE_ARGS:
    case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
    case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
    case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
    case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
        return answer.value(cl_uint{0});
    case CL_DEVICE_REFERENCE_COUNT:
        return answer.value(cl_uint{1});
    case CL_DEVICE_NUMERIC_VERSION:
        return answer.value(packed(version));
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int sizes_of(const Device& device, cl_device_info parameter, const Answer& answer)
{
    const DeviceTraits& traits = device.traits;
    const std::size_t image_side = traits.image_support ? 16384 : 0;
    switch (parameter) {
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return answer.value(traits.max_work_group_size);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return answer.value(traits.max_work_item_sizes);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return answer.value(traits.preferred_multiple);
    case CL_DEVICE_MAX_PARAMETER_SIZE:
        return answer.value(traits.max_parameter_size);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
        return answer.value(std::size_t{1});
    case CL_DEVICE_PRINTF_BUFFER_SIZE:
        return answer.value(std::size_t{1} << 20);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
        return answer.value(image_side);
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
        return answer.value(image_side / 8);
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
        return answer.value(image_side * 4);
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
        return answer.value(std::size_t{0});
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return answer.value(traits.global_memory);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
        return answer.value(cl_ulong{1} << 20);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return answer.value(traits.max_allocation);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
        return answer.value(cl_ulong{65536});
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return answer.value(traits.local_memory);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int bits_of(const Device& device, cl_device_info parameter, const Answer& answer)
{
    constexpr cl_device_fp_config single =
        CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
    const DeviceTraits& traits = device.traits;
    switch (parameter) {
    case CL_DEVICE_TYPE:
        return answer.value(traits.type);
    case CL_DEVICE_SINGLE_FP_CONFIG:
        return answer.value(single);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        return answer.value(cl_device_fp_config{has_extension(device, "cl_khr_fp64") ? single : 0});
    case CL_DEVICE_HALF_FP_CONFIG:
        return has_extension(device, "cl_khr_fp16") ? answer.value(single) : CL_INVALID_VALUE;
    case CL_DEVICE_EXECUTION_CAPABILITIES:
        return answer.value(cl_device_exec_capabilities{CL_EXEC_KERNEL});
    case CL_DEVICE_QUEUE_PROPERTIES: // the same number as CL_DEVICE_QUEUE_ON_HOST_PROPERTIES
        return answer.value(static_cast<cl_command_queue_properties>(
            CL_QUEUE_PROFILING_ENABLE | (traits.out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0)));
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
        return answer.value(cl_command_queue_properties{0});
    case CL_DEVICE_SVM_CAPABILITIES:
        return answer.value(cl_device_svm_capabilities{traits.svm_capabilities});
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
        return answer.value(cl_bitfield{0});
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
        return answer.value(
            cl_device_atomic_capabilities{CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP});
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
        return answer.value(cl_device_atomic_capabilities{
            CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP});
    // cl_intel_unified_shared_memory: host, device and shared memory may be accessed.
    case 0x4190: // CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, missing in older header packages
    case 0x4191:
    case 0x4192:
        return has_extension(device, "cl_intel_unified_shared_memory") ? answer.value(cl_bitfield{1})
                                                                       : CL_INVALID_VALUE;
    case 0x4193:
    case 0x4194:
        return has_extension(device, "cl_intel_unified_shared_memory") ? answer.value(cl_bitfield{0})
                                                                       : CL_INVALID_VALUE;
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int flags_of(const Device& device, cl_device_info parameter, const Answer& answer)
{
    const DeviceTraits& traits = device.traits;
    switch (parameter) {
    case CL_DEVICE_AVAILABLE:
        return answer.flag(traits.available);
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE:
        return answer.flag(traits.compiler_available);
    case CL_DEVICE_IMAGE_SUPPORT:
        return answer.flag(traits.image_support);
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
        return answer.flag(true);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
        return answer.flag(traits.type == CL_DEVICE_TYPE_CPU);
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    case CL_DEVICE_PIPE_SUPPORT:
        return answer.flag(false);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int texts_of(const Device& device, cl_device_info parameter, const Answer& answer)
{
    const DeviceTraits& traits = device.traits;
    switch (parameter) {
    case CL_DEVICE_NAME:
        return answer.text(traits.name);
    case CL_DEVICE_VENDOR:
        return answer.text("clutch");
    case CL_DRIVER_VERSION:
        return answer.text(traits.driver_version);
    case CL_DEVICE_PROFILE:
        return answer.text("FULL_PROFILE");
    case CL_DEVICE_VERSION:
        return answer.text(version_text("OpenCL ", " clutch test driver"));
    case CL_DEVICE_OPENCL_C_VERSION:
        return answer.text(version_text("OpenCL C ", " clutch test driver"));
    case CL_DEVICE_EXTENSIONS:
        return answer.text(traits.extensions);
    case CL_DEVICE_BUILT_IN_KERNELS:
        return answer.text("");
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
        return answer.text("v0000-01-01-00");
    case CL_DEVICE_IL_VERSION:
        return version >= 210 || has_extension(device, "cl_khr_il_program") ? answer.text(il_version)
                                                                            : CL_INVALID_VALUE;
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
        return answer.list(named_versions(traits.extensions, packed(100)));
    case CL_DEVICE_ILS_WITH_VERSION:
        return answer.list(named_versions("SPIR-V", packed(100)));
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
        return answer.list(c_versions());
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
    case CL_DEVICE_OPENCL_C_FEATURES:
        return answer.list(std::vector<cl_name_version>{});
    case CL_DEVICE_PARTITION_PROPERTIES:
    case CL_DEVICE_PARTITION_TYPE:
        return answer.value(cl_device_partition_property{0});
    case CL_DEVICE_PLATFORM:
        return answer.value(static_cast<cl_platform_id>(device.platform));
    case CL_DEVICE_PARENT_DEVICE:
        return answer.value(static_cast<cl_device_id>(nullptr));
    default:
        return CL_INVALID_VALUE;
    }
}

} // namespace

int platform_version()
{
    return version;
}

void open_platforms()
{
    const std::size_t platform_count = number_from_environment("CLUTCH_TEST_PLATFORMS", 1, 0, 8);
    devices_each = number_from_environment("CLUTCH_TEST_DEVICES", 2, 1, 8);
    version = version_from_environment();
    watch(watch_version, version < 300);

    platforms = new std::vector<Platform>(platform_count);
    devices = new std::vector<Device>(platform_count * devices_each);
    for (std::size_t p = 0; p < platform_count; ++p) {
        Platform& platform = (*platforms)[p];
        platform.number = static_cast<cl_uint>(p);
        platform.name = "clutch test driver" + (p == 0 ? std::string() : " " + std::to_string(p));
        for (std::size_t d = 0; d < devices_each; ++d) {
            Device& device = (*devices)[p * devices_each + d];
            device.platform = &platform;
            device.number = static_cast<cl_uint>(d);
            device.traits = default_traits(device);
        }
    }
}

std::span<Platform> all_platforms()
{
    return *platforms;
}
std::span<Device> all_devices()
{
    return *devices;
}
std::span<Device> devices_of(const Platform& platform)
{
    return all_devices().subspan(platform.number * devices_each, devices_each);
}

DeviceTraits default_traits(const Device& device)
{
    DeviceTraits traits;
    traits.name = "clutch test device " + std::to_string(device.number);
    traits.type = device.number == 0 ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
    if (version < 200) {
        traits.svm_capabilities = 0;
    }
    return traits;
}

Platform* checked(Call call, cl_platform_id platform)
{
    for (Platform& known : all_platforms()) {
        if (&known == platform) {
            return &known;
        }
    }
    if (platform != nullptr) {
        violation("%s: %p is not a platform of this driver", name(call), static_cast<const void*>(platform));
    }
    return nullptr;
}

Device* checked(Call call, cl_device_id device)
{
    for (Device& known : all_devices()) {
        if (&known == device) {
            return &known;
        }
    }
    if (device != nullptr) {
        violation("%s: %p is not a device of this driver", name(call), static_cast<const void*>(device));
    }
    return nullptr;
}

bool has_extension(const Device& device, std::string_view extension)
{
    const std::string_view all = device.traits.extensions;
    for (std::size_t at = all.find(extension); at != std::string_view::npos; at = all.find(extension, at + 1)) {
        const std::size_t end = at + extension.size();
        if ((at == 0 || all[at - 1] == ' ') && (end == all.size() || all[end] == ' ')) {
            return true;
        }
    }
    return false;
}

namespace api {

cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* list, cl_uint* count)
{
    if ((list == nullptr && count == nullptr) || (list != nullptr && room == 0)) {
        return CL_INVALID_VALUE;
    }
    const std::span<Platform> all = all_platforms();
    if (count != nullptr) {
        *count = static_cast<cl_uint>(all.size());
    }
    for (std::size_t i = 0; list != nullptr && i < room && i < all.size(); ++i) {
        list[i] = &all[i];
    }
    return all.empty() ? -1001 : CL_SUCCESS; // CL_PLATFORM_NOT_FOUND_KHR
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id* list, cl_uint* count)
{
    return api::clIcdGetPlatformIDsKHR(room, list, count);
}

cl_int clGetPlatformInfo(cl_platform_id handle, cl_platform_info parameter, std::size_t size, void* value,
                         std::size_t* size_given)
{
    const Platform* const platform = checked(Call::clGetPlatformInfo, handle);
    if (platform == nullptr) {
        return CL_INVALID_PLATFORM;
    }
    const Answer answer{size, value, size_given};
    constexpr std::string_view extensions = "cl_khr_icd";
    switch (parameter) {
    case CL_PLATFORM_PROFILE:
        return answer.text("FULL_PROFILE");
    case CL_PLATFORM_VERSION:
        return answer.text(version_text("OpenCL ", " clutch test driver"));
    case CL_PLATFORM_NAME:
        return answer.text(platform->name);
    case CL_PLATFORM_VENDOR:
        return answer.text("clutch");
    case CL_PLATFORM_EXTENSIONS:
        return answer.text(extensions);
    case 0x0920: // CL_PLATFORM_ICD_SUFFIX_KHR
        return answer.text("CLUTCH");
    default:
        break;
    }
    if (version >= 210 && parameter == CL_PLATFORM_HOST_TIMER_RESOLUTION) {
        return answer.value(cl_ulong{1});
    }
    if (version >= 300 && parameter == CL_PLATFORM_NUMERIC_VERSION) {
        return answer.value(packed(version));
    }
    if (version >= 300 && parameter == CL_PLATFORM_EXTENSIONS_WITH_VERSION) {
        return answer.list(named_versions(extensions, packed(100)));
    }
    return CL_INVALID_VALUE;
}

cl_int clGetDeviceIDs(cl_platform_id handle, cl_device_type type, cl_uint room, cl_device_id* list, cl_uint* count)
{
    const Platform* const platform = checked(Call::clGetDeviceIDs, handle);
    if (platform == nullptr) {
        return CL_INVALID_PLATFORM;
    }
    if ((list == nullptr && count == nullptr) || (list != nullptr && room == 0)) {
        return CL_INVALID_VALUE;
    }
    constexpr cl_device_type kinds = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                     CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~kinds) != 0)) {
        return CL_INVALID_DEVICE_TYPE;
    }
    cl_uint found = 0;
    for (Device& device : devices_of(*platform)) {
        const bool wanted = (device.traits.type & type) != 0 ||
                            (device.number == 0 && type != CL_DEVICE_TYPE_ALL && (type & CL_DEVICE_TYPE_DEFAULT) != 0);
        if (wanted) {
            if (list != nullptr && found < room) {
                list[found] = &device;
            }
            ++found;
        }
    }
    if (count != nullptr) {
        *count = found;
    }
    return found == 0 ? CL_DEVICE_NOT_FOUND : CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id handle, cl_device_info parameter, std::size_t size, void* value,
                       std::size_t* size_given)
{
    const Device* const device = checked(Call::clGetDeviceInfo, handle);
    if (device == nullptr) {
        return CL_INVALID_DEVICE;
    }
    if (parameter_version(parameter) > version) {
        return CL_INVALID_VALUE;
    }
    const Answer answer{size, value, size_given};
    // Each group answers its own parameters; a parameter that is in none, or does not fit, is invalid in all.
    for (const auto group : {integers_of, sizes_of, bits_of, flags_of, texts_of}) {
        if (group(*device, parameter, answer) == CL_SUCCESS) {
            return CL_SUCCESS;
        }
    }
    return CL_INVALID_VALUE;
}

cl_int clRetainDevice(cl_device_id handle)
{
    return checked(Call::clRetainDevice, handle) == nullptr ? CL_INVALID_DEVICE : CL_SUCCESS;
}

cl_int clReleaseDevice(cl_device_id handle)
{
    return checked(Call::clReleaseDevice, handle) == nullptr ? CL_INVALID_DEVICE : CL_SUCCESS;
}

} // namespace api
} // namespace clutch_test
