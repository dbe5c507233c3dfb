// Kernels: argument storage that is made with the kernel, and the detection of simultaneous use.
#pragma once

#include "program.hpp"
#include "svm.hpp"

namespace clutch_test {

inline constexpr std::size_t opaque_room = 1024; // bytes kept for an argument whose type is not known

// One argument: what is expected, what was set.
struct Slot {
    Takes takes{};
    bool set = false, null = false, svm = false;
    std::uint32_t thread = 0;      // that set it
    std::uint32_t room = 0;        // at `bytes`
    std::size_t expected_size = 0; // of a value; 0: any
    std::size_t size = 0;          // as set
    std::uint64_t serial = 0;      // of the memory object or sampler that was set
    std::byte* bytes = nullptr;
    const Parameter* parameter = nullptr;

    template <class T>
    T as() const
    {
        T value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }
};

} // namespace clutch_test

struct alignas(64) _cl_kernel : clutch_test::Object {
    static constexpr clutch_test::Kind kind = clutch_test::Kind::kernel;

    _cl_kernel(_cl_program* its_program, std::shared_ptr<const clutch_test::KernelText> its_text);
    ~_cl_kernel();

    std::span<clutch_test::Slot> arguments() { return {slots.get(), text->parameters.size()}; }

    clutch_test::Held<_cl_program> program;
    std::shared_ptr<const clutch_test::KernelText> text;
    std::unique_ptr<clutch_test::Slot[]> slots;
    std::unique_ptr<std::byte[]> bytes;
    std::vector<const void*> svm_pointers; // room for 64 is made with the kernel

    std::atomic<std::uint32_t> user{0};                // the thread that is inside a call on this kernel, 0: none
    std::array<std::atomic<std::uint64_t>, 4> users{}; // one bit a thread that ever was
};

namespace clutch_test {

using Kernel = _cl_kernel;

// Says that a thread is working on a kernel, for as long as it lives; a thread may say it twice. All accesses are
// relaxed: a stronger order would hide races of the callers from ThreadSanitizer.
class KernelUse {
public:
    explicit KernelUse(Kernel& kernel) : kernel_(kernel)
    {
        const std::uint32_t me = thread_number();
        std::uint32_t other = 0;
        entered_ = kernel_.user.compare_exchange_strong(other, me, std::memory_order_relaxed);
        alone_ = entered_ || other == me;
        std::atomic<std::uint64_t>& bits = kernel_.users[me / 64 % 4];
        const std::uint64_t bit = std::uint64_t{1} << (me % 64);
        if ((bits.load(std::memory_order_relaxed) & bit) == 0) [[unlikely]] {
            bits.fetch_or(bit, std::memory_order_relaxed);
        }
    }
    ~KernelUse()
    {
        if (entered_) {
            kernel_.user.store(0, std::memory_order_relaxed);
        }
    }
    KernelUse(const KernelUse&) = delete;
    KernelUse& operator=(const KernelUse&) = delete;

    bool alone() const { return alone_; }

private:
    Kernel& kernel_;
    bool entered_;
    bool alone_;
};

unsigned threads_of(const Kernel& kernel);

} // namespace clutch_test
