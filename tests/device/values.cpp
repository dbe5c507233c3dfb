// Parameters by value: what a kernel receives is the argument, in the parameter's type.
#include "device_test.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace test;
using clutch::Global;
using clutch::Kernel;

/// What a kernel with the parameter `type a` receives for each of `given`, as that kernel stores it.
template <class P, class A>
std::vector<P> received(const std::string& type, const std::vector<A>& given, const std::string& declarations = {})
{
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source(declarations + " kernel void k(global " + type + "* out, " +
                                                      type + " a) { out[0] = a; }");
    const Kernel<Global<P>, P> k{program, "k"};
    const clutch::Buffer<P> out{queue, 1};
    std::vector<P> result;
    for (const A& value : given) {
        k(queue, {1}, out, value);
        result.push_back(first(queue, out));
    }
    return result;
}

template <class T>
void check_integer(const std::string& type)
{
    CAPTURE(type);
    const std::vector<T> values{std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T{0}, T{1}, T{85}};
    CHECK(received<T>(type, values) == values);
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
void check_floating(const std::string& type)
{
    CAPTURE(type);
    const std::vector<T> values{T(1) / T(3), T(-0.0), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(),
                                std::numeric_limits<T>::infinity()};
    CHECK(same_bytes(received<T>(type, values), values));
}

/// As `same_bytes`, for one vector whose elements are 1, 2, 3, ...
template <class V, std::size_t width>
void check_vector(const std::string& type)
{
    CAPTURE(type);
    V value{};
    for (std::size_t i = 0; i < width; ++i)
        value.s[i] = static_cast<std::remove_cvref_t<decltype(value.s[0])>>(i + 1);
    const V result = received<V>(type, std::vector<V>{value}).at(0);
    for (std::size_t i = 0; i < width; ++i) {
        CAPTURE(i);
        CHECK(result.s[i] == value.s[i]);
    }
}

struct Padded {
    cl_char tag;
    cl_long value;
    cl_char tail;
};

struct Bytes {
    cl_uchar first, second, third;
};

struct Inner {
    cl_short small;
    cl_float4 aligned;
};

struct Outer {
    cl_char tag;
    Inner inner[2];
    Padded padded;
};

struct Large {
    cl_int values[125]; // 500 bytes, half of what every device takes
};

} // namespace

TEST_CASE("Every integer type arrives whole, from its least to its greatest value")
{
    check_integer<cl_char>("char");
    check_integer<cl_uchar>("uchar");
    check_integer<cl_short>("short");
    check_integer<cl_ushort>("ushort");
    check_integer<cl_int>("int");
    check_integer<cl_uint>("uint");
    check_integer<cl_long>("long");
    check_integer<cl_ulong>("ulong");
}

TEST_CASE("A float arrives bit by bit")
{
    check_floating<cl_float>("float");
}

TEST_CASE("A double arrives bit by bit")
{
    SKIP_WITHOUT_DOUBLE(clutch::default_queue());
    check_floating<cl_double>("double");
}

TEST_CASE("A double given for a float parameter arrives as the nearest float")
{
    CHECK(received<float>("float", std::vector<double>{3.14, -1e-3, 1.0 / 3.0}) ==
          std::vector<float>{3.14f, -1e-3f, 1.0f / 3.0f});
}

TEST_CASE("An integer given for a float parameter arrives as that number")
{
    CHECK(received<float>("float", std::vector<int>{3, -7, 1 << 20}) == std::vector<float>{3.0f, -7.0f, 1048576.0f});
    CHECK(received<float>("float", std::vector<std::size_t>{12345}) == std::vector<float>{12345.0f});
}

TEST_CASE("A float or an integer given for a double parameter arrives as that number")
{
    SKIP_WITHOUT_DOUBLE(clutch::default_queue());
    CHECK(received<double>("double", std::vector<float>{2.5f}) == std::vector<double>{2.5});
    CHECK(received<double>("double", std::vector<cl_int>{-2147483647}) == std::vector<double>{-2147483647.0});
}

