// Source and Entry: program text known at compile time, and a kernel of it.
#pragma once

#include <clutch/detail/opencl.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace clutch {

/// The text of a program in OpenCL C, known at compile time: `inline constexpr clutch::Source
/// vectors{R"CLC(...)CLC"};`. Views the literal, copies nothing. Messages name it by the file and line where it stands.
class Source {
public:
    constexpr Source(std::string_view text, const char* file = CLUTCH_FILE, unsigned line = CLUTCH_LINE) noexcept
        : text_{text}, file_{file}, line_{line}
    {}

    constexpr std::string_view text() const noexcept { return text_; }
    constexpr std::string_view file() const noexcept { return file_; }
    constexpr unsigned line() const noexcept { return line_; }

private:
    std::string_view text_;
    std::string_view file_;
    unsigned line_;
};

namespace detail {

/// A text that can be a template argument: the kernel's name.
template <std::size_t N>
struct FixedString {
    char characters[N]{};

    constexpr FixedString(const char (&text)[N]) noexcept
    {
        std::copy_n(text, N, characters);
    } // NOLINT: implicit on purpose
    constexpr std::string_view view() const noexcept { return {characters, N - 1}; }
};

/// A kernel of a program, by name. Its address stands for it as long as the program lives.
struct EntryRecord {
    std::string_view name;
};

template <FixedString name>
inline constexpr EntryRecord entry_record{name.view()};

} // namespace detail

/// Names the kernel `name` of `source`, as the first parameter of `Kernel`. `source` has static storage.
template <const Source& source, detail::FixedString name>
struct Entry {
    static_assert(!name.view().empty(), "clutch::Entry: the kernel's name is empty");
};

} // namespace clutch
