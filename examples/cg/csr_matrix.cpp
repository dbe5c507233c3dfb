#include "csr_matrix.hpp"

namespace cg {

std::vector<double> CsrMatrix::diagonal() const
{
    std::vector<double> result(rows());
    for (std::size_t row = 0; row < rows(); ++row)
        for (auto i = static_cast<std::size_t>(row_begin[row]); i < static_cast<std::size_t>(row_begin[row + 1]); ++i)
            if (static_cast<std::size_t>(column[i]) == row)
                result[row] = value[i];
    return result;
}

CsrMatrix poisson_matrix(std::int32_t n)
{
    CsrMatrix matrix;
    const auto points = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    matrix.row_begin.reserve(points + 1);
    matrix.column.reserve(5 * points);
    matrix.value.reserve(5 * points);

    const auto add = [&](std::int32_t column, double value) {
        matrix.column.push_back(column);
        matrix.value.push_back(value);
    };
    for (std::int32_t y = 0; y < n; ++y)
        for (std::int32_t x = 0; x < n; ++x) {
            const std::int32_t point = y * n + x;
            if (y > 0)
                add(point - n, -1.0);
            if (x > 0)
                add(point - 1, -1.0);
            add(point, 4.0);
            if (x < n - 1)
                add(point + 1, -1.0);
            if (y < n - 1)
                add(point + n, -1.0);
            matrix.row_begin.push_back(static_cast<std::int32_t>(matrix.value.size()));
        }
    return matrix;
}

} // namespace cg
