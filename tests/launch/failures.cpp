// The failure path: every call that can fail does, once; each failure surfaces as itself and changes nothing for the
// next.
#include "../support/driver_test.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace test;
using clutch::Global;
using clutch::Kernel;
using clutch::Launch;

#define CHECK_CONTAINS(text, part)                                                                                     \
    do {                                                                                                               \
        const std::string whole = (text);                                                                              \
        INFO(whole);                                                                                                   \
        CHECK(whole.find(part) != std::string::npos);                                                                  \
    } while (false)

const std::string text = "kernel void k(global float* y, int n, float a) {}";
using K = Kernel<Global<float>, cl_int, float>;

} // namespace

TEST_CASE("A failed set stops the launch, and the next launch sets everything again")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> y{queue, 4};
    const K k{clutch::Program::from_source(text), "k"};
    k(queue, {1}, y, 1, 1.0f);
    for (unsigned nth = 1; nth <= 3; ++nth) {
        driver.reset();
        driver.fail(Call::clSetKernelArg, nth, CL_OUT_OF_RESOURCES);
        CHECK_CONTAINS(message([&] { k(queue, {1}, y, 2, 2.0f); }), "k: argument " + std::to_string(nth - 1) + " '" +
                                                                        std::string(1, "yna"[nth - 1]) +
                                                                        "': clSetKernelArg: CL_OUT_OF_RESOURCES (-5)");
        CHECK(driver.count(Call::clSetKernelArg) == nth);
        CHECK(driver.count(Call::clEnqueueNDRangeKernel) == 0);
        driver.reset();
        driver.record(true);
        k(queue, {1}, y, 3, 3.0f);
        driver.record(false);
        CHECK(driver.count(Call::clSetKernelArg) == 3);
        const auto enqueues = driver.records_of(Call::clEnqueueNDRangeKernel);
        REQUIRE(enqueues.size() == 1);
        CHECK(enqueues[0]->arguments[1].as<cl_int>() == 3);
        CHECK(enqueues[0]->arguments[2].as<float>() == 3.0f);
    }
}

TEST_CASE("A failed enqueue is an error, gives no event, and the next launch runs")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> y{queue, 4};
    const K k{clutch::Program::from_source(text), "k"};
    k(queue, {1}, y, 1, 1.0f);
    const auto before = live();
    driver.fail(Call::clEnqueueNDRangeKernel, 1, CL_OUT_OF_HOST_MEMORY);
    CHECK_CONTAINS(message([&] { static_cast<void>(k.enqueue(queue, {1}, y, 1, 1.0f)); }),
                   "k: clEnqueueNDRangeKernel: CL_OUT_OF_HOST_MEMORY (-6)");
    CHECK(live() == before);
    driver.reset();
    k(queue, {1}, y, 1, 1.0f);
    CHECK(driver.total() == 4);
}

TEST_CASE("try_launch returns each code, and success as no error")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> y{queue, 4};
    const K k{clutch::Program::from_source(text), "k"};
    static_assert(noexcept(k.try_launch(queue, {1}, y, 1, 1.0f)));
    CHECK_FALSE(k.try_launch(queue, {1}, y, 1, 1.0f));
    driver.fail(Call::clSetKernelArg, 2, CL_INVALID_ARG_SIZE);
    CHECK(k.try_launch(queue, {1}, y, 1, 1.0f).value() == CL_INVALID_ARG_SIZE);
    driver.fail(Call::clEnqueueNDRangeKernel, 1, CL_OUT_OF_RESOURCES);
    const std::error_code code = k.try_launch(queue, {1}, y, 1, 1.0f);
    CHECK(code.value() == CL_OUT_OF_RESOURCES);
    CHECK(code.category() == clutch::opencl_category());
    CHECK(code.message() == "CL_OUT_OF_RESOURCES (-5)");

    const K missing{clutch::Program::from_source(text), "nope"};
    CHECK(missing.try_launch(queue, {1}, y, 1, 1.0f).value() == CL_INVALID_KERNEL_NAME);
    const K broken{clutch::Program::from_source("#error no"), "k"};
    CHECK(broken.try_launch(queue, {1}, y, 1, 1.0f).value() == CL_BUILD_PROGRAM_FAILURE);
    const Kernel<cl_int> too_few{clutch::Program::from_source(text), "k"};
    CHECK(too_few.try_launch(queue, {1}, 1).value() == CL_INVALID_KERNEL_ARGS);
}

TEST_CASE(
    "Every call of a first launch may fail: the code and the call surface, nothing is left, the next launch works")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> y{queue, 4};
    const auto before = live();

    driver.reset();
    driver.record(true);
    K{clutch::Program::from_source(text), "k"}(queue, {1}, y, 1, 1.0f);
    driver.record(false);
    std::vector<Call> made;
    for (const auto& record : driver.records())
        if (std::string_view{name(record.call)}.find("Release") == std::string_view::npos)
            made.push_back(record.call);
    REQUIRE(made.size() >= 8); // create, build, create, query, three sets, one enqueue

    for (std::size_t i = 0; i < made.size(); ++i) {
        const auto nth =
            static_cast<unsigned>(std::count(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(i), made[i])) + 1;
        CAPTURE(name(made[i]), nth);
        const K k{clutch::Program::from_source(text), "k"};
        driver.fail(made[i], nth, CL_OUT_OF_HOST_MEMORY);
        std::string what;
        CHECK(code([&] {
                  try {
                      k(queue, {1}, y, 1, 1.0f);
                  } catch (const clutch::Error& error) {
                      what = error.what();
                      throw;
                  }
              }) == CL_OUT_OF_HOST_MEMORY);
        CHECK_CONTAINS(what, std::string{name(made[i])} + ": CL_OUT_OF_HOST_MEMORY (-6)");
        driver.clear_failures();
        driver.reset();
        k(queue, {1}, y, 1, 1.0f);
        CHECK(driver.count(Call::clEnqueueNDRangeKernel) == 1);
        driver.fail(made[i], nth, CL_OUT_OF_HOST_MEMORY);
        const K second{clutch::Program::from_source(text), "k"};
        CHECK(second.try_launch(queue, {1}, y, 1, 1.0f).value() == CL_OUT_OF_HOST_MEMORY);
        driver.clear_failures();
    }
    CHECK(live() == before);
}

TEST_CASE("A raw queue that the driver does not know is an error that says so")
{
    CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> y{queue, 4};
    const K k{clutch::Program::from_source(text), "k"};
    const cl_command_queue none = nullptr;
    CHECK_CONTAINS(message([&] { k(none, {1}, y, 1, 1.0f); }),
                   "k: clGetCommandQueueInfo: CL_INVALID_COMMAND_QUEUE (-36)");
    CHECK(k.try_launch(none, {1}, y, 1, 1.0f).value() == CL_INVALID_COMMAND_QUEUE);
    for (unsigned nth : {1u, 2u}) {
        clean.driver().fail(Call::clGetCommandQueueInfo, nth, CL_OUT_OF_RESOURCES);
        CHECK(code([&] { k(queue.get(), {1}, y, 1, 1.0f); }) == CL_OUT_OF_RESOURCES);
    }
    clean.driver().forgive(); // the null queue was given on purpose
}

TEST_CASE("A buffer of another context is an error that says so")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Queue other{queue.device()};
    const clutch::Buffer<float> y{other, 4};
    const K k{clutch::Program::from_source(text), "k"};
    const std::string what = message([&] { k(queue, {1}, y, 1, 1.0f); });
    CHECK_CONTAINS(what, "another context");
}
