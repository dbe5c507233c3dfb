// The OpenCL headers, and the few macros that stand between clutch and one compiler. Everything else includes this.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif

#ifdef __APPLE__
#include <OpenCL/cl.h>
#include <OpenCL/cl_ext.h>
#else
#include <CL/cl.h>
#include <CL/cl_ext.h>
#endif

// CLUTCH_COLD keeps what runs seldom out of the instruction stream of a launch, CLUTCH_INLINE keeps the launch itself
// in its caller, where the rank of the range and the kinds of the arguments are constants. Both are hints.
#if defined(__GNUC__)
#define CLUTCH_COLD [[gnu::cold, gnu::noinline]]
#define CLUTCH_INLINE [[gnu::always_inline]] inline
#else
#define CLUTCH_COLD
#define CLUTCH_INLINE inline
#endif

// A thread's slots and the list of kernels it has borrowed die together, so they have to live in one shared object:
// never exported, whatever visibility the user's build has. See detail/slot.hpp.
#if defined(__GNUC__) && !defined(_WIN32)
#define CLUTCH_LOCAL [[gnu::visibility("hidden")]]
#else
#define CLUTCH_LOCAL
#endif

// Where a literal stands in the user's files, for messages; compilers without the builtins give none.
#if defined(__GNUC__) || defined(_MSC_VER)
#define CLUTCH_FILE __builtin_FILE()
#define CLUTCH_LINE __builtin_LINE()
#else
#define CLUTCH_FILE ""
#define CLUTCH_LINE 0
#endif

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define CLUTCH_HAS_EXCEPTIONS 1
#else
#define CLUTCH_HAS_EXCEPTIONS 0
#endif
