// Work sizes: what the kernel sees is what the launch says.
#include "device_test.hpp"

#include <algorithm>
#include <vector>

namespace {

using namespace test;
using clutch::Entry;
using clutch::Global;
using clutch::Kernel;
using clutch::NDRange;

inline constexpr clutch::Source source{R"CLC(
// What the work-item with the greatest ids sees.
kernel void look(global ulong* out)
{
    for (uint d = 0; d < 3; ++d)
        if (get_global_id(d) != get_global_offset(d) + get_global_size(d) - 1)
            return;
    out[0] = get_work_dim();
    for (uint d = 0; d < 3; ++d) {
        out[1 + d] = get_global_size(d);
        out[4 + d] = get_local_size(d);
        out[7 + d] = get_global_offset(d);
        out[10 + d] = get_num_groups(d);
        out[13 + d] = get_global_id(d);
    }
}

// Counts the visits of each point of a box of w x h x d.
kernel void visit(global int* count, ulong w, ulong h)
{
    size_t i = get_global_id(0) + w * (get_global_id(1) + h * get_global_id(2));
    atomic_inc(count + i);
}

kernel void number(global uint* out)
{
    size_t i = get_global_id(0);
    out[i] = 3 * i + 1;
}

kernel __attribute__((reqd_work_group_size(8, 2, 1))) void tiled(global ulong* out)
{
    out[0] = get_local_size(0);
    out[1] = get_local_size(1);
}
)CLC"};

constexpr Kernel<Entry<source, "look">, Global<cl_ulong>> look{};
constexpr Kernel<Entry<source, "visit">, Global<cl_int>, cl_ulong, cl_ulong> visit{};
constexpr Kernel<Entry<source, "number">, Global<cl_uint>> number{};
constexpr Kernel<Entry<source, "tiled">, Global<cl_ulong>> tiled{};

struct Seen {
    cl_ulong rank;
    std::vector<cl_ulong> global, local, offset, groups, last;
};

Seen seen(const clutch::Launch& launch)
{
    const clutch::Queue queue = clutch::default_queue();
    const auto out = filled<cl_ulong>(queue, 16, 99);
    look(queue, launch, out);
    const auto all = contents(queue, out);
    const auto three = [&](std::ptrdiff_t at) { return std::vector<cl_ulong>(all.begin() + at, all.begin() + at + 3); };
    return {all[0], three(1), three(4), three(7), three(10), three(13)};
}

using Three = std::vector<cl_ulong>;

} // namespace

TEST_CASE("One number in braces is a range of one dimension")
{
    const Seen result = seen({.global = {24}});
    CHECK(result.rank == 1);
    CHECK(result.global == Three{24, 1, 1});
}

TEST_CASE("Two numbers in braces are a range of two dimensions, never a global and a local size")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto out = filled<cl_ulong>(queue, 16, 99);
    look(queue, {1024, 64}, out);
    const auto all = contents(queue, out);
    CHECK(all[0] == 2);
    CHECK(all[1] == 1024);
    CHECK(all[2] == 64);
}

TEST_CASE("Three numbers in braces are a range of three dimensions")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto out = filled<cl_ulong>(queue, 16, 99);
    look(queue, {6, 5, 4}, out);
    const auto all = contents(queue, out);
    CHECK(all[0] == 3);
    CHECK(all[1] == 6);
    CHECK(all[2] == 5);
    CHECK(all[3] == 4);
}

TEST_CASE("Braces in braces are the global and the local size")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto out = filled<cl_ulong>(queue, 16, 99);
    look(queue, {{64}, {16}}, out);
    CHECK(contents(queue, out)[4] == 16);
    look(queue, {{64, 32}, {8, 4}}, out);
    CHECK(contents(queue, out)[4] == 8);
    CHECK(contents(queue, out)[5] == 4);
}

TEST_CASE("The rank that was given is the work_dim that the kernel sees, ones included")
{
    CHECK(seen({.global = {7}}).rank == 1);
    CHECK(seen({.global = {7, 1}}).rank == 2);
    CHECK(seen({.global = {7, 1, 1}}).rank == 3);
}

TEST_CASE("The kernel sees the local size in each dimension, and the groups that follow from it")
{
    const Seen one = seen({.global = {96}, .local = {32}});
    CHECK(one.local == Three{32, 1, 1});
    CHECK(one.groups == Three{3, 1, 1});
    const Seen two = seen({.global = {24, 10}, .local = {8, 5}});
    CHECK(two.local == Three{8, 5, 1});
    CHECK(two.groups == Three{3, 2, 1});
    const Seen three = seen({.global = {8, 6, 4}, .local = {4, 3, 2}});
    CHECK(three.local == Three{4, 3, 2});
    CHECK(three.groups == Three{2, 2, 2});
}

