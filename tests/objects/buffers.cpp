// Buffers: what they are made of, how elements get in and out, and which driver calls that costs.
#include "probe.hpp"

#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

namespace {

using namespace test;
using clutch::Buffer;
using clutch::Context;
using clutch::Event;
using clutch::Queue;
using clutch_test::Record;

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

std::vector<int> numbers(std::size_t count, int first = 0)
{
    std::vector<int> result(count);
    std::iota(result.begin(), result.end(), first);
    return result;
}

std::size_t bytes_of(cl_mem memory)
{
    return ask<std::size_t>(clGetMemObjectInfo, memory, CL_MEM_SIZE);
}

cl_mem_flags flags_of(cl_mem memory)
{
    return ask<cl_mem_flags>(clGetMemObjectInfo, memory, CL_MEM_FLAGS);
}

template <class T>
std::vector<std::remove_const_t<T>> contents(const Queue& queue, const clutch::BufferBase<T>& buffer)
{
    std::vector<std::remove_const_t<T>> host(buffer.size());
    buffer.read(queue, host);
    return host;
}

/// The only record of a call while `work` ran.
template <class Work>
Record record_of(Call call, Work work)
{
    clutch_test::driver().reset();
    {
        const clutch_test::Recording recording;
        work();
    }
    const auto records = clutch_test::driver().records_of(call);
    REQUIRE(records.size() == 1);
    return *records[0];
}

TEST_CASE("a buffer of a count is made in the context of what it is given")
{
    const Bench bench;
    const Context context = bench.queue.context();
    const auto made = [&](const auto& owner) {
        const Buffer<float> buffer{owner, 10};
        CHECK(buffer.size() == 10);
        CHECK_FALSE(buffer.empty());
        CHECK(bytes_of(buffer.get()) == 40);
        CHECK(ask<cl_context>(clGetMemObjectInfo, buffer.get(), CL_MEM_CONTEXT) == context.get());
        CHECK(user_references(buffer.get()) == 1);
    };
    made(bench.queue);
    made(context);
    made(bench.queue.get());
    made(context.get());
    made(GetWrapper<cl_command_queue>{bench.queue.get()});
    made(CallWrapper<cl_command_queue>{bench.queue.get()});
    made(GetWrapper<cl_context>{context.get()});
    made(CallWrapper<cl_context>{context.get()});
}

TEST_CASE("a buffer of a queue or a context is made by one call")
{
    const Bench bench;
    const Context context = bench.queue.context();
    CHECK(makes_calls({Call::clCreateBuffer, Call::clReleaseMemObject}, [&] {
        const Buffer<float> buffer{bench.queue, 10};
    }));
    CHECK(makes_calls({Call::clCreateBuffer, Call::clReleaseMemObject}, [&] {
        const Buffer<float> buffer{context, 10};
    }));
    CHECK(makes_calls({Call::clCreateBuffer, Call::clReleaseMemObject}, [&] {
        const Buffer<float> buffer{context.get(), 10};
    }));
}

TEST_CASE("a count may be of any integer type")
{
    const Bench bench;
    CHECK(Buffer<char>{bench.queue, 10}.size() == 10);
    CHECK(Buffer<char>{bench.queue, 10u}.size() == 10);
    CHECK(Buffer<char>{bench.queue, short{10}}.size() == 10);
    CHECK(Buffer<char>{bench.queue, static_cast<unsigned char>(10)}.size() == 10);
    CHECK(Buffer<char>{bench.queue, 10L}.size() == 10);
    CHECK(Buffer<char>{bench.queue, std::size_t{10}}.size() == 10);
    CHECK(Buffer<char>{bench.queue, std::ptrdiff_t{10}}.size() == 10);
    CHECK(Buffer<char>{bench.queue, cl_ulong{10}}.size() == 10);
}

TEST_CASE("a buffer of host data has its elements when it is made")
{
    const Bench bench;
    std::vector<int> vector{1, 2, 3};
    const std::vector<int> constant{1, 2, 3};
    const std::array<int, 3> array{1, 2, 3};
    const int plain[3] = {1, 2, 3};
    const std::vector<int> wanted{1, 2, 3};
    const Buffer<int> from_vector{bench.queue, vector}, from_constant{bench.queue, constant},
        from_array{bench.queue, array}, from_plain{bench.queue, plain},
        from_span{bench.queue, std::span<const int>{vector}}, from_own_span{bench.queue, std::span{vector}};
    vector.assign(3, 9);
    for (const auto& buffer : {from_vector, from_constant, from_array, from_plain, from_span, from_own_span})
        CHECK(contents(bench.queue, buffer) == wanted);
}

TEST_CASE("a buffer of host data is made by one call")
{
    const Bench bench;
    const auto host = numbers(8);
    CHECK(makes_calls({Call::clCreateBuffer, Call::clReleaseMemObject}, [&] {
        const Buffer<int> buffer{bench.queue, host};
    }));
}

TEST_CASE("a buffer's flags reach the driver")
{
    const Bench bench;
    const auto host = numbers(8);
    CHECK(flags_of(Buffer<int>{bench.queue, 8}.get()) == CL_MEM_READ_WRITE);
    CHECK(flags_of(Buffer<int>{bench.queue, 8, CL_MEM_WRITE_ONLY}.get()) == CL_MEM_WRITE_ONLY);
    CHECK(flags_of(Buffer<int>{bench.queue, host}.get()) == (CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR));
    CHECK(flags_of(Buffer<int>{bench.queue, host, CL_MEM_READ_ONLY}.get()) ==
          (CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR));
    CHECK(flags_of(Buffer<const int>{bench.queue, host}.get()) == (CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR));
}

TEST_CASE("a negative count is an Error before the driver is called")
{
    const Bench bench;
    bench.driver().reset();
    CHECK(code([&] { Buffer<float>{bench.queue, -1}; }) == CL_INVALID_BUFFER_SIZE);
    CHECK(code([&] { Buffer<float>{bench.queue, short{-7}}; }) == CL_INVALID_BUFFER_SIZE);
    CHECK(code([&] { Buffer<char>{bench.queue, std::numeric_limits<long>::min()}; }) == CL_INVALID_BUFFER_SIZE);
    CHECK(holds(message([&] { Buffer<float>{bench.queue, -1}; }), "-1 elements of 4 bytes"));
    CHECK(bench.driver().total() == 0);
}

TEST_CASE("a size in bytes that does not fit is an Error before the driver is called")
{
    const Bench bench;
    bench.driver().reset();
    CHECK(code([&] { Buffer<double>{bench.queue, huge / 8 + 1}; }) == CL_INVALID_BUFFER_SIZE);
    CHECK(code([&] { Buffer<double>{bench.queue, (std::size_t{1} << 61) + 4}; }) == CL_INVALID_BUFFER_SIZE);
    CHECK(code([&] { Buffer<char>{bench.queue, huge}; }) == CL_INVALID_BUFFER_SIZE);
    CHECK(holds(message([&] {
                    Buffer<double>{bench.queue, (std::size_t{1} << 61) + 4};
                }),
                "2305843009213693956 elements of 8 bytes"));
    CHECK(bench.driver().total() == 0);
}

TEST_CASE("a buffer that the device cannot hold is an Error with its bytes")
{
    const Bench bench;
    const std::string text = message([&] { Buffer<double>{bench.queue, std::size_t{1} << 40}; });
    CHECK(holds(text, "clCreateBuffer: CL_INVALID_BUFFER_SIZE (-61)"));
    CHECK(holds(text, "8796093022208 bytes"));
}

TEST_CASE("a buffer of no elements is empty and costs no call")
{
    const Bench bench;
    const std::vector<int> nothing;
    CHECK(calls([&] {
              for (const Buffer<int>& buffer :
                   {Buffer<int>{bench.queue, 0}, Buffer<int>{bench.queue, nothing}, Buffer<int>{}}) {
                  CHECK(buffer.size() == 0);
                  CHECK(buffer.empty());
                  CHECK(buffer.get() == nullptr);
              }
          }) == 0);
}

TEST_CASE("moving nothing in or out makes no call where it blocks")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8}, nothing;
    std::vector<int> host;
    CHECK(calls([&] {
              for (const Buffer<int>& target : {std::cref(buffer), std::cref(nothing)}) {
                  const std::size_t end = target.size();
                  target.read(bench.queue, host, end);
                  target.write(bench.queue, host, end);
                  target.fill(bench.queue, 1, end);
                  target.fill(bench.queue, 1, end, 0);
                  target.copy_from(bench.queue, nothing, 0, end);
                  target.copy_from(bench.queue, buffer, 8, end);
                  target.copy_from(bench.queue, buffer, 3, end, 0);
                  const auto mapping = target.map(bench.queue, end);
                  CHECK(mapping.size() == 0);
              }
          }) == 0);
}

