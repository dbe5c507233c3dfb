// Shared virtual memory, OpenCL's own and Intel's unified kind: which addresses are allocated, found without a lock.
#pragma once

#include "memory.hpp"

namespace clutch_test {

// One allocation. A place in the table is taken while `begin` is not 0.
struct Allocation {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::size_t> size{0};
    std::atomic<Context*> context{nullptr};
    std::atomic<Device*> device{nullptr}; // of Intel's device and shared kinds
    std::atomic<cl_uint> usm_type{0};     // CL_MEM_TYPE_..._INTEL; 0: OpenCL's SVM
};

// The allocation that a pointer points into, or null.
const Allocation* find_allocation(const void* pointer);

// Whether any device of a context has SVM, or Intel's unified memory.
bool has_svm(const Context& context);
bool has_usm(const Context& context);

} // namespace clutch_test
