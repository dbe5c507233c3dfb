// The results as a table: for a terminal, and in Markdown.
#include "report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace bench {
namespace {

/// Three significant digits, and all of a whole number.
std::string number(double value)
{
    std::array<char, 32> text{};
    const int decimals = value >= 100 || std::abs(value - std::round(value)) < 0.005 ? 0 : value >= 10 ? 1 : 2;
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

std::string two_digits(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    return text.data();
}

std::string time(const Row& row)
{
    return row.ns.empty() ? "" : number(best(row.ns));
}

std::string ratio(const std::vector<double>& values)
{
    return values.empty() ? "" : two_digits(median(values));
}

std::string cost(const std::optional<Cost>& what)
{
    return what ? number(what->own) + " / " + number(what->driver) : "";
}

/// Pads to a number of columns; text beyond ASCII would need more care, and there is none.
std::string left(std::string text, std::size_t width)
{
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

std::string right(const std::string& text, std::size_t width)
{
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// "Debian, 2 CPUs, GCC 12.2.0, 2026-12-01": where and when.
std::string occasion(const Report& report)
{
    const auto get = [&](const char* key) {
        const auto found = report.context.find(key);
        return found == report.context.end() ? std::string{"unknown"} : found->second;
    };
    return get("date").substr(0, 10) + ", " + get("cpu_model") + " (" + get("num_cpus") + " CPUs), " + get("compiler");
}

} // namespace

void write_table(std::ostream& out, const Report& report)
{
    struct Column {
        const char *first, *second;
        std::size_t width;
    };
    constexpr std::array columns{Column{"ns", "a launch", 10},
                                 Column{"x bare", "", 8},
                                 Column{"x bare", "+ event", 9},
                                 Column{"instructions", "own/driver", 14},
                                 Column{"allocations", "own/driver", 13},
                                 Column{"bytes", "own/driver", 14}};
    constexpr std::size_t title_width = 34;
    out << occasion(report) << '\n';
    for (const Device& device : report.devices) {
        out << '\n' << device.title << '\n' << left("", title_width);
        for (const Column& column : columns)
            out << right(column.first, column.width);
        out << '\n' << left("", title_width);
        for (const Column& column : columns)
            out << right(column.second, column.width);
        out << '\n';
        const Contender* previous = nullptr;
        for (const Row& row : device.rows) {
            const Contender& contender = *row.contender;
            if (previous == nullptr || previous->arguments != contender.arguments || previous->event != contender.event)
                out << ' ' << contender.arguments << " arguments" << (contender.event ? ", and an event" : "") << '\n';
            previous = &contender;
            const std::array cells{time(row),
                                   ratio(row.x_bare),
                                   contender.event ? ratio(row.x_bare_event) : "",
                                   cost(row.instructions),
                                   cost(row.allocations),
                                   cost(row.bytes)};
            out << left("   " + std::string{contender.title}, title_width);
            for (std::size_t i = 0; i < cells.size(); ++i)
                out << right(cells[i], columns[i].width);
            out << '\n';
        }
    }
}

void write_markdown(std::ostream& out, const Report& report)
{
    out << "Measured " << occasion(report) << R"(.
One warm launch of an empty kernel: its time in the calling thread, that as a multiple of the bare calls' without an
event (the median of interleaved batches), and heap use, by the library / by the driver. CLHPP's functor and
Boost.Compute make an event for every launch.
)";
    for (const Device& device : report.devices) {
        const bool instructions = device.counts_instructions();
        out << "\n**" << device.title << "**\n\n|";
        for (int arguments : {2, 8})
            out << (arguments == 2 ? " | 2 arguments: ns" : " | 8 arguments: ns") << " | x bare |"
                << (instructions ? " instructions |" : "") << " allocations | bytes";
        out << " |\n|---";
        for (int i = 0; i < (instructions ? 10 : 8); ++i)
            out << "|---:";
        out << "|\n";
        for (const Row& row : device.rows) {
            if (row.contender->arguments != 2)
                continue;
            const auto eight = std::find_if(device.rows.begin(), device.rows.end(), [&](const Row& other) {
                return other.contender->arguments == 8 && other.contender->name == row.contender->name;
            });
            out << "| " << row.contender->title << (row.contender->event ? ", event" : "");
            for (const Row* part : {&row, eight == device.rows.end() ? nullptr : &*eight}) {
                static const Row none;
                const Row& shown = part == nullptr ? none : *part;
                out << " | " << time(shown) << " | " << ratio(shown.x_bare) << " | "
                    << (instructions ? cost(shown.instructions) + " | " : "") << cost(shown.allocations) << " | "
                    << cost(shown.bytes);
            }
            out << " |\n";
        }
    }
}

} // namespace bench
