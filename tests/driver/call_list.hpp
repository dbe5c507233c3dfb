// The OpenCL functions the test driver knows, as lists for X(name, since), where `since` is the OpenCL version (times
// 100) that brought the function. Kept apart so that the enumeration, the names, the dispatch table and the version
// check can never disagree.
#pragma once

// Functions with a real implementation behind the dispatch table.
#define CLUTCH_TEST_IMPLEMENTED_CALLS(X)                                                                               \
    X(clGetPlatformIDs, 100)                                                                                           \
    X(clGetPlatformInfo, 100)                                                                                          \
    X(clGetDeviceIDs, 100)                                                                                             \
    X(clGetDeviceInfo, 100)                                                                                            \
    X(clRetainDevice, 120)                                                                                             \
    X(clReleaseDevice, 120)                                                                                            \
    X(clCreateContext, 100)                                                                                            \
    X(clCreateContextFromType, 100)                                                                                    \
    X(clRetainContext, 100)                                                                                            \
    X(clReleaseContext, 100)                                                                                           \
    X(clGetContextInfo, 100)                                                                                           \
    X(clSetContextDestructorCallback, 300)                                                                             \
    X(clCreateCommandQueue, 100)                                                                                       \
    X(clCreateCommandQueueWithProperties, 200)                                                                         \
    X(clRetainCommandQueue, 100)                                                                                       \
    X(clReleaseCommandQueue, 100)                                                                                      \
    X(clGetCommandQueueInfo, 100)                                                                                      \
    X(clFlush, 100)                                                                                                    \
    X(clFinish, 100)                                                                                                   \
    X(clCreateBuffer, 100)                                                                                             \
    X(clCreateBufferWithProperties, 300)                                                                               \
    X(clCreateSubBuffer, 110)                                                                                          \
    X(clRetainMemObject, 100)                                                                                          \
    X(clReleaseMemObject, 100)                                                                                         \
    X(clGetMemObjectInfo, 100)                                                                                         \
    X(clSetMemObjectDestructorCallback, 110)                                                                           \
    X(clEnqueueReadBuffer, 100)                                                                                        \
    X(clEnqueueWriteBuffer, 100)                                                                                       \
    X(clEnqueueCopyBuffer, 100)                                                                                        \
    X(clEnqueueReadBufferRect, 110)                                                                                    \
    X(clEnqueueWriteBufferRect, 110)                                                                                   \
    X(clEnqueueCopyBufferRect, 110)                                                                                    \
    X(clEnqueueFillBuffer, 120)                                                                                        \
    X(clEnqueueMapBuffer, 100)                                                                                         \
    X(clEnqueueUnmapMemObject, 100)                                                                                    \
    X(clEnqueueMigrateMemObjects, 120)                                                                                 \
    X(clCreateImage, 120)                                                                                              \
    X(clCreateImage2D, 100)                                                                                            \
    X(clCreateImage3D, 100)                                                                                            \
    X(clCreateImageWithProperties, 300)                                                                                \
    X(clGetImageInfo, 100)                                                                                             \
    X(clGetSupportedImageFormats, 100)                                                                                 \
    X(clEnqueueReadImage, 100)                                                                                         \
    X(clEnqueueWriteImage, 100)                                                                                        \
    X(clCreateSampler, 100)                                                                                            \
    X(clCreateSamplerWithProperties, 200)                                                                              \
    X(clRetainSampler, 100)                                                                                            \
    X(clReleaseSampler, 100)                                                                                           \
    X(clGetSamplerInfo, 100)                                                                                           \
    X(clSVMAlloc, 200)                                                                                                 \
    X(clSVMFree, 200)                                                                                                  \
    X(clEnqueueSVMFree, 200)                                                                                           \
    X(clEnqueueSVMMemcpy, 200)                                                                                         \
    X(clEnqueueSVMMemFill, 200)                                                                                        \
    X(clEnqueueSVMMap, 200)                                                                                            \
    X(clEnqueueSVMUnmap, 200)                                                                                          \
    X(clEnqueueSVMMigrateMem, 210)                                                                                     \
    X(clCreateProgramWithSource, 100)                                                                                  \
    X(clCreateProgramWithBinary, 100)                                                                                  \
    X(clCreateProgramWithIL, 210)                                                                                      \
    X(clRetainProgram, 100)                                                                                            \
    X(clReleaseProgram, 100)                                                                                           \
    X(clBuildProgram, 100)                                                                                             \
    X(clCompileProgram, 120)                                                                                           \
    X(clLinkProgram, 120)                                                                                              \
    X(clUnloadCompiler, 100)                                                                                           \
    X(clUnloadPlatformCompiler, 120)                                                                                   \
    X(clGetProgramInfo, 100)                                                                                           \
    X(clGetProgramBuildInfo, 100)                                                                                      \
    X(clCreateKernel, 100)                                                                                             \
    X(clCreateKernelsInProgram, 100)                                                                                   \
    X(clCloneKernel, 210)                                                                                              \
    X(clRetainKernel, 100)                                                                                             \
    X(clReleaseKernel, 100)                                                                                            \
    X(clSetKernelArg, 100)                                                                                             \
    X(clSetKernelArgSVMPointer, 200)                                                                                   \
    X(clSetKernelExecInfo, 200)                                                                                        \
    X(clGetKernelInfo, 100)                                                                                            \
    X(clGetKernelArgInfo, 120)                                                                                         \
    X(clGetKernelWorkGroupInfo, 100)                                                                                   \
    X(clGetKernelSubGroupInfo, 210)                                                                                    \
    X(clEnqueueNDRangeKernel, 100)                                                                                     \
    X(clEnqueueMarkerWithWaitList, 120)                                                                                \
    X(clEnqueueBarrierWithWaitList, 120)                                                                               \
    X(clWaitForEvents, 100)                                                                                            \
    X(clGetEventInfo, 100)                                                                                             \
    X(clCreateUserEvent, 110)                                                                                          \
    X(clRetainEvent, 100)                                                                                              \
    X(clReleaseEvent, 100)                                                                                             \
    X(clSetUserEventStatus, 110)                                                                                       \
    X(clSetEventCallback, 110)                                                                                         \
    X(clGetEventProfilingInfo, 100)                                                                                    \
    X(clGetExtensionFunctionAddress, 100)                                                                              \
    X(clGetExtensionFunctionAddressForPlatform, 120)

