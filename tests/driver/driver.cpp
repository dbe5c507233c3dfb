// The driver's entrances: what the loader finds in the library, the dispatch table, and the way to the control panel.
#include "image.hpp"
#include "kernel.hpp"

#include <string_view>

namespace clutch_test {

Control* control(); // control.cpp

cl_icd_dispatch dispatch_table{};

namespace {

// What the table holds for a function of `api`.
template <Call call, auto function>
constexpr auto wrapped = &details::Wrapped<call, std::remove_pointer_t<decltype(function)>>::template entry<function>;

// What the table holds for a function that the driver lacks. Some members have no function type here (those of other
// systems): they get a function without parameters.
template <Call call>
void note_missing()
{
    violation("%s: not implemented by the test driver", name(call));
}

template <Call call, class Member>
struct Missing {
    static cl_int CL_API_CALL function()
    {
        note_missing<call>();
        return CL_INVALID_OPERATION;
    }
};

template <Call call, class R, class... A>
struct Missing<call, R(CL_API_CALL*)(A...)> {
    static R function(A... given)
    {
        note_missing<call>();
        using Last = std::tuple_element_t<sizeof...(A), std::tuple<int, A...>>;
        if constexpr (std::is_same_v<Last, cl_int*> && !std::is_same_v<R, cl_int>) {
            cl_int* const errcode_ret = std::get<sizeof...(A)>(std::tuple<int, A...>{0, given...});
            if (errcode_ret != nullptr) {
                *errcode_ret = CL_INVALID_OPERATION;
            }
        }
        return details::failed_result<R>(CL_INVALID_OPERATION);
    }
};

cl_int CL_API_CALL unknown_entry()
{
    violation("a call that this driver does not know");
    return CL_INVALID_OPERATION;
}

template <class Member, class Function>
void enter(Member& member, Function* function)
{
    static_assert(sizeof(Member) == sizeof function);
    std::memcpy(&member, &function, sizeof function); // a member may be a mere void*
}

void fill_table()
{
    // Header packages newer than this driver may have members that the lists do not name.
    using Entry = cl_int(CL_API_CALL*)();
    std::array<Entry, sizeof dispatch_table / sizeof(Entry)> all;
    all.fill(unknown_entry);
    std::memcpy(static_cast<void*>(&dispatch_table), all.data(), sizeof dispatch_table);

#define CLUTCH_TEST_ENTER(name, since)                                                                                 \
    static_assert(std::is_same_v<decltype(dispatch_table.name), decltype(&::name)>);                                   \
    dispatch_table.name = wrapped<Call::name, &api::name>;
    CLUTCH_TEST_IMPLEMENTED_CALLS(CLUTCH_TEST_ENTER)
#undef CLUTCH_TEST_ENTER

#define CLUTCH_TEST_MISS(name, since)                                                                                  \
    enter(dispatch_table.name, wrapped<Call::name, &Missing<Call::name, decltype(cl_icd_dispatch::name)>::function>);
    CLUTCH_TEST_UNIMPLEMENTED_CALLS(CLUTCH_TEST_MISS)
#undef CLUTCH_TEST_MISS
}

// What stands in the table while launches do nothing.
cl_int CL_API_CALL idle_set_arg(cl_kernel, cl_uint, std::size_t, const void*)
{
    return CL_SUCCESS;
}
cl_int CL_API_CALL idle_set_pointer(cl_kernel, cl_uint, const void*)
{
    return CL_SUCCESS;
}
cl_int CL_API_CALL idle_enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const std::size_t* offset,
                                const std::size_t* global, const std::size_t* local, cl_uint count,
                                const cl_event* waits, cl_event* event)
{
    if (event == nullptr) {
        return CL_SUCCESS;
    }
    return wrapped<Call::clEnqueueNDRangeKernel, &api::clEnqueueNDRangeKernel>(queue, kernel, dimensions, offset,
                                                                               global, local, count, waits, event);
}

template <class R, class... A>
void* address(R (*function)(A...))
{
    return reinterpret_cast<void*>(function);
}

void* extension_function(std::string_view wanted)
{
    if (wanted == "clutchTestControl") {
        return address(&control);
    }
#define CLUTCH_TEST_HAND_OUT(name, since)                                                                              \
    if (wanted == #name) {                                                                                             \
        return address(wrapped<Call::name, &api::name>);                                                               \
    }
    CLUTCH_TEST_EXTENSION_CALLS(CLUTCH_TEST_HAND_OUT)
    CLUTCH_TEST_HAND_OUT(clGetPlatformInfo, 100) // for loaders that ask for it in this way
#undef CLUTCH_TEST_HAND_OUT
    return nullptr;
}

__attribute__((constructor)) void load()
{
    fill_table();
    open_platforms();
    Arena<Context>::open();
    Arena<Queue>::open();
    Arena<Memory>::open();
    Arena<Sampler>::open();
    Arena<Program>::open();
    Arena<Kernel>::open();
    Arena<Event>::open(1 << 16);
}

} // namespace

void idle(bool on)
{
    dispatch_table.clSetKernelArg = on ? idle_set_arg : wrapped<Call::clSetKernelArg, &api::clSetKernelArg>;
    dispatch_table.clSetKernelArgSVMPointer =
        on ? idle_set_pointer : wrapped<Call::clSetKernelArgSVMPointer, &api::clSetKernelArgSVMPointer>;
    dispatch_table.clEnqueueNDRangeKernel =
        on ? idle_enqueue : wrapped<Call::clEnqueueNDRangeKernel, &api::clEnqueueNDRangeKernel>;
}

namespace api {

void* clGetExtensionFunctionAddress(const char* wanted)
{
    return wanted == nullptr ? nullptr : extension_function(wanted);
}

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char* wanted)
{
    if (checked(Call::clGetExtensionFunctionAddressForPlatform, platform) == nullptr || wanted == nullptr) {
        return nullptr;
    }
    return extension_function(wanted);
}

} // namespace api
} // namespace clutch_test

// The three functions that the cl_khr_icd extension asks a driver's library to export.
#define CLUTCH_TEST_EXPORT extern "C" __attribute__((visibility("default")))

CLUTCH_TEST_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* platforms, cl_uint* count)
{
    using namespace clutch_test;
    return wrapped<Call::clIcdGetPlatformIDsKHR, &api::clIcdGetPlatformIDsKHR>(room, platforms, count);
}

CLUTCH_TEST_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info parameter,
                                                        size_t size, void* value, size_t* size_given)
{
    using namespace clutch_test;
    return wrapped<Call::clGetPlatformInfo, &api::clGetPlatformInfo>(platform, parameter, size, value, size_given);
}

CLUTCH_TEST_EXPORT void* CL_API_CALL clGetExtensionFunctionAddress(const char* wanted)
{
    using namespace clutch_test;
    return wrapped<Call::clGetExtensionFunctionAddress, &api::clGetExtensionFunctionAddress>(wanted);
}
