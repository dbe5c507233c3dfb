// What the example programs share around their OpenCL: how they fail, and how they show progress.
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace example {

inline bool stderr_is_terminal()
{
#ifdef _WIN32
    return _isatty(_fileno(stderr)) != 0;
#else
    return isatty(STDERR_FILENO) != 0;
#endif
}

/// Prints `PROGRAM: MESSAGE` as one line, also where the message (a build log, say) has several.
inline void complain(const char* program, std::string message)
{
    std::replace(message.begin(), message.end(), '\n', ' ');
    std::fprintf(stderr, "%s: %s\n", program, message.c_str());
}

/// Parses the command line and runs `body`, which returns the exit status. A bad command line gets one line and status
/// 2, what `body` throws one line and status 1.
template <class Body>
int run(const char* program, CLI::App& app, int argc, char** argv, Body body)
{
    try {
        app.parse(argc, argv);
        return body();
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        complain(program, error.what());
        return 2;
    } catch (const std::bad_alloc&) {
        complain(program, "not enough memory");
        return 1;
    } catch (const std::exception& error) { // clutch::Error among them
        complain(program, error.what());
        return 1;
    }
}

/// A line on the terminal that is written over as work goes on, ten times a second; nothing where stderr is no
/// terminal.
class Progress {
public:
    Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    ~Progress()
    {
        if (shown_ != 0) // leave an empty line to whoever prints next
            std::fprintf(stderr, "\r%*s\r", static_cast<int>(shown_), "");
    }

    /// `text` makes the line; it is called only when one is due.
    template <class Text>
    void show(Text text)
    {
        if (!terminal_ || Clock::now() < due_)
            return;
        due_ = Clock::now() + std::chrono::milliseconds{100};
        const std::string line = text();
        std::fprintf(stderr, "\r%-*s", static_cast<int>(shown_), line.c_str());
        std::fflush(stderr);
        shown_ = line.size();
    }

private:
    using Clock = std::chrono::steady_clock;

    bool terminal_ = stderr_is_terminal();
    Clock::time_point due_ = Clock::now();
    std::size_t shown_ = 0;
};

/// Adds up the time that a thread spends in something it does again and again.
class Stopwatch {
public:
    void start() { started_ = Clock::now(); }
    void stop() { total_ += Clock::now() - started_; }
    double seconds() const { return std::chrono::duration<double>{total_}.count(); }

private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point started_;
    Clock::duration total_{};
};

} // namespace example
