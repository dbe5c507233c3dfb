// CsrMatrix: a square sparse matrix, its entries row after row ("compressed sparse rows").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cg {

/// The entries of row `i` are number `row_begin[i]` to `row_begin[i + 1] - 1` of `column` and `value`, by rising
/// column. Indices count from 0 and have 32 bits: a product then reads 12 bytes an entry, not 16.
struct CsrMatrix {
    std::vector<std::int32_t> row_begin{0};
    std::vector<std::int32_t> column;
    std::vector<double> value;

    std::size_t rows() const noexcept { return row_begin.size() - 1; }
    std::size_t nonzeros() const noexcept { return value.size(); }

    /// The diagonal; 0 where a row has no entry there.
    std::vector<double> diagonal() const;
};

/// The largest `n` for which `poisson_matrix(n)` fits 32-bit indices.
inline constexpr std::int32_t max_poisson_grid = 20'000;

/// Minus the Laplace operator on `n` x `n` inner points of a square, 5-point differences, zero on the border; not
/// divided by the square of the spacing, which changes neither the iterations nor the solution of a test problem.
CsrMatrix poisson_matrix(std::int32_t n);

} // namespace cg