TEST_CASE("A wider integer given for a narrower parameter arrives as that number")
{
    CHECK(received<cl_int>("int", std::vector<std::size_t>{1234567, 2147483647}) ==
          std::vector<cl_int>{1234567, 2147483647});
    CHECK(received<cl_uchar>("uchar", std::vector<long long>{0, 255}) == std::vector<cl_uchar>{0, 255});
    CHECK(received<cl_short>("short", std::vector<long>{-32768, 32767}) == std::vector<cl_short>{-32768, 32767});
}

TEST_CASE("A narrower integer given for a wider parameter keeps its sign")
{
    CHECK(received<cl_long>("long", std::vector<signed char>{-1, -128, 127}) == std::vector<cl_long>{-1, -128, 127});
    CHECK(received<cl_int>("int", std::vector<short>{-300}) == std::vector<cl_int>{-300});
    CHECK(received<cl_ulong>("ulong", std::vector<unsigned char>{200}) == std::vector<cl_ulong>{200});
}

TEST_CASE("A signed integer that is not negative arrives in an unsigned parameter")
{
    CHECK(received<cl_uint>("uint", std::vector<int>{0, 2147483647}) == std::vector<cl_uint>{0, 2147483647u});
    CHECK(received<cl_int>("int", std::vector<unsigned>{0, 2147483647u}) == std::vector<cl_int>{0, 2147483647});
}

TEST_CASE("An unscoped enumerator arrives as its number")
{
    enum Mode { slow = 3, fast = 40 };
    CHECK(received<cl_int>("int", std::vector<Mode>{slow, fast}) == std::vector<cl_int>{3, 40});
}

TEST_CASE("A number that its parameter cannot hold stops the launch: the kernel does not run")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto program =
        clutch::Program::from_source("kernel void k(global int* out, uchar a) { out[0] += 1000 + a; }");
    const Kernel<Global<cl_int>, cl_uchar> k{program, "k"};
    const auto out = filled<cl_int>(queue, 1, 0);
    k(queue, {1}, out, 1);
    CHECK(code([&] { k(queue, {1}, out, 256); }) == CL_INVALID_ARG_VALUE);
    CHECK(code([&] { k(queue, {1}, out, -1); }) == CL_INVALID_ARG_VALUE);
    CHECK(k.try_launch(queue, {1}, out, 1 << 20) == std::error_code(CL_INVALID_ARG_VALUE, clutch::opencl_category()));
    CHECK(first(queue, out) == 1001);
    k(queue, {1}, out, 255);
    CHECK(first(queue, out) == 2256);
}

TEST_CASE("Vectors of two, four, eight and sixteen elements arrive element by element")
{
    check_vector<cl_int2, 2>("int2");
    check_vector<cl_float4, 4>("float4");
    check_vector<cl_short8, 8>("short8");
    check_vector<cl_uchar16, 16>("uchar16");
    check_vector<cl_ulong4, 4>("ulong4");
    check_vector<cl_float16, 16>("float16");
}

TEST_CASE("A vector of three elements arrives, sent as the sixteen bytes that OpenCL gives it")
{
    STATIC_REQUIRE(sizeof(cl_float3) == 16);
    check_vector<cl_float3, 3>("float3");
    check_vector<cl_int3, 3>("int3");
    check_vector<cl_uchar3, 3>("uchar3");
}

TEST_CASE("A vector of doubles arrives element by element")
{
    SKIP_WITHOUT_DOUBLE(clutch::default_queue());
    check_vector<cl_double2, 2>("double2");
    check_vector<cl_double4, 4>("double4");
}

TEST_CASE("A struct with padding arrives with every member, the last one too")
{
    const Padded given{'t', 1LL << 40, 'e'};
    const Padded result = received<Padded>("Padded", std::vector<Padded>{given},
                                           "typedef struct { char tag; long value; char tail; } Padded;")
                              .at(0);
    CHECK(result.tag == given.tag);
    CHECK(result.value == given.value);
    CHECK(result.tail == given.tail);
}

