// What the Matrix Market reader makes of good files, and what it says of bad ones.
#include "catch.hpp"

#include "csr_matrix.hpp"
#include "matrix_market.hpp"

#include <clocale>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace {

const std::string header = "%%MatrixMarket matrix coordinate real symmetric\n";

cg::CsrMatrix read(const std::string& text)
{
    std::istringstream stream{text};
    return cg::read_matrix_market(stream, "f.mtx");
}

/// The message of the error that reading `text` ends in; none if it ends in none.
std::string error(const std::string& text)
{
    try {
        read(text);
    } catch (const cg::MatrixError& error) {
        return error.what();
    }
    return {};
}

void check_laplace_1d(const cg::CsrMatrix& matrix)
{
    CHECK(matrix.rows() == 3);
    CHECK(matrix.nonzeros() == 7);
    CHECK(matrix.row_begin == std::vector<std::int32_t>{0, 2, 5, 7});
    CHECK(matrix.column == std::vector<std::int32_t>{0, 1, 0, 1, 2, 1, 2});
    CHECK(matrix.value == std::vector<double>{2, -1, -1, 2.5, -1, -1, 3});
    CHECK(matrix.diagonal() == std::vector<double>{2, 2.5, 3});
}

} // namespace

TEST_CASE("A symmetric file gives both triangles, each row by rising column", "[matrix market]")
{
    check_laplace_1d(read(header + "3 3 5\n1 1 2\n2 1 -1\n2 2 2.5\n3 2 -1\n3 3 3\n"));
    check_laplace_1d(read(header + "3 3 5\n3 3 3\n2 2 2.5\n3 2 -1\n1 1 2\n2 1 -1\n")); // in any order
}

TEST_CASE("Comments, blank lines, odd spaces and case, CR LF and a missing last line end are read", "[matrix market]")
{
    check_laplace_1d(read("%%matrixmarket MATRIX Coordinate ReAl  symmetric \n%\n% a comment\n\n  \t\n  % another\n"
                          "  3\t3   5  \n\n1 1 2\n 2 1 -1\n% in between\n2 2 2.5\n\t3 2 -1\n3 3 3\n\n"));
    check_laplace_1d(read("%%MatrixMarket matrix coordinate real symmetric\r\n% c\r\n\r\n3 3 5\r\n1 1 2\r\n2 1 -1\r\n"
                          "2 2 2.5\r\n3 2 -1\r\n3 3 3\r\n"));
    check_laplace_1d(read(header + "3 3 5\n1 1 2\n2 1 -1\n2 2 2.5\n3 2 -1\n3 3 3"));
}

TEST_CASE("Values are read in every usual form, in whatever locale", "[matrix market]")
{
    const char* const before = std::setlocale(LC_NUMERIC, nullptr);
    const std::string restore = before == nullptr ? "C" : before;
    std::setlocale(LC_NUMERIC, "de_DE.UTF-8"); // where there is such a locale
    const cg::CsrMatrix matrix = read(header + "3 3 5\n1 1 +2.0E+00\n2 1 -.1e1\n2 2 250e-2\n3 2 -1.\n3 3 3.0e0\n");
    std::setlocale(LC_NUMERIC, restore.c_str());
    check_laplace_1d(matrix);
}

TEST_CASE("A file of integers is read as real", "[matrix market]")
{
    const std::string integers = "%%MatrixMarket matrix coordinate integer symmetric\n1 1 1\n";
    CHECK(read(integers + "1 1 7\n").value == std::vector<double>{7});
    CHECK(error(integers + "1 1 7.5\n") == "f.mtx:3: value '7.5' is not an integer, as the header says");
}

TEST_CASE("A file that is not a Matrix Market file of the right kind is refused at its first line", "[matrix market]")
{
    const std::string none = "f.mtx:1: not a Matrix Market file: the first line does not begin with %%MatrixMarket";
    CHECK(error("") == "f.mtx:1: the file is empty, not a Matrix Market file");
    CHECK(error("\n" + header) == none);
    CHECK(error("hello\n") == none);
    CHECK(error("%MatrixMarket matrix coordinate real symmetric\n") == none);
    CHECK(error(std::string("\x7f"
                            "ELF\0\1\2",
                            7)) == none);
    CHECK(error("%%MatrixMarket\n") == "f.mtx:1: object must be 'matrix', not ''");
    CHECK(error("%%MatrixMarket vector coordinate real symmetric\n") ==
          "f.mtx:1: object must be 'matrix', not 'vector'");
    CHECK(error("%%MatrixMarket matrix array real symmetric\n") == "f.mtx:1: format must be 'coordinate', not 'array'");
    for (const std::string field : {"complex", "pattern"})
        CHECK(error("%%MatrixMarket matrix coordinate " + field + " symmetric\n") ==
              "f.mtx:1: field must be 'real', not '" + field + "'");
    for (const std::string symmetry : {"general", "skew-symmetric", "hermitian"})
        CHECK(error("%%MatrixMarket matrix coordinate real " + symmetry + "\n") ==
              "f.mtx:1: symmetry must be 'symmetric', not '" + symmetry + "'");
    CHECK(error("%%MatrixMarket matrix coordinate real symmetric indeed\n") ==
          "f.mtx:1: unexpected 'indeed' after the header");
}

