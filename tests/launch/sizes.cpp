// Work sizes: what is launched, what launches nothing, and what is an error, with both figures in the message.
#include "../support/driver_test.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace test;
using clutch::Entry;
using clutch::Kernel;
using clutch::Launch;
using clutch::NDRange;

inline constexpr clutch::Source source{R"CLC(
kernel void none() {}
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void tiled() {}
)CLC"};
constexpr Kernel<Entry<source, "none">> none{};
constexpr Kernel<Entry<source, "tiled">> tiled{};

/// The message of a launch, which must have the given code, by all three calls, and must have enqueued nothing.
std::string refused(const Launch& how, int expected_code)
{
    auto& driver = clutch_test::driver();
    const clutch::Queue queue = clutch::default_queue();
    none(queue, {1});
    driver.reset();
    CHECK(code([&] { none(queue, how); }) == expected_code);
    CHECK(code([&] { static_cast<void>(none.enqueue(queue, how)); }) == expected_code);
    CHECK(none.try_launch(queue, how) == std::error_code(expected_code, clutch::opencl_category()));
    for (const auto* record : driver.records_of(Call::clEnqueueNDRangeKernel))
        CHECK(record->result != CL_SUCCESS);
    return message([&] { none(queue, how); });
}

#define CHECK_CONTAINS(text, part)                                                                                     \
    do {                                                                                                               \
        const std::string whole = (text);                                                                              \
        INFO(whole);                                                                                                   \
        CHECK(whole.find(part) != std::string::npos);                                                                  \
    } while (false)

constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();

} // namespace

TEST_CASE("A range holds its rank and its sizes, of any integer types")
{
    CHECK(NDRange{}.rank() == 0);
    CHECK(NDRange{7}.rank() == 1);
    CHECK(NDRange{std::uint8_t{7}, 5LL}.rank() == 2);
    CHECK(NDRange{7, 5u, std::int16_t{3}}.sizes() == std::array<std::size_t, 3>{7, 5, 3});
    STATIC_REQUIRE(NDRange{4}.sizes() == std::array<std::size_t, 3>{4, 1, 1});
    CHECK(NDRange{1024, 64} != NDRange{1024});
}

TEST_CASE("round_up gives the next multiple in each dimension")
{
    CHECK(clutch::round_up(1000, 64) == 1024);
    CHECK(clutch::round_up(1024u, 64) == 1024);
    CHECK(clutch::round_up(0, 64) == 0);
    STATIC_REQUIRE(clutch::round_up(1, 2) == 2);
    CHECK(clutch::round_up(NDRange{1000, 30}, NDRange{16, 16}) == NDRange{1008, 32});
    CHECK(clutch::round_up(NDRange{5, 5, 5}, NDRange{2, 3, 4}) == NDRange{6, 6, 8});
}

TEST_CASE("round_up to nothing, of different ranks, or past the largest number is an error")
{
    CHECK(code([] { static_cast<void>(clutch::round_up(5, 0)); }) == CL_INVALID_VALUE);
    CHECK(code([] { static_cast<void>(clutch::round_up(-5, 4)); }) == CL_INVALID_VALUE);
    CHECK(code([] { static_cast<void>(clutch::round_up(largest, 2)); }) == CL_INVALID_VALUE);
    CHECK(code([] { static_cast<void>(clutch::round_up(NDRange{1}, NDRange{1, 1})); }) == CL_INVALID_VALUE);
}

TEST_CASE("A zero in any dimension launches nothing and makes no call")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    none(queue, {1});
    for (const NDRange& range :
         {NDRange{0}, NDRange{0, 5}, NDRange{5, 0}, NDRange{0, 0, 0}, NDRange{4, 0, 4}, NDRange{4, 4, 0}})
        CHECK(calls([&] {
                  none(queue, range);
                  CHECK(!none.try_launch(queue, range));
              }) == 0);
}

