#include "memory.hpp"

#include "info.hpp"

#include <cstdlib>

_cl_mem::~_cl_mem()
{
    clutch_test::call_back<cl_mem>(end_callbacks, this);
}

namespace clutch_test {
namespace {

constexpr cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
constexpr cl_mem_flags host_access_flags = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags host_pointer_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

constexpr bool more_than_one(cl_mem_flags bits)
{
    return (bits & (bits - 1)) != 0;
}

cl_mem no_memory(cl_int code, cl_int* errcode_ret)
{
    return with_code(static_cast<cl_mem>(nullptr), code, errcode_ret);
}

cl_mem make_buffer(Call call, cl_context context_handle, std::vector<cl_mem_properties> properties, cl_mem_flags flags,
                   std::size_t size, void* host_pointer, cl_int* errcode_ret)
{
    Context* const context = checked(call, context_handle);
    if (context == nullptr) {
        return no_memory(CL_INVALID_CONTEXT, errcode_ret);
    }
    if (const cl_int code = check_memory_flags(flags, host_pointer)) {
        return no_memory(code, errcode_ret);
    }
    const bool fits = std::any_of(context->devices.begin(), context->devices.end(),
                                  [&](const Device* device) { return size <= device->traits.max_allocation; });
    if (size == 0 || !fits) {
        return no_memory(CL_INVALID_BUFFER_SIZE, errcode_ret);
    }
    Memory* const memory = Arena<Memory>::make(context);
    if (memory == nullptr) {
        return no_memory(CL_OUT_OF_HOST_MEMORY, errcode_ret);
    }
    memory->flags = flags;
    memory->host_pointer = host_pointer;
    memory->properties = std::move(properties);
    if (!give_bytes(*memory, size)) {
        Arena<Memory>::release(memory);
        return no_memory(CL_MEM_OBJECT_ALLOCATION_FAILURE, errcode_ret);
    }
    return with_code(memory, CL_SUCCESS, errcode_ret);
}

// A sub-buffer's own flags, with what it leaves open taken from its parent; false if they contradict the parent's.
bool inherit_flags(cl_mem_flags parent, cl_mem_flags& flags)
{
    const cl_mem_flags known = access_flags | host_access_flags;
    if ((flags & ~known) != 0 || more_than_one(flags & access_flags) || more_than_one(flags & host_access_flags)) {
        return false;
    }
    if ((parent & CL_MEM_WRITE_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0) {
        return false;
    }
    if ((parent & CL_MEM_READ_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0) {
        return false;
    }
    if ((parent & CL_MEM_HOST_WRITE_ONLY) != 0 && (flags & CL_MEM_HOST_READ_ONLY) != 0) {
        return false;
    }
    if ((parent & CL_MEM_HOST_READ_ONLY) != 0 && (flags & CL_MEM_HOST_WRITE_ONLY) != 0) {
        return false;
    }
    if ((parent & CL_MEM_HOST_NO_ACCESS) != 0 && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0) {
        return false;
    }
    if ((flags & access_flags) == 0) {
        flags |= parent & access_flags;
    }
    if ((flags & host_access_flags) == 0) {
        flags |= parent & host_access_flags;
    }
    flags |= parent & host_pointer_flags;
    return true;
}

bool aligned_for(const Device& device, std::size_t origin)
{
    return origin % (device.traits.base_alignment_bits / 8) == 0;
}

// One command on a buffer: its queue, its wait list and its buffer, checked in that order.
struct BufferCommand {
    BufferCommand(Call call, cl_command_queue queue_handle, cl_mem handle, cl_uint count, const cl_event* waits)
    {
        queue = checked(call, queue_handle);
        if (queue == nullptr) {
            code = CL_INVALID_COMMAND_QUEUE;
            return;
        }
        code = check_memory(call, *queue, handle, buffer);
        if (code == CL_SUCCESS && !buffer->is_buffer()) {
            code = CL_INVALID_MEM_OBJECT;
        }
        if (code == CL_SUCCESS) {
            code = check_waits(call, *queue->context, count, waits);
        }
    }

    Queue* queue = nullptr;
    Memory* buffer = nullptr;
    cl_int code = CL_SUCCESS;
};

bool inside(const Memory& memory, std::size_t offset, std::size_t size)
{
    return offset <= memory.size && size <= memory.size - offset;
}

// A box of bytes within a larger one, as the rectangle commands describe it.
struct Box {
    // With the pitches that zero stands for put in; false if they are too small or the region is empty.
    bool complete(const std::size_t* region)
    {
        if (origin == nullptr || region == nullptr || region[0] == 0 || region[1] == 0 || region[2] == 0) {
            return false;
        }
        row = row == 0 ? region[0] : row;
        slice = slice == 0 ? region[1] * row : slice;
        return row >= region[0] && slice >= region[1] * row && slice % row == 0;
    }
    std::size_t offset(std::size_t y, std::size_t z) const
    {
        return (origin[2] + z) * slice + (origin[1] + y) * row + origin[0];
    }
    std::size_t end(const std::size_t* region) const { return offset(region[1] - 1, region[2] - 1) + region[0]; }

    const std::size_t* origin;
    std::size_t row;
    std::size_t slice;
};

void copy_box(std::byte* to, const Box& to_box, const std::byte* from, const Box& from_box, const std::size_t* region)
{
    for (std::size_t z = 0; z < region[2]; ++z) {
        for (std::size_t y = 0; y < region[1]; ++y) {
            std::memmove(to + to_box.offset(y, z), from + from_box.offset(y, z), region[0]);
        }
    }
}

// The host may not read what it declared it would only write, and the reverse.
bool host_may(const Memory& memory, bool read)
{
    const cl_mem_flags refused = CL_MEM_HOST_NO_ACCESS | (read ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY);
    return (memory.flags & refused) == 0;
}

cl_int transfer(Call call, bool read, cl_command_queue queue, cl_mem handle, cl_bool blocking, std::size_t offset,
                std::size_t size, std::byte* host, cl_uint count, const cl_event* waits, cl_event* event)
{
    const BufferCommand command{call, queue, handle, count, waits};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    if (!inside(*command.buffer, offset, size) || size == 0 || host == nullptr) {
        return CL_INVALID_VALUE;
    }
    if (!host_may(*command.buffer, read)) {
        return CL_INVALID_OPERATION;
    }
    std::byte* const device = command.buffer->bytes + offset;
    const auto type = static_cast<cl_command_type>(read ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER);
    return submit(*command.queue, {call, type, count, waits, event, blocking != CL_FALSE},
                  [&] { std::memmove(read ? host : device, read ? device : host, size); });
}

cl_int transfer_box(Call call, bool read, cl_command_queue queue, cl_mem handle, cl_bool blocking, Box device_box,
                    Box host_box, const std::size_t* region, std::byte* host, cl_uint count, const cl_event* waits,
                    cl_event* event)
{
    const BufferCommand command{call, queue, handle, count, waits};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    if (host == nullptr || !device_box.complete(region) || !host_box.complete(region) ||
        device_box.end(region) > command.buffer->size) {
        return CL_INVALID_VALUE;
    }
    if (!host_may(*command.buffer, read)) {
        return CL_INVALID_OPERATION;
    }
    std::byte* const device = command.buffer->bytes;
    const auto type = static_cast<cl_command_type>(read ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT);
    return submit(*command.queue, {call, type, count, waits, event, blocking != CL_FALSE}, [&] {
        if (read) {
            copy_box(host, host_box, device, device_box, region);
        } else {
            copy_box(device, device_box, host, host_box, region);
        }
    });
}

} // namespace

cl_int check_memory_flags(cl_mem_flags& flags, const void* host_pointer)
{
    const cl_mem_flags known = access_flags | host_access_flags | host_pointer_flags | CL_MEM_KERNEL_READ_AND_WRITE;
    if ((flags & ~known) != 0 || more_than_one(flags & access_flags) || more_than_one(flags & host_access_flags)) {
        return CL_INVALID_VALUE;
    }
    if ((flags & CL_MEM_USE_HOST_PTR) != 0 && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0) {
        return CL_INVALID_VALUE;
    }
    const bool wants_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    if (wants_pointer != (host_pointer != nullptr)) {
        return CL_INVALID_HOST_PTR;
    }
    if ((flags & access_flags) == 0) {
        flags |= CL_MEM_READ_WRITE;
    }
    return CL_SUCCESS;
}

bool give_bytes(Memory& memory, std::size_t size)
{
    memory.size = size;
    if ((memory.flags & CL_MEM_USE_HOST_PTR) != 0) {
        memory.bytes = static_cast<std::byte*>(memory.host_pointer);
        return true;
    }
    // calloc, so that large buffers that nobody touches cost nothing.
    constexpr std::size_t alignment = 128;
    void* const raw = std::calloc(size + alignment, 1);
    if (raw == nullptr) {
        return false;
    }
    memory.owned = {static_cast<std::byte*>(raw), std::free};
    void* place = raw;
    std::size_t room = size + alignment;
    memory.bytes = static_cast<std::byte*>(std::align(alignment, size, place, room));
    if (memory.is_buffer() && (memory.flags & CL_MEM_COPY_HOST_PTR) != 0) {
        std::memcpy(memory.bytes, memory.host_pointer, size);
    }
    return true;
}

cl_int check_memory(Call call, const Queue& queue, cl_mem handle, Memory*& memory)
{
    memory = checked(call, handle);
    if (memory == nullptr) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (memory->context.get() != queue.context.get()) {
        return CL_INVALID_CONTEXT;
    }
    if (memory->is_buffer() && memory->parent && !aligned_for(*queue.device, memory->origin)) {
        return CL_MISALIGNED_SUB_BUFFER_OFFSET;
    }
    return CL_SUCCESS;
}

namespace api {

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host_pointer, cl_int* errcode_ret)
{
    return make_buffer(Call::clCreateBuffer, context, {}, flags, size, host_pointer, errcode_ret);
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                                    std::size_t size, void* host_pointer, cl_int* errcode_ret)
{
    if (properties != nullptr && *properties != 0) {
        return no_memory(CL_INVALID_PROPERTY, errcode_ret);
    }
    std::vector<cl_mem_properties> copy(properties == nullptr ? 0 : 1);
    return make_buffer(Call::clCreateBufferWithProperties, context, std::move(copy), flags, size, host_pointer,
                       errcode_ret);
}

cl_mem clCreateSubBuffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type, const void* info,
                         cl_int* errcode_ret)
{
    Memory* const parent = checked(Call::clCreateSubBuffer, handle);
    if (parent == nullptr || !parent->is_buffer() || parent->parent) {
        return no_memory(CL_INVALID_MEM_OBJECT, errcode_ret);
    }
    if (type != CL_BUFFER_CREATE_TYPE_REGION || info == nullptr || !inherit_flags(parent->flags, flags)) {
        return no_memory(CL_INVALID_VALUE, errcode_ret);
    }
    const auto region = *static_cast<const cl_buffer_region*>(info);
    if (region.size == 0) {
        return no_memory(CL_INVALID_BUFFER_SIZE, errcode_ret);
    }
    if (!inside(*parent, region.origin, region.size)) {
        return no_memory(CL_INVALID_VALUE, errcode_ret);
    }
    const std::vector<Device*>& devices = parent->context->devices;
    if (std::none_of(devices.begin(), devices.end(),
                     [&](const Device* device) { return aligned_for(*device, region.origin); })) {
        return no_memory(CL_MISALIGNED_SUB_BUFFER_OFFSET, errcode_ret);
    }
    Memory* const memory = Arena<Memory>::make(parent->context.get());
    if (memory == nullptr) {
        return no_memory(CL_OUT_OF_HOST_MEMORY, errcode_ret);
    }
    memory->flags = flags;
    memory->size = region.size;
    memory->origin = region.origin;
    memory->bytes = parent->bytes + region.origin;
    memory->parent = Held<Memory>{parent};
    if (parent->host_pointer != nullptr && (flags & CL_MEM_USE_HOST_PTR) != 0) {
        memory->host_pointer = static_cast<std::byte*>(parent->host_pointer) + region.origin;
    }
    return with_code(memory, CL_SUCCESS, errcode_ret);
}

cl_int clRetainMemObject(cl_mem memory)
{
    return retain_handle(Call::clRetainMemObject, memory, CL_INVALID_MEM_OBJECT);
}

cl_int clReleaseMemObject(cl_mem memory)
{
    return release_handle(Call::clReleaseMemObject, memory, CL_INVALID_MEM_OBJECT);
}

cl_int clGetMemObjectInfo(cl_mem handle, cl_mem_info parameter, std::size_t size, void* value, std::size_t* size_given)
{
    Memory* const memory = checked(Call::clGetMemObjectInfo, handle);
    if (memory == nullptr) {
        return CL_INVALID_MEM_OBJECT;
    }
    const Answer answer{size, value, size_given};
    switch (parameter) {
    case CL_MEM_TYPE:
        return answer.value(memory->type);
    case CL_MEM_FLAGS:
        return answer.value(memory->flags);
    case CL_MEM_SIZE:
        return answer.value(memory->size);
    case CL_MEM_HOST_PTR:
        return answer.value((memory->flags & CL_MEM_USE_HOST_PTR) != 0 ? memory->host_pointer : nullptr);
    case CL_MEM_MAP_COUNT: {
        const std::lock_guard lock{memory->mutex};
        return answer.value(static_cast<cl_uint>(memory->mapped.size()));
    }
    case CL_MEM_REFERENCE_COUNT:
        return answer.value(reference_count(memory));
    case CL_MEM_CONTEXT:
        return answer.value(static_cast<cl_context>(memory->context.get()));
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return answer.value(static_cast<cl_mem>(memory->parent.get()));
    case CL_MEM_OFFSET:
        return answer.value(memory->origin);
    default:
        break;
    }
    if (platform_version() >= 200 && parameter == CL_MEM_USES_SVM_POINTER) {
        return answer.flag(false);
    }
    if (platform_version() >= 300 && parameter == CL_MEM_PROPERTIES) {
        return answer.list(memory->properties);
    }
    return CL_INVALID_VALUE;
}

cl_int clSetMemObjectDestructorCallback(cl_mem handle, void(CL_CALLBACK* function)(cl_mem, void*), void* data)
{
    Memory* const memory = checked(Call::clSetMemObjectDestructorCallback, handle);
    if (memory == nullptr) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (function == nullptr) {
        return CL_INVALID_VALUE;
    }
    const std::lock_guard lock{memory->mutex};
    memory->end_callbacks.push_back({function, data});
    return CL_SUCCESS;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                           std::size_t size, void* host, cl_uint count, const cl_event* waits, cl_event* event)
{
    return transfer(Call::clEnqueueReadBuffer, true, queue, buffer, blocking, offset, size,
                    static_cast<std::byte*>(host), count, waits, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                            std::size_t size, const void* host, cl_uint count, const cl_event* waits, cl_event* event)
{
    // Not written through: `transfer` only reads what it is given here.
    return transfer(Call::clEnqueueWriteBuffer, false, queue, buffer, blocking, offset, size,
                    static_cast<std::byte*>(const_cast<void*>(host)), count, waits, event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from_handle, cl_mem to_handle, std::size_t from_offset,
                           std::size_t to_offset, std::size_t size, cl_uint count, const cl_event* waits,
                           cl_event* event)
{
    const BufferCommand from{Call::clEnqueueCopyBuffer, queue, from_handle, count, waits};
    const BufferCommand to{Call::clEnqueueCopyBuffer, queue, to_handle, count, waits};
    if (from.code != CL_SUCCESS || to.code != CL_SUCCESS) {
        return from.code != CL_SUCCESS ? from.code : to.code;
    }
    if (size == 0 || !inside(*from.buffer, from_offset, size) || !inside(*to.buffer, to_offset, size)) {
        return CL_INVALID_VALUE;
    }
    std::byte* const source = from.buffer->bytes + from_offset;
    std::byte* const target = to.buffer->bytes + to_offset;
    if (source < target + size && target < source + size) {
        return CL_MEM_COPY_OVERLAP;
    }
    return submit(*from.queue, {Call::clEnqueueCopyBuffer, CL_COMMAND_COPY_BUFFER, count, waits, event},
                  [&] { std::memcpy(target, source, size); });
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking, const std::size_t* origin,
                               const std::size_t* host_origin, const std::size_t* region, std::size_t row,
                               std::size_t slice, std::size_t host_row, std::size_t host_slice, void* host,
                               cl_uint count, const cl_event* waits, cl_event* event)
{
    return transfer_box(Call::clEnqueueReadBufferRect, true, queue, buffer, blocking, {origin, row, slice},
                        {host_origin, host_row, host_slice}, region, static_cast<std::byte*>(host), count, waits,
                        event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking, const std::size_t* origin,
                                const std::size_t* host_origin, const std::size_t* region, std::size_t row,
                                std::size_t slice, std::size_t host_row, std::size_t host_slice, const void* host,
                                cl_uint count, const cl_event* waits, cl_event* event)
{
    return transfer_box(Call::clEnqueueWriteBufferRect, false, queue, buffer, blocking, {origin, row, slice},
                        {host_origin, host_row, host_slice}, region, static_cast<std::byte*>(const_cast<void*>(host)),
                        count, waits, event);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from_handle, cl_mem to_handle,
                               const std::size_t* from_origin, const std::size_t* to_origin, const std::size_t* region,
                               std::size_t from_row, std::size_t from_slice, std::size_t to_row, std::size_t to_slice,
                               cl_uint count, const cl_event* waits, cl_event* event)
{
    const BufferCommand from{Call::clEnqueueCopyBufferRect, queue, from_handle, count, waits};
    const BufferCommand to{Call::clEnqueueCopyBufferRect, queue, to_handle, count, waits};
    if (from.code != CL_SUCCESS || to.code != CL_SUCCESS) {
        return from.code != CL_SUCCESS ? from.code : to.code;
    }
    Box from_box{from_origin, from_row, from_slice};
    Box to_box{to_origin, to_row, to_slice};
    if (!from_box.complete(region) || !to_box.complete(region) || from_box.end(region) > from.buffer->size ||
        to_box.end(region) > to.buffer->size) {
        return CL_INVALID_VALUE;
    }
    return submit(*from.queue, {Call::clEnqueueCopyBufferRect, CL_COMMAND_COPY_BUFFER_RECT, count, waits, event},
                  [&] { copy_box(to.buffer->bytes, to_box, from.buffer->bytes, from_box, region); });
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem handle, const void* pattern, std::size_t pattern_size,
                           std::size_t offset, std::size_t size, cl_uint count, const cl_event* waits, cl_event* event)
{
    const BufferCommand command{Call::clEnqueueFillBuffer, queue, handle, count, waits};
    if (command.code != CL_SUCCESS) {
        return command.code;
    }
    const bool power = pattern_size != 0 && pattern_size <= 128 && (pattern_size & (pattern_size - 1)) == 0;
    if (pattern == nullptr || !power || offset % pattern_size != 0 || size % pattern_size != 0 ||
        (size == 0 && platform_version() < 200) || !inside(*command.buffer, offset, size)) {
        return CL_INVALID_VALUE;
    }
    return submit(*command.queue, {Call::clEnqueueFillBuffer, CL_COMMAND_FILL_BUFFER, count, waits, event}, [&] {
        for (std::size_t done = 0; done < size; done += pattern_size) {
            std::memcpy(command.buffer->bytes + offset + done, pattern, pattern_size);
        }
    });
}

void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem handle, cl_bool blocking, cl_map_flags flags,
                         std::size_t offset, std::size_t size, cl_uint count, const cl_event* waits, cl_event* event,
                         cl_int* errcode_ret)
{
    const BufferCommand command{Call::clEnqueueMapBuffer, queue, handle, count, waits};
    if (command.code != CL_SUCCESS) {
        return with_code(static_cast<void*>(nullptr), command.code, errcode_ret);
    }
    const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    const bool invalidates = (flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0;
    if ((flags & ~known) != 0 || (invalidates && (flags & (CL_MAP_READ | CL_MAP_WRITE)) != 0) || size == 0 ||
        !inside(*command.buffer, offset, size)) {
        return with_code(static_cast<void*>(nullptr), CL_INVALID_VALUE, errcode_ret);
    }
    if (((flags & CL_MAP_READ) != 0 && !host_may(*command.buffer, true)) ||
        ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0 && !host_may(*command.buffer, false))) {
        return with_code(static_cast<void*>(nullptr), CL_INVALID_OPERATION, errcode_ret);
    }
    void* const place = command.buffer->bytes + offset;
    const cl_int code =
        submit(*command.queue,
               {Call::clEnqueueMapBuffer, CL_COMMAND_MAP_BUFFER, count, waits, event, blocking != CL_FALSE}, [&] {
                   const std::lock_guard lock{command.buffer->mutex};
                   command.buffer->mapped.push_back(place);
               });
    return with_code(code == CL_SUCCESS ? place : nullptr, code, errcode_ret);
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue_handle, cl_mem handle, void* place, cl_uint count,
                               const cl_event* waits, cl_event* event)
{
    Queue* const queue = checked(Call::clEnqueueUnmapMemObject, queue_handle);
    if (queue == nullptr) {
        return CL_INVALID_COMMAND_QUEUE;
    }
    Memory* memory = nullptr;
    if (const cl_int code = check_memory(Call::clEnqueueUnmapMemObject, *queue, handle, memory)) {
        return code;
    }
    if (const cl_int code = check_waits(Call::clEnqueueUnmapMemObject, *queue->context, count, waits)) {
        return code;
    }
    {
        const std::lock_guard lock{memory->mutex};
        const auto found = std::find(memory->mapped.begin(), memory->mapped.end(), place);
        if (found == memory->mapped.end()) {
            return CL_INVALID_VALUE;
        }
        memory->mapped.erase(found);
    }
    return submit(*queue, {Call::clEnqueueUnmapMemObject, CL_COMMAND_UNMAP_MEM_OBJECT, count, waits, event}, [] {});
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue queue_handle, cl_uint memory_count, const cl_mem* list,
                                  cl_mem_migration_flags flags, cl_uint count, const cl_event* waits, cl_event* event)
{
    Queue* const queue = checked(Call::clEnqueueMigrateMemObjects, queue_handle);
    if (queue == nullptr) {
        return CL_INVALID_COMMAND_QUEUE;
    }
    const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (memory_count == 0 || list == nullptr || (flags & ~known) != 0) {
        return CL_INVALID_VALUE;
    }
    for (cl_uint i = 0; i < memory_count; ++i) {
        Memory* memory = nullptr;
        if (const cl_int code = check_memory(Call::clEnqueueMigrateMemObjects, *queue, list[i], memory)) {
            return code;
        }
    }
    if (const cl_int code = check_waits(Call::clEnqueueMigrateMemObjects, *queue->context, count, waits)) {
        return code;
    }
    return submit(*queue, {Call::clEnqueueMigrateMemObjects, CL_COMMAND_MIGRATE_MEM_OBJECTS, count, waits, event},
                  [] {});
}

} // namespace api
} // namespace clutch_test
