// Programs from files: what is read, and what is said of a file that cannot be.
#include "program_test.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace {

using namespace test;
using clutch::Program;

/// A folder of the test's own, gone with it.
class Folder {
public:
    Folder() { std::filesystem::create_directories(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::filesystem::path operator/(const char* name) const { return path_ / name; }

    std::filesystem::path write(const char* name, const std::string& text) const
    {
        std::ofstream{path_ / name, std::ios::binary} << text;
        return path_ / name;
    }

private:
    std::filesystem::path path_ =
        std::filesystem::temp_directory_path() / ("clutch files test " + std::to_string(getpid()));
};

std::error_code refusal(const std::filesystem::path& path)
{
    try {
        Program::from_file(path);
    } catch (const clutch::Error& error) {
        CHECK(holds(error.what(), "Program::from_file"));
        CHECK(holds(error.what(), path.string()));
        CHECK(holds(error.what(), error.code().message()));
        return error.code();
    }
    return {};
}

TEST_CASE("a program from a file has the file's text byte for byte")
{
    const Bench bench;
    const Folder folder;
    const std::string text = "// \xC3\xA4\r\n" + two_kernels + "\t// no newline at the end";
    const Program program = Program::from_file(folder.write("program.cl", text));
    const auto built = built_by([&] { program.build(bench.queue); });
    REQUIRE(built.size() == 1);
    CHECK(source_of(built[0]) == text);
}

TEST_CASE("a program from a file launches")
{
    const LaunchBench bench;
    const Folder folder;
    const Scale scale{Program::from_file(folder.write("program.cl", two_kernels)), "scale"};
    CHECK_NOTHROW(scale(bench.queue, {1}, bench.data, 2.0f));
}

TEST_CASE("a program from a file is named by its path or as it is told")
{
    const Bench bench;
    const Folder folder;
    const auto path = folder.write("broken.cl", "kernel void f() {");
    CHECK(holds(message([&] { Program::from_file(path).build(bench.queue); }), "'" + path.string() + "'"));
    const std::string text = message([&] { Program::from_file(path, {.name = "my program"}).build(bench.queue); });
    CHECK(holds(text, "'my program'"));
    CHECK(text.find(path.string()) == std::string::npos);
}

TEST_CASE("options of a program from a file reach the driver")
{
    const Bench bench;
    const Folder folder;
    const Program program = Program::from_file(folder.write("program.cl", two_kernels), {.options = "-DA=1"});
    const auto built = built_by([&] { program.build(bench.queue); });
    REQUIRE(built.size() == 1);
    CHECK(options_of(built[0], bench.queue.device_handle()) == "-DA=1 -cl-kernel-arg-info");
}

TEST_CASE("a file is read when the program is made")
{
    const Bench bench;
    const Folder folder;
    const auto path = folder.write("program.cl", two_kernels);
    const Program program = Program::from_file(path);
    std::filesystem::remove(path);
    const auto built = built_by([&] { program.build(bench.queue); });
    REQUIRE(built.size() == 1);
    CHECK(source_of(built[0]) == two_kernels);
}

TEST_CASE("a large file is read to its end")
{
    const Bench bench;
    const Folder folder;
    const std::string text = std::string(3000000, '\n') + two_kernels;
    const Program program = Program::from_file(folder.write("program.cl", text));
    const auto built = built_by([&] { program.build(bench.queue); });
    REQUIRE(built.size() == 1);
    CHECK((source_of(built[0]) == text)); // not printed
}

TEST_CASE("a file that is not there is an Error with the system's code")
{
    const Folder folder;
    const std::error_code code = refusal(folder / "missing.cl");
    CHECK(code == std::errc::no_such_file_or_directory);
    CHECK(code.category() == std::generic_category());
    CHECK(code.value() == ENOENT);
}

TEST_CASE("a folder is an Error with the system's code")
{
    const Folder folder;
    const std::error_code code = refusal(folder / ".");
    CHECK(code == std::errc::is_a_directory);
    CHECK(code.category() == std::generic_category());
}

TEST_CASE("a path through a file is an Error with the system's code")
{
    const Folder folder;
    folder.write("program.cl", two_kernels);
    CHECK(refusal(folder / "program.cl/more.cl") == std::errc::not_a_directory);
}

TEST_CASE("a link to itself is an Error with the system's code")
{
    const Folder folder;
    std::filesystem::create_symlink(folder / "loop.cl", folder / "loop.cl");
    CHECK(refusal(folder / "loop.cl") == std::errc::too_many_symbolic_link_levels);
}

TEST_CASE("an empty path is an Error with the system's code")
{
    CHECK(refusal("") == std::errc::no_such_file_or_directory);
}

TEST_CASE("an errno of earlier does not become the Error's")
{
    const Folder folder;
    const auto path = folder.write("program.cl", two_kernels);
    errno = EPERM;
    CHECK_FALSE(refusal(path));
    errno = EPERM;
    CHECK(refusal(folder / "missing.cl") == std::errc::no_such_file_or_directory);
}

} // namespace