TEST_CASE("moving nothing asynchronously gives an event that waits for the list")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8}, nothing;
    std::vector<int> host;
    clutch::Mapping<int> mapping;
    bench.driver().hold_events(true);
    const Event first = buffer.fill_async(bench.queue, 1);
    bench.driver().hold_events(false);
    const std::span<const Event> after{&first, 1};
    const auto waits = [&](auto work) {
        Event event;
        const Record marker = record_of(Call::clEnqueueMarkerWithWaitList, [&] { event = work(); });
        CHECK(bench.driver().total() == 1);
        CHECK(marker.wait_count == 1);
        CHECK(marker.waits[0] == first.get());
        CHECK_FALSE(event.done());
        CHECK(user_references(event.get()) == 1);
        return event;
    };
    std::vector<Event> events;
    for (const Buffer<int>& target : {std::cref(buffer), std::cref(nothing)}) {
        const std::size_t end = target.size();
        events.push_back(waits([&] { return target.read_async(bench.queue, host, end, after); }));
        events.push_back(waits([&] { return target.write_async(bench.queue, host, end, after); }));
        events.push_back(waits([&] { return target.fill_async(bench.queue, 1, end, 0, after); }));
        events.push_back(waits([&] { return target.copy_from_async(bench.queue, nothing, 0, end, 0, after); }));
        events.push_back(waits([&] { return target.map_async(bench.queue, mapping, end, 0, after); }));
    }
    bench.driver().complete(first.get());
    for (const Event& event : events)
        CHECK(event.done());
}

