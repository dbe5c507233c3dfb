#include "svm.hpp"

#include "info.hpp"

#include <cstdlib>

namespace clutch_test {
namespace {

constinit std::array<Allocation, 4096> table{};
constinit std::atomic<std::size_t> used{0}; // places that were ever taken
std::mutex& table_mutex()
{
    static std::mutex& mutex = *new std::mutex;
    return mutex;
}

// Intel's numbers, which older header packages lack.
constexpr cl_uint host_type = 0x4197, device_type = 0x4198, shared_type = 0x4199, unknown_type = 0x4196;

void* allocate(Context& context, Device* device, cl_uint usm_type, std::size_t size, std::size_t alignment)
{
    alignment = std::max<std::size_t>(alignment, 128);
    void* const memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory == nullptr) {
        return nullptr;
    }
    std::memset(memory, 0, size);
    const std::lock_guard lock{table_mutex()};
    for (std::size_t i = 0; i < table.size(); ++i) {
        Allocation& place = table[i];
        if (place.begin.load(std::memory_order_relaxed) == 0) {
            place.size.store(size, std::memory_order_relaxed);
            place.context.store(&context, std::memory_order_relaxed);
            place.device.store(device, std::memory_order_relaxed);
            place.usm_type.store(usm_type, std::memory_order_relaxed);
            place.begin.store(reinterpret_cast<std::uintptr_t>(memory), std::memory_order_release);
            if (i >= used.load(std::memory_order_relaxed)) {
                used.store(i + 1, std::memory_order_release);
            }
            return memory;
        }
    }
    std::free(memory);
    return nullptr;
}

// False if the pointer is not the begin of an allocation.
bool deallocate(Call call, void* pointer)
{
    const std::lock_guard lock{table_mutex()};
    for (Allocation& place : table) {
        if (pointer != nullptr &&
            place.begin.load(std::memory_order_relaxed) == reinterpret_cast<std::uintptr_t>(pointer)) {
            place.begin.store(0, std::memory_order_release);
            std::free(pointer);
            return true;
        }
    }
    violation("%s: %p is not an allocation, or was freed before", name(call), pointer);
    return false;
}

// Whether all of a range lies in one allocation.
bool covers(const void* pointer, std::size_t size)
{
    const Allocation* const allocation = find_allocation(pointer);
    if (allocation == nullptr) {
        return false;
    }
    const std::uintptr_t end =
        allocation->begin.load(std::memory_order_relaxed) + allocation->size.load(std::memory_order_relaxed);
    return size <= end - reinterpret_cast<std::uintptr_t>(pointer);
}

struct SvmCommand {
    SvmCommand(Call call, cl_command_queue handle, cl_uint count, const cl_event* waits, bool usm = false)
    {
        queue = checked(call, handle);
        if (queue == nullptr) {
            code = CL_INVALID_COMMAND_QUEUE;
        } else if (usm ? !has_usm(*queue->context) : queue->device->traits.svm_capabilities == 0) {
            code = CL_INVALID_OPERATION;
        } else {
            code = check_waits(call, *queue->context, count, waits);
        }
    }
    Queue* queue = nullptr;
    cl_int code = CL_SUCCESS;
};

bool fills(const void* pattern, std::size_t pattern_size, const void* to, std::size_t size)
{
    const bool power = pattern_size != 0 && pattern_size <= 128 && (pattern_size & (pattern_size - 1)) == 0;
    return to != nullptr && pattern != nullptr && power && size % pattern_size == 0 &&
           reinterpret_cast<std::uintptr_t>(to) % pattern_size == 0;
}

void fill(void* to, const void* pattern, std::size_t pattern_size, std::size_t size)
{
    for (std::size_t done = 0; done < size; done += pattern_size) {
        std::memcpy(static_cast<std::byte*>(to) + done, pattern, pattern_size);
    }
}

bool overlap(const void* left, const void* right, std::size_t size)
{
    const auto a = reinterpret_cast<std::uintptr_t>(left), b = reinterpret_cast<std::uintptr_t>(right);
    return a < b + size && b < a + size;
}

void* no_pointer(cl_int code, cl_int* errcode_ret)
{
    return with_code(static_cast<void*>(nullptr), code, errcode_ret);
}

void* allocate_usm(Call call, cl_context handle, bool needs_device, cl_device_id device_handle, cl_uint type,
                   const cl_bitfield* properties, std::size_t size, cl_uint alignment, cl_int* errcode_ret)
{
    Context* const context = checked(call, handle);
    if (context == nullptr) {
        return no_pointer(CL_INVALID_CONTEXT, errcode_ret);
    }
    Device* device = nullptr;
    if (device_handle != nullptr || needs_device) {
        device = checked(call, device_handle);
        if (device == nullptr || !context->has(device)) {
            return no_pointer(CL_INVALID_DEVICE, errcode_ret);
        }
    }
    if (!has_usm(*context)) {
        return no_pointer(CL_INVALID_OPERATION, errcode_ret);
    }
    for (; properties != nullptr && *properties != 0; properties += 2) {
        if (properties[0] != 0x4195) { // CL_MEM_ALLOC_FLAGS_INTEL
            return no_pointer(CL_INVALID_PROPERTY, errcode_ret);
        }
    }
    if ((alignment & (alignment - 1)) != 0 || alignment > 128) {
        return no_pointer(CL_INVALID_VALUE, errcode_ret);
    }
    if (size == 0 || size > context->devices.front()->traits.max_allocation) {
        return no_pointer(CL_INVALID_BUFFER_SIZE, errcode_ret);
    }
    void* const memory = allocate(*context, device, type, size, alignment);
    return with_code(memory, memory != nullptr ? CL_SUCCESS : CL_OUT_OF_RESOURCES, errcode_ret);
}

} // namespace

