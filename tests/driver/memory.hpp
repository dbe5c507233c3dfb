// Memory objects: buffers, sub-buffers and images, with real bytes behind them.
#pragma once

#include "event.hpp"

struct _cl_mem : clutch_test::Object {
    static constexpr clutch_test::Kind kind = clutch_test::Kind::memory;

    explicit _cl_mem(_cl_context* its_context) : context(its_context) {}
    ~_cl_mem();

    bool is_buffer() const { return type == CL_MEM_OBJECT_BUFFER; }

    clutch_test::Held<_cl_context> context;
    cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    cl_mem_flags flags = 0;
    std::size_t size = 0;
    std::byte* bytes = nullptr;
    std::unique_ptr<std::byte[], void (*)(void*)> owned{nullptr, nullptr}; // what `bytes` points into, unless shared
    void* host_pointer = nullptr;
    clutch_test::Held<_cl_mem> parent; // of a sub-buffer, or the buffer behind an image
    std::size_t origin = 0;            // of a sub-buffer
    std::vector<cl_mem_properties> properties;

    // Images.
    cl_image_format format{};
    cl_image_desc description{};
    std::size_t element_size = 0;
    std::size_t row_pitch = 0, slice_pitch = 0; // of the bytes here, not of the host pointer's

    std::mutex mutex; // guards what follows
    std::vector<void*> mapped;
    std::vector<clutch_test::EndCallback<cl_mem>> end_callbacks;
};

namespace clutch_test {

using Memory = _cl_mem;

// The flags as they are to be used, after checking them and the host pointer: CL_SUCCESS, CL_INVALID_VALUE or
// CL_INVALID_HOST_PTR.
cl_int check_memory_flags(cl_mem_flags& flags, const void* host_pointer);

// Gives a memory object its bytes, aligned as any OpenCL type needs; copies from the host if the flags say so.
bool give_bytes(Memory& memory, std::size_t size);

// Checks shared by the commands on memory objects: the queue, the object, their contexts.
cl_int check_memory(Call call, const Queue& queue, cl_mem handle, Memory*& memory);

} // namespace clutch_test
