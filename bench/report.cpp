// Puts together what the measuring programs found.
//
//   launch_report OUT FOLDER...
//
// Each folder holds one run's launch.json (of `launch`, through Google Benchmark) and, if there are any,
// allocations.txt (of `launch_allocations`) and instructions.txt (of instructions.sh, for a run with a single device).
// Prints the table, and writes OUT.json, OUT.md and OUT.svg.
#include "report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

namespace bench {
namespace {

/// The row of a contender on a device of the report; made if it is not there.
Row& row_of(Report& report, const std::string& device, const std::string& id)
{
    auto place = std::find_if(report.devices.begin(), report.devices.end(),
                              [&](const Device& known) { return known.title == device; });
    if (place == report.devices.end())
        place = report.devices.insert(place, Device{device});
    auto& rows = place->rows;
    const Contender* const wanted = &contender(id);
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.contender == wanted; });
    return row == rows.end() ? rows.emplace_back(Row{wanted}) : *row;
}

/// The lines of a file of fields separated by tabs; none if there is no such file.
std::vector<std::vector<std::string>> read_fields(const std::filesystem::path& path)
{
    std::vector<std::vector<std::string>> lines;
    std::ifstream file{path};
    for (std::string line; std::getline(file, line);) {
        std::istringstream text{line};
        auto& fields = lines.emplace_back();
        for (std::string field; std::getline(text, field, '\t');)
            fields.push_back(field);
    }
    return lines;
}

void read_times(Report& report, const std::filesystem::path& path)
{
    std::ifstream file{path};
    if (!file)
        throw std::runtime_error{path.string() + ": cannot be read"};
    const auto found = nlohmann::json::parse(file);
    for (const char* key : {"date", "cpu_model", "num_cpus", "compiler"})
        if (const auto& value = found.at("context").at(key); !report.context.contains(key))
            report.context[key] = value.is_string() ? value.get<std::string>() : value.dump();
    for (const auto& run : found.at("benchmarks")) {
        if (run.at("run_type") != "iteration")
            continue;
        if (run.value("error_occurred", false))
            throw std::runtime_error{run.at("name").get<std::string>() + ": " +
                                     run.at("error_message").get<std::string>()};
        const std::string name = run.at("run_name"); // contender/arguments/device/...
        const std::string id = name.substr(0, name.find('/', name.find('/') + 1));
        Row& row = row_of(report, run.at("label"), id);
        row.ns.push_back(run.at("ns"));
        row.x_bare.push_back(run.at("x_bare"));
        row.x_bare_event.push_back(run.at("x_bare_event"));
    }
}

void read_folder(Report& report, const std::filesystem::path& folder)
{
    for (const auto& entry : std::filesystem::directory_iterator{folder})
        if (entry.path().extension() == ".json")
            read_times(report, entry.path());
    for (const auto& fields : read_fields(folder / "allocations.txt")) {
        Row& row = row_of(report, fields.at(1), fields.at(0));
        row.allocations = Cost{std::stod(fields.at(2)), std::stod(fields.at(4))};
        row.bytes = Cost{std::stod(fields.at(3)), std::stod(fields.at(5))};
    }
    if (report.devices.empty())
        return;
    const std::string last = report.devices.back().title;
    for (const auto& fields : read_fields(folder / "instructions.txt"))
        row_of(report, last, fields.at(0)).instructions = Cost{std::stod(fields.at(1)), std::stod(fields.at(2))};
}

void sort_rows(Report& report)
{
    for (Device& device : report.devices)
        std::sort(device.rows.begin(), device.rows.end(), [](const Row& a, const Row& b) {
            const auto key = [](const Row& row) {
                return std::tuple{row.contender->arguments, row.contender->event, row.contender};
            };
            return key(a) < key(b);
        });
}

template <void (*write_form)(std::ostream&, const Report&)>
void write(const std::string& path, const Report& report)
{
    std::ofstream file{path};
    write_form(file, report);
    if (!file.flush())
        throw std::runtime_error{path + ": cannot be written"};
}

} // namespace

bool Device::counts_instructions() const
{
    return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.instructions.has_value(); });
}

void write_json(std::ostream& out, const Report& report)
{
    using json = nlohmann::ordered_json;
    json launches = json::array();
    for (const Device& device : report.devices)
        for (const Row& row : device.rows) {
            const auto [low, high] = std::minmax_element(row.x_bare.begin(), row.x_bare.end());
            json entry{{"device", device.title},
                       {"contender", row.contender->name},
                       {"arguments", row.contender->arguments},
                       {"event", row.contender->event}};
            if (!row.ns.empty())
                entry.update({{"ns", best(row.ns)},
                              {"ns_median", median(row.ns)},
                              {"x_bare", median(row.x_bare)},
                              {"x_bare_low", *low},
                              {"x_bare_high", *high},
                              {"x_bare_event", median(row.x_bare_event)}});
            const auto add = [&](const char* name, const std::optional<Cost>& cost) {
                if (cost)
                    entry[name] = {{"own", cost->own}, {"driver", cost->driver}};
            };
            add("instructions", row.instructions);
            add("allocations", row.allocations);
            add("bytes", row.bytes);
            launches.push_back(std::move(entry));
        }
    out << json{{"context", report.context}, {"launches", launches}}.dump(2) << '\n';
}

} // namespace bench

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::cerr << "usage: launch_report OUT FOLDER...\n";
        return 2;
    }
    try {
        bench::Report report;
        for (int i = 2; i < argc; ++i)
            bench::read_folder(report, argv[i]);
        bench::sort_rows(report);
        const std::string out = argv[1];
        bench::write<bench::write_json>(out + ".json", report);
        bench::write<bench::write_markdown>(out + ".md", report);
        bench::write<bench::write_picture>(out + ".svg", report);
        bench::write_table(std::cout, report);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "launch_report: " << error.what() << '\n';
        return 1;
    }
}