const Allocation* find_allocation(const void* pointer)
{
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const std::size_t count = used.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uintptr_t begin = table[i].begin.load(std::memory_order_acquire);
        if (begin != 0 && address >= begin && address - begin < table[i].size.load(std::memory_order_relaxed)) {
            return &table[i];
        }
    }
    return nullptr;
}

bool has_svm(const Context& context)
{
    return std::any_of(context.devices.begin(), context.devices.end(),
                       [](const Device* device) { return device->traits.svm_capabilities != 0; });
}

bool has_usm(const Context& context)
{
    return std::any_of(context.devices.begin(), context.devices.end(),
                       [](const Device* device) { return has_extension(*device, "cl_intel_unified_shared_memory"); });
}

namespace api {

void* clSVMAlloc(cl_context handle, cl_svm_mem_flags flags, std::size_t size, cl_uint alignment)
{
    Context* const context = checked(Call::clSVMAlloc, handle);
    constexpr cl_svm_mem_flags known =
        CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    if (context == nullptr || (flags & ~known) != 0 || size == 0 || (alignment & (alignment - 1)) != 0 ||
        alignment > 128 || !has_svm(*context) || size > context->devices.front()->traits.max_allocation) {
        return nullptr;
    }
    const auto can = [&](cl_bitfield capability) {
        return std::any_of(context->devices.begin(), context->devices.end(),
                           [&](const Device* device) { return (device->traits.svm_capabilities & capability) != 0; });
    };
    if (((flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0 && !can(CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) ||
        ((flags & CL_MEM_SVM_ATOMICS) != 0 && !can(CL_DEVICE_SVM_ATOMICS))) {
        return nullptr;
    }
    return allocate(*context, nullptr, 0, size, alignment);
}

void clSVMFree(cl_context handle, void* pointer)
{
    if (checked(Call::clSVMFree, handle) != nullptr && pointer != nullptr) {
        deallocate(Call::clSVMFree, pointer);
    }
}

CLUTCH_TEST_FOREIGN_CALL cl_int clEnqueueSVMFree(cl_command_queue handle, cl_uint pointer_count, void** pointers,
                                                 void(CL_CALLBACK* function)(cl_command_queue, cl_uint, void**, void*),
                                                 void* data, cl_uint count, const cl_event* waits, cl_event* event)
{
    const SvmCommand command{Call::clEnqueueSVMFree, handle, count, waits};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    if ((pointer_count == 0) != (pointers == nullptr)) {
        return CL_INVALID_VALUE;
    }
    const cl_int code =
        submit(*command.queue, {Call::clEnqueueSVMFree, CL_COMMAND_SVM_FREE, count, waits, event}, [] {});
    if (code == CL_SUCCESS && function != nullptr) {
        function(command.queue, pointer_count, pointers, data);
    } else if (code == CL_SUCCESS) {
        for (cl_uint i = 0; i < pointer_count; ++i) {
            deallocate(Call::clEnqueueSVMFree, pointers[i]);
        }
    }
    return code;
}

cl_int clEnqueueSVMMemcpy(cl_command_queue handle, cl_bool blocking, void* to, const void* from, std::size_t size,
                          cl_uint count, const cl_event* waits, cl_event* event)
{
    const SvmCommand command{Call::clEnqueueSVMMemcpy, handle, count, waits};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    if (to == nullptr || from == nullptr) {
        return CL_INVALID_VALUE;
    }
    if (overlap(to, from, size)) {
        return CL_MEM_COPY_OVERLAP;
    }
    return submit(*command.queue,
                  {Call::clEnqueueSVMMemcpy, CL_COMMAND_SVM_MEMCPY, count, waits, event, blocking != CL_FALSE},
                  [&] { std::memcpy(to, from, size); });
}

cl_int clEnqueueSVMMemFill(cl_command_queue handle, void* to, const void* pattern, std::size_t pattern_size,
                           std::size_t size, cl_uint count, const cl_event* waits, cl_event* event)
{
    const SvmCommand command{Call::clEnqueueSVMMemFill, handle, count, waits};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    if (!fills(pattern, pattern_size, to, size) || (size != 0 && !covers(to, size))) {
        return CL_INVALID_VALUE;
    }
    return submit(*command.queue, {Call::clEnqueueSVMMemFill, CL_COMMAND_SVM_MEMFILL, count, waits, event},
                  [&] { fill(to, pattern, pattern_size, size); });
}

cl_int clEnqueueSVMMap(cl_command_queue handle, cl_bool blocking, cl_map_flags, void* pointer, std::size_t size,
                       cl_uint count, const cl_event* waits, cl_event* event)
{
    const SvmCommand command{Call::clEnqueueSVMMap, handle, count, waits};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    if (pointer == nullptr || size == 0 || !covers(pointer, size)) {
        return CL_INVALID_VALUE;
    }
    return submit(*command.queue,
                  {Call::clEnqueueSVMMap, CL_COMMAND_SVM_MAP, count, waits, event, blocking != CL_FALSE}, [] {});
}

cl_int clEnqueueSVMUnmap(cl_command_queue handle, void* pointer, cl_uint count, const cl_event* waits, cl_event* event)
{
    const SvmCommand command{Call::clEnqueueSVMUnmap, handle, count, waits};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    if (find_allocation(pointer) == nullptr) {
        return CL_INVALID_VALUE;
    }
    return submit(*command.queue, {Call::clEnqueueSVMUnmap, CL_COMMAND_SVM_UNMAP, count, waits, event}, [] {});
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue handle, cl_uint pointer_count, const void** pointers,
                              const std::size_t* sizes, cl_mem_migration_flags, cl_uint count, const cl_event* waits,
                              cl_event* event)
{
    const SvmCommand command{Call::clEnqueueSVMMigrateMem, handle, count, waits};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    if (pointer_count == 0 || pointers == nullptr) {
        return CL_INVALID_VALUE;
    }
    for (cl_uint i = 0; i < pointer_count; ++i) {
        if (!covers(pointers[i], sizes == nullptr ? 0 : sizes[i])) {
            return CL_INVALID_VALUE;
        }
    }
    return submit(*command.queue, {Call::clEnqueueSVMMigrateMem, CL_COMMAND_SVM_MIGRATE_MEM, count, waits, event},
                  [] {});
}

void* clHostMemAllocINTEL(cl_context context, const cl_bitfield* properties, std::size_t size, cl_uint alignment,
                          cl_int* errcode_ret)
{
    return allocate_usm(Call::clHostMemAllocINTEL, context, false, nullptr, host_type, properties, size, alignment,
                        errcode_ret);
}

void* clDeviceMemAllocINTEL(cl_context context, cl_device_id device, const cl_bitfield* properties, std::size_t size,
                            cl_uint alignment, cl_int* errcode_ret)
{
    return allocate_usm(Call::clDeviceMemAllocINTEL, context, true, device, device_type, properties, size, alignment,
                        errcode_ret);
}

void* clSharedMemAllocINTEL(cl_context context, cl_device_id device, const cl_bitfield* properties, std::size_t size,
                            cl_uint alignment, cl_int* errcode_ret)
{
    return allocate_usm(Call::clSharedMemAllocINTEL, context, false, device, shared_type, properties, size, alignment,
                        errcode_ret);
}

cl_int clMemFreeINTEL(cl_context context, void* pointer)
{
    if (checked(Call::clMemFreeINTEL, context) == nullptr) {
        return CL_INVALID_CONTEXT;
    }
    return pointer == nullptr || deallocate(Call::clMemFreeINTEL, pointer) ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int clMemBlockingFreeINTEL(cl_context context, void* pointer)
{
    if (checked(Call::clMemBlockingFreeINTEL, context) == nullptr) {
        return CL_INVALID_CONTEXT;
    }
    return pointer == nullptr || deallocate(Call::clMemBlockingFreeINTEL, pointer) ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int clGetMemAllocInfoINTEL(cl_context context, const void* pointer, cl_uint parameter, std::size_t size, void* value,
                              std::size_t* size_given)
{
    if (checked(Call::clGetMemAllocInfoINTEL, context) == nullptr) {
        return CL_INVALID_CONTEXT;
    }
    const Allocation* allocation = find_allocation(pointer);
    if (allocation != nullptr && allocation->usm_type.load(std::memory_order_relaxed) == 0) {
        allocation = nullptr; // SVM is no business of this extension
    }
    const Answer answer{size, value, size_given};
    switch (parameter) {
    case 0x419A: // CL_MEM_ALLOC_TYPE_INTEL
        return answer.value(allocation == nullptr ? unknown_type : allocation->usm_type.load());
    case 0x419B: // CL_MEM_ALLOC_BASE_PTR_INTEL
        return answer.value(allocation == nullptr ? std::uintptr_t{0} : allocation->begin.load());
    case 0x419C: // CL_MEM_ALLOC_SIZE_INTEL
        return answer.value(allocation == nullptr ? std::size_t{0} : allocation->size.load());
    case 0x419D: // CL_MEM_ALLOC_DEVICE_INTEL
        return answer.value(static_cast<cl_device_id>(allocation == nullptr ? nullptr : allocation->device.load()));
    case 0x4195: // CL_MEM_ALLOC_FLAGS_INTEL
        return answer.value(cl_bitfield{0});
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clEnqueueMemcpyINTEL(cl_command_queue handle, cl_bool blocking, void* to, const void* from, std::size_t size,
                            cl_uint count, const cl_event* waits, cl_event* event)
{
    const SvmCommand command{Call::clEnqueueMemcpyINTEL, handle, count, waits, true};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    if (to == nullptr || from == nullptr) {
        return CL_INVALID_VALUE;
    }
    if (overlap(to, from, size)) {
        return CL_MEM_COPY_OVERLAP;
    }
    constexpr cl_command_type type = 0x4205; // CL_COMMAND_MEMCPY_INTEL
    return submit(*command.queue, {Call::clEnqueueMemcpyINTEL, type, count, waits, event, blocking != CL_FALSE},
                  [&] { std::memcpy(to, from, size); });
}

cl_int clEnqueueMemFillINTEL(cl_command_queue handle, void* to, const void* pattern, std::size_t pattern_size,
                             std::size_t size, cl_uint count, const cl_event* waits, cl_event* event)
{
    const SvmCommand command{Call::clEnqueueMemFillINTEL, handle, count, waits, true};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    if (!fills(pattern, pattern_size, to, size) || (size != 0 && !covers(to, size))) {
        return CL_INVALID_VALUE;
    }
    constexpr cl_command_type type = 0x4204; // CL_COMMAND_MEMFILL_INTEL
    return submit(*command.queue, {Call::clEnqueueMemFillINTEL, type, count, waits, event},
                  [&] { fill(to, pattern, pattern_size, size); });
}

} // namespace api
} // namespace clutch_test
