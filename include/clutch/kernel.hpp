// Kernel: a typed kernel that is called like a function. The launch reads as it runs: slot, resolve, set arguments,
// enqueue.
#pragma once

#include <clutch/detail/argument.hpp>
#include <clutch/detail/diagnosis.hpp>
#include <clutch/detail/slot.hpp>
#include <clutch/event.hpp>
#include <clutch/kernel_info.hpp>
#include <clutch/launch.hpp>
#include <clutch/ndrange.hpp>
#include <clutch/parameters.hpp>
#include <clutch/program.hpp>
#include <clutch/queue.hpp>
#include <clutch/source.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace clutch {

namespace detail {

/// The calls of a kernel type; `Self` says which kernel it is. All of them may be made from any number of threads at
/// once on one kernel object. See `Kernel`.
template <class Self, class... Args>
class KernelCalls {
    using Sizes = std::array<std::size_t, 3>;

    static_assert((sizeof(Parameter<Args>) && ...)); // the parameter types are looked at here, before any launch

public:
    /// Launches, and asks the driver for no event. A warm launch is one clSetKernelArg for each argument and one
    /// clEnqueueNDRangeKernel; it allocates nothing, takes no lock and does not block. The first launch of a thread in
    /// a context resolves the kernel, and may build the program. `queue` is a Queue, a cl_command_queue or a wrapper
    /// that gives one; the last two cost each launch two queries of the driver. OpenCL 3.0, sections 5.9.2 and 5.10.
    ///
    /// Errors: BuildError; an Error with the driver's code and what explains it, naming the argument or the size. A
    /// launch that fails has enqueued nothing and changes nothing for the next.
    template <queue_like Q, class... Given>
    CLUTCH_INLINE void operator()(const Q& queue, NDRange global, const Given&... given) const
    {
        launch<Report::raise>(queue, global, {}, {}, {}, nullptr, given...);
    }

    template <queue_like Q, std::same_as<Launch> L = Launch, class... Given>
    CLUTCH_INLINE void operator()(const Q& queue, const L& how, const Given&... given) const
    {
        launch<Report::raise>(queue, how.global, how.local, how.offset, how.after, nullptr, given...);
    }

    /// Launches and returns the event of the launch, which the caller owns; of a zero global size, an event that is
    /// complete once `after` is.
    template <queue_like Q, class... Given>
    [[nodiscard]] CLUTCH_INLINE Event enqueue(const Q& queue, NDRange global, const Given&... given) const
    {
        cl_event event = nullptr;
        launch<Report::raise>(queue, global, {}, {}, {}, &event, given...);
        return Event::adopt(event);
    }

    template <queue_like Q, std::same_as<Launch> L = Launch, class... Given>
    [[nodiscard]] CLUTCH_INLINE Event enqueue(const Q& queue, const L& how, const Given&... given) const
    {
        cl_event event = nullptr;
        launch<Report::raise>(queue, how.global, how.local, how.offset, how.after, &event, given...);
        return Event::adopt(event);
    }

    /// Launches and returns the OpenCL code in `opencl_category()`; no exception, no event, and no explanation.
    template <queue_like Q, class... Given>
    [[nodiscard]] CLUTCH_INLINE std::error_code try_launch(const Q& queue, NDRange global,
                                                           const Given&... given) const noexcept
    {
        return code(launch<Report::code>(queue, global, {}, {}, {}, nullptr, given...));
    }

    template <queue_like Q, std::same_as<Launch> L = Launch, class... Given>
    [[nodiscard]] CLUTCH_INLINE std::error_code try_launch(const Q& queue, const L& how,
                                                           const Given&... given) const noexcept
    {
        return code(launch<Report::code>(queue, how.global, how.local, how.offset, how.after, nullptr, given...));
    }