TEST_CASE("Without a local size the implementation chooses one, and every work-item runs")
{
    const Seen result = seen({.global = {60, 12}});
    for (std::size_t d = 0; d < 3; ++d) {
        CAPTURE(d);
        CHECK(result.local[d] >= 1);
        CHECK(result.local[d] * result.groups[d] >= result.global[d]);
    }
    CHECK(result.global == Three{60, 12, 1});
}

TEST_CASE("The kernel sees the offset, and its ids begin there")
{
    const Seen one = seen({.global = {10}, .offset = {100}});
    CHECK(one.offset == Three{100, 0, 0});
    CHECK(one.last == Three{109, 0, 0});
    const Seen three = seen({.global = {4, 6, 2}, .local = {2, 3, 1}, .offset = {1, 20, 300}});
    CHECK(three.offset == Three{1, 20, 300});
    CHECK(three.last == Three{4, 25, 301});
    CHECK(three.local == Three{2, 3, 1});
}

TEST_CASE("The next launch without an offset or a local size starts from nothing again")
{
    seen({.global = {10}, .local = {5}, .offset = {7}});
    const Seen result = seen({.global = {10}});
    CHECK(result.offset == Three{0, 0, 0});
    CHECK(result.last == Three{9, 0, 0});
}

TEST_CASE("Sizes of different integer types may stand in one pair of braces")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto out = filled<cl_ulong>(queue, 16, 99);
    const cl_uchar w = 8;
    const long long h = 6;
    const std::size_t d = 4;
    look(queue, {{w, h, d}, {short{4}, 3u, std::size_t{2}}}, out);
    const auto all = contents(queue, out);
    CHECK(Three(all.begin() + 1, all.begin() + 7) == Three{8, 6, 4, 4, 3, 2});
}

TEST_CASE("A range of three dimensions visits each point once")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto count = filled<cl_int>(queue, 13 * 7 * 5, 0);
    visit(queue, {13, 7, 5}, count, 13, 7);
    CHECK(contents(queue, count) == std::vector<cl_int>(13 * 7 * 5, 1));
}

TEST_CASE("An offset visits each point of the part once, and no other")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto count = filled<cl_int>(queue, 8 * 8, 0);
    visit(queue, {.global = {4, 2}, .local = {2, 2}, .offset = {3, 5}}, count, 8, 8);
    std::vector<cl_int> expected(8 * 8);
    for (std::size_t y = 5; y < 7; ++y)
        for (std::size_t x = 3; x < 7; ++x)
            expected[x + 8 * y] = 1;
    CHECK(contents(queue, count) == expected);
}

TEST_CASE("A prime number of work-items all run")
{
    const clutch::Queue queue = clutch::default_queue();
    const std::size_t n = 1'000'003;
    const clutch::Buffer<cl_uint> out{queue, n};
    number(queue, {n}, out);
    const auto result = contents(queue, out);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i)
        wrong += result[i] == 3 * i + 1 ? 0 : 1;
    CHECK(wrong == 0);
}

TEST_CASE("A range rounded up to its local size is one that the device takes")
{
    const NDRange global = clutch::round_up(NDRange{1000, 30}, NDRange{64, 4});
    const Seen result = seen({.global = global, .local = {64, 4}});
    CHECK(result.global == Three{1024, 32, 1});
}

TEST_CASE("A kernel runs in the work-group size that it requires")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_ulong> out{queue, 2};
    tiled(queue, {{16, 8}, {8, 2}}, out);
    CHECK(contents(queue, out) == std::vector<cl_ulong>{8, 2});
}

TEST_CASE("A zero in any dimension launches nothing")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto count = filled<cl_int>(queue, 64, 0);
    for (const NDRange& global : {NDRange{0}, NDRange{0, 4}, NDRange{4, 0}, NDRange{4, 4, 0}, NDRange{0, 0, 0}}) {
        visit(queue, {.global = global}, count, 4, 4);
        CHECK_FALSE(visit.try_launch(queue, {.global = global}, count, 4, 4));
        visit.enqueue(queue, {.global = global}, count, 4, 4).wait();
    }
    CHECK(contents(queue, count) == std::vector<cl_int>(64, 0));
}

TEST_CASE("A zero size leaves the next launch as it was")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto count = filled<cl_int>(queue, 4, 0);
    visit(queue, {4}, count, 4, 1);
    visit(queue, {0}, count, 4, 1);
    visit(queue, {4}, count, 4, 1);
    CHECK(contents(queue, count) == std::vector<cl_int>(4, 2));
}
