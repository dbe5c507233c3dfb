// Programs of a Source: text known at compile time.
#include "program_test.hpp"

#include <set>

namespace {

using namespace test;
using clutch::Entry;
using clutch::Global;
using clutch::Kernel;
using clutch::Program;
using clutch::Queue;
using clutch::Source;

inline constexpr Source good{R"CLC(
kernel void scale(global float* data, float by) { data[0] *= by; }
kernel void clear(global float* data) { data[0] = 0; }
)CLC"};

inline constexpr unsigned line_before_bad = __LINE__;
inline constexpr Source bad{R"CLC(kernel void scale(global float* data, float by) {)CLC"};
inline constexpr unsigned line_after_bad = __LINE__;

inline constexpr Source untouched{"kernel void nothing(global float* data) {}"};
inline constexpr Source mended{"kernel void scale(global float* data, float by) {}"};
inline constexpr Source many{"kernel void scale(global float* data, float by) {}"};
inline constexpr Source nameless{"kernel void scale(global float* data, float by) {", "", 0};
inline constexpr Source elsewhere{"kernel void scale(global float* data, float by) {", "some/file.cl", 12};

template <const Source& source>
inline constexpr Kernel<Entry<source, "scale">, Global<float>, float> scale_of{};

TEST_CASE("a Source knows its text and its place")
{
    CHECK(bad.text() == "kernel void scale(global float* data, float by) {");
    CHECK(std::string{bad.file()} == __FILE__);
    CHECK(bad.line() > line_before_bad);
    CHECK(bad.line() < line_after_bad);
}

TEST_CASE("the program of a Source is the same for every call")
{
    const Program program = clutch::program<good>();
    CHECK(program);
    CHECK(program == clutch::program<good>());
    CHECK(program != clutch::program<bad>());
    CHECK(scale_of<good>.program() == program);
}

TEST_CASE("asking for the program of a Source does not use the heap")
{
    CHECK(allocations([] { static_cast<void>(clutch::program<good>()); }) == 0);
}

TEST_CASE("the program of a Source has one generation as long as its text stays")
{
    const std::uint64_t generation = clutch::program<untouched>().generation();
    CHECK(generation != 0);
    CHECK(clutch::program<untouched>().generation() == generation);
    CHECK(clutch::program<good>().generation() != generation);
}

TEST_CASE("the generations of a Source asked for by threads at once are one")
{
    static constexpr Source asked{"kernel void f() {}"};
    std::array<std::uint64_t, 8> seen{};
    in_threads(8, [&](int i) { seen[static_cast<std::size_t>(i)] = clutch::program<asked>().generation(); });
    for (std::uint64_t generation : seen)
        CHECK(generation == seen[0]);
}

TEST_CASE("the program of a Source and its kernels at compile time share what is built")
{
    const LaunchBench bench;
    clutch::program<good>().build(bench.queue);
    CHECK(builds([&] {
              scale_of<good>(bench.queue, {1}, bench.data, 2.0f);
              Scale{clutch::program<good>(), "scale"}(bench.queue, {1}, bench.data, 2.0f);
              Clear{clutch::program<good>(), "clear"}(bench.queue, {1}, bench.data);
          }) == 0);
}

TEST_CASE("the text of a Source reaches the driver as it is")
{
    const LaunchBench bench;
    CHECK(text_run_by([&] { scale_of<good>(bench.queue, {1}, bench.data, 2.0f); }) == good.text());
}

TEST_CASE("dropping handles of the program of a Source releases nothing")
{
    const LaunchBench bench;
    clutch::program<good>().build(bench.queue);
    const auto before = live();
    {
        const Program program = clutch::program<good>();
        Program copy = program;
        copy = clutch::program<bad>();
        const Scale scale{program, "scale"};
    }
    CHECK(live() == before);
    CHECK(builds([&] { clutch::program<good>().build(bench.queue); }) == 0);
}

TEST_CASE("messages name a Source by file and line")
{
    const LaunchBench bench;
    const std::string place = std::string{bad.file()} + ":" + std::to_string(bad.line());
    CHECK(holds(message([&] { scale_of<bad>(bench.queue, {1}, bench.data, 2.0f); }), "'" + place + "'"));
    CHECK(holds(message([&] { clutch::program<bad>().build(bench.queue); }), "'" + place + "'"));
    CHECK(holds(message([&] { clutch::program<elsewhere>().build(bench.queue); }), "'some/file.cl:12'"));
    CHECK(holds(message([&] { clutch::program<nameless>().build(bench.queue); }), "'source'"));
}

TEST_CASE("a kernel that a Source does not have is an Error that lists those it has")
{
    const LaunchBench bench;
    constexpr Kernel<Entry<good, "sclae">, Global<float>, float> missing{};
    const std::string text = message([&] { missing(bench.queue, {1}, bench.data, 2.0f); });
    CHECK(holds(text, "sclae: clCreateKernel: CL_INVALID_KERNEL_NAME (-46)"));
    CHECK(holds(text, std::string{good.file()} + ":" + std::to_string(good.line())));
    CHECK(holds(text, "scale"));
    CHECK(holds(text, "clear"));
}

TEST_CASE("another number of parameters than a Source's kernel has is an Error with its list")
{
    const LaunchBench bench;
    constexpr Kernel<Entry<good, "scale">, Global<float>> fewer{};
    const std::string text = message([&] { fewer(bench.queue, {1}, bench.data); });
    CHECK(holds(text, "declares 1 parameter"));
    CHECK(holds(text, "has 2: scale(global float* data, float by)"));
}

TEST_CASE("the text of a Source can be replaced")
{
    const LaunchBench bench;
    const Program program = clutch::program<mended>();
    const std::string text = "kernel void scale(global float* data, float by) { data[0] = by; }";
    const std::uint64_t generation = program.generation();
    scale_of<mended>(bench.queue, {1}, bench.data, 2.0f);
    program.replace(text);
    CHECK(program.generation() != generation);
    CHECK(text_run_by([&] { scale_of<mended>(bench.queue, {1}, bench.data, 2.0f); }) == text);
    program.replace(std::string{mended.text()});
    CHECK(text_run_by([&] { scale_of<mended>(bench.queue, {1}, bench.data, 2.0f); }) == mended.text());
}

TEST_CASE("a Source can be replaced before anything has used it")
{
    static constexpr Source fresh{"kernel void scale(global float* data, float by) {"};
    const LaunchBench bench;
    clutch::program<fresh>().replace(two_kernels);
    CHECK(text_run_by([&] { scale_of<fresh>(bench.queue, {1}, bench.data, 2.0f); }) == two_kernels);
}

TEST_CASE("ten thousand contexts that come and go keep a bounded number of objects of a Source alive")
{
    const CleanDriver clean;
    const Alive alive;
    for (int i = 0; i < 10000; ++i) {
        const Queue queue{clutch::Device::find("0:0")};
        scale_of<many>(queue, {1}, clutch::Buffer<float>{queue, 1}, 2.0f);
    }
    for (Kind kind : {Kind::context, Kind::program, Kind::kernel})
        CHECK(alive(kind) <= 33);
}

} // namespace
