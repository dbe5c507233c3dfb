// What every source of the driver includes first: the OpenCL headers, at the newest version and with the old calls.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include "driver.hpp"

#if defined(__clang__)
// Callbacks come from other shared objects; older clang compare function types by address, which differs there.
#define CLUTCH_TEST_FOREIGN_CALL __attribute__((no_sanitize("function")))
#else
#define CLUTCH_TEST_FOREIGN_CALL
#endif

namespace clutch_test {

// The one dispatch table; every object's first word points at it, where the loader looks.
extern cl_icd_dispatch dispatch_table;

// The driver's functions, by OpenCL's names, before counting, recording and failing are wrapped around them.
namespace api {

#define CLUTCH_TEST_DECLARE(name, since) decltype(::name) name;
CLUTCH_TEST_IMPLEMENTED_CALLS(CLUTCH_TEST_DECLARE)
#undef CLUTCH_TEST_DECLARE

// Extension functions, spelled out because not all header packages declare them.
cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* platforms, cl_uint* count);
cl_program clCreateProgramWithILKHR(cl_context context, const void* il, std::size_t length, cl_int* error);
void* clHostMemAllocINTEL(cl_context context, const cl_bitfield* properties, std::size_t size, cl_uint alignment,
                          cl_int* error);
void* clDeviceMemAllocINTEL(cl_context context, cl_device_id device, const cl_bitfield* properties, std::size_t size,
                            cl_uint alignment, cl_int* error);
void* clSharedMemAllocINTEL(cl_context context, cl_device_id device, const cl_bitfield* properties, std::size_t size,
                            cl_uint alignment, cl_int* error);
cl_int clMemFreeINTEL(cl_context context, void* pointer);
cl_int clMemBlockingFreeINTEL(cl_context context, void* pointer);
cl_int clGetMemAllocInfoINTEL(cl_context context, const void* pointer, cl_uint parameter, std::size_t size, void* value,
                              std::size_t* size_given);
cl_int clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index, const void* value);
cl_int clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void* to, const void* from, std::size_t size,
                            cl_uint wait_count, const cl_event* waits, cl_event* event);
cl_int clEnqueueMemFillINTEL(cl_command_queue queue, void* to, const void* pattern, std::size_t pattern_size,
                             std::size_t size, cl_uint wait_count, const cl_event* waits, cl_event* event);

} // namespace api
} // namespace clutch_test