TEST_CASE("write and read move the elements")
{
    const Bench bench;
    const auto host = numbers(100);
    const Buffer<int> buffer{bench.queue, 100};
    buffer.write(bench.queue, host);
    CHECK(contents(bench.queue, buffer) == host);
}

TEST_CASE("write and read move a part at an offset")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(10)};
    buffer.write(bench.queue, std::array{70, 80}, 7);
    CHECK(contents(bench.queue, buffer) == std::vector{0, 1, 2, 3, 4, 5, 6, 70, 80, 9});
    buffer.write(bench.queue, std::array{90}, 9);
    std::array<int, 3> host{};
    buffer.read(bench.queue, host, 7);
    CHECK(host == std::array{70, 80, 90});
    buffer.read(bench.queue, std::span{host}.first(1), 0);
    CHECK(host == std::array{0, 80, 90});
}

TEST_CASE("a blocking read is one blocking call in bytes")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 10};
    std::array<int, 3> host{};
    const Record record = record_of(Call::clEnqueueReadBuffer, [&] { buffer.read(bench.queue, host, 5); });
    CHECK(bench.driver().total() == 1);
    CHECK(record.values[2] == CL_TRUE);
    CHECK(record.values[3] == 20);
    CHECK(record.values[4] == 12);
    CHECK(record.values[5] == reinterpret_cast<std::uintptr_t>(host.data()));
    CHECK(record.wait_count == 0);
    CHECK_FALSE(record.event_asked);
}

TEST_CASE("a blocking write is one blocking call in bytes")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 10};
    const std::array<int, 3> host{};
    const Record record = record_of(Call::clEnqueueWriteBuffer, [&] { buffer.write(bench.queue, host, 5); });
    CHECK(bench.driver().total() == 1);
    CHECK(record.values[2] == CL_TRUE);
    CHECK(record.values[3] == 20);
    CHECK(record.values[4] == 12);
    CHECK(record.values[5] == reinterpret_cast<std::uintptr_t>(host.data()));
    CHECK(record.wait_count == 0);
    CHECK_FALSE(record.event_asked);
}

TEST_CASE("fill sets the range it is given or all")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(6)};
    buffer.fill(bench.queue, -1, 2, 3);
    CHECK(contents(bench.queue, buffer) == std::vector{0, 1, -1, -1, -1, 5});
    buffer.fill(bench.queue, -2, 4);
    CHECK(contents(bench.queue, buffer) == std::vector{0, 1, -1, -1, -2, -2});
    buffer.fill(bench.queue, 7);
    CHECK(contents(bench.queue, buffer) == std::vector(6, 7));
}

TEST_CASE("fill takes patterns of up to 128 bytes")
{
    const Bench bench;
    struct Large {
        std::array<cl_ulong, 16> words;
        bool operator==(const Large&) const = default;
    };
    static_assert(sizeof(Large) == 128);
    Large large{};
    std::iota(large.words.begin(), large.words.end(), cl_ulong{5});
    const Buffer<Large> buffer{bench.queue, 3};
    buffer.fill(bench.queue, large, 1, 1);
    const auto host = contents(bench.queue, buffer);
    CHECK((host[0] == Large{} && host[1] == large && host[2] == Large{}));
}

