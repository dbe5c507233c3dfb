// What reaches the driver as an argument: the parameter's type decides, the argument only gives the value.
#include "../support/driver_test.hpp"

#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace test;
using clutch::Global;
using clutch::Kernel;
using clutch::Local;

clutch::Program program(const std::string& parameters)
{
    return clutch::Program::from_source("struct S { int x; }; kernel void k(" + parameters + ") {}");
}

/// Launches a kernel of one parameter and returns the record of its clSetKernelArg.
template <class P, class A>
clutch_test::Record sent(const std::string& parameter, const A& argument)
{
    auto& driver = clutch_test::driver();
    const clutch::Queue queue = clutch::default_queue();
    const Kernel<P> k{program(parameter), "k"};
    driver.reset();
    driver.record(true);
    k(queue, {1}, argument);
    driver.record(false);
    const auto records = driver.records_of(Call::clSetKernelArg);
    REQUIRE(records.size() == 1);
    return *records[0];
}

/// What a launch of a kernel of one parameter throws, and that it neither set nor enqueued anything.
template <class P, class A>
std::string refused(const std::string& parameter, const A& argument, int expected_code)
{
    auto& driver = clutch_test::driver();
    const clutch::Queue queue = clutch::default_queue();
    const Kernel<P> k{program(parameter), "k"};
    driver.reset();
    CHECK(code([&] { k(queue, {1}, argument); }) == expected_code);
    CHECK(k.try_launch(queue, {1}, argument) == std::error_code(expected_code, clutch::opencl_category()));
    CHECK(driver.count(Call::clSetKernelArg) == 0);
    CHECK(driver.count(Call::clEnqueueNDRangeKernel) == 0);
    return message([&] { k(queue, {1}, argument); });
}

#define CHECK_CONTAINS(text, part)                                                                                     \
    do {                                                                                                               \
        const std::string whole = (text);                                                                              \
        INFO(whole);                                                                                                   \
        CHECK(whole.find(part) != std::string::npos);                                                                  \
    } while (false)

struct Padded {
    char tag;
    double value;
    char tail;
};

} // namespace

TEST_CASE("A double given for a float parameter goes out as four bytes of float")
{
    const CleanDriver clean;
    const auto record = sent<float>("float a", 3.14);
    CHECK(record.size == sizeof(float));
    CHECK(record.value_as<float>() == 3.14f);
}

TEST_CASE("An integer given for a floating parameter goes out as that type")
{
    const CleanDriver clean;
    CHECK(sent<float>("float a", 3).value_as<float>() == 3.0f);
    CHECK(sent<double>("double a", -7L).value_as<double>() == -7.0);
    CHECK(sent<double>("double a", 2.5f).value_as<double>() == 2.5);
}

TEST_CASE("A size_t given for an int parameter goes out as four bytes")
{
    const CleanDriver clean;
    const std::size_t n = 1234567;
    const auto record = sent<cl_int>("int a", n);
    CHECK(record.size == sizeof(cl_int));
    CHECK(record.value_as<cl_int>() == 1234567);
}

TEST_CASE("An integer at the edge of a narrower parameter goes out")
{
    const CleanDriver clean;
    CHECK(sent<cl_uchar>("uchar a", 255).value_as<cl_uchar>() == 255);
    CHECK(sent<cl_char>("char a", -128).value_as<cl_char>() == -128);
    CHECK(sent<cl_uint>("uint a", 4294967295LL).value_as<cl_uint>() == 4294967295u);
    CHECK(sent<cl_int>("int a", std::size_t{2147483647}).value_as<cl_int>() == 2147483647);
    CHECK(sent<cl_ulong>("ulong a", 0).value_as<cl_ulong>() == 0u);
    CHECK(sent<cl_long>("long a", cl_ulong{9223372036854775807u}).value_as<cl_long>() ==
          std::numeric_limits<cl_long>::max());
    CHECK(sent<cl_int>("int a", 'a').value_as<cl_int>() == 'a');
}

