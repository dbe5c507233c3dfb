#include "queue.hpp"

#include "event.hpp"
#include "info.hpp"

namespace clutch_test {
namespace {

cl_command_queue no_queue(cl_int code, cl_int* errcode_ret)
{
    return with_code(static_cast<cl_command_queue>(nullptr), code, errcode_ret);
}

cl_command_queue make_queue(Call call, cl_context context_handle, cl_device_id device_handle,
                            cl_command_queue_properties bits, std::vector<cl_queue_properties> properties,
                            cl_int* errcode_ret)
{
    Context* const context = checked(call, context_handle);
    if (context == nullptr) {
        return no_queue(CL_INVALID_CONTEXT, errcode_ret);
    }
    Device* const device = checked(call, device_handle);
    if (device == nullptr || !context->has(device)) {
        return no_queue(CL_INVALID_DEVICE, errcode_ret);
    }
    constexpr cl_command_queue_properties known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE |
                                                  CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    if ((bits & ~known) != 0) {
        return no_queue(CL_INVALID_VALUE, errcode_ret);
    }
    const bool out_of_order = (bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    if ((bits & CL_QUEUE_ON_DEVICE) != 0 || (out_of_order && !device->traits.out_of_order)) {
        return no_queue(CL_INVALID_QUEUE_PROPERTIES, errcode_ret);
    }
    Queue* const queue = Arena<Queue>::make(context, device, bits);
    if (queue != nullptr) {
        queue->properties = std::move(properties);
    }
    return with_code(queue, queue != nullptr ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, errcode_ret);
}

} // namespace

namespace api {

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties bits,
                                      cl_int* errcode_ret)
{
    return make_queue(Call::clCreateCommandQueue, context, device, bits, {}, errcode_ret);
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties* properties, cl_int* errcode_ret)
{
    cl_command_queue_properties bits = 0;
    std::vector<cl_queue_properties> copy;
    for (; properties != nullptr && *properties != 0; properties += 2) {
        if (properties[0] == CL_QUEUE_PROPERTIES) {
            bits = static_cast<cl_command_queue_properties>(properties[1]);
        } else if (properties[0] != 0x1096 &&
                   properties[0] != 0x1097) { // the hints of cl_khr_{priority,throttle}_hints
            return no_queue(CL_INVALID_VALUE, errcode_ret);
        }
        copy.insert(copy.end(), {properties[0], properties[1]});
    }
    if (properties != nullptr) {
        copy.push_back(0);
    }
    return make_queue(Call::clCreateCommandQueueWithProperties, context, device, bits, std::move(copy), errcode_ret);
}

cl_int clRetainCommandQueue(cl_command_queue queue)
{
    return retain_handle(Call::clRetainCommandQueue, queue, CL_INVALID_COMMAND_QUEUE);
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    return release_handle(Call::clReleaseCommandQueue, queue, CL_INVALID_COMMAND_QUEUE);
}

cl_int clGetCommandQueueInfo(cl_command_queue handle, cl_command_queue_info parameter, std::size_t size, void* value,
                             std::size_t* size_given)
{
    const Queue* const queue = checked(Call::clGetCommandQueueInfo, handle);
    if (queue == nullptr) {
        return CL_INVALID_COMMAND_QUEUE;
    }
    const Answer answer{size, value, size_given};
    switch (parameter) {
    case CL_QUEUE_CONTEXT:
        return answer.value(static_cast<cl_context>(queue->context.get()));
    case CL_QUEUE_DEVICE:
        return answer.value(static_cast<cl_device_id>(queue->device));
    case CL_QUEUE_REFERENCE_COUNT:
        return answer.value(reference_count(queue));
    case CL_QUEUE_PROPERTIES:
        return answer.value(queue->bits);
    default:
        break;
    }
    if (platform_version() >= 200 && parameter == CL_QUEUE_SIZE) {
        return CL_INVALID_COMMAND_QUEUE; // answers for device queues only
    }
    if (platform_version() >= 210 && parameter == CL_QUEUE_DEVICE_DEFAULT) {
        return answer.value(static_cast<cl_command_queue>(nullptr));
    }
    if (platform_version() >= 300 && parameter == CL_QUEUE_PROPERTIES_ARRAY) {
        return answer.list(queue->properties);
    }
    return CL_INVALID_VALUE;
}

cl_int clFlush(cl_command_queue handle)
{
    return checked(Call::clFlush, handle) == nullptr ? CL_INVALID_COMMAND_QUEUE : CL_SUCCESS;
}

cl_int clFinish(cl_command_queue handle)
{
    Queue* const queue = checked(Call::clFinish, handle);
    if (queue == nullptr) {
        return CL_INVALID_COMMAND_QUEUE;
    }
    if (queue->unfinished.load(std::memory_order_acquire) != 0) {
        wait_for_queue(*queue);
    }
    return CL_SUCCESS;
}

} // namespace api
} // namespace clutch_test
