#include "violations.hpp"

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>

namespace clutch_test {
namespace {

struct Line {
    std::atomic<bool> written{false};
    std::array<char, 200> text{};
};

constinit std::array<Line, 256> lines{};
constinit std::atomic<std::uint64_t> counted{0};

} // namespace

void violation(const char* format, ...)
{
    const std::uint64_t index = counted.fetch_add(1, std::memory_order_relaxed);
    if (index >= lines.size()) {
        return;
    }
    Line& line = lines[index];
    std::va_list values;
    va_start(values, format);
    std::vsnprintf(line.text.data(), line.text.size(), format, values);
    va_end(values);
    line.written.store(true, std::memory_order_release);
}

std::uint64_t violations_counted()
{
    return counted.load(std::memory_order_relaxed);
}

const char* violation_kept(std::size_t index)
{
    if (index >= lines.size() || !lines[index].written.load(std::memory_order_acquire)) {
        return "";
    }
    return lines[index].text.data();
}

void forget_violations()
{
    for (Line& line : lines) {
        line.written.store(false, std::memory_order_relaxed);
    }
    counted.store(0, std::memory_order_relaxed);
}

} // namespace clutch_test
