// The clGet...Info calls: one value, a list, or a text. These allocate and ask the driver; no launch comes here.
#pragma once

#include <clutch/detail/opencl.hpp>
#include <clutch/error.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace clutch::detail {

/// A clGet...Info call with its objects bound: `cl_int(param, size, value, size_ret)`. `call` is its name for messages.
template <class F>
class Info {
public:
    Info(const char* call, F query) : call_{call}, query_{query} {}

    /// One value. Errors: what the driver says.
    template <class T>
        requires std::is_trivially_copyable_v<T> T value(cl_uint param, std::string_view subject)
    const
    {
        T result{};
        check(query_(param, sizeof(T), &result, nullptr), subject, call_);
        return result;
    }

    /// One value, or `otherwise` where the driver does not know the question (an older version, a missing extension).
    template <class T>
    T value_or(cl_uint param, T otherwise) const noexcept
    {
        T result{};
        return query_(param, sizeof(T), &result, nullptr) == CL_SUCCESS ? result : otherwise;
    }

    template <class T>
    std::vector<T> list(cl_uint param, std::string_view subject) const
    {
        std::size_t bytes = 0;
        check(query_(param, 0, nullptr, &bytes), subject, call_);
        std::vector<T> result(bytes / sizeof(T));
        if (!result.empty())
            check(query_(param, result.size() * sizeof(T), result.data(), nullptr), subject, call_);
        return result;
    }

    /// A list, or nothing where the driver does not give it: for messages, which must not fail themselves.
    template <class T>
    std::vector<T> list_or_empty(cl_uint param) const
    {
        std::size_t bytes = 0;
        if (query_(param, 0, nullptr, &bytes) != CL_SUCCESS)
            return {};
        std::vector<T> result(bytes / sizeof(T));
        if (result.empty() || query_(param, result.size() * sizeof(T), result.data(), nullptr) != CL_SUCCESS)
            return {};
        return result;
    }

    /// Text, without the terminating null (or nulls: some drivers pad).
    std::string text(cl_uint param, std::string_view subject) const
    {
        const std::vector<char> bytes = list<char>(param, subject);
        std::string result{bytes.begin(), bytes.end()};
        result.erase(result.find_last_not_of('\0') + 1);
        return result;
    }

    /// Text, or nothing where the driver does not give it: for messages, which must not fail themselves.
    std::string text_or_empty(cl_uint param) const
    {
        std::size_t bytes = 0;
        if (query_(param, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0)
            return {};
        std::string result(bytes, '\0');
        if (query_(param, bytes, result.data(), nullptr) != CL_SUCCESS)
            return {};
        result.erase(result.find_last_not_of('\0') + 1);
        return result;
    }

private:
    const char* call_;
    F query_;
};

inline auto platform_info(cl_platform_id platform)
{
    return Info{"clGetPlatformInfo", [platform](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetPlatformInfo(platform, param, size, value, size_ret);
                }};
}

inline auto device_info(cl_device_id device)
{
    return Info{"clGetDeviceInfo", [device](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetDeviceInfo(device, param, size, value, size_ret);
                }};
}

inline auto context_info(cl_context context)
{
    return Info{"clGetContextInfo", [context](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetContextInfo(context, param, size, value, size_ret);
                }};
}

inline auto queue_info(cl_command_queue queue)
{
    return Info{"clGetCommandQueueInfo", [queue](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetCommandQueueInfo(queue, param, size, value, size_ret);
                }};
}

inline auto memory_info(cl_mem memory)
{
    return Info{"clGetMemObjectInfo", [memory](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetMemObjectInfo(memory, param, size, value, size_ret);
                }};
}

inline auto event_info(cl_event event)
{
    return Info{"clGetEventInfo", [event](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetEventInfo(event, param, size, value, size_ret);
                }};
}

inline auto event_profiling_info(cl_event event)
{
    return Info{"clGetEventProfilingInfo",
                [event](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetEventProfilingInfo(event, param, size, value, size_ret);
                }};
}

inline auto program_info(cl_program program)
{
    return Info{"clGetProgramInfo", [program](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetProgramInfo(program, param, size, value, size_ret);
                }};
}

inline auto program_build_info(cl_program program, cl_device_id device)
{
    return Info{"clGetProgramBuildInfo",
                [program, device](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetProgramBuildInfo(program, device, param, size, value, size_ret);
                }};
}

inline auto kernel_info(cl_kernel kernel)
{
    return Info{"clGetKernelInfo", [kernel](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetKernelInfo(kernel, param, size, value, size_ret);
                }};
}

inline auto kernel_argument_info(cl_kernel kernel, cl_uint index)
{
    return Info{"clGetKernelArgInfo",
                [kernel, index](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetKernelArgInfo(kernel, index, param, size, value, size_ret);
                }};
}

inline auto kernel_work_group_info(cl_kernel kernel, cl_device_id device)
{
    return Info{"clGetKernelWorkGroupInfo",
                [kernel, device](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
                    return clGetKernelWorkGroupInfo(kernel, device, param, size, value, size_ret);
                }};
}

} // namespace clutch::detail
