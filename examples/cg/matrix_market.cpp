#include "matrix_market.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <system_error>
#include <tuple>

namespace cg {

namespace {

using Index = std::int32_t;
constexpr auto max_index = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());

std::string location(std::string_view file, std::size_t line)
{
    return std::string{file} + (line == 0 ? "" : ":" + std::to_string(line)) + ": ";
}

/// What a message shows of a word of the file: whatever is in there, it stays on one line and short.
std::string in_quotes(std::string_view word)
{
    constexpr std::size_t shown = 40;
    std::string text{word.substr(0, shown)};
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            c = '?';
    return "'" + text + (word.size() > shown ? "...'" : "'");
}

/// ASCII only, whatever the locale: the words of the header are.
std::string lower_case(std::string_view word)
{
    std::string text{word};
    for (char& c : text)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// The lines of a stream, one at a time, cut into words.
class Lines {
public:
    Lines(std::istream& stream, std::string_view name) : stream_{stream}, name_{name} {}

    /// Steps to the next line; false at the end of the file, with `number()` still at the last line.
    bool next()
    {
        stream_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        const auto read = static_cast<std::size_t>(stream_.gcount());
        if (stream_.bad())
            throw MatrixError{name_, 0, "cannot be read"};
        if (stream_.eof() && read == 0)
            return false;
        ++number_;
        if (stream_.fail())
            fail("line of more than " + std::to_string(buffer_.size() - 1) + " characters");
        rest_ = {buffer_.data(), stream_.eof() ? read : read - 1}; // the count includes the line's end
        return true;
    }

    /// Steps to the next line that is neither blank nor a comment.
    bool next_data()
    {
        while (next()) {
            rest_.remove_prefix(std::min(rest_.find_first_not_of(spaces), rest_.size()));
            if (!rest_.empty() && rest_.front() != '%')
                return true;
        }
        return false;
    }

    /// The next word of the line; empty behind the last.
    std::string_view word()
    {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(spaces), rest_.size()));
        const std::string_view result = rest_.substr(0, rest_.find_first_of(spaces));
        rest_.remove_prefix(result.size());
        return result;
    }

    /// The last line read, from 1; 0 before the first.
    std::size_t number() const noexcept { return number_; }

    [[noreturn]] void fail(std::string_view message) const
    {
        throw MatrixError{name_, std::max(number_, std::size_t{1}), message};
    }
    [[noreturn]] void fail_at(std::size_t line, std::string_view message) const
    {
        throw MatrixError{name_, line, message};
    }

private:
    static constexpr std::string_view spaces = " \t\r\v\f";

    std::istream& stream_;
    std::string name_;
    std::array<char, 4096>
        buffer_; // the format allows 1024; a bound keeps a file without line ends from filling memory
    std::string_view rest_;
    std::size_t number_ = 0;
};

/// The first line: what kind of matrix follows. True if its values are integers.
bool read_header(Lines& lines)
{
    if (!lines.next())
        lines.fail("the file is empty, not a Matrix Market file");
    if (lower_case(lines.word()) != "%%matrixmarket")
        lines.fail("not a Matrix Market file: the first line does not begin with %%MatrixMarket");

    const auto expect = [&](std::string_view what, std::initializer_list<std::string_view> accepted) {
        std::string word = lower_case(lines.word());
        if (std::find(accepted.begin(), accepted.end(), word) == accepted.end())
            lines.fail(std::string{what} + " must be '" + std::string{*accepted.begin()} + "', not " + in_quotes(word));
        return word;
    };
    expect("object", {"matrix"});
    expect("format", {"coordinate"});
    const std::string field = expect("field", {"real", "integer"});
    expect("symmetry", {"symmetric"});
    if (const std::string_view extra = lines.word(); !extra.empty())
        lines.fail("unexpected " + in_quotes(extra) + " after the header");
    return field == "integer";
}