TEST_CASE("a blocking fill or copy waits for its event and releases it")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 10}, other{bench.queue, 10};
    CHECK(makes_calls({Call::clEnqueueFillBuffer, Call::clWaitForEvents, Call::clReleaseEvent},
                      [&] { buffer.fill(bench.queue, 1, 2, 3); }));
    CHECK(makes_calls({Call::clEnqueueCopyBuffer, Call::clWaitForEvents, Call::clReleaseEvent},
                      [&] { buffer.copy_from(bench.queue, other); }));
}

TEST_CASE("a fill is one call in bytes")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 10};
    const Record record =
        record_of(Call::clEnqueueFillBuffer, [&] { static_cast<void>(buffer.fill_async(bench.queue, 1, 2, 3)); });
    CHECK(record.values[3] == 4);  // the pattern
    CHECK(record.values[4] == 8);  // offset
    CHECK(record.values[5] == 12); // size
}

TEST_CASE("copy_from copies the ranges it is given")
{
    const Bench bench;
    const Buffer<int> from{bench.queue, numbers(6, 10)};
    const auto copied = [&](auto... where) {
        const Buffer<int> to{bench.queue, std::vector(6, 0)};
        to.copy_from(bench.queue, from, where...);
        return contents(bench.queue, to);
    };
    using std::size_t;
    CHECK(copied() == std::vector{10, 11, 12, 13, 14, 15});
    CHECK(copied(size_t{2}) == std::vector{12, 13, 14, 15, 0, 0});
    CHECK(copied(size_t{4}, size_t{3}) == std::vector{0, 0, 0, 14, 15, 0});
    CHECK(copied(size_t{1}, size_t{5}, size_t{1}) == std::vector{0, 0, 0, 0, 0, 11});
}

TEST_CASE("copy_from within one buffer copies what does not overlap and refuses what does")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(6)};
    buffer.copy_from(bench.queue, buffer, 0, 3, 3);
    CHECK(contents(bench.queue, buffer) == std::vector{0, 1, 2, 0, 1, 2});
    const std::string text = message([&] { buffer.copy_from(bench.queue, buffer, 0, 2, 3); });
    CHECK(holds(text, "clEnqueueCopyBuffer: CL_MEM_COPY_OVERLAP (-8)"));
}

TEST_CASE("an asynchronous copy does not block and has one event that waits for the list")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8}, other{bench.queue, 8};
    std::array<int, 8> host{};
    clutch::Mapping<int> mapping;
    bench.driver().hold_events(true);
    const std::array after{buffer.fill_async(bench.queue, 1), buffer.fill_async(bench.queue, 2)};
    const auto check = [&](Call call, auto work) {
        Event event;
        const Record record = record_of(call, [&] { event = work(); });
        INFO(clutch_test::name(call));
        CHECK(record.event_asked);
        CHECK(record.wait_count == 2);
        CHECK(record.waits[0] == after[0].get());
        CHECK(record.waits[1] == after[1].get());
        CHECK_FALSE(event.done());
        CHECK(user_references(event.get()) == 1);
        CHECK(bench.driver().count(Call::clWaitForEvents) == 0);
        return record;
    };
    const Record read = check(Call::clEnqueueReadBuffer,
                              [&] { return buffer.read_async(bench.queue, std::span{host}.first(2), 3, after); });
    CHECK(read.values[2] == CL_FALSE);
    CHECK(read.values[3] == 12);
    CHECK(read.values[4] == 8);
    const Record write = check(Call::clEnqueueWriteBuffer,
                               [&] { return buffer.write_async(bench.queue, std::span{host}.first(2), 3, after); });
    CHECK(write.values[2] == CL_FALSE);
    CHECK(write.values[3] == 12);
    CHECK(write.values[4] == 8);
    check(Call::clEnqueueFillBuffer, [&] { return buffer.fill_async(bench.queue, 1, 3, 2, after); });
    const Record copy =
        check(Call::clEnqueueCopyBuffer, [&] { return buffer.copy_from_async(bench.queue, other, 1, 3, 2, after); });
    CHECK(copy.values[1] == reinterpret_cast<std::uintptr_t>(other.get()));
    CHECK(copy.values[2] == reinterpret_cast<std::uintptr_t>(buffer.get()));
    CHECK(copy.values[3] == 4);
    CHECK(copy.values[4] == 12);
    CHECK(copy.values[5] == 8);
    const Record map =
        check(Call::clEnqueueMapBuffer, [&] { return buffer.map_async(bench.queue, mapping, 3, 2, after); });
    CHECK(map.values[2] == CL_FALSE);
    CHECK(map.values[4] == 12);
    CHECK(map.values[5] == 8);
    bench.driver().complete_all();
}