TEST_CASE("A bad size line is refused", "[matrix market]")
{
    const auto size_error = [](const std::string& line) { return error(header + "% c\n" + line + "\n"); };
    CHECK(error(header) == "f.mtx:1: the file ends before the size line");
    CHECK(error(header + "% c\n\n") == "f.mtx:3: the file ends before the size line");
    CHECK(size_error("3") == "f.mtx:3: number of columns is missing");
    CHECK(size_error("3 3") == "f.mtx:3: number of entries is missing");
    CHECK(size_error("3 3 5 1") == "f.mtx:3: unexpected '1' at the end of the line");
    CHECK(size_error("3 x 5") == "f.mtx:3: number of columns 'x' is not a whole number");
    CHECK(size_error("3.0 3 5") == "f.mtx:3: number of rows '3.0' is not a whole number");
    CHECK(size_error("-3 3 5") == "f.mtx:3: number of rows '-3' is negative");
    CHECK(size_error("3 4 5") == "f.mtx:3: the matrix is not square: 3 x 4");
    CHECK(size_error("0 0 0") == "f.mtx:3: the matrix has no rows");
    CHECK(size_error("3 3 7") == "f.mtx:3: 7 entries do not fit the lower triangle of 3 rows");
    CHECK(size_error("3 3 2") == "f.mtx:3: 3 rows but only 2 entries: each row needs a positive diagonal entry");
}

TEST_CASE("A size line cannot make the reader allocate what the file does not hold", "[matrix market]")
{
    const auto size_error = [](const std::string& line) { return error(header + line + "\n1 1 1\n"); };
    const std::string too_large =
        "f.mtx:2: the matrix is too large: this program counts rows and entries up to 2147483647";
    CHECK(size_error("2147483647 2147483647 2147483647") == "f.mtx:3: the file ends after 1 of 2147483647 entries");
    CHECK(size_error("2147483648 2147483648 2147483648") == too_large);
    CHECK(size_error("100000 100000 3000000000") == too_large);
    CHECK(size_error("18446744073709551615 18446744073709551615 1") == too_large);
    CHECK(size_error("18446744073709551616 1 1") == "f.mtx:2: number of rows '18446744073709551616' is too large");
    CHECK(size_error("-99999999999999999999 1 1") == "f.mtx:2: number of rows '-99999999999999999999' is negative");
}

TEST_CASE("A wrong number of entries is refused, at the end of the file or at the first one too many",
          "[matrix market]")
{
    CHECK(error(header + "2 2 3\n1 1 1\n2 2 1\n") == "f.mtx:4: the file ends after 2 of 3 entries");
    CHECK(error(header + "2 2 3\n1 1 1\n2 2 1\n\n% end\n") == "f.mtx:6: the file ends after 2 of 3 entries");
    CHECK(error(header + "2 2 2\n1 1 1\n2 2 1\n\n2 1 1\n") ==
          "f.mtx:6: more entries than the 2 that the size line announces");
}

TEST_CASE("An entry out of place is refused", "[matrix market]")
{
    const auto entry_error = [](const std::string& line) {
        return error(header + "2 2 3\n1 1 1\n" + line + "\n2 2 1\n");
    };
    CHECK(entry_error("0 1 5") == "f.mtx:4: row 0 is out of range: 1 to 2");
    CHECK(entry_error("2 0 5") == "f.mtx:4: column 0 is out of range: 1 to 2");
    CHECK(entry_error("3 1 5") == "f.mtx:4: row 3 is out of range: 1 to 2");
    CHECK(entry_error("2 3 5") == "f.mtx:4: column 3 is out of range: 1 to 2");
    CHECK(entry_error("-1 1 5") == "f.mtx:4: row '-1' is negative");
    CHECK(entry_error("4294967297 1 5") == "f.mtx:4: row 4294967297 is out of range: 1 to 2");
    CHECK(entry_error("99999999999999999999 1 5") == "f.mtx:4: row '99999999999999999999' is too large");
    CHECK(entry_error("2,1,5") == "f.mtx:4: row '2,1,5' is not a whole number");
    CHECK(entry_error("1 2 5") ==
          "f.mtx:4: entry (1, 2) lies above the diagonal; a symmetric file holds the lower triangle only");
    CHECK(entry_error("1 1 5") == "f.mtx:4: entry (1, 1) was given on line 3 already");
}