TEST_CASE("An integer that a narrower parameter cannot hold stops the launch and is named with the limits")
{
    const CleanDriver clean;
    CHECK_CONTAINS(refused<cl_uchar>("uchar a", 256, CL_INVALID_ARG_VALUE),
                   "k: argument 0 'a': CL_INVALID_ARG_VALUE (-50): 256 is not within 0 to 255");
    CHECK_CONTAINS(refused<cl_char>("char a", -129, CL_INVALID_ARG_VALUE), "-129 is not within -128 to 127");
    CHECK_CONTAINS(refused<cl_uint>("uint a", -1, CL_INVALID_ARG_VALUE), "-1 is not within 0 to 4294967295");
    CHECK_CONTAINS(refused<cl_int>("int a", 2147483648u, CL_INVALID_ARG_VALUE), "2147483648 is not within");
    CHECK_CONTAINS(refused<cl_int>("int a", std::size_t{1} << 32, CL_INVALID_ARG_VALUE), "4294967296");
    CHECK_CONTAINS(refused<cl_ulong>("ulong a", -1, CL_INVALID_ARG_VALUE),
                   "-1 is not within 0 to 18446744073709551615");
    CHECK_CONTAINS(refused<cl_long>("long a", std::numeric_limits<cl_ulong>::max(), CL_INVALID_ARG_VALUE),
                   "18446744073709551615 is not within");
}

TEST_CASE("An enumerator goes out as the parameter's type, or is refused like the number it stands for")
{
    const CleanDriver clean;
    enum Colour { red = 3, far = 300 };
    CHECK(sent<cl_uchar>("uchar a", red).value_as<cl_uchar>() == 3);
    CHECK(sent<cl_int>("int a", far).value_as<cl_int>() == 300);
    CHECK_CONTAINS(refused<cl_uchar>("uchar a", far, CL_INVALID_ARG_VALUE), "300 is not within 0 to 255");
}

TEST_CASE("A struct goes out whole, tail padding included")
{
    const CleanDriver clean;
    const Padded given{'t', 2.5, 'e'};
    const auto record = sent<Padded>("struct S a", given);
    CHECK(record.size == sizeof(Padded));
    const auto received = record.value_as<Padded>();
    CHECK((received.tag == 't' && received.value == 2.5 && received.tail == 'e'));
}

TEST_CASE("A three-component vector goes out as sixteen bytes")
{
    const CleanDriver clean;
    CHECK(sent<cl_float3>("float3 a", cl_float3{{1, 2, 3, 0}}).size == 16);
}

TEST_CASE("Memory goes out as its handle, null as a null handle")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> buffer{queue, 4};
    const auto record = sent<Global<float>>("global float* a", buffer);
    CHECK(record.size == sizeof(cl_mem));
    CHECK_FALSE(record.null_value);
    CHECK(record.value_as<cl_mem>() == buffer.get());
    CHECK(sent<Global<float>>("global float* a", nullptr).value_as<cl_mem>() == nullptr);
    CHECK(sent<Global<float>>("global float* a", clutch::Buffer<float>{}).value_as<cl_mem>() == nullptr);
}

TEST_CASE("Local memory goes out as its size in bytes with no value")
{
    const CleanDriver clean;
    const auto record = sent<Local<double>>("local double* a", clutch::local<double>(33));
    CHECK(record.null_value);
    CHECK(record.size == 33 * sizeof(double));
}

TEST_CASE("Local memory of no elements or of a negative count stops the launch")
{
    const CleanDriver clean;
    CHECK_CONTAINS(refused<Local<float>>("local float* a", clutch::local<float>(0), CL_INVALID_ARG_SIZE),
                   "argument 0 'a': CL_INVALID_ARG_SIZE (-51): local memory of 0 elements");
    CHECK_CONTAINS(refused<Local<float>>("local float* a", clutch::local<float>(-1), CL_INVALID_ARG_SIZE),
                   "local memory of -1 elements");
    CHECK_CONTAINS(
        refused<Local<float>>("local float* a", clutch::local<float>(std::size_t{1} << 62), CL_INVALID_ARG_SIZE),
        "local memory of 4611686018427387904 elements");
}

