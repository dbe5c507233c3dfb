// What the measuring programs found, row by row, and the forms in which it is shown.
#pragma once

#include "contender.hpp"
#include "statistics.hpp"

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// Something that a launch costs: by the library that is measured, and by the loader and the driver below it.
struct Cost {
    double own = 0, driver = 0;
};

/// One contender on one device, a launch.
struct Row {
    const Contender* contender = nullptr;
    std::vector<double> ns{}, x_bare{}, x_bare_event{}; ///< one of each a repetition
    std::optional<Cost> instructions{}, allocations{}, bytes{};
};

struct Device {
    std::string title;
    std::vector<Row> rows{}; ///< in the contenders' order

    bool counts_instructions() const;
};

struct Report {
    std::map<std::string, std::string> context{}; ///< date, machine, compiler
    std::vector<Device> devices{};
};

void write_table(std::ostream& out, const Report& report);
void write_markdown(std::ostream& out, const Report& report);
void write_json(std::ostream& out, const Report& report);
void write_picture(std::ostream& out, const Report& report);

} // namespace bench
