// Parameters that are memory: whatever form the argument has, the kernel works on the memory that was meant.
#include "device_test.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace {

using namespace test;
using clutch::Constant;
using clutch::Entry;
using clutch::Global;
using clutch::Kernel;
using clutch::Local;

inline constexpr clutch::Source source{R"CLC(
typedef struct { char tag; long value; } Particle;

kernel void twice(global int* y, global const int* x)
{
    size_t i = get_global_id(0);
    y[i] = 2 * x[i];
}

kernel void look_up(global int* y, constant int* table)
{
    size_t i = get_global_id(0);
    y[i] = table[i % 4];
}

kernel void is_null(global int* y, global int* p, constant int* c)
{
    y[0] = p == 0;
    y[1] = c == 0;
}

kernel void age(global Particle* p)
{
    p[get_global_id(0)].value += p[get_global_id(0)].tag;
}

kernel void scale(global float4* v, float a)
{
    v[get_global_id(0)] *= a;
}

kernel void untyped(global void* p, global const void* q)
{
    ((global int*)p)[0] = ((global const int*)q)[0] + 1;
}

kernel void sum(global int* sums, global const int* x, local int* shared)
{
    size_t i = get_local_id(0);
    shared[i] = x[get_global_id(0)];
    for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < step)
            shared[i] += shared[i + step];
    }
    if (i == 0)
        sums[get_group_id(0)] = shared[0];
}

// Fills three local arrays that would overwrite one another if any of them were short.
kernel void three_locals(global long* out, local uchar* a, local long* b, local float4* c, int n)
{
    size_t i = get_local_id(0);
    a[i] = i;
    b[i] = 1000 + i;
    c[i] = (float4)(2000 + i);
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t other = n - 1 - i;
    out[i] = a[other] + b[other] + (long)c[other].w;
}
)CLC"};

constexpr Kernel<Entry<source, "twice">, Global<cl_int>, Global<const cl_int>> twice{};
constexpr Kernel<Entry<source, "look_up">, Global<cl_int>, Constant<cl_int>> look_up{};
constexpr Kernel<Entry<source, "is_null">, Global<cl_int>, Global<cl_int>, Constant<cl_int>> is_null{};
constexpr Kernel<Entry<source, "scale">, Global<cl_float4>, float> scale{};
constexpr Kernel<Entry<source, "untyped">, Global<void>, Global<const void>> untyped{};
constexpr Kernel<Entry<source, "sum">, Global<cl_int>, Global<const cl_int>, Local<cl_int>> sum{};
constexpr Kernel<Entry<source, "three_locals">, Global<cl_long>, Local<cl_uchar>, Local<cl_long>, Local<cl_float4>,
                 cl_int>
    three_locals{};

struct Particle {
    cl_char tag;
    cl_long value;
};
constexpr Kernel<Entry<source, "age">, Global<Particle>> age{};

std::vector<cl_int> counted(std::size_t count, cl_int from = 0)
{
    std::vector<cl_int> result(count);
    std::iota(result.begin(), result.end(), from);
    return result;
}

std::vector<cl_int> doubled(std::vector<cl_int> values)
{
    for (cl_int& value : values)
        value *= 2;
    return values;
}

struct GivesByGet {
    cl_mem memory;
    cl_mem get() const { return memory; }
};

struct GivesByCall {
    cl_mem memory;
    cl_mem operator()() const { return memory; }
};

/// A user's own class on top of a buffer.
struct Field : clutch::Buffer<cl_int> {
    using Buffer::Buffer;
};

} // namespace

TEST_CASE("A kernel reads from one buffer and writes to another")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto values = counted(1000);
    const clutch::Buffer<cl_int> x{queue, values}, y{queue, 1000};
    twice(queue, {1000}, y, x);
    CHECK(contents(queue, y) == doubled(values));
    CHECK(contents(queue, x) == values);
}

TEST_CASE("A buffer of const elements serves a parameter that only reads")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto values = counted(8);
    const clutch::Buffer<const cl_int> x{queue, values};
    const clutch::Buffer<cl_int> y{queue, 8};
    twice(queue, {8}, y, x);
    CHECK(contents(queue, y) == doubled(values));
}