TEST_CASE("A size that the kernel does not have names the argument, both sizes and the declaration")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const Kernel<Global<float>, cl_int, double> k{program("global float* y, int n, float a"), "k"};
    const clutch::Buffer<float> y{queue, 4};
    CHECK_CONTAINS(
        message([&] { k(queue, {1}, y, 1, 2.0); }),
        "k: argument 2 'a': clSetKernelArg: CL_INVALID_ARG_SIZE (-51): 8 bytes given, 4 expected; the kernel "
        "declares 'float a'");
    CHECK(clean.driver().count(Call::clEnqueueNDRangeKernel) == 0);
}

TEST_CASE("A memory object that is none any more names the argument")
{
    CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    cl_mem dead = nullptr;
    {
        const clutch::Buffer<float> gone{queue, 4};
        dead = gone.get();
    }
    const Kernel<Global<float>> k{program("global float* y"), "k"};
    CHECK_CONTAINS(message([&] { k(queue, {1}, dead); }),
                   "k: argument 0 'y': clSetKernelArg: CL_INVALID_MEM_OBJECT (-38)");
    clean.driver().forgive(); // the dead handle was given on purpose
}

TEST_CASE("A temporary lives as long as the launch needs it and nothing keeps it after")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const Kernel<Global<float>, float> k{program("global float* y, float a"), "k"};
    const auto before = clean.driver().live(Kind::memory);
    for (int i = 0; i < 100; ++i)
        k(queue, {1}, clutch::Buffer<float>{queue, 4}, 1.0f + static_cast<float>(i));
    CHECK(clean.driver().live(Kind::memory) == before);
}

TEST_CASE("Every value a launch uses is read from that call")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const Kernel<cl_int, float> k{program("int n, float a"), "k"};
    driver.record(true);
    for (int i = 0; i < 50; ++i)
        k(queue, {i + 1}, i, 0.5f * static_cast<float>(i));
    driver.record(false);
    const auto enqueues = driver.records_of(Call::clEnqueueNDRangeKernel);
    REQUIRE(enqueues.size() == 50);
    for (int i = 0; i < 50; ++i) {
        const auto& enqueue = *enqueues[static_cast<std::size_t>(i)];
        CHECK(enqueue.global[0] == static_cast<std::size_t>(i) + 1);
        CHECK(enqueue.arguments[0].as<cl_int>() == i);
        CHECK(enqueue.arguments[1].as<float>() == 0.5f * static_cast<float>(i));
    }
}

TEST_CASE("No set-call is skipped because a handle looks the same")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    driver.reuse_addresses(true);
    const clutch::Queue queue = clutch::default_queue();
    const Kernel<Global<float>> k{program("global float* y"), "k"};
    std::vector<cl_mem> handles;
    driver.reset();
    for (int i = 0; i < 3; ++i) {
        const clutch::Buffer<float> buffer{queue, 4};
        handles.push_back(buffer.get());
        k(queue, {1}, buffer);
        k(queue, {1}, buffer);
    }
    CHECK(handles[0] == handles[1]); // the driver did hand out the same address, so the test is one
    CHECK(driver.count(Call::clSetKernelArg) == 6);
}

TEST_CASE("A kernel keeps no argument alive")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> buffer{queue, 4};
    const Kernel<Global<float>> k{program("global float* y"), "k"};
    const auto before = clean.driver().references(buffer.get());
    for (int i = 0; i < 10; ++i)
        k(queue, {1}, buffer);
    const auto after = clean.driver().references(buffer.get());
    CHECK(after.user == before.user);
    CHECK(after.internal == before.internal);
}