/// A whole number from 0 up; a negative one and one of more than 64 bits are refused here, the rest by the caller.
std::uint64_t read_count(Lines& lines, const std::string& what)
{
    const std::string_view word = lines.word();
    std::uint64_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    if (word.empty())
        lines.fail(what + " is missing");
    if (error == std::errc::result_out_of_range)
        lines.fail(what + " " + in_quotes(word) + " is too large");
    if (error != std::errc{} || stop != end) {
        std::int64_t negative = 0;
        const auto again = std::from_chars(word.data(), end, negative);
        if (word.front() == '-' && again.ec != std::errc::invalid_argument && again.ptr == end)
            lines.fail(what + " " + in_quotes(word) + " is negative");
        lines.fail(what + " " + in_quotes(word) + " is not a whole number");
    }
    return number;
}

void expect_line_end(Lines& lines)
{
    if (const std::string_view extra = lines.word(); !extra.empty())
        lines.fail("unexpected " + in_quotes(extra) + " at the end of the line");
}

struct Size {
    std::uint64_t rows;
    std::uint64_t entries;
};

Size read_size(Lines& lines)
{
    if (!lines.next_data())
        lines.fail("the file ends before the size line");
    const std::uint64_t rows = read_count(lines, "number of rows");
    const std::uint64_t columns = read_count(lines, "number of columns");
    const std::uint64_t entries = read_count(lines, "number of entries");
    expect_line_end(lines);

    if (rows != columns)
        lines.fail("the matrix is not square: " + std::to_string(rows) + " x " + std::to_string(columns));
    if (rows == 0)
        lines.fail("the matrix has no rows");
    if (rows > max_index || entries > max_index)
        lines.fail("the matrix is too large: this program counts rows and entries up to " + std::to_string(max_index));
    // Besides being true of every matrix this program can solve, this bounds the rows by what the file really holds.
    if (entries < rows)
        lines.fail(std::to_string(rows) + " rows but only " + std::to_string(entries) +
                   " entries: each row needs a positive diagonal entry");
    if (entries > rows * (rows + 1) / 2)
        lines.fail(std::to_string(entries) + " entries do not fit the lower triangle of " + std::to_string(rows) +
                   " rows");
    return {rows, entries};
}

struct Entry {
    Index row;
    Index column;
    double value;
    std::size_t line;
};

Index read_index(Lines& lines, const std::string& what, std::uint64_t rows)
{
    const std::uint64_t index = read_count(lines, what);
    if (index == 0 || index > rows)
        lines.fail(what + " " + std::to_string(index) + " is out of range: 1 to " + std::to_string(rows));
    return static_cast<Index>(index - 1);
}

double read_value(Lines& lines, bool integer)
{
    const std::string_view word = lines.word();
    if (word.empty())
        lines.fail("the value is missing");
    // from_chars takes no plus sign, files have it.
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-';
    double value = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + (plus ? 1 : 0), end, value);
    if (error == std::errc::result_out_of_range)
        lines.fail("value " + in_quotes(word) + " is out of the range of double precision");
    if (error != std::errc{} || stop != end)
        lines.fail("value " + in_quotes(word) + " is not a number");
    if (!std::isfinite(value))
        lines.fail("value " + in_quotes(word) + " is not a finite number");
    if (integer && value != std::trunc(value))
        lines.fail("value " + in_quotes(word) + " is not an integer, as the header says");
    return value;
}

Entry read_entry(Lines& lines, std::uint64_t rows, bool integer)
{
    Entry entry{};
    entry.line = lines.number();
    entry.row = read_index(lines, "row", rows);
    entry.column = read_index(lines, "column", rows);
    entry.value = read_value(lines, integer);
    expect_line_end(lines);

    const auto place = [&] {
        return "(" + std::to_string(entry.row + 1) + ", " + std::to_string(entry.column + 1) + ")";
    };
    if (entry.row < entry.column)
        lines.fail("entry " + place() + " lies above the diagonal; a symmetric file holds the lower triangle only");
    if (entry.row == entry.column && entry.value <= 0)
        lines.fail("diagonal entry " + place() + " is not positive, so the matrix is not positive definite");
    return entry;
}