// Functions that only clGetExtensionFunctionAddressForPlatform hands out.
#define CLUTCH_TEST_EXTENSION_CALLS(X)                                                                                 \
    X(clIcdGetPlatformIDsKHR, 100)                                                                                     \
    X(clCreateProgramWithILKHR, 120)                                                                                   \
    X(clHostMemAllocINTEL, 120)                                                                                        \
    X(clDeviceMemAllocINTEL, 120)                                                                                      \
    X(clSharedMemAllocINTEL, 120)                                                                                      \
    X(clMemFreeINTEL, 120)                                                                                             \
    X(clMemBlockingFreeINTEL, 120)                                                                                     \
    X(clGetMemAllocInfoINTEL, 120)                                                                                     \
    X(clSetKernelArgMemPointerINTEL, 120)                                                                              \
    X(clEnqueueMemcpyINTEL, 120)                                                                                       \
    X(clEnqueueMemFillINTEL, 120)

// Entries of the dispatch table that are there only to be counted: each answers CL_INVALID_OPERATION and is a
// violation.
#define CLUTCH_TEST_UNIMPLEMENTED_CALLS(X)                                                                             \
    X(clSetCommandQueueProperty, 100)                                                                                  \
    X(clEnqueueCopyImage, 100)                                                                                         \
    X(clEnqueueCopyImageToBuffer, 100)                                                                                 \
    X(clEnqueueCopyBufferToImage, 100)                                                                                 \
    X(clEnqueueMapImage, 100)                                                                                          \
    X(clEnqueueTask, 100)                                                                                              \
    X(clEnqueueNativeKernel, 100)                                                                                      \
    X(clEnqueueMarker, 100)                                                                                            \
    X(clEnqueueWaitForEvents, 100)                                                                                     \
    X(clEnqueueBarrier, 100)                                                                                           \
    X(clCreateFromGLBuffer, 100)                                                                                       \
    X(clCreateFromGLTexture2D, 100)                                                                                    \
    X(clCreateFromGLTexture3D, 100)                                                                                    \
    X(clCreateFromGLRenderbuffer, 100)                                                                                 \
    X(clGetGLObjectInfo, 100)                                                                                          \
    X(clGetGLTextureInfo, 100)                                                                                         \
    X(clEnqueueAcquireGLObjects, 100)                                                                                  \
    X(clEnqueueReleaseGLObjects, 100)                                                                                  \
    X(clGetGLContextInfoKHR, 100)                                                                                      \
    X(clGetDeviceIDsFromD3D10KHR, 100)                                                                                 \
    X(clCreateFromD3D10BufferKHR, 100)                                                                                 \
    X(clCreateFromD3D10Texture2DKHR, 100)                                                                              \
    X(clCreateFromD3D10Texture3DKHR, 100)                                                                              \
    X(clEnqueueAcquireD3D10ObjectsKHR, 100)                                                                            \
    X(clEnqueueReleaseD3D10ObjectsKHR, 100)                                                                            \
    X(clCreateSubDevicesEXT, 100)                                                                                      \
    X(clRetainDeviceEXT, 100)                                                                                          \
    X(clReleaseDeviceEXT, 100)                                                                                         \
    X(clCreateEventFromGLsyncKHR, 100)                                                                                 \
    X(clCreateSubDevices, 120)                                                                                         \
    X(clCreateProgramWithBuiltInKernels, 120)                                                                          \
    X(clEnqueueFillImage, 120)                                                                                         \
    X(clCreateFromGLTexture, 120)                                                                                      \
    X(clGetDeviceIDsFromD3D11KHR, 100)                                                                                 \
    X(clCreateFromD3D11BufferKHR, 100)                                                                                 \
    X(clCreateFromD3D11Texture2DKHR, 100)                                                                              \
    X(clCreateFromD3D11Texture3DKHR, 100)                                                                              \
    X(clCreateFromDX9MediaSurfaceKHR, 100)                                                                             \
    X(clEnqueueAcquireD3D11ObjectsKHR, 100)                                                                            \
    X(clEnqueueReleaseD3D11ObjectsKHR, 100)                                                                            \
    X(clGetDeviceIDsFromDX9MediaAdapterKHR, 100)                                                                       \
    X(clEnqueueAcquireDX9MediaSurfacesKHR, 100)                                                                        \
    X(clEnqueueReleaseDX9MediaSurfacesKHR, 100)                                                                        \
    X(clCreateFromEGLImageKHR, 100)                                                                                    \
    X(clEnqueueAcquireEGLObjectsKHR, 100)                                                                              \
    X(clEnqueueReleaseEGLObjectsKHR, 100)                                                                              \
    X(clCreateEventFromEGLSyncKHR, 100)                                                                                \
    X(clCreatePipe, 200)                                                                                               \
    X(clGetPipeInfo, 200)                                                                                              \
    X(clGetKernelSubGroupInfoKHR, 100)                                                                                 \
    X(clGetDeviceAndHostTimer, 210)                                                                                    \
    X(clGetHostTimer, 210)                                                                                             \
    X(clSetDefaultDeviceCommandQueue, 210)                                                                             \
    X(clSetProgramReleaseCallback, 220)                                                                                \
    X(clSetProgramSpecializationConstant, 220)

#define CLUTCH_TEST_CALLS(X)                                                                                           \
    CLUTCH_TEST_IMPLEMENTED_CALLS(X)                                                                                   \
    CLUTCH_TEST_EXTENSION_CALLS(X)                                                                                     \
    CLUTCH_TEST_UNIMPLEMENTED_CALLS(X)
