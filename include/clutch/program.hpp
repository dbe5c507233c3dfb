// Program: OpenCL C text that is known at run time, and the same handle for a Source.
#pragma once

#include <clutch/detail/program_state.hpp>
#include <clutch/queue.hpp>
#include <clutch/source.hpp>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

namespace clutch {

/// How a program is built and what messages call it.
struct ProgramOptions {
    std::string name{};    ///< for messages; empty: "program", or the file's path
    std::string options{}; ///< the compiler's options, as for clBuildProgram (OpenCL 3.0, section 5.8.6)
};

/// A program: text, options, and what was built from them, for each context and device at its first use there. A
/// handle: copies share one program. Never empty but when moved from. Any thread, at once. OpenCL 3.0, section 5.8.
///
/// Builds are dropped with the last handle (kernels made from the program are handles too), and beyond 32 pairs of
/// context and device, the one that was asked for longest ago first.
class Program {
public:
    /// A program of this text. Builds nothing yet. Allocates.
    static Program from_source(std::string text, ProgramOptions options = {})
    {
        if (options.name.empty())
            options.name = "program";
        return Program{new detail::ProgramState{std::make_unique<detail::ProgramBody>(
            std::move(options.name), std::move(text), std::move(options.options))}};
    }

    /// A program of the text of a file, read now. Errors: the system's code for a file that cannot be read.
    static Program from_file(const std::filesystem::path& path, ProgramOptions options = {})
    {
        const auto refuse = [&](std::error_code code) {
            detail::raise(detail::Failure{code, "Program::from_file: " + path.string() + ": " + code.message(), {}});
        };
        if (std::error_code code; std::filesystem::is_directory(path, code))
            refuse(std::make_error_code(std::errc::is_a_directory));
        errno = 0;
        std::ifstream file{path, std::ios::binary};
        std::string text{std::istreambuf_iterator<char>{file}, {}};
        if (!file.is_open() || file.bad())
            refuse({errno == 0 ? EIO : errno, std::generic_category()});
        if (options.name.empty())
            options.name = path.string();
        return from_source(std::move(text), std::move(options));
    }

    Program(const Program& other) noexcept : state_{other.state_}
    {
        if (state_ != nullptr)
            state_->retain();
    }

    Program(Program&& other) noexcept : state_{std::exchange(other.state_, nullptr)} {}

    Program& operator=(Program other) noexcept
    {
        std::swap(state_, other.state_);
        return *this;
    }

    ~Program()
    {
        if (state_ != nullptr)
            detail::ProgramState::release(state_);
    }

    explicit operator bool() const noexcept { return state_ != nullptr; }
    friend bool operator==(const Program&, const Program&) noexcept = default;

    /// Builds for the context and device of `queue`, unless that is done; the first launch there does the same. Blocks.
    /// Errors: BuildError with the log of the device, for a text that does not build; what else the driver says.
    template <detail::queue_like Q>
    void build(const Q& queue) const
    {
        const detail::QueueView view = detail::view(queue);
        detail::Failure failure;
        static_cast<void>(state().build(view.context, view.device, failure));
        if (failure.failed())
            detail::raise(std::move(failure));
    }

    /// Replaces the text. Every launch that starts after this has returned runs the new one, from any thread; one
    /// already enqueued is untouched. Builds nothing: a text that does not build is the BuildError of the launches that
    /// meet it, until the next `replace`. Allocates; does not block on builds.
    void replace(std::string text) const { state().replace(std::move(text)); }

    /// A number that no other program of this process has or had, and no other text of this one. Does not allocate.
    std::uint64_t generation() const { return state().ensure_generation(); }

private:
    template <const Source& source>
    friend Program program() noexcept;
    template <class...>
    friend class Kernel;

    explicit Program(detail::ProgramState* state) noexcept : state_{state} {}

    detail::ProgramState& state() const
    {
        if (state_ == nullptr) [[unlikely]]
            detail::raise("Program", {}, CL_INVALID_PROGRAM, "the program is empty (moved from)");
        return *state_;
    }

    detail::ProgramState* state_ = nullptr;
};

/// The program behind a Source, the same for every call. Never destroyed.
template <const Source& source>
Program program() noexcept
{
    return Program{&detail::source_program<source>};
}

} // namespace clutch
