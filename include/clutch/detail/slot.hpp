// The slot of a kernel type, and the list of kernels that a thread has borrowed: what is between a launch and
// resolution.
#pragma once

#include <clutch/detail/build.hpp>
#include <clutch/detail/program_state.hpp>
#include <clutch/kernel_info.hpp>
#include <clutch/queue.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace clutch::detail {

/// Which kernel of which program a launch is of.
struct Identity {
    ProgramState* program;
    const EntryRecord* entry;
};

/// The kernel that a thread launched last with one kernel type, and all that says whether the next launch wants the
/// same. Trivial on purpose: thread_local without guard, wrapper or destructor.
struct Slot {
    static constexpr std::uint64_t no_generation = ~std::uint64_t{0};

    std::uint64_t generation = no_generation;
    const EntryRecord* entry = nullptr;
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    cl_kernel kernel = nullptr;

    CLUTCH_INLINE bool holds(Identity identity, QueueView queue) const noexcept
    {
        return generation == identity.program->generation() && entry == identity.entry && context == queue.context &&
               device == queue.device;
    }
};

/// The kernels that the calling thread has borrowed, each for one slot. A slot that is asked for another kernel than
/// its last finds it here without a lock, a driver call or the heap, if the thread has used it before. When the thread
/// ends, its kernels go back to the builds that own them, for other threads to take.
///
/// Each shared object has lists of its own (CLUTCH_LOCAL), beside its own slots: the C library then keeps the object
/// loaded until the last thread that has a list in it has ended, and no list points to a slot that is gone.
class ThreadKernels {
public:
    ThreadKernels() = default;
    ThreadKernels(const ThreadKernels&) = delete;
    ThreadKernels& operator=(const ThreadKernels&) = delete;

    ~ThreadKernels()
    {
        ended_ = true;
        for (const Loan& loan : loans_)
            give_back(loan);
    }

    /// Fills `slot` for a launch: from this list, or from the program.
    static Failure resolve(Slot& slot, const Identity& identity, cl_context context, cl_device_id device,
                           cl_uint parameters)
    {
        if (ended_) // a launch by the destructor of some thread_local object: what it takes stays with the program
            return fill(nullptr, slot, identity, context, device, parameters);
        return here().lookup(slot, identity, context, device, parameters);
    }

private:
    struct Loan {
        Slot* slot;
        const EntryRecord* entry;
        cl_kernel kernel;
        std::shared_ptr<Build> build;
    };

    CLUTCH_LOCAL static ThreadKernels& here()
    {
        static thread_local ThreadKernels kernels;
        return kernels;
    }

    Failure lookup(Slot& slot, const Identity& identity, cl_context context, cl_device_id device, cl_uint parameters)
    {
        const BuildKey wanted{identity.program->generation(), context, device};
        for (const Loan& loan : loans_)
            if (loan.slot == &slot && loan.entry == identity.entry && loan.build->key() == wanted) {
                store(loan);
                return {};
            }
        std::erase_if(loans_, [](const Loan& loan) { return loan.build->retired() && (give_back(loan), true); });
        return fill(&loans_, slot, identity, context, device, parameters);
    }

    static Failure fill(std::vector<Loan>* loans, Slot& slot, const Identity& identity, cl_context context,
                        cl_device_id device, cl_uint parameters)
    {
        Failure failure;
        std::shared_ptr<Build> build = identity.program->build(context, device, failure);
        if (failure.failed())
            return failure;
        if (loans != nullptr)
            loans->reserve(loans->size() + 1); // so that nothing fails between taking and noting it
        const cl_kernel kernel = build->take(identity.entry, identity.program->body().name(), failure);
        if (kernel == nullptr)
            return failure;
        failure = check_parameters(kernel, identity, parameters);
        if (failure.failed()) {
            build->give_back(kernel);
            return failure;
        }
        const Loan loan{&slot, identity.entry, kernel, std::move(build)};
        store(loan);
        if (loans != nullptr)
            loans->push_back(loan);
        return {};
    }

    /// The driver would refuse a missing argument only at the launch, and a surplus one only by its index.
    static Failure check_parameters(cl_kernel kernel, const Identity& identity, cl_uint declared)
    {
        cl_uint own = 0;
        const cl_int status = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof own, &own, nullptr);
        if (status != CL_SUCCESS)
            return failure(identity.entry->name, "clGetKernelInfo", status);
        if (own == declared)
            return {};
        return failure(identity.entry->name, {}, CL_INVALID_KERNEL_ARGS,
                       "the Kernel type declares " + std::to_string(declared) +
                           (declared == 1 ? " parameter, the kernel has " : " parameters, the kernel has ") +
                           std::to_string(own) + ": " + signature(kernel));
    }

    static void store(const Loan& loan) noexcept
    {
        const BuildKey& key = loan.build->key();
        *loan.slot = {key.generation, loan.entry, key.context, key.device, loan.kernel};
    }

    static void give_back(const Loan& loan) noexcept
    {
        if (loan.slot->kernel == loan.kernel)
            *loan.slot = {};
        loan.build->give_back(loan.kernel);
    }

    CLUTCH_LOCAL static inline constinit thread_local bool ended_ = false;

    std::vector<Loan> loans_;
};

/// The way past the warm path: fills the slot, or reports why it cannot. May build, allocate, block. Takes plain
/// handles for the reason that detail/diagnosis.hpp gives.
CLUTCH_LOCAL CLUTCH_COLD inline cl_int resolve(Report report, Slot& slot, ProgramState* program,
                                               const EntryRecord* entry, cl_context context, cl_device_id device,
                                               cl_uint parameters)
{
    Failure failure;
#if CLUTCH_HAS_EXCEPTIONS
    try {
        failure = ThreadKernels::resolve(slot, {program, entry}, context, device, parameters);
    } catch (...) { // memory, in practice
        if (report == Report::raise)
            throw;
        return CL_OUT_OF_HOST_MEMORY;
    }
#else
    failure = ThreadKernels::resolve(slot, {program, entry}, context, device, parameters);
#endif
    if (failure.failed() && report == Report::raise)
        raise(std::move(failure));
    return failure.code.value();
}

} // namespace clutch::detail
