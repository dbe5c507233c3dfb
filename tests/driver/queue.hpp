// Command queues.
#pragma once

#include "context.hpp"

struct _cl_event;

struct _cl_command_queue : clutch_test::Object {
    static constexpr clutch_test::Kind kind = clutch_test::Kind::queue;

    _cl_command_queue(_cl_context* its_context, _cl_device_id* its_device, cl_command_queue_properties its_bits)
        : context(its_context), device(its_device), bits(its_bits)
    {}

    bool in_order() const { return (bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0; }
    bool profiles() const { return (bits & CL_QUEUE_PROFILING_ENABLE) != 0; }

    clutch_test::Held<_cl_context> context;
    _cl_device_id* device;
    cl_command_queue_properties bits;
    std::vector<cl_queue_properties> properties;
    std::atomic<std::uint64_t> clock{1000}; // nanoseconds of made-up device time
    std::atomic<std::uint32_t> unfinished{0};
    // What a later command has to wait for although its wait list does not name it; guarded by the lock of event.cpp.
    _cl_event* last = nullptr;
};

namespace clutch_test {
using Queue = _cl_command_queue;
}