TEST_CASE("A buffer serves a constant parameter")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> table{queue, counted(4, 10)}, y{queue, 6};
    look_up(queue, {6}, y, table);
    CHECK(contents(queue, y) == std::vector<cl_int>{10, 11, 12, 13, 10, 11});
}

TEST_CASE("A buffer of structs has the layout that the kernel sees")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<Particle> particles{queue, std::vector<Particle>{{1, 10}, {2, 20}, {3, 30}}};
    age(queue, {3}, particles);
    const auto result = contents(queue, particles);
    CHECK(result[0].value == 11);
    CHECK(result[1].value == 22);
    CHECK(result[2].value == 33);
    CHECK(result[2].tag == 3);
}

TEST_CASE("A buffer of vectors has the layout that the kernel sees")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_float4> v{queue, std::vector<cl_float4>{{{1, 2, 3, 4}}, {{5, 6, 7, 8}}}};
    scale(queue, {2}, v, 10);
    const auto result = contents(queue, v);
    CHECK(result[0].s[3] == 40.0f);
    CHECK(result[1].s[0] == 50.0f);
}

TEST_CASE("A void pointer takes a buffer of any type")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> p{queue, counted(1)}, q{queue, counted(1, 41)};
    untyped(queue, {1}, p, q);
    CHECK(first(queue, p) == 42);
    const clutch::Buffer<cl_char> bytes{queue, 4};
    untyped(queue, {1}, bytes, q);
    CHECK(contents(queue, bytes) == std::vector<cl_char>{42, 0, 0, 0});
}

TEST_CASE("Local memory is shared by a work-group: a sum by halving is right in each group")
{
    const clutch::Queue queue = clutch::default_queue();
    for (const std::size_t local : {1u, 2u, 16u, 64u}) {
        CAPTURE(local);
        const std::size_t groups = 5;
        const clutch::Buffer<cl_int> x{queue, counted(groups * local)}, sums{queue, groups};
        sum(queue, {{groups * local}, {local}}, sums, x, clutch::local<cl_int>(local));
        std::vector<cl_int> expected(groups);
        for (std::size_t i = 0; i < groups * local; ++i)
            expected[i / local] += static_cast<cl_int>(i);
        CHECK(contents(queue, sums) == expected);
    }
}

TEST_CASE("Local memory may have another size in each launch of one kernel")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto x = filled<cl_int>(queue, 64, 1);
    const clutch::Buffer<cl_int> sums{queue, 1};
    for (const int local : {64, 2, 32, 1}) {
        sum(queue, {{local}, {local}}, sums, x, clutch::local<cl_int>(local));
        CHECK(first(queue, sums) == local);
    }
}

TEST_CASE("Several local parameters of different types do not overlap")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_long> out{queue, 64};
    three_locals(queue, {{64}, {64}}, out, clutch::local<cl_uchar>(64), clutch::local<cl_long>(64),
                 clutch::local<cl_float4>(64), 64);
    std::vector<cl_long> expected;
    for (cl_long i = 63; i >= 0; --i)
        expected.push_back(3000 + 3 * i);
    CHECK(contents(queue, out) == expected);
}

TEST_CASE("A null pointer arrives as the null pointer, in global and in constant parameters")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> y{queue, 2}, some{queue, 2};
    is_null(queue, {1}, y, nullptr, nullptr);
    CHECK(contents(queue, y) == std::vector<cl_int>{1, 1});
    is_null(queue, {1}, y, some, some);
    CHECK(contents(queue, y) == std::vector<cl_int>{0, 0});
    is_null(queue, {1}, y, nullptr, some);
    CHECK(contents(queue, y) == std::vector<cl_int>{1, 0});
}

TEST_CASE("A buffer of no elements arrives as the null pointer")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> y{queue, 2}, sized{queue, 0}, plain;
    is_null(queue, {1}, y, sized, plain);
    CHECK(contents(queue, y) == std::vector<cl_int>{1, 1});
}

TEST_CASE("A raw cl_mem serves as memory")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto values = counted(4);
    cl_int status = CL_SUCCESS;
    const cl_mem y = clCreateBuffer(queue.context().get(), CL_MEM_READ_WRITE, 4 * sizeof(cl_int), nullptr, &status);
    REQUIRE(status == CL_SUCCESS);
    const auto owner = clutch::Buffer<cl_int>::adopt(y);
    const clutch::Buffer<cl_int> x{queue, values};
    twice(queue, {4}, y, x.get());
    CHECK(contents(queue, owner) == doubled(values));
}