    /// What the driver knows of the kernel on the queue's device. Resolves it, asks the driver, allocates.
    template <queue_like Q>
    KernelInfo info(const Q& queue) const
    {
        const QueueView where = view(queue);
        const Identity identity = static_cast<const Self&>(*this).identity();
        if (!slot_.holds(identity, where))
            resolve(Report::raise, slot_, identity.program, identity.entry, where.context, where.device,
                    sizeof...(Args));
        return describe_kernel(slot_.kernel, where.device);
    }

private:
    template <Report report, class Q, class... Given>
    CLUTCH_INLINE cl_int launch(const Q& given_queue, NDRange global, NDRange local, NDRange offset,
                                std::span<const Event> after, cl_event* event, const Given&... given) const
    {
        static_assert(sizeof...(Given) >= sizeof...(Args), "clutch: too few arguments for this kernel");
        static_assert(sizeof...(Given) <= sizeof...(Args), "clutch: too many arguments for this kernel");

        const Identity identity = static_cast<const Self&>(*this).identity();
        QueueView queue;
        if (const cl_int status = view(given_queue, queue); status != CL_SUCCESS) [[unlikely]]
            return fail<report>(status, [=] { return explain_queue(identity.entry, status); });

        // The driver reads the sizes from memory, so they lie there from here on.
        const Sizes global_sizes = global.sizes(), local_sizes = local.sizes(), offset_sizes = offset.sizes();
        const RangeView global_view = see(global, global_sizes), local_view = see(local, local_sizes),
                        offset_view = see(offset, offset_sizes);
        if (!launchable(global, local, offset)) [[unlikely]]
            if (const cl_int status =
                    examine(report, identity.entry, queue.queue, global_view, local_view, offset_view, after, event);
                status != launch_it)
                return status;

        if (!slot_.holds(identity, queue)) [[unlikely]]
            if (const cl_int status = resolve(report, slot_, identity.program, identity.entry, queue.context,
                                              queue.device, sizeof...(Args));
                status != CL_SUCCESS)
                return status;
        const cl_kernel kernel = slot_.kernel;

        if (const cl_int status = set_arguments<report>(std::index_sequence_for<Args...>{}, identity.entry, kernel,
                                                        queue.device, given...);
            status != CL_SUCCESS) [[unlikely]]
            return status;

        const cl_int status =
            clEnqueueNDRangeKernel(queue.queue, kernel, global_view.rank, offset_view.sizes, global_view.sizes,
                                   local_view.sizes, count(after), handles(after), event);
        if (status != CL_SUCCESS) [[unlikely]]
            return fail<report>(status, [=, device = queue.device] {
                return explain_enqueue(identity.entry, kernel, device, global_view, local_view, offset_view, after,
                                       status);
            });
        return CL_SUCCESS;
    }

    template <Report report, std::size_t... I, class... Given>
    CLUTCH_INLINE static cl_int set_arguments(std::index_sequence<I...>, [[maybe_unused]] const EntryRecord* entry,
                                              [[maybe_unused]] cl_kernel kernel, [[maybe_unused]] cl_device_id device,
                                              const Given&... given)
    {
        cl_int status = CL_SUCCESS;
        static_cast<void>(
            (((status = set_argument<report, Args>(entry, kernel, device, I, given)) == CL_SUCCESS) && ...));
        return status;
    }

    CLUTCH_INLINE static RangeView see(const NDRange& range, const Sizes& sizes) noexcept
    {
        return {range.rank(), range.empty() ? nullptr : sizes.data()};
    }

    CLUTCH_INLINE static bool launchable(NDRange global, NDRange local, NDRange offset) noexcept
    {
        return plain(global) && (local.empty() || (local.rank() == global.rank() && plain(local))) &&
               (offset.empty() || (offset.rank() == global.rank() && !negative(offset[0] | offset[1] | offset[2])));
    }

    static std::error_code code(cl_int status) noexcept
    {
        return status == CL_SUCCESS ? std::error_code{} : opencl_code(status);
    }

    CLUTCH_LOCAL static inline constinit thread_local Slot slot_{};
};

} // namespace detail

/// A kernel by the types of its parameters, called like a function: `k(queue, {n}, args...)`.
///
/// `Args` are the kernel's parameters in order: an arithmetic type or a struct for one by value, `Global<T>`,
/// `Constant<T>` or `Local<T>` for memory. Each argument goes to the driver as the parameter's type says, by value from
/// the stack, in each launch; nothing is kept after the call, so temporaries are fine and memory is not kept alive.
///
/// This form names a kernel of a Program at run time. Copies are cheap and keep the program alive. A launch of a name
/// that the program does not have is an Error that lists those it has.
template <class... Args>
class Kernel : public detail::KernelCalls<Kernel<Args...>, Args...> {
public:
    /// Builds nothing yet. May allocate. Errors: CL_INVALID_PROGRAM for an empty program.
    Kernel(const Program& program, std::string_view name)
        : program_{program}, identity_{&program_.state(), program_.state().body().entry(name)}
    {}

    Kernel(const Kernel&) noexcept = default; // and no move: a kernel that was moved from still works
    Kernel& operator=(const Kernel&) noexcept = default;
    ~Kernel() = default;

    const Program& program() const noexcept { return program_; }

private:
    friend class detail::KernelCalls<Kernel, Args...>;

    const detail::Identity& identity() const noexcept { return identity_; }

    Program program_;
    detail::Identity identity_;
};

/// The form for a kernel whose text is known at compile time: `constexpr clutch::Kernel<clutch::Entry<vectors, "axpy">,
/// Global<float>, Global<const float>, float> axpy{};`. Empty and constexpr; launches need no look-up of any object.
template <const Source& source, detail::FixedString entry, class... Args>
class Kernel<Entry<source, entry>, Args...>
    : public detail::KernelCalls<Kernel<Entry<source, entry>, Args...>, Args...> {
    static_assert(sizeof(Entry<source, entry>) != 0); // its own assertions are looked at here

public:
    constexpr Kernel() noexcept = default;

    Program program() const noexcept { return clutch::program<source>(); }

private:
    friend class detail::KernelCalls<Kernel, Args...>;

    static detail::Identity identity() noexcept
    {
        return {&detail::source_program<source>, &detail::entry_record<entry>};
    }
};

} // namespace clutch
