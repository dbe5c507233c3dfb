// Build: one text of a program, built for one device of one context, and the kernels made from it.
#pragma once

#include <clutch/detail/handle.hpp>
#include <clutch/detail/info.hpp>
#include <clutch/error.hpp>
#include <clutch/source.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clutch::detail {

/// What a build is of. The generation stands for the program and its text: no other has the same.
struct BuildKey {
    std::uint64_t generation = 0;
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    friend bool operator==(const BuildKey&, const BuildKey&) noexcept = default;
};

/// Whether `double`, or a vector of it, is a word of the text.
inline bool names_double(std::string_view text) noexcept
{
    constexpr std::string_view word = "double";
    const auto in_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        std::size_t end = at + word.size();
        while (end < text.size() && text[end] >= '0' && text[end] <= '9')
            ++end;
        if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end])))
            return true;
    }
    return false;
}

/// Owns the cl_program and every cl_kernel made from it. Threads borrow kernels: `take` gives one that nobody else has,
/// `give_back` ends that. Who gives back makes no driver call, so that a thread may do it while it ends, and the main
/// thread while the process does. Any thread; builds and takes wait for one another.
class Build {
public:
    explicit Build(BuildKey key) noexcept : key_{key} {}
    Build(const Build&) = delete;
    Build& operator=(const Build&) = delete;
    ~Build() = default; // without the lock: nobody else has it any more, and the caller may hold the program's

    const BuildKey& key() const noexcept { return key_; }

    /// True once no new launch is to use this: its text was replaced, or its place was needed. A hint to give back.
    bool retired() const noexcept { return retired_.load(std::memory_order_acquire); }

    /// Builds, unless that is done. A text that does not build is remembered, and so is what the compiler said; a
    /// failure of another kind (no memory, say) is tried anew by the next call.
    Failure ensure_built(std::string_view name, std::string_view text, std::string_view options)
    {
        const std::scoped_lock lock{mutex_};
        if (built_ || refused_.failed())
            return refused_;
        return build(name, text, options);
    }

    /// A kernel for the calling thread alone, null on failure.
    cl_kernel take(const EntryRecord* entry, std::string_view program_name, Failure& failure)
    {
        const std::scoped_lock lock{mutex_};
        for (Made& made : kernels_)
            if (made.entry == entry && made.idle) {
                made.idle = false;
                return made.kernel.get();
            }
        kernels_.reserve(kernels_.size() + 1);
        const std::string name{entry->name};
        cl_int status = CL_SUCCESS;
        auto kernel = Owned<cl_kernel>::adopt(clCreateKernel(program_.get(), name.c_str(), &status));
        if (status != CL_SUCCESS) {
            failure = detail::failure(entry->name, "clCreateKernel", status, explain_missing(program_name, status));
            return nullptr;
        }
        kernels_.push_back({entry, std::move(kernel), false});
        return kernels_.back().kernel.get();
    }

    /// Makes no driver call.
    void give_back(cl_kernel kernel) noexcept
    {
        const std::scoped_lock lock{mutex_};
        for (Made& made : kernels_)
            if (made.kernel.get() == kernel)
                made.idle = true;
    }

    void retire() noexcept { retired_.store(true, std::memory_order_release); }

    /// Of a retired build: releases the kernels that no thread has. True once there are none left. Does not wait: of a
    /// build that is in use at the moment it releases nothing.
    bool reclaim()
    {
        const std::unique_lock lock{mutex_, std::try_to_lock};
        if (!lock)
            return false;
        std::erase_if(kernels_, [](const Made& made) { return made.idle; });
        return kernels_.empty();
    }

    /// Releases everything, borrowed kernels too: for a program that nobody can launch any more.
    void destroy()
    {
        retire();
        const std::scoped_lock lock{mutex_};
        kernels_.clear();
        program_ = {};
        built_ = false;
    }

private:
    struct Made {
        const EntryRecord* entry;
        Owned<cl_kernel> kernel;
        bool idle;
    };

    Failure build(std::string_view name, std::string_view text, std::string_view options)
    {
        const std::string subject = "program '" + std::string{name} + "'";
        const char* source = text.data();
        const std::size_t length = text.size();
        cl_int status = CL_SUCCESS;
        auto program = Owned<cl_program>::adopt(clCreateProgramWithSource(key_.context, 1, &source, &length, &status));
        if (status != CL_SUCCESS)
            return failure(subject, "clCreateProgramWithSource", status,
                           text.empty() ? "the program's text is empty" : "");

        // Parameter names and types, for messages and KernelInfo. A driver that does not know the option does without.
        const std::string plain{options};
        const std::string with_info = plain + (plain.empty() ? "" : " ") + "-cl-kernel-arg-info";
        status = clBuildProgram(program.get(), 1, &key_.device, with_info.c_str(), nullptr, nullptr);
        if (status == CL_INVALID_BUILD_OPTIONS)
            status = clBuildProgram(program.get(), 1, &key_.device, plain.c_str(), nullptr, nullptr);
        if (status == CL_SUCCESS) {
            program_ = std::move(program);
            built_ = true;
            return {};
        }
        Failure result = explain_build(subject, program.get(), text, options, status);
        if (status == CL_BUILD_PROGRAM_FAILURE || status == CL_INVALID_BUILD_OPTIONS) {
            program_ = std::move(program);
            refused_ = result;
        }
        return result;
    }

    CLUTCH_COLD Failure explain_build(std::string_view subject, cl_program program, std::string_view text,
                                      std::string_view options, cl_int status) const
    {
        BuildLog log{device_info(key_.device).text_or_empty(CL_DEVICE_NAME),
                     program_build_info(program, key_.device).text_or_empty(CL_PROGRAM_BUILD_LOG)};
        std::string detail = "device '" + log.device + "'";
        if ((names_double(text) || names_double(options) || names_double(log.text)) &&
            device_info(key_.device).value_or<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG, 1) == 0)
            detail += " has no double precision (cl_khr_fp64)";
        detail += log.text.empty() ? " gave no build log" : ":\n" + log.text;
        Failure result = failure(subject, "clBuildProgram", status, detail);
        result.logs.push_back(std::move(log));
        return result;
    }

    CLUTCH_COLD std::string explain_missing(std::string_view program_name, cl_int status) const
    {
        if (status != CL_INVALID_KERNEL_NAME)
            return {};
        const std::string names = program_info(program_.get()).text_or_empty(CL_PROGRAM_KERNEL_NAMES);
        return "program '" + std::string{program_name} + "' has " +
               (names.empty() ? std::string{"no kernels"} : "the kernels " + names);
    }

    const BuildKey key_;
    std::atomic<bool> retired_{false};
    std::mutex mutex_;
    Owned<cl_program> program_; // built or refused; keeps the context alive, and with it the context's address
    bool built_ = false;
    Failure refused_;
    std::vector<Made> kernels_;
};

} // namespace clutch::detail