TEST_CASE("an asynchronous copy is one call and its event is gone with its owner")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8}, other{bench.queue, 8};
    std::array<int, 8> host{};
    const auto before = live();
    CHECK(makes_calls({Call::clEnqueueReadBuffer, Call::clReleaseEvent},
                      [&] { static_cast<void>(buffer.read_async(bench.queue, host)); }));
    CHECK(makes_calls({Call::clEnqueueWriteBuffer, Call::clReleaseEvent},
                      [&] { static_cast<void>(buffer.write_async(bench.queue, host)); }));
    CHECK(makes_calls({Call::clEnqueueFillBuffer, Call::clReleaseEvent},
                      [&] { static_cast<void>(buffer.fill_async(bench.queue, 1)); }));
    CHECK(makes_calls({Call::clEnqueueCopyBuffer, Call::clReleaseEvent},
                      [&] { static_cast<void>(buffer.copy_from_async(bench.queue, other)); }));
    CHECK(live() == before);
}

TEST_CASE("asynchronous twins move the same elements as the blocking forms")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 6}, other{bench.queue, numbers(6, 20)};
    buffer.write_async(bench.queue, numbers(6)).wait();
    buffer.fill_async(bench.queue, 9, 1, 2).wait();
    buffer.copy_from_async(bench.queue, other, 4, 4).wait();
    std::array<int, 4> host{};
    buffer.read_async(bench.queue, host, 2).wait();
    CHECK(host == std::array{9, 3, 24, 25});
}

TEST_CASE("a raw queue or a wrapper of one does for copies and costs no further call")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 4}, other{bench.queue, 4};
    std::array<int, 4> host{};
    const auto check = [&](const auto& queue) {
        CHECK(makes_calls({Call::clEnqueueReadBuffer}, [&] { buffer.read(queue, host); }));
        CHECK(makes_calls({Call::clEnqueueWriteBuffer}, [&] { buffer.write(queue, host); }));
        CHECK(makes_calls({Call::clEnqueueFillBuffer, Call::clWaitForEvents, Call::clReleaseEvent},
                          [&] { buffer.fill(queue, 1); }));
        CHECK(makes_calls({Call::clEnqueueCopyBuffer, Call::clReleaseEvent},
                          [&] { static_cast<void>(buffer.copy_from_async(queue, other)); }));
        CHECK_NOTHROW(buffer.map(queue).unmap());
    };
    check(bench.queue.get());
    check(GetWrapper<cl_command_queue>{bench.queue.get()});
    check(CallWrapper<cl_command_queue>{bench.queue.get()});
}

TEST_CASE("copies do not use the heap")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 4}, other{bench.queue, 4};
    std::array<int, 4> host{};
    const std::array after{buffer.fill_async(bench.queue, 1)};
    CHECK(allocations([&] { buffer.read(bench.queue, host); }) == 0);
    CHECK(allocations([&] { buffer.write(bench.queue, host); }) == 0);
    CHECK(allocations([&] { buffer.fill(bench.queue, 1); }) == 0);
    CHECK(allocations([&] { buffer.copy_from(bench.queue, other); }) == 0);
    CHECK(allocations([&] { static_cast<void>(buffer.read_async(bench.queue, host, 0, after)); }) == 0);
    CHECK(allocations([&] { static_cast<void>(buffer.write_async(bench.queue, host, 0, after)); }) == 0);
    CHECK(allocations([&] { static_cast<void>(buffer.fill_async(bench.queue, 1, 0, 4, after)); }) == 0);
    CHECK(allocations([&] { static_cast<void>(buffer.copy_from_async(bench.queue, other, 0, 0, 4, after)); }) == 0);
}

