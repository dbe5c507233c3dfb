// Events, and the order of commands.
//
// A command does its work inside the enqueueing call, so a command is complete at once unless something says otherwise:
// an incomplete event in its wait list, an incomplete command before it in its queue, or a test that holds events. Only
// such commands take the slow way, under a lock, and are kept in a list until they complete.
#pragma once

#include "queue.hpp"

namespace clutch_test {
struct Waiting;
struct WaitingEnd {
    void operator()(Waiting* waiting) const;
};
} // namespace clutch_test

struct alignas(64) _cl_event : clutch_test::Object {
    static constexpr clutch_test::Kind kind = clutch_test::Kind::event;

    _cl_event(_cl_command_queue* its_queue, cl_command_type its_command, cl_int its_status)
        : queue(its_queue), command(its_command), status(its_status)
    {}

    _cl_context* its_context() const { return queue ? queue->context.get() : context.get(); }

    clutch_test::Held<_cl_command_queue> queue; // none: a user event
    clutch_test::Held<_cl_context> context;     // of a user event; a command's is its queue's
    std::uint64_t begun = 0;                    // in the queue's time, if that profiles
    cl_command_type command;
    std::atomic<cl_int> status;
    std::unique_ptr<clutch_test::Waiting, clutch_test::WaitingEnd> waiting; // while incomplete; guarded by the lock
};

namespace clutch_test {

using Event = _cl_event;

struct Command {
    Call call;
    cl_command_type type;
    cl_uint wait_count;
    const cl_event* waits;
    cl_event* event;        // where to store the command's event, if wanted
    bool blocking = false;  // the call returns when the command is complete
    bool barrier = false;   // later commands wait for it in an out-of-order queue too
    bool after_all = false; // waits for every command before it in an out-of-order queue too
};

extern std::atomic<bool> events_held;

// The codes that a wait list deserves.
cl_int check_waits(Call call, const Context& context, cl_uint count, const cl_event* waits);

Event* make_event(Queue& queue, cl_command_type type, cl_int status);
cl_int submit_slowly(Queue& queue, const Command& command);
void wait_for_queue(Queue& queue);

// Puts a command, whose wait list has been checked, into its place in the order, and runs its effect.
template <class Effect>
cl_int submit(Queue& queue, const Command& command, Effect&& effect)
{
    bool plain = queue.unfinished.load(std::memory_order_acquire) == 0;
    for (cl_uint i = 0; i < command.wait_count; ++i) {
        plain = plain && command.waits[i]->status.load(std::memory_order_acquire) == CL_COMPLETE;
    }
    if (command.event != nullptr && !command.blocking && events_held.load(std::memory_order_relaxed)) {
        plain = false;
    }
    if (plain) [[likely]] {
        if (command.event != nullptr) {
            Event* const event = make_event(queue, command.type, CL_COMPLETE);
            if (event == nullptr) {
                return CL_OUT_OF_HOST_MEMORY;
            }
            *command.event = event;
        }
        effect();
        return CL_SUCCESS;
    }
    if (!command.blocking) {
        effect();
    }
    const cl_int code = submit_slowly(queue, command);
    if (command.blocking && code == CL_SUCCESS) {
        effect();
    }
    return code;
}

// For the control panel.
void complete_event(cl_event event, cl_int status);
void complete_all_events();
void use_helper_thread(bool on);
void wait_for_helper_thread();

} // namespace clutch_test
