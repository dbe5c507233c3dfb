// What stands for many measurements of one thing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

/// The middle one; 0 of none.
inline double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The lowest: what other programs do meanwhile only ever adds. 0 of none.
inline double best(const std::vector<double>& values)
{
    return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

} // namespace bench