TEST_CASE("A wrapper that gives a cl_mem by get() or by a call serves as memory")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto values = counted(4);
    const clutch::Buffer<cl_int> x{queue, values}, y{queue, 4};
    twice(queue, {4}, GivesByGet{y.get()}, GivesByCall{x.get()});
    CHECK(contents(queue, y) == doubled(values));
}

TEST_CASE("A unique_ptr that owns a cl_mem serves as memory")
{
    struct Release {
        void operator()(cl_mem memory) const { clReleaseMemObject(memory); }
    };
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> x{queue, counted(4)}, y{queue, 4};
    clRetainMemObject(y.get());
    const std::unique_ptr<std::remove_pointer_t<cl_mem>, Release> owner{y.get()};
    twice(queue, {4}, owner, x);
    CHECK(contents(queue, y) == doubled(counted(4)));
}

TEST_CASE("A user's class that derives from a buffer serves as one")
{
    const clutch::Queue queue = clutch::default_queue();
    const Field x{queue, counted(4)}, y{queue, 4};
    twice(queue, {4}, y, x);
    CHECK(contents(queue, y) == doubled(counted(4)));
}

TEST_CASE("A view's first element is the kernel's element zero, and nothing outside of it changes")
{
    const clutch::Queue queue = clutch::default_queue();
    const std::size_t at = queue.device().base_address_alignment() / sizeof(cl_int);
    const clutch::Buffer<cl_int> x{queue, counted(4 * at)};
    const auto y = filled<cl_int>(queue, 3 * at, -1);
    twice(queue, {at}, y.view(at, at), x.view(3 * at));
    auto expected = std::vector<cl_int>(3 * at, -1);
    const auto part = doubled(counted(at, static_cast<cl_int>(3 * at)));
    std::copy(part.begin(), part.end(), expected.begin() + static_cast<std::ptrdiff_t>(at));
    CHECK(contents(queue, y) == expected);
}

TEST_CASE("A view of a view counts from its own beginning, and keeps the memory alive without the buffer")
{
    const clutch::Queue queue = clutch::default_queue();
    const std::size_t at = queue.device().base_address_alignment() / sizeof(cl_int);
    const auto view = clutch::Buffer<cl_int>{queue, counted(4 * at)}.view(at).view(at, 2 * at);
    CHECK(view.offset() == 2 * at);
    const clutch::Buffer<cl_int> y{queue, 2 * at};
    twice(queue, {2 * at}, y, view);
    CHECK(contents(queue, y) == doubled(counted(2 * at, static_cast<cl_int>(2 * at))));
}

TEST_CASE("Copies of a buffer share its memory")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> x{queue, counted(4)}, y{queue, 4};
    const clutch::Buffer<cl_int> copy = y;
    twice(queue, {4}, copy, x);
    CHECK(contents(queue, y) == doubled(counted(4)));
}

TEST_CASE("One buffer may be given for two parameters")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> x{queue, counted(4)};
    twice(queue, {4}, x, x);
    CHECK(contents(queue, x) == doubled(counted(4)));
}

TEST_CASE("A temporary buffer lives until the launch that it was given to has run", "[all-devices]")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> y{queue, 1000};
    Gate gate{queue};
    twice(queue, {.global = {1000}, .after = gate.list()}, y, clutch::Buffer<cl_int>{queue, counted(1000)});
    const auto other = filled<cl_int>(queue, 1000, -1); // takes the place of the temporary, if that were free
    gate.open();
    CHECK(contents(queue, y) == doubled(counted(1000)));
    CHECK(first(queue, other) == -1);
}

TEST_CASE("An equal handle of another buffer is another buffer")
{
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<cl_int> y{queue, 4};
    for (cl_int i = 0; i < 100; ++i) { // freed and made anew, the buffer is often at the same address
        const clutch::Buffer<cl_int> x{queue, counted(4, i)};
        twice(queue, {4}, y, x);
        CHECK(first(queue, y) == 2 * i);
    }
}