std::vector<Entry> read_entries(Lines& lines, Size size, bool integer)
{
    std::vector<Entry> entries;
    while (lines.next_data()) {
        if (entries.size() == size.entries)
            lines.fail("more entries than the " + std::to_string(size.entries) + " that the size line announces");
        entries.push_back(read_entry(lines, size.rows, integer));
    }
    if (entries.size() < size.entries)
        lines.fail("the file ends after " + std::to_string(entries.size()) + " of " + std::to_string(size.entries) +
                   " entries");
    return entries;
}

/// Sorts by row, then column; each entry stands once and none of the diagonal is missing.
void sort_and_check(std::vector<Entry>& entries, std::uint64_t rows, const Lines& lines)
{
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.row, a.column, a.line) < std::tie(b.row, b.column, b.line);
    });
    const auto twice = std::adjacent_find(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.row == b.row && a.column == b.column;
    });
    if (twice != entries.end())
        lines.fail_at(twice[1].line, "entry (" + std::to_string(twice->row + 1) + ", " +
                                         std::to_string(twice->column + 1) + ") was given on line " +
                                         std::to_string(twice->line) + " already");

    std::uint64_t row = 0;
    for (const Entry& entry : entries)
        if (entry.row == entry.column && static_cast<std::uint64_t>(entry.row) == row)
            ++row;
    if (row != rows)
        lines.fail("the file ends without a diagonal entry for row " + std::to_string(row + 1));
}

CsrMatrix mirror(const std::vector<Entry>& lower, std::size_t rows, const Lines& lines)
{
    // Number the entries of each row, one place up; the running sum then is where each row begins.
    std::vector<std::uint64_t> begin(rows + 1, 0);
    for (const Entry& entry : lower) {
        ++begin[static_cast<std::size_t>(entry.row) + 1];
        if (entry.row != entry.column)
            ++begin[static_cast<std::size_t>(entry.column) + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    if (begin.back() > max_index)
        lines.fail("the matrix is too large: " + std::to_string(begin.back()) + " entries in both triangles");

    CsrMatrix matrix;
    matrix.row_begin.assign(begin.begin(), begin.end());
    matrix.column.resize(begin.back());
    matrix.value.resize(begin.back());
    const auto place = [&](Index row, Index column, double value) {
        const auto at = static_cast<std::size_t>(begin[static_cast<std::size_t>(row)]++);
        matrix.column[at] = column;
        matrix.value[at] = value;
    };
    // Both passes meet the columns of a row in rising order, and all of the lower triangle before the upper.
    for (const Entry& entry : lower)
        place(entry.row, entry.column, entry.value);
    for (const Entry& entry : lower)
        if (entry.row != entry.column)
            place(entry.column, entry.row, entry.value);
    return matrix;
}

} // namespace

MatrixError::MatrixError(std::string_view file, std::size_t line, std::string_view message)
    : std::runtime_error{location(file, line) + std::string{message}}, line_{line}
{}

CsrMatrix read_matrix_market(const std::filesystem::path& file)
{
    // Opening a directory succeeds on some systems, and only reading it fails.
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        throw MatrixError{file.string(), 0, std::make_error_code(std::errc::is_a_directory).message()};
    errno = 0;
    std::ifstream stream{file, std::ios::binary};
    if (!stream)
        throw MatrixError{file.string(), 0, errno == 0 ? "cannot be opened" : std::generic_category().message(errno)};
    return read_matrix_market(stream, file.string());
}

CsrMatrix read_matrix_market(std::istream& stream, std::string_view name)
{
    Lines lines{stream, name};
    const bool integer = read_header(lines);
    const Size size = read_size(lines);
    std::vector<Entry> entries = read_entries(lines, size, integer);
    sort_and_check(entries, size.rows, lines);
    return mirror(entries, size.rows, lines);
}

} // namespace cg