TEST_CASE("a range outside the buffer is an Error before the driver is called")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 10}, large{bench.queue, 20};
    std::vector<int> host(11);
    clutch::Mapping<int> mapping;
    const auto refused = [&](auto work) {
        bench.driver().reset();
        CHECK(code(work) == CL_INVALID_VALUE);
        CHECK(bench.driver().total() == 0);
    };
    const auto part = [&](std::size_t count) { return std::span{host}.first(count); };
    // One past the end, at an offset, and behind it; then sums that wrap around in 64 bits.
    struct Range {
        std::size_t offset, count;
    };
    for (const Range& range : {Range{0, 11}, Range{8, 3}, Range{10, 1}, Range{11, 0}, Range{huge, 1}, Range{huge, 0},
                               Range{huge - 1, 3}, Range{huge / 2 + 1, 2}}) {
        const std::size_t offset = range.offset, count = range.count;
        INFO("offset " << offset << ", count " << count);
        refused([&] { buffer.read(bench.queue, part(count), offset); });
        refused([&] { buffer.write(bench.queue, part(count), offset); });
        refused([&] { buffer.fill(bench.queue, 1, offset, count); });
        refused([&] { static_cast<void>(buffer.map(bench.queue, offset, count)); });
        refused([&] { static_cast<void>(buffer.read_async(bench.queue, part(count), offset)); });
        refused([&] { static_cast<void>(buffer.write_async(bench.queue, part(count), offset)); });
        refused([&] { static_cast<void>(buffer.fill_async(bench.queue, 1, offset, count)); });
        refused([&] { static_cast<void>(buffer.map_async(bench.queue, mapping, offset, count)); });
        refused([&] { static_cast<void>(buffer.copy_from_async(bench.queue, large, 0, offset, count)); });
        refused([&] { static_cast<void>(large.copy_from_async(bench.queue, buffer, offset, 0, count)); });
        refused([&] { buffer.copy_from(bench.queue, large, 0, offset, count); });
        refused([&] { large.copy_from(bench.queue, buffer, offset, 0, count); });
    }
    // Counts near the end of size_t, which no span has.
    for (const Range& range : {Range{0, huge - 1}, Range{1, huge - 1}, Range{4, huge - 3}, Range{5, huge / 4 + 1}}) {
        const std::size_t offset = range.offset, count = range.count;
        INFO("offset " << offset << ", count " << count);
        refused([&] { buffer.fill(bench.queue, 1, offset, count); });
        refused([&] { static_cast<void>(buffer.fill_async(bench.queue, 1, offset, count)); });
        refused([&] { static_cast<void>(buffer.map(bench.queue, offset, count)); });
        refused([&] { static_cast<void>(buffer.map_async(bench.queue, mapping, offset, count)); });
        refused([&] { buffer.copy_from(bench.queue, large, 0, offset, count); });
        refused([&] { large.copy_from(bench.queue, buffer, offset, 0, count); });
    }
    refused([&] { buffer.fill(bench.queue, 1, 11); });
    refused([&] { buffer.fill(bench.queue, 1, huge); });
    refused([&] { static_cast<void>(buffer.map(bench.queue, 11)); });
    refused([&] { buffer.copy_from(bench.queue, large); });
    refused([&] { buffer.copy_from(bench.queue, large, 0, 1, 10); });
    refused([&] { buffer.copy_from(bench.queue, large, 21); });
    refused([&] { static_cast<void>(buffer.copy_from_async(bench.queue, large)); });
}

TEST_CASE("a range outside the buffer is explained with its numbers")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 10}, large{bench.queue, 20};
    std::array<int, 5> host{};
    const std::string read = message([&] { buffer.read(bench.queue, host, 7); });
    CHECK(holds(read, "Buffer::read: CL_INVALID_VALUE (-30)"));
    CHECK(holds(read, "5 elements from element 7 of a buffer of 10"));
    const std::string copy = message([&] { buffer.copy_from(bench.queue, large); });
    CHECK(holds(copy, "destination"));
    CHECK(holds(copy, "20 elements from element 0 of a buffer of 10"));
    const std::string source = message([&] { large.copy_from(bench.queue, buffer, 8, 0, 3); });
    CHECK(holds(source, "source"));
    CHECK(holds(source, "3 elements from element 8 of a buffer of 10"));
}

