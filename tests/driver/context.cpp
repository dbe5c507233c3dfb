#include "context.hpp"

#include "info.hpp"

namespace clutch_test {
namespace {

// The platform that the properties name, null if none; false if a property is wrong.
bool read_properties(Call call, const cl_context_properties* properties, std::vector<cl_context_properties>& copy,
                     Platform*& platform, cl_int& code)
{
    if (properties == nullptr) {
        return true;
    }
    for (; *properties != 0; properties += 2) {
        const auto key = properties[0];
        if (key == CL_CONTEXT_PLATFORM) {
            platform = checked(call, reinterpret_cast<cl_platform_id>(properties[1])); // NOLINT
            if (platform == nullptr) {
                code = CL_INVALID_PLATFORM;
                return false;
            }
        } else if (key != CL_CONTEXT_INTEROP_USER_SYNC) {
            code = CL_INVALID_PROPERTY;
            return false;
        }
        copy.insert(copy.end(), {properties[0], properties[1]});
    }
    copy.push_back(0);
    return true;
}

Context* make_context(std::vector<Device*> devices, std::vector<cl_context_properties> properties, cl_int* errcode_ret)
{
    Context* const context = Arena<Context>::make();
    if (context != nullptr) {
        context->devices = std::move(devices);
        context->properties = std::move(properties);
    }
    return with_code(context, context != nullptr ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, errcode_ret);
}

cl_context no_context(cl_int code, cl_int* errcode_ret)
{
    return with_code(static_cast<cl_context>(nullptr), code, errcode_ret);
}

} // namespace

namespace api {

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count, const cl_device_id* list,
                           void(CL_CALLBACK* notify)(const char*, const void*, std::size_t, void*), void* data,
                           cl_int* errcode_ret)
{
    std::vector<cl_context_properties> copy;
    Platform* platform = nullptr;
    cl_int code = CL_SUCCESS;
    if (!read_properties(Call::clCreateContext, properties, copy, platform, code)) {
        return no_context(code, errcode_ret);
    }
    if (list == nullptr || count == 0 || (notify == nullptr && data != nullptr)) {
        return no_context(CL_INVALID_VALUE, errcode_ret);
    }
    std::vector<Device*> devices;
    for (cl_uint i = 0; i < count; ++i) {
        Device* const device = checked(Call::clCreateContext, list[i]);
        if (device == nullptr) {
            return no_context(CL_INVALID_DEVICE, errcode_ret);
        }
        if (!device->traits.available) {
            return no_context(CL_DEVICE_NOT_AVAILABLE, errcode_ret);
        }
        platform = platform == nullptr ? device->platform : platform;
        if (device->platform != platform) {
            violation("clCreateContext: devices of two platforms in one context");
            return no_context(CL_INVALID_DEVICE, errcode_ret);
        }
        if (std::find(devices.begin(), devices.end(), device) == devices.end()) {
            devices.push_back(device);
        }
    }
    return make_context(std::move(devices), std::move(copy), errcode_ret);
}

cl_context clCreateContextFromType(const cl_context_properties* properties, cl_device_type type,
                                   void(CL_CALLBACK* notify)(const char*, const void*, std::size_t, void*), void* data,
                                   cl_int* errcode_ret)
{
    std::vector<cl_context_properties> copy;
    Platform* platform = nullptr;
    cl_int code = CL_SUCCESS;
    if (!read_properties(Call::clCreateContextFromType, properties, copy, platform, code)) {
        return no_context(code, errcode_ret);
    }
    if (notify == nullptr && data != nullptr) {
        return no_context(CL_INVALID_VALUE, errcode_ret);
    }
    if (platform == nullptr) {
        if (all_platforms().empty()) {
            return no_context(CL_INVALID_PLATFORM, errcode_ret);
        }
        platform = &all_platforms().front();
    }
    std::array<cl_device_id, 16> found{};
    cl_uint count = 0;
    code = api::clGetDeviceIDs(platform, type, static_cast<cl_uint>(found.size()), found.data(), &count);
    if (code != CL_SUCCESS) {
        return no_context(code, errcode_ret);
    }
    return make_context({found.begin(), found.begin() + count}, std::move(copy), errcode_ret);
}

cl_int clRetainContext(cl_context context)
{
    return retain_handle(Call::clRetainContext, context, CL_INVALID_CONTEXT);
}

cl_int clReleaseContext(cl_context context)
{
    return release_handle(Call::clReleaseContext, context, CL_INVALID_CONTEXT);
}

cl_int clGetContextInfo(cl_context handle, cl_context_info parameter, std::size_t size, void* value,
                        std::size_t* size_given)
{
    const Context* const context = checked(Call::clGetContextInfo, handle);
    if (context == nullptr) {
        return CL_INVALID_CONTEXT;
    }
    const Answer answer{size, value, size_given};
    switch (parameter) {
    case CL_CONTEXT_REFERENCE_COUNT:
        return answer.value(reference_count(context));
    case CL_CONTEXT_NUM_DEVICES:
        return answer.value(static_cast<cl_uint>(context->devices.size()));
    case CL_CONTEXT_DEVICES:
        return answer.list(context->devices);
    case CL_CONTEXT_PROPERTIES:
        return answer.list(context->properties);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clSetContextDestructorCallback(cl_context handle, void(CL_CALLBACK* function)(cl_context, void*), void* data)
{
    Context* const context = checked(Call::clSetContextDestructorCallback, handle);
    if (context == nullptr) {
        return CL_INVALID_CONTEXT;
    }
    if (function == nullptr) {
        return CL_INVALID_VALUE;
    }
    const std::lock_guard lock{context->mutex};
    context->end_callbacks.push_back({function, data});
    return CL_SUCCESS;
}

} // namespace api
} // namespace clutch_test