TEST_CASE("A struct of three bytes arrives whole")
{
    const Bytes result = received<Bytes>("Bytes", std::vector<Bytes>{{1, 2, 255}},
                                         "typedef struct { uchar first, second, third; } Bytes;")
                             .at(0);
    CHECK(result.first == 1);
    CHECK(result.second == 2);
    CHECK(result.third == 255);
}

TEST_CASE("Nested structs, with arrays and vectors in them, arrive with every member")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source(R"CLC(
        typedef struct { char tag; long value; char tail; } Padded;
        typedef struct { short small; float4 aligned; } Inner;
        typedef struct { char tag; Inner inner[2]; Padded padded; } Outer;
        kernel void k(global float* out, Outer a)
        {
            out[0] = a.tag;
            out[1] = a.inner[0].small;
            out[2] = a.inner[0].aligned.w;
            out[3] = a.inner[1].small;
            out[4] = a.inner[1].aligned.x;
            out[5] = a.padded.value;
            out[6] = a.padded.tail;
            out[7] = sizeof(Outer);
        })CLC");
    const Kernel<Global<float>, Outer> k{program, "k"};
    const clutch::Buffer<float> out{queue, 8};
    Outer given{};
    given.tag = 1;
    given.inner[0] = {2, {{0, 0, 0, 3}}};
    given.inner[1] = {4, {{5, 0, 0, 0}}};
    given.padded = {0, 6, 7};
    k(queue, {1}, out, given);
    CHECK(contents(queue, out) == std::vector<float>{1, 2, 3, 4, 5, 6, 7, sizeof(Outer)});
}

TEST_CASE("A struct of 500 bytes arrives whole")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source("typedef struct { int values[125]; } Large; kernel void "
                                                      "k(global int* out, Large a) { size_t i = get_global_id(0); "
                                                      "out[i] = a.values[i]; }");
    const Kernel<Global<cl_int>, Large> k{program, "k"};
    Large given{};
    std::vector<cl_int> expected;
    for (int i = 0; i < 125; ++i) {
        given.values[i] = 1000 - 3 * i;
        expected.push_back(1000 - 3 * i);
    }
    const clutch::Buffer<cl_int> out{queue, 125};
    k(queue, {125}, out, given);
    CHECK(contents(queue, out) == expected);
}

TEST_CASE("An object that converts to the parameter's struct arrives as that struct")
{
    struct Colour {
        float r, g, b;
        operator cl_float4() const { return {{r, g, b, 1.0f}}; }
    };
    const cl_float4 result = received<cl_float4>("float4", std::vector<Colour>{{0.25f, 0.5f, 0.75f}}).at(0);
    CHECK(result.s[0] == 0.25f);
    CHECK(result.s[2] == 0.75f);
    CHECK(result.s[3] == 1.0f);
}

TEST_CASE("Sixteen parameters of mixed types arrive in their order")
{
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source(R"CLC(
        kernel void k(global float* out, char a, float b, long c, uchar d, int2 e, short f, ulong g, float4 h, uint i,
                      char j, float3 l, int m, ushort n, float o, long p)
        {
            const float all[] = {a, b, c, d, e.y, f, g, h.w, i, j, l.z, m, n, o, p};
            for (int at = 0; at < 15; ++at)
                out[at] = all[at];
        })CLC");
    const Kernel<Global<float>, cl_char, float, cl_long, cl_uchar, cl_int2, cl_short, cl_ulong, cl_float4, cl_uint,
                 cl_char, cl_float3, cl_int, cl_ushort, float, cl_long>
        k{program, "k"};
    const clutch::Buffer<float> out{queue, 15};
    k(queue, {1}, out, -1, 2.5, 3, 4, cl_int2{{0, 5}}, -6, 7, cl_float4{{0, 0, 0, 8}}, 9, 10, cl_float3{{0, 0, 11, 0}},
      12, 13, 14.5f, -15);
    CHECK(contents(queue, out) == std::vector<float>{-1, 2.5f, 3, 4, 5, -6, 7, 8, 9, 10, 11, 12, 13, 14.5f, -15});
}
