// Queue: where launches and copies go, with its context and device at hand so that a launch need not ask for them.
#pragma once

#include <clutch/context.hpp>
#include <clutch/detail/handle.hpp>
#include <clutch/detail/info.hpp>
#include <clutch/device.hpp>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <utility>

namespace clutch {

struct QueueOptions {
    bool profiling = false;    ///< events carry times (CL_QUEUE_PROFILING_ENABLE)
    bool out_of_order = false; ///< commands wait for their wait lists only
};

/// An OpenCL command queue (OpenCL 3.0, section 5.1). Owns one reference: copying retains, moving steals. Its context
/// and device are asked for once, when it is made. Any thread may enqueue.
class Queue {
public:
    Queue() noexcept = default;

    /// A queue in a new context of its own. Allocates.
    explicit Queue(const Device& device, QueueOptions options = {}) : Queue{Context{device}, device, options} {}

    /// A queue for a device of a context. Allocates. Errors: what the driver says, as CL_INVALID_DEVICE for a device
    /// that is not in the context or CL_INVALID_QUEUE_PROPERTIES for an option that it does not support.
    Queue(const Context& context, const Device& device, QueueOptions options = {})
        : Queue{detail::Owned<cl_command_queue>::adopt(create(context.get(), device.get(), options))}
    {}

    /// Takes over or adds a reference. Asks the driver for context and device, once. Errors: what the driver says;
    /// `adopt` then still has taken the reference, and releases it.
    static Queue adopt(cl_command_queue queue) { return Queue{detail::Owned<cl_command_queue>::adopt(queue)}; }
    static Queue retain(cl_command_queue queue) { return Queue{detail::Owned<cl_command_queue>::retain(queue)}; }

    cl_command_queue get() const noexcept { return handle_.get(); }
    explicit operator bool() const noexcept { return get() != nullptr; }
    friend bool operator==(const Queue& a, const Queue& b) noexcept { return a.get() == b.get(); }

    Context context() const { return Context::retain(context_); }
    Device device() const { return Device::retain(device_); }

    /// Blocks until every command in the queue has completed. Section 5.15.
    void finish() const { detail::check(clFinish(get()), "Queue", "clFinish"); }

    /// Hands every command in the queue to the device; does not wait for it. Section 5.15.
    void flush() const { detail::check(clFlush(get()), "Queue", "clFlush"); }

    /// The context and the device that the queue belongs to: no driver call, no reference added.
    cl_context context_handle() const noexcept { return context_; }
    cl_device_id device_handle() const noexcept { return device_; }

private:
    explicit Queue(detail::Owned<cl_command_queue> handle) : handle_{std::move(handle)}
    {
        if (get() == nullptr)
            return;
        const auto info = detail::queue_info(get());
        context_ = info.value<cl_context>(CL_QUEUE_CONTEXT, "Queue");
        device_ = info.value<cl_device_id>(CL_QUEUE_DEVICE, "Queue");
    }

    static cl_command_queue create(cl_context context, cl_device_id device, QueueOptions options)
    {
        cl_command_queue_properties properties = 0;
        if (options.profiling)
            properties |= CL_QUEUE_PROFILING_ENABLE;
        if (options.out_of_order)
            properties |= CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        cl_int status = CL_SUCCESS;
        // The call of OpenCL 1.0: every driver has it, whichever version it speaks, and the newer one adds nothing
        // here.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#elif defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable : 4996)
#endif
        cl_command_queue queue = clCreateCommandQueue(context, device, properties, &status);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
        detail::check(status, "Queue", "clCreateCommandQueue");
        return queue;
    }

    detail::Owned<cl_command_queue> handle_;
    detail::Known<cl_context> context_; // the queue keeps both alive
    detail::Known<cl_device_id> device_;
};

namespace detail {

/// A queue as a launch needs it: three handles, no reference.
struct QueueView {
    cl_command_queue queue = nullptr;
    cl_context context = nullptr;
    cl_device_id device = nullptr;
};

/// What a launch accepts as its queue: a Queue, a raw handle, or a wrapper that gives one.
template <class Q>
concept queue_like = handle_of<Q, cl_command_queue>;

CLUTCH_INLINE cl_int view(const Queue& queue, QueueView& result) noexcept
{
    result = {queue.get(), queue.context_handle(), queue.device_handle()};
    return CL_SUCCESS;
}

/// A queue that clutch did not make: the driver is asked, each time, since the handle may be another queue by now.
template <queue_like Q>
    requires(!std::derived_from<Q, Queue>)
cl_int view(const Q& queue, QueueView& result)
{
    result.queue = handle<cl_command_queue>(queue);
    const cl_int status =
        clGetCommandQueueInfo(result.queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &result.context, nullptr);
    if (status != CL_SUCCESS)
        return status;
    return clGetCommandQueueInfo(result.queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &result.device, nullptr);
}

/// As above, where an exception is the answer to a queue that the driver does not know.
template <queue_like Q>
QueueView view(const Q& queue)
{
    QueueView result;
    check(view(queue, result), "Queue", "clGetCommandQueueInfo");
    return result;
}

// Never destroyed: at exit the driver may be gone before static objects are.
inline constinit std::atomic<const Queue*> default_queue_instance{nullptr};

} // namespace detail

/// A queue on the device that the environment variable CLUTCH_DEVICE names (see `Device::find`), else on the best
/// device; made at the first call, the same for the whole process from then on. The first call allocates; a call that
/// fails is tried anew by the next. Any thread. Errors: CL_DEVICE_NOT_FOUND, with the devices seen or how to install a
/// driver.
inline Queue default_queue()
{
    const Queue* queue = detail::default_queue_instance.load(std::memory_order_acquire);
    if (queue == nullptr) {
        const char* const wanted = std::getenv("CLUTCH_DEVICE");
        const bool named = wanted != nullptr && *wanted != '\0';
        auto made = std::make_unique<const Queue>(named ? Device::find(wanted) : Device::best());
        if (detail::default_queue_instance.compare_exchange_strong(queue, made.get(), std::memory_order_acq_rel))
            queue = made.release();
    }
    return *queue;
}

} // namespace clutch
