// The results as a picture: for each device, how many times the bare calls' time each contender takes. SVG that follows
// the viewer's light or dark scheme.
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <ostream>
#include <string>

namespace bench {
namespace {

constexpr double label_width = 230, panel_width = 250, panel_gap = 24, row_height = 26, bar_height = 9, top = 64;
constexpr double margin = 16, group_gap = 14;

std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : text)
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        default:
            result += c;
        }
    return result;
}

std::string number(double value, int decimals = 1)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

void write_text(std::ostream& out, double x, double y, std::string_view kind, std::string_view text)
{
    out << "<text class=\"" << kind << "\" x=\"" << number(x) << "\" y=\"" << number(y) << "\">" << escaped(text)
        << "</text>\n";
}

void write_bar(std::ostream& out, double x, double y, double width, std::string_view kind)
{
    out << "<rect class=\"" << kind << "\" x=\"" << number(x) << "\" y=\"" << number(y) << "\" width=\""
        << number(width) << "\" height=\"" << number(bar_height) << "\" rx=\"1.5\"/>\n";
}

void write_line(std::ostream& out, double x, double y1, double y2, std::string_view kind)
{
    out << "<line class=\"" << kind << "\" x1=\"" << number(x) << "\" x2=\"" << number(x) << "\" y1=\"" << number(y1)
        << "\" y2=\"" << number(y2) << "\"/>\n";
}

constexpr std::string_view style = R"(<style>
.back { fill: #ffffff; }
text { font: 12px system-ui, sans-serif; fill: #1f2328; }
.small, .value { font-size: 11px; fill: #59636e; }
.value { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
.head { font-weight: 600; }
.end { text-anchor: end; }
.grid { stroke: #d1d9e0; }
.one { stroke: #59636e; stroke-dasharray: 3 3; }
.bare { fill: #8c959f; } .clutch { fill: #1a7f37; } .other { fill: #0969da; }
.eight { opacity: 0.55; }
@media (prefers-color-scheme: dark) {
.back { fill: #0d1117; }
text { fill: #e6edf3; }
.small, .value { fill: #9198a1; }
.value { stroke: #0d1117; }
.grid { stroke: #3d444d; }
.one { stroke: #9198a1; }
.bare { fill: #7d8590; } .clutch { fill: #3fb950; } .other { fill: #4493f8; }
}
</style>
)";

/// One line of the picture: a contender, whatever its number of arguments.
struct Line {
    const Contender* contender;
    double y;
};

std::vector<Line> lines(const Report& report, double& bottom)
{
    std::vector<Line> result;
    bottom = top;
    for (const bool event : {false, true}) {
        for (const Device& device : report.devices)
            for (const Row& row : device.rows) {
                const Contender& contender = *row.contender;
                const bool known = std::any_of(result.begin(), result.end(), [&](const Line& line) {
                    return line.contender->name == contender.name;
                });
                if (contender.event == event && !known) {
                    result.push_back({&contender, bottom});
                    bottom += row_height;
                }
            }
        bottom += group_gap;
    }
    return result;
}

std::string_view color(const Contender& contender)
{
    return contender.name.starts_with("bare") ? "bare" : contender.name.starts_with("clutch") ? "clutch" : "other";
}

/// "NVIDIA H200 (NVIDIA CUDA 580.1)": the name and what is in the parentheses, on a line each.
void write_heading(std::ostream& out, double x, std::string_view title)
{
    const auto shortened = [](std::string_view text, std::size_t most) { // to what the panel has room for
        return text.size() <= most ? std::string{text} : std::string{text.substr(0, most - 3)} + "...";
    };
    const auto split = title.rfind(" (");
    write_text(out, x, top - 38, "head", shortened(title.substr(0, split), 34));
    if (split != std::string_view::npos)
        write_text(out, x, top - 22, "small", shortened(title.substr(split + 1), 44));
}

void write_panel(std::ostream& out, double x, const Device& device, const std::vector<Line>& all, double bottom,
                 double limit)
{
    const double scale = (panel_width - 40) / limit; // leaves room for the value
    write_heading(out, x, device.title);
    for (double tick = 0; tick <= limit; tick += 1)
        write_line(out, x + tick * scale, top - 8, bottom - group_gap, tick == 1 ? "one" : "grid");
    for (const Line& line : all)
        for (const Row& row : device.rows) {
            const Contender& contender = *row.contender;
            if (contender.name != line.contender->name || row.x_bare.empty())
                continue;
            const bool eight = contender.arguments == 8;
            const double value = median(row.x_bare), y = line.y + (eight ? bar_height + 2 : 0);
            const double width = std::min(value, limit) * scale;
            write_bar(out, x, y, width, std::string{color(contender)} + (eight ? " eight" : ""));
            write_text(out, x + width + 4, y + bar_height - 0.5, "value", number(value, 2));
        }
}

} // namespace

void write_picture(std::ostream& out, const Report& report)
{
    std::vector<const Device*> shown; // where nothing runs but the counter of instructions, time says little
    double highest = 1;
    for (const Device& device : report.devices)
        if (!device.counts_instructions()) {
            shown.push_back(&device);
            for (const Row& row : device.rows)
                highest = std::max(highest, row.x_bare.empty() ? 0 : median(row.x_bare));
        }
    const double limit = std::min(4.0, std::max(1.5, highest));

    double bottom = 0;
    const std::vector<Line> all = lines(report, bottom);
    const double width = margin + label_width + static_cast<double>(shown.size()) * (panel_width + panel_gap);
    const double height = bottom + 34;
    out << R"(<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 )" << number(width, 0) << ' '
        << number(height, 0) << "\" width=\"" << number(width, 0) << "\" height=\"" << number(height, 0) << "\">\n"
        << "<title>Time of a warm launch, as a multiple of the bare calls without an event</title>\n"
        << style << "<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n";
    for (const Line& line : all)
        write_text(out, margin + label_width - 12, line.y + bar_height + 5, "end",
                   std::string{line.contender->title} + (line.contender->event ? ", event" : ""));
    double x = margin + label_width;
    for (const Device* device : shown) {
        write_panel(out, x, *device, all, bottom, limit);
        x += panel_width + panel_gap;
    }
    write_text(out, margin, bottom + 14, "small",
               "Time of a warm launch as a multiple of the bare calls without an event (dashed line). Upper bar: 2 "
               "arguments, lower bar: 8.");
    out << "</svg>\n";
}

} // namespace bench
