// Reads a symmetric matrix from a Matrix Market file, and says what is wrong with a bad one and on which line.
//
// The format: https://math.nist.gov/MatrixMarket/formats.html
#pragma once

#include "csr_matrix.hpp"

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cg {

/// `what()` reads `FILE:LINE: message`, or `FILE: message` where the file could not even be read (`line()` is then 0).
class MatrixError : public std::runtime_error {
public:
    MatrixError(std::string_view file, std::size_t line, std::string_view message);

    std::size_t line() const noexcept { return line_; }

private:
    std::size_t line_;
};

/// Reads what a solver by conjugate gradients can use: `matrix coordinate real symmetric` (or `integer`), the lower
/// triangle stored, each diagonal entry there and positive. The result holds both triangles. Comments and blank lines
/// may stand anywhere after the first line, and lines may end in CR LF. Memory grows with what the file holds, never
/// with what its size line claims.
///
/// Throws MatrixError for anything else.
CsrMatrix read_matrix_market(const std::filesystem::path& file);

/// The same from an open stream; `name` stands for the file in messages.
CsrMatrix read_matrix_market(std::istream& stream, std::string_view name);

} // namespace cg