TEST_CASE("A value that is no finite number is refused", "[matrix market]")
{
    const auto value_error = [](const std::string& value) {
        return error(header + "2 2 3\n1 1 1\n2 1 " + value + "\n2 2 1\n");
    };
    CHECK(value_error("") == "f.mtx:4: the value is missing");
    CHECK(value_error("one") == "f.mtx:4: value 'one' is not a number");
    CHECK(value_error("1.0x") == "f.mtx:4: value '1.0x' is not a number");
    CHECK(value_error("1,5") == "f.mtx:4: value '1,5' is not a number");
    CHECK(value_error("+-1") == "f.mtx:4: value '+-1' is not a number");
    CHECK(value_error("+") == "f.mtx:4: value '+' is not a number");
    CHECK(value_error("nan") == "f.mtx:4: value 'nan' is not a finite number");
    CHECK(value_error("-inf") == "f.mtx:4: value '-inf' is not a finite number");
    CHECK(value_error("1e999") == "f.mtx:4: value '1e999' is out of the range of double precision");
    CHECK(value_error("1 2") == "f.mtx:4: unexpected '2' at the end of the line");
    CHECK(value_error("1.23456789012345678901234567890123456789x0") ==
          "f.mtx:4: value '1.23456789012345678901234567890123456789...' is not a number");
    CHECK(value_error("\x1b[2J") == "f.mtx:4: value '?[2J' is not a number"); // nothing reaches the terminal raw
}

TEST_CASE("A diagonal that is not all there and positive is refused", "[matrix market]")
{
    const std::string why = " is not positive, so the matrix is not positive definite";
    CHECK(error(header + "2 2 2\n1 1 1\n2 2 0\n") == "f.mtx:4: diagonal entry (2, 2)" + why);
    CHECK(error(header + "2 2 2\n1 1 -4\n2 2 1\n") == "f.mtx:3: diagonal entry (1, 1)" + why);
    CHECK(error(header + "3 3 3\n1 1 1\n2 1 1\n3 3 1\n") ==
          "f.mtx:5: the file ends without a diagonal entry for row 2");
    CHECK(error(header + "2 2 2\n1 1 1\n2 1 1\n") == "f.mtx:4: the file ends without a diagonal entry for row 2");
}

TEST_CASE("A line without end does not fill memory", "[matrix market]")
{
    CHECK(error(header + std::string(1'000'000, ' ')) == "f.mtx:2: line of more than 4095 characters");
    CHECK(error(std::string(1'000'000, '\0')) == "f.mtx:1: line of more than 4095 characters");
}

TEST_CASE("A file that cannot be read is named without a line", "[matrix market]")
{
    try {
        cg::read_matrix_market(std::filesystem::path{"no/such/file.mtx"});
        FAIL("a missing file was read");
    } catch (const cg::MatrixError& error) {
        CHECK(std::string{error.what()} == "no/such/file.mtx: No such file or directory");
        CHECK(error.line() == 0);
    }
    CHECK_THROWS_AS(cg::read_matrix_market(std::filesystem::temp_directory_path()), cg::MatrixError);
}

TEST_CASE("The Poisson matrix is the 5-point stencil", "[matrix market]")
{
    const cg::CsrMatrix matrix = cg::poisson_matrix(3);
    CHECK(matrix.rows() == 9);
    CHECK(matrix.nonzeros() == 9 + 4 * 6);
    CHECK(matrix.diagonal() == std::vector<double>(9, 4.0));
    // The middle point has all four neighbours.
    CHECK(matrix.row_begin[4] == 3 + 4 + 3 + 4);
    CHECK(std::vector<std::int32_t>(matrix.column.begin() + 14, matrix.column.begin() + 19) ==
          std::vector<std::int32_t>{1, 3, 4, 5, 7});
}
