#include "event.hpp"

#include "info.hpp"

#include <condition_variable>
#include <deque>
#include <iterator>
#include <thread>

namespace clutch_test {

constinit std::atomic<bool> events_held{false};

namespace {

using EventCallback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

struct Registered {
    EventCallback function;
    cl_int type;
    void* data;
};

// A callback whose time has come. Holds the event until it has run.
struct Due {
    Held<Event> event;
    EventCallback function;
    cl_int status;
    void* data;
};

} // namespace

// What an incomplete event waits for, and who waits for it.
struct Waiting {
    bool held = false;               // by the test, until `complete`
    std::vector<Held<Event>> after;  // the wait list
    std::vector<Held<Event>> before; // earlier commands of the queue; their failure does not matter
    std::vector<Registered> callbacks;
};

void WaitingEnd::operator()(Waiting* waiting) const
{
    delete waiting;
}

namespace {

// All commands that are not complete, in the order of their enqueueing. Never destroyed: threads may outlive main.
struct Unfinished {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<Held<Event>> events;
};

Unfinished& unfinished()
{
    static Unfinished& all = *new Unfinished;
    return all;
}

// What a change of state leaves to be done once the lock is open: it may run the user's code or end objects.
struct Aftermath {
    std::vector<Due> due;
    std::vector<Held<Event>> finished;
    std::vector<std::unique_ptr<Waiting, WaitingEnd>> over;
};

CLUTCH_TEST_FOREIGN_CALL void run(const Due& due)
{
    due.function(due.event.get(), due.status, due.data);
}

// Runs callbacks in a thread of the driver's.
class Helper {
public:
    void post(Due due)
    {
        const std::lock_guard lock{mutex_};
        if (!started_) {
            started_ = true;
            std::thread{[this] { work(); }}.detach();
        }
        queue_.push_back(std::move(due));
        changed_.notify_all();
    }

    void wait_until_idle()
    {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [this] { return queue_.empty() && !busy_; });
    }

private:
    void work()
    {
        std::unique_lock lock{mutex_};
        for (;;) {
            changed_.wait(lock, [this] { return !queue_.empty(); });
            {
                busy_ = true;
                const Due due = std::move(queue_.front());
                queue_.pop_front();
                lock.unlock();
                run(due);
                // `due` ends here, outside the lock: it may be the last to hold the event
            }
            lock.lock();
            busy_ = false;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Due> queue_;
    bool started_ = false;
    bool busy_ = false;
};

Helper& helper()
{
    static Helper& one = *new Helper;
    return one;
}
constinit std::atomic<bool> helper_wanted{false};

void deliver(Aftermath& aftermath)
{
    unfinished().changed.notify_all(); // first, for a callback may wait for a thread that waits here
    for (Due& due : aftermath.due) {
        if (helper_wanted.load(std::memory_order_relaxed)) {
            helper().post(std::move(due));
        } else {
            run(due);
        }
    }
}

bool is_over(const Held<Event>& event)
{
    return event->status.load(std::memory_order_acquire) <= CL_COMPLETE;
}

// A callback is told its own type, or the error.
cl_int status_told(cl_int status, cl_int type)
{
    return status < 0 ? status : type;
}

// Moves an event on; the lock is held.
void advance(Event& event, cl_int status, Aftermath& aftermath)
{
    if (event.status.load(std::memory_order_relaxed) <= CL_COMPLETE) {
        return;
    }
    event.status.store(status, std::memory_order_release);
    if (event.waiting) {
        std::erase_if(event.waiting->callbacks, [&](const Registered& callback) {
            if (callback.type < status) {
                return false;
            }
            aftermath.due.push_back(
                {Held<Event>{&event}, callback.function, status_told(status, callback.type), callback.data});
            return true;
        });
    }
    if (status <= CL_COMPLETE) {
        aftermath.over.push_back(std::move(event.waiting));
        if (event.queue) {
            if (event.queue->last == &event) {
                event.queue->last = nullptr;
            }
            event.queue->unfinished.fetch_sub(1, std::memory_order_release);
        }
    }
}

// Completes every command that has nothing to wait for any more; the lock is held.
void settle(Aftermath& aftermath)
{
    std::vector<Held<Event>>& events = unfinished().events;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Held<Event>& event : events) {
            const Waiting* const waiting = event->waiting.get();
            if (is_over(event) || waiting->held ||
                !std::all_of(waiting->after.begin(), waiting->after.end(), is_over) ||
                !std::all_of(waiting->before.begin(), waiting->before.end(), is_over)) {
                continue;
            }
            const bool failed = std::any_of(waiting->after.begin(), waiting->after.end(), [](const Held<Event>& other) {
                return other->status.load() < CL_COMPLETE;
            });
            advance(*event, failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE, aftermath);
            changed = true;
        }
    }
    const auto over =
        std::stable_partition(events.begin(), events.end(), [](const Held<Event>& event) { return !is_over(event); });
    std::move(over, events.end(), std::back_inserter(aftermath.finished));
    events.erase(over, events.end());
}

void change_status(Event& event, cl_int status)
{
    Aftermath aftermath;
    {
        const std::lock_guard lock{unfinished().mutex};
        advance(event, status, aftermath);
        settle(aftermath);
    }
    deliver(aftermath);
}

void wait_for(const Event& event)
{
    if (event.status.load(std::memory_order_acquire) > CL_COMPLETE) {
        std::unique_lock lock{unfinished().mutex};
        unfinished().changed.wait(lock, [&] { return event.status.load(std::memory_order_relaxed) <= CL_COMPLETE; });
    }
}

} // namespace