TEST_CASE("A zero-size launch gives an event that waits for the wait list")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> x{queue, 4};
    driver.hold_events(true);
    const std::vector<clutch::Event> after{x.fill_async(queue, 1.0f)};
    driver.reset();
    const clutch::Event event = none.enqueue(queue, {.global = {0}, .after = after});
    CHECK(driver.total() == 1);
    CHECK(driver.count(Call::clEnqueueMarkerWithWaitList) == 1);
    CHECK(driver.references(event.get()).user == 1);
    CHECK_FALSE(event.done());
    driver.complete_all();
    event.wait();
    CHECK(event.done());
}

TEST_CASE("A zero-size launch without an event still honours the wait list")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> x{queue, 4};
    const std::vector<clutch::Event> after{x.fill_async(queue, 1.0f)};
    driver.reset();
    driver.record(true);
    none(queue, {.global = {3, 0}, .after = after});
    driver.record(false);
    CHECK(driver.total() == 1);
    const auto markers = driver.records_of(Call::clEnqueueMarkerWithWaitList);
    REQUIRE(markers.size() == 1);
    CHECK(markers[0]->waits[0] == after[0].get());
    CHECK_FALSE(markers[0]->event_asked);
}

TEST_CASE("The event of a launch has one owner")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const auto before = driver.live(Kind::event);
    {
        const clutch::Event event = none.enqueue(queue, {4});
        CHECK(driver.references(event.get()).user == 1);
        CHECK(driver.live(Kind::event) == before + 1);
    }
    CHECK(driver.live(Kind::event) == before);
    none(queue, {4});
    CHECK(driver.live(Kind::event) == before);
}

TEST_CASE("An empty global size is an error")
{
    const CleanDriver clean;
    CHECK_CONTAINS(refused({.global = {}}, CL_INVALID_WORK_DIMENSION),
                   "none: CL_INVALID_WORK_DIMENSION (-53): the global size");
}

TEST_CASE("A negative size is an error that names the dimension and the number")
{
    const CleanDriver clean;
    CHECK_CONTAINS(refused({.global = {-1}}, CL_INVALID_GLOBAL_WORK_SIZE), "global size -1 in dimension 0");
    CHECK_CONTAINS(refused({.global = {4, -7}}, CL_INVALID_GLOBAL_WORK_SIZE), "global size -7 in dimension 1");
    CHECK_CONTAINS(refused({.global = {4, 4}, .local = {2, -2}}, CL_INVALID_WORK_ITEM_SIZE),
                   "local size -2 in dimension 1");
    CHECK_CONTAINS(refused({.global = {4}, .offset = {-3}}, CL_INVALID_GLOBAL_OFFSET), "offset -3 in dimension 0");
}

TEST_CASE("A zero in the local size is an error, never 'let the implementation choose'")
{
    const CleanDriver clean;
    CHECK_CONTAINS(refused({.global = {4}, .local = {0}}, CL_INVALID_WORK_ITEM_SIZE), "local size 0 in dimension 0");
    CHECK_CONTAINS(refused({.global = {4, 4}, .local = {2, 0}}, CL_INVALID_WORK_ITEM_SIZE),
                   "local size 0 in dimension 1");
    CHECK_CONTAINS(refused({.global = {0}, .local = {0}}, CL_INVALID_WORK_ITEM_SIZE), "local size 0 in dimension 0");
}

TEST_CASE("Ranks that differ are an error with both sizes")
{
    const CleanDriver clean;
    CHECK_CONTAINS(refused({.global = {64, 64}, .local = {16}}, CL_INVALID_WORK_DIMENSION),
                   "global size 64 x 64 and local size 16 differ");
    CHECK_CONTAINS(refused({.global = {64}, .local = {8, 8}}, CL_INVALID_WORK_DIMENSION), "local size 8 x 8");
    CHECK_CONTAINS(refused({.global = {64, 64}, .offset = {1}}, CL_INVALID_WORK_DIMENSION),
                   "global size 64 x 64 and offset 1 differ");
}

