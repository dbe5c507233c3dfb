// The control panel: hands each wish on to the part of the driver that it is about.
#include "image.hpp"
#include "kernel.hpp"

#include <cstdio>
#include <cstdlib>

namespace clutch_test {

void idle(bool on); // driver.cpp

namespace {

class Panel final : public Control {
public:
    std::uint64_t count(Call call) const override { return count_of(call); }
    std::uint64_t total() const override
    {
        std::uint64_t sum = 0;
        for (std::size_t call = 0; call < call_kinds; ++call) {
            sum += count_of(static_cast<Call>(call));
        }
        return sum;
    }
    void reset() override
    {
        forget_counts();
        forget_records();
    }

    void record(bool on) override { start_recording(on); }
    std::span<const Record> records() const override { return all_records(); }
    std::uint64_t dropped_records() const override { return records_dropped(); }

    void fail(Call call, unsigned nth, cl_int code) override { plan_failure(call, nth, false, code); }
    void fail_always(Call call, cl_int code) override { plan_failure(call, 0, true, code); }
    void clear_failures() override { drop_failures(); }

    void on_call(Call call, Hook hook, void* data) override { set_hook(call, hook, data); }
    void clear_hooks() override { drop_hooks(); }

    std::uint64_t violations() const override { return violations_counted(); }
    const char* violation_text(std::size_t index) const override { return violation_kept(index); }
    void forgive() override { forget_violations(); }

    std::int64_t live(Kind kind) const override
    {
        std::int64_t sum = 0;
        for (const Shard& shard : shards) {
            const auto index = static_cast<std::size_t>(kind);
            sum += static_cast<std::int64_t>(shard.born[index].load(std::memory_order_relaxed));
            sum -= static_cast<std::int64_t>(shard.died[index].load(std::memory_order_relaxed));
        }
        return sum;
    }
    std::uint64_t created(Kind kind) const override
    {
        std::uint64_t sum = 0;
        for (const Shard& shard : shards) {
            sum += shard.born[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed);
        }
        return sum;
    }
    References references(const void* handle) const override { return references_of(handle); }
    std::uint64_t event_pool_growths() const override { return Arena<Event>::growths(); }
    unsigned threads_that_used(cl_kernel kernel) const override
    {
        const Kernel* const object = Arena<Kernel>::find(kernel);
        return object == nullptr ? 0 : threads_of(*object);
    }
    void reuse_addresses(bool on) override
    {
        addresses_reused.store(on, std::memory_order_relaxed);
        if (!on) {
            Arena<Context>::empty_stack();
            Arena<Queue>::empty_stack();
            Arena<Memory>::empty_stack();
            Arena<Sampler>::empty_stack();
            Arena<Program>::empty_stack();
            Arena<Kernel>::empty_stack();
            Arena<Event>::empty_stack();
        }
    }

    void hold_events(bool on) override { events_held.store(on, std::memory_order_relaxed); }
    void complete(cl_event event, cl_int status) override { complete_event(event, status); }
    void complete_all() override { complete_all_events(); }
    void callbacks_in_helper_thread(bool on) override { use_helper_thread(on); }
    void wait_for_callbacks() override { wait_for_helper_thread(); }

    DeviceTraits traits(cl_device_id device) const override { return find(device).traits; }
    void set_traits(cl_device_id device, const DeviceTraits& traits) override { find(device).traits = traits; }

    void do_nothing(bool on) override { idle(on); }

    std::uint32_t thread() const override { return thread_number(); }

    void restore_defaults() override
    {
        do_nothing(false);
        hold_events(false);
        complete_all();
        callbacks_in_helper_thread(false);
        reuse_addresses(false);
        clear_failures();
        clear_hooks();
        record(false);
        for (Device& device : all_devices()) {
            device.traits = default_traits(device);
        }
        forgive();
        reset();
    }

private:
    // A handle that is none is a mistake in the test itself.
    static Device& find(cl_device_id handle)
    {
        for (Device& device : all_devices()) {
            if (&device == handle) {
                return device;
            }
        }
        std::fputs("clutch test driver: traits of something that is not a device\n", stderr);
        std::abort();
    }
};

} // namespace

Control* control()
{
    static Panel& panel = *new Panel;
    return &panel;
}

} // namespace clutch_test