cl_int check_waits(Call call, const Context& context, cl_uint count, const cl_event* waits)
{
    if ((count == 0) != (waits == nullptr)) {
        return CL_INVALID_EVENT_WAIT_LIST;
    }
    for (cl_uint i = 0; i < count; ++i) {
        const Event* const event = checked(call, waits[i]);
        if (event == nullptr) {
            return CL_INVALID_EVENT_WAIT_LIST;
        }
        if (event->its_context() != &context) {
            return CL_INVALID_CONTEXT;
        }
    }
    return CL_SUCCESS;
}

Event* make_event(Queue& queue, cl_command_type type, cl_int status)
{
    Event* const event = Arena<Event>::make(&queue, type, status);
    if (event != nullptr && queue.profiles()) {
        event->begun = queue.clock.fetch_add(4000, std::memory_order_relaxed);
    }
    return event;
}

cl_int submit_slowly(Queue& queue, const Command& command)
{
    Event* const event = make_event(queue, command.type, CL_QUEUED);
    if (event == nullptr) {
        return CL_OUT_OF_HOST_MEMORY;
    }
    const Held<Event> until_the_end{event};
    const bool held = command.event != nullptr && !command.blocking && events_held.load(std::memory_order_relaxed);
    if (command.event != nullptr) {
        *command.event = event;
    }
    Aftermath aftermath;
    {
        const std::lock_guard lock{unfinished().mutex};
        event->waiting.reset(new Waiting);
        event->waiting->held = held;
        for (cl_uint i = 0; i < command.wait_count; ++i) {
            event->waiting->after.emplace_back(command.waits[i]);
        }
        if (queue.last != nullptr) {
            event->waiting->before.emplace_back(queue.last);
        }
        if (command.after_all) {
            for (const Held<Event>& other : unfinished().events) {
                if (other->queue.get() == &queue) {
                    event->waiting->before.push_back(other);
                }
            }
        }
        queue.unfinished.fetch_add(1, std::memory_order_relaxed);
        if (queue.in_order() || command.barrier) {
            queue.last = event;
        }
        unfinished().events.emplace_back(event);
        settle(aftermath);
    }
    deliver(aftermath);
    if (command.event == nullptr) {
        Arena<Event>::release(event); // the list of unfinished commands holds it as long as needed
    }
    if (command.blocking) {
        wait_for(*event);
        if (event->status.load(std::memory_order_acquire) < CL_COMPLETE) {
            return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        }
    }
    return CL_SUCCESS;
}

void wait_for_queue(Queue& queue)
{
    std::unique_lock lock{unfinished().mutex};
    unfinished().changed.wait(lock, [&] { return queue.unfinished.load(std::memory_order_relaxed) == 0; });
}

void complete_event(cl_event handle, cl_int status)
{
    Event* const event = Arena<Event>::find(handle);
    if (event != nullptr) {
        change_status(*event, status);
    }
}

void complete_all_events()
{
    Aftermath aftermath;
    {
        const std::lock_guard lock{unfinished().mutex};
        for (const Held<Event>& event : unfinished().events) {
            if (event->waiting) {
                event->waiting->held = false;
            }
        }
        settle(aftermath);
    }
    deliver(aftermath);
}

void use_helper_thread(bool on)
{
    helper_wanted.store(on, std::memory_order_relaxed);
}
void wait_for_helper_thread()
{
    helper().wait_until_idle();
}

namespace {

cl_int enqueue_order(Call call, cl_command_type type, bool barrier, cl_command_queue handle, cl_uint count,
                     const cl_event* waits, cl_event* event)
{
    Queue* const queue = checked(call, handle);
    if (queue == nullptr) {
        return CL_INVALID_COMMAND_QUEUE;
    }
    if (const cl_int code = check_waits(call, *queue->context, count, waits)) {
        return code;
    }
    return submit(*queue, {call, type, count, waits, event, false, barrier, count == 0}, [] {});
}

} // namespace

namespace api {

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event)
{
    return enqueue_order(Call::clEnqueueMarkerWithWaitList, CL_COMMAND_MARKER, false, queue, count, waits, event);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event)
{
    return enqueue_order(Call::clEnqueueBarrierWithWaitList, CL_COMMAND_BARRIER, true, queue, count, waits, event);
}