TEST_CASE("an empty buffer refuses every element")
{
    const Bench bench;
    const Buffer<int> nothing;
    std::array<int, 1> host{};
    CHECK(code([&] { nothing.read(bench.queue, host); }) == CL_INVALID_VALUE);
    CHECK(code([&] { nothing.write(bench.queue, host); }) == CL_INVALID_VALUE);
    CHECK(code([&] { nothing.fill(bench.queue, 1, 0, 1); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(nothing.map(bench.queue, 0, 1)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { nothing.copy_from(bench.queue, Buffer<int>{bench.queue, 1}); }) == CL_INVALID_VALUE);
}

template <class B>
concept writes = requires(const B& buffer, const Queue& queue, const std::vector<int>& host)
{
    buffer.write(queue, host);
};
template <class B>
concept writes_later = requires(const B& buffer, const Queue& queue, const std::vector<int>& host)
{
    buffer.write_async(queue, host);
};
template <class B>
concept fills = requires(const B& buffer, const Queue& queue)
{
    buffer.fill(queue, 1);
    buffer.fill_async(queue, 1);
};
template <class B>
concept copies = requires(const B& buffer, const Queue& queue, const Buffer<int>& from)
{
    buffer.copy_from(queue, from);
    buffer.copy_from_async(queue, from);
};

TEST_CASE("a buffer of const elements is read and never written")
{
    using Constant = Buffer<const int>;
    CHECK((writes<Buffer<int>> && writes_later<Buffer<int>> && fills<Buffer<int>> && copies<Buffer<int>>));
    CHECK_FALSE((writes<Constant> || writes_later<Constant> || fills<Constant> || copies<Constant>));
    const Bench bench;
    const Constant buffer{bench.queue, numbers(4)};
    CHECK(contents(bench.queue, buffer) == numbers(4));
    std::array<int, 2> host{};
    buffer.read_async(bench.queue, host, 2).wait();
    CHECK(host == std::array{2, 3});
    const Buffer<int> copy{bench.queue, 4};
    copy.copy_from(bench.queue, buffer);
    CHECK(contents(bench.queue, copy) == numbers(4));
    const auto mapping = buffer.map(bench.queue);
    CHECK(std::is_same_v<decltype(mapping.data()), const int*>);
    CHECK(mapping[3] == 3);
}

TEST_CASE("copies of a buffer share the memory")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(4)};
    const Buffer<int> copy = buffer;
    CHECK(copy.size() == 4);
    copy.fill(bench.queue, 5);
    CHECK(contents(bench.queue, buffer) == std::vector(4, 5));
}

TEST_CASE("an adopted buffer has as many elements as its bytes hold")
{
    const Bench bench;
    cl_int status = CL_SUCCESS;
    const auto raw = [&](std::size_t bytes) {
        const cl_mem memory = clCreateBuffer(bench.queue.context_handle(), CL_MEM_READ_WRITE, bytes, nullptr, &status);
        REQUIRE(status == CL_SUCCESS);
        return memory;
    };
    CHECK(Buffer<int>::adopt(raw(40)).size() == 10);
    CHECK(Buffer<int>::adopt(raw(43)).size() == 10);
    CHECK(Buffer<int>::adopt(raw(3)).size() == 0);
}

TEST_CASE("a buffer that cannot be asked is released by adopt and kept as it was by retain")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 4};
    REQUIRE(clRetainMemObject(buffer.get()) == CL_SUCCESS);
    bench.driver().fail(Call::clGetMemObjectInfo, 1, CL_OUT_OF_HOST_MEMORY);
    CHECK(code([&] { static_cast<void>(Buffer<int>::adopt(buffer.get())); }) == CL_OUT_OF_HOST_MEMORY);
    CHECK(user_references(buffer.get()) == 1);
    bench.driver().fail(Call::clGetMemObjectInfo, 1, CL_OUT_OF_HOST_MEMORY);
    CHECK(code([&] { static_cast<void>(Buffer<int>::retain(buffer.get())); }) == CL_OUT_OF_HOST_MEMORY);
    CHECK(user_references(buffer.get()) == 1);
}

TEST_CASE("a buffer of another context is an Error")
{
    const Bench bench;
    const Queue other{bench.queue.device()};
    const Buffer<int> buffer{bench.queue, 4}, foreign{other, 4};
    std::array<int, 4> host{};
    CHECK(code([&] { foreign.read(bench.queue, host); }) == CL_INVALID_CONTEXT);
    CHECK(code([&] { foreign.write(bench.queue, host); }) == CL_INVALID_CONTEXT);
    CHECK(code([&] { foreign.fill(bench.queue, 1); }) == CL_INVALID_CONTEXT);
    CHECK(code([&] { buffer.copy_from(bench.queue, foreign); }) == CL_INVALID_CONTEXT);
    CHECK(code([&] { static_cast<void>(foreign.map(bench.queue)); }) == CL_INVALID_CONTEXT);
}