TEST_CASE("A product that overflows is an error, one that just fits is launched")
{
    const CleanDriver clean;
    const std::size_t half = std::size_t{1} << 32;
    CHECK_CONTAINS(refused({.global = {half, half}}, CL_INVALID_GLOBAL_WORK_SIZE), "4294967296 x 4294967296");
    CHECK_CONTAINS(refused({.global = {1 << 30, 1 << 30, 1 << 30}}, CL_INVALID_GLOBAL_WORK_SIZE), "more work-items");
    CHECK_CONTAINS(refused({.global = {4, 4}, .local = {half, half}}, CL_INVALID_WORK_GROUP_SIZE),
                   "4294967296 x 4294967296");
    const clutch::Queue queue = clutch::default_queue();
    clean.driver().reset();
    none(queue, {half, half - 1});
    none(queue, {half / 2, 2});
    none(queue, {1 << 22, 1 << 21, 1 << 20});
    CHECK(clean.driver().count(Call::clEnqueueNDRangeKernel) == 3);
}

TEST_CASE("A global size over the device's address bits is the driver's error, with the bits")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    auto traits = clean.driver().traits(queue.device().get());
    traits.address_bits = 32;
    clean.driver().set_traits(queue.device().get(), traits);
    CHECK_CONTAINS(refused({.global = {std::size_t{1} << 33}}, CL_INVALID_GLOBAL_WORK_SIZE), "8589934592");
    CHECK_CONTAINS(message([&] { none(queue, {std::size_t{1} << 33}); }), "32 bits");
}

TEST_CASE("A local size that does not divide names the dimension, both sizes and one that would fit")
{
    const CleanDriver clean;
    CHECK_CONTAINS(refused({.global = {64, 1000}, .local = {8, 16}}, CL_INVALID_WORK_GROUP_SIZE),
                   "clEnqueueNDRangeKernel: CL_INVALID_WORK_GROUP_SIZE (-54): global size 1000 in dimension 1 is not a "
                   "multiple of local size 16; round_up gives 1008");
}

TEST_CASE("A local size over the device's limit names the dimension, the size and the limit")
{
    const CleanDriver clean;
    CHECK_CONTAINS(refused({.global = {4, 4, 128}, .local = {1, 1, 128}}, CL_INVALID_WORK_ITEM_SIZE),
                   "local size 128 in dimension 2, the device's limit there is 64");
}

TEST_CASE("A work-group over the limit names its work-items and the limit")
{
    const CleanDriver clean;
    CHECK_CONTAINS(refused({.global = {64, 64}, .local = {32, 32}}, CL_INVALID_WORK_GROUP_SIZE),
                   "a work-group of 32 x 32 = 1024 work-items, the limit for this kernel on this device is 256");
}

TEST_CASE("A kernel's required work-group size is named where another is given")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    tiled(queue, {{16, 8}, {8, 4}});
    CHECK_CONTAINS(message([&] {
                       tiled(queue, {{16, 16}, {4, 4}});
                   }),
                   "local size 4 x 4, the kernel requires 8 x 4 x 1 (reqd_work_group_size)");
}

TEST_CASE("An event of a wait list that is empty, or whose command failed, is named by its place")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const clutch::Buffer<float> x{queue, 4};
    const std::vector<clutch::Event> after{x.fill_async(queue, 1.0f), clutch::Event{}};
    CHECK_CONTAINS(message([&] { none(queue, {.global = {4}, .after = after}); }),
                   "CL_INVALID_EVENT_WAIT_LIST (-57): event 1 of 2 is empty");
}

TEST_CASE("An empty queue is named")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    clutch::Queue stolen = queue;
    const clutch::Queue taker = std::move(stolen);
    none(taker, {1});
    CHECK_CONTAINS(message([&] { none(stolen, {1}); }), "CL_INVALID_COMMAND_QUEUE (-36): the queue is empty");
    none(taker, {1});
}