cl_int clWaitForEvents(cl_uint count, const cl_event* waits)
{
    if (count == 0 || waits == nullptr) {
        return CL_INVALID_VALUE;
    }
    const Context* context = nullptr;
    for (cl_uint i = 0; i < count; ++i) {
        const Event* const event = checked(Call::clWaitForEvents, waits[i]);
        if (event == nullptr) {
            return CL_INVALID_EVENT;
        }
        context = context == nullptr ? event->its_context() : context;
        if (event->its_context() != context) {
            return CL_INVALID_CONTEXT;
        }
    }
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < count; ++i) {
        wait_for(*waits[i]);
        if (waits[i]->status.load(std::memory_order_acquire) < CL_COMPLETE) {
            code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        }
    }
    return code;
}

cl_int clGetEventInfo(cl_event handle, cl_event_info parameter, std::size_t size, void* value, std::size_t* size_given)
{
    const Event* const event = checked(Call::clGetEventInfo, handle);
    if (event == nullptr) {
        return CL_INVALID_EVENT;
    }
    const Answer answer{size, value, size_given};
    switch (parameter) {
    case CL_EVENT_COMMAND_QUEUE:
        return answer.value(static_cast<cl_command_queue>(event->queue.get()));
    case CL_EVENT_CONTEXT:
        return answer.value(static_cast<cl_context>(event->its_context()));
    case CL_EVENT_COMMAND_TYPE:
        return answer.value(event->command);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return answer.value(event->status.load(std::memory_order_acquire));
    case CL_EVENT_REFERENCE_COUNT:
        return answer.value(reference_count(event));
    default:
        return CL_INVALID_VALUE;
    }
}

cl_event clCreateUserEvent(cl_context handle, cl_int* errcode_ret)
{
    Context* const context = checked(Call::clCreateUserEvent, handle);
    if (context == nullptr) {
        return with_code(static_cast<cl_event>(nullptr), CL_INVALID_CONTEXT, errcode_ret);
    }
    Event* const event = Arena<Event>::make(nullptr, cl_command_type{CL_COMMAND_USER}, CL_SUBMITTED);
    if (event != nullptr) {
        event->context = Held<Context>{context};
        event->waiting.reset(new Waiting);
    }
    return with_code(event, event != nullptr ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, errcode_ret);
}

cl_int clRetainEvent(cl_event event)
{
    return retain_handle(Call::clRetainEvent, event, CL_INVALID_EVENT);
}
cl_int clReleaseEvent(cl_event event)
{
    return release_handle(Call::clReleaseEvent, event, CL_INVALID_EVENT);
}

cl_int clSetUserEventStatus(cl_event handle, cl_int status)
{
    Event* const event = checked(Call::clSetUserEventStatus, handle);
    if (event == nullptr || event->queue) {
        return CL_INVALID_EVENT;
    }
    if (status > CL_COMPLETE) {
        return CL_INVALID_VALUE;
    }
    if (event->status.load(std::memory_order_acquire) <= CL_COMPLETE) {
        return CL_INVALID_OPERATION;
    }
    const Held<Event> through_callbacks{event};
    change_status(*event, status);
    return CL_SUCCESS;
}

cl_int clSetEventCallback(cl_event handle, cl_int type, EventCallback function, void* data)
{
    Event* const event = checked(Call::clSetEventCallback, handle);
    if (event == nullptr) {
        return CL_INVALID_EVENT;
    }
    if (function == nullptr || type < CL_COMPLETE || type > CL_SUBMITTED) {
        return CL_INVALID_VALUE;
    }
    Aftermath aftermath;
    {
        const std::lock_guard lock{unfinished().mutex};
        const cl_int status = event->status.load(std::memory_order_acquire);
        if (status <= type) {
            aftermath.due.push_back({Held<Event>{event}, function, status_told(status, type), data});
        } else {
            event->waiting->callbacks.push_back({function, type, data});
        }
    }
    deliver(aftermath);
    return CL_SUCCESS;
}

cl_int clGetEventProfilingInfo(cl_event handle, cl_profiling_info parameter, std::size_t size, void* value,
                               std::size_t* size_given)
{
    const Event* const event = checked(Call::clGetEventProfilingInfo, handle);
    if (event == nullptr) {
        return CL_INVALID_EVENT;
    }
    if (!event->queue || !event->queue->profiles() || event->status.load(std::memory_order_acquire) != CL_COMPLETE) {
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    }
    const Answer answer{size, value, size_given};
    switch (parameter) {
    case CL_PROFILING_COMMAND_QUEUED:
        return answer.value(cl_ulong{event->begun});
    case CL_PROFILING_COMMAND_SUBMIT:
        return answer.value(cl_ulong{event->begun + 1000});
    case CL_PROFILING_COMMAND_START:
        return answer.value(cl_ulong{event->begun + 2000});
    case CL_PROFILING_COMMAND_END:
        return answer.value(cl_ulong{event->begun + 3000});
    case CL_PROFILING_COMMAND_COMPLETE:
        return platform_version() >= 200 ? answer.value(cl_ulong{event->begun + 3000}) : CL_INVALID_VALUE;
    default:
        return CL_INVALID_VALUE;
    }
}

} // namespace api
} // namespace clutch_test
