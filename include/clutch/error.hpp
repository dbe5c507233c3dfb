// Errors: what failed, in which call, with which code, and what to do. Every failed OpenCL call of this library ends
// here.
#pragma once

#include <clutch/detail/codes.hpp>
#include <clutch/detail/opencl.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// What happens to an error where it would be thrown. Users of `-fno-exceptions` may define their own before they
/// include clutch; it must not return. By default it throws, and without exceptions it prints `what()` and aborts.
#ifndef CLUTCH_THROW
#if CLUTCH_HAS_EXCEPTIONS
#define CLUTCH_THROW(error) throw error
#else
#define CLUTCH_THROW(error) (std::fprintf(stderr, "%s\n", (error).what()), std::abort())
#endif
#endif

namespace clutch {

namespace detail {

class OpenclCategory final : public std::error_category {
public:
    constexpr OpenclCategory() noexcept = default;
    const char* name() const noexcept override { return "opencl"; }
    std::string message(int code) const override
    {
        return std::string{code_name(code)} + " (" + std::to_string(code) + ")";
    }

    std::error_condition default_error_condition(int code) const noexcept override
    {
        switch (code) {
        case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        case CL_OUT_OF_HOST_MEMORY:
            return std::errc::not_enough_memory;
        case CL_DEVICE_NOT_FOUND:
        case -1001:
            return std::errc::no_such_device;
        case CL_INVALID_VALUE:
            return std::errc::invalid_argument;
        default:
            return {code, *this};
        }
    }
};

// Never destroyed: a launch may fail while the program exits, and its code must still have a category.
union OpenclCategoryStorage {
    OpenclCategory category;
    constexpr OpenclCategoryStorage() noexcept : category{} {}
    ~OpenclCategoryStorage() {} // NOLINT(modernize-use-equals-default): a defaulted one would be deleted
};

inline constinit OpenclCategoryStorage opencl_category_storage;

} // namespace detail

/// The category of the error codes of this library; a code's value is the OpenCL code. Never allocates, any thread.
inline const std::error_category& opencl_category() noexcept
{
    return detail::opencl_category_storage.category;
}

/// A failed call. `what()` names the kernel or object, the OpenCL call, the code by name and number, and the remedy
/// where one is known; `code()` holds the OpenCL code in `opencl_category()`, or an `errno` value where a file was the
/// trouble.
class Error : public std::system_error {
public:
    Error(std::error_code code, std::string message)
        : std::system_error{code}, message_{std::make_shared<const std::string>(std::move(message))}
    {}

    const char* what() const noexcept override { return message_->c_str(); }

private:
    std::shared_ptr<const std::string> message_; // exceptions are copied, and a copy must not throw
};

/// What one device's compiler said.
struct BuildLog {
    std::string device; ///< the device's name
    std::string text;   ///< the log as the driver gave it; may be empty
};

/// A program that did not build. `what()` holds the program's name and each log; `logs()` has them apart.
class BuildError : public Error {
public:
    BuildError(std::error_code code, std::string message, std::vector<BuildLog> logs)
        : Error{code, std::move(message)}, logs_{std::make_shared<const std::vector<BuildLog>>(std::move(logs))}
    {}

    /// One log for each device that failed.
    const std::vector<BuildLog>& logs() const noexcept { return *logs_; }

private:
    std::shared_ptr<const std::vector<BuildLog>> logs_;
};

namespace detail {

/// A failure on its way to becoming an exception, or, for the `try_` calls, just its code.
struct Failure {
    std::error_code code;
    std::string message;
    std::vector<BuildLog> logs; // not empty: a BuildError

    bool failed() const noexcept { return static_cast<bool>(code); }
};

/// Who wants to know of a failure: `raise` throws an Error that explains it, `code` returns the bare code.
enum class Report : bool { raise, code };

[[noreturn]] CLUTCH_COLD inline void raise(Failure failure)
{
    if (!failure.logs.empty()) {
        CLUTCH_THROW(BuildError(failure.code, std::move(failure.message), std::move(failure.logs)));
    }
    CLUTCH_THROW(Error(failure.code, std::move(failure.message)));
#if !CLUTCH_HAS_EXCEPTIONS
    std::abort(); // a user's CLUTCH_THROW came back, which its contract forbids
#endif
}

/// "subject: call: CL_CODE (-1): detail", with the parts that are there.
CLUTCH_COLD inline std::string describe(std::string_view subject, std::string_view call, cl_int code,
                                        std::string_view detail = {})
{
    const std::string name = opencl_category().message(code);
    std::string text{subject};
    for (std::string_view part : {call, std::string_view{name}, detail})
        if (!part.empty())
            text.append(text.empty() ? "" : ": ").append(part);
    return text;
}

inline std::error_code opencl_code(cl_int code) noexcept
{
    return {code, opencl_category()};
}

CLUTCH_COLD inline Failure failure(std::string_view subject, std::string_view call, cl_int code,
                                   std::string_view detail = {})
{
    return {opencl_code(code), describe(subject, call, code, detail), {}};
}

[[noreturn]] CLUTCH_COLD inline void raise(std::string_view subject, std::string_view call, cl_int code,
                                           std::string_view detail = {})
{
    raise(failure(subject, call, code, detail));
}

/// Turns the result of an OpenCL call into an Error.
inline void check(cl_int status, std::string_view subject, std::string_view call)
{
    if (status != CL_SUCCESS) [[unlikely]]
        raise(subject, call, status);
}

} // namespace detail
} // namespace clutch