TEST_CASE("a command that fails after it was enqueued is the blocking form's Error")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 4}, other{bench.queue, 4};
    const auto fails = [&](Call call, auto work) {
        bench.driver().hold_events(true);
        const clutch_test::OnCall when_waiting{Call::clWaitForEvents, [&] {
                                                   const auto records = clutch_test::driver().records_of(call);
                                                   if (!records.empty())
                                                       clutch_test::driver().complete(
                                                           reinterpret_cast<cl_event>(records.back()->returned),
                                                           CL_OUT_OF_RESOURCES);
                                               }};
        bench.driver().reset();
        const clutch_test::Recording recording;
        const auto before = live();
        CHECK(code(work) == CL_OUT_OF_RESOURCES);
        CHECK(live() == before);
        bench.driver().hold_events(false);
    };
    fails(Call::clEnqueueFillBuffer, [&] { buffer.fill(bench.queue, 1); });
    fails(Call::clEnqueueCopyBuffer, [&] { buffer.copy_from(bench.queue, other); });
}

TEST_CASE("making a buffer reports the driver's refusal at each call")
{
    const Bench bench;
    const Context context = bench.queue.context();
    const auto host = numbers(8);
    fail_each_call_of([&] { const Buffer<int> buffer{bench.queue, 8}; });
    fail_each_call_of([&] { const Buffer<int> buffer{context, 8}; });
    fail_each_call_of([&] { const Buffer<int> buffer{bench.queue.get(), 8}; });
    fail_each_call_of([&] { const Buffer<int> buffer{bench.queue, host}; });
    const Buffer<int> buffer{bench.queue, 8};
    fail_each_call_of([&] { static_cast<void>(Buffer<int>::retain(buffer.get())); });
    fail_each_call([&] {
        REQUIRE(clRetainMemObject(buffer.get()) == CL_SUCCESS);
        return [&] { static_cast<void>(Buffer<int>::adopt(buffer.get())); };
    });
}

TEST_CASE("copies report the driver's refusal at each call")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8}, other{bench.queue, 8}, nothing;
    std::array<int, 8> host{};
    std::vector<int> none;
    const std::array after{buffer.fill_async(bench.queue, 1)};
    fail_each_call_of([&] { buffer.read(bench.queue, host); });
    fail_each_call_of([&] { buffer.write(bench.queue, host); });
    fail_each_call_of([&] { buffer.fill(bench.queue, 1); });
    fail_each_call_of([&] { buffer.copy_from(bench.queue, other); });
    fail_each_call_of([&] { static_cast<void>(buffer.read_async(bench.queue, host, 0, after)); });
    fail_each_call_of([&] { static_cast<void>(buffer.write_async(bench.queue, host, 0, after)); });
    fail_each_call_of([&] { static_cast<void>(buffer.fill_async(bench.queue, 1, 0, 8, after)); });
    fail_each_call_of([&] { static_cast<void>(buffer.copy_from_async(bench.queue, other, 0, 0, 8, after)); });
    fail_each_call_of([&] { static_cast<void>(nothing.read_async(bench.queue, none, 0, after)); });
    fail_each_call_of([&] { static_cast<void>(nothing.write_async(bench.queue, none, 0, after)); });
    fail_each_call_of([&] { static_cast<void>(nothing.fill_async(bench.queue, 1, 0, 0, after)); });
    fail_each_call_of([&] { static_cast<void>(nothing.copy_from_async(bench.queue, nothing, 0, 0, 0, after)); });
}

TEST_CASE("an error of a copy names the form that was called")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8}, other{bench.queue, 8};
    std::array<int, 8> host{};
    const auto named = [&](Call call, std::string_view name, auto work) {
        bench.driver().fail(call, 1, CL_OUT_OF_RESOURCES);
        const std::string text = message(work);
        CHECK(text.substr(0, text.find(": ")) == name);
    };
    const auto& queue = bench.queue;
    named(Call::clEnqueueReadBuffer, "Buffer::read", [&] { buffer.read(queue, host); });
    named(Call::clEnqueueReadBuffer, "Buffer::read_async", [&] { static_cast<void>(buffer.read_async(queue, host)); });
    named(Call::clEnqueueWriteBuffer, "Buffer::write", [&] { buffer.write(queue, host); });
    named(Call::clEnqueueWriteBuffer, "Buffer::write_async",
          [&] { static_cast<void>(buffer.write_async(queue, host)); });
    named(Call::clEnqueueFillBuffer, "Buffer::fill", [&] { buffer.fill(queue, 1); });
    named(Call::clEnqueueFillBuffer, "Buffer::fill_async", [&] { static_cast<void>(buffer.fill_async(queue, 1)); });
    named(Call::clEnqueueCopyBuffer, "Buffer::copy_from", [&] { buffer.copy_from(queue, other); });
    named(Call::clEnqueueCopyBuffer, "Buffer::copy_from_async",
          [&] { static_cast<void>(buffer.copy_from_async(queue, other)); });
}

} // namespace
