// Mappings: the memory of a buffer as the host sees it, given back once.
#include "probe.hpp"

#include <numeric>
#include <type_traits>
#include <utility>

namespace {

using namespace test;
using clutch::Buffer;
using clutch::Event;
using clutch::Mapping;
using clutch::Queue;

std::vector<int> numbers(std::size_t count)
{
    std::vector<int> result(count);
    std::iota(result.begin(), result.end(), 0);
    return result;
}

std::vector<int> contents(const Queue& queue, const Buffer<int>& buffer)
{
    std::vector<int> host(buffer.size());
    buffer.read(queue, host);
    return host;
}

cl_uint map_count(const Buffer<int>& buffer)
{
    return ask<cl_uint>(clGetMemObjectInfo, buffer.get(), CL_MEM_MAP_COUNT);
}

TEST_CASE("a mapping shows the elements of the buffer")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(8)};
    const auto mapping = buffer.map(bench.queue);
    CHECK(mapping.size() == 8);
    CHECK(std::vector<int>(mapping.begin(), mapping.end()) == numbers(8));
    CHECK(mapping.data() == &mapping[0]);
    CHECK(mapping[7] == 7);
}

TEST_CASE("what is written into a mapping is in the buffer after unmap")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(8)};
    auto mapping = buffer.map(bench.queue);
    for (int& element : mapping)
        element *= 2;
    mapping.unmap();
    CHECK(contents(bench.queue, buffer) == std::vector{0, 2, 4, 6, 8, 10, 12, 14});
}

TEST_CASE("a mapping of a part shows that part")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(8)};
    const auto part = buffer.map(bench.queue, 3, 2);
    CHECK(std::vector<int>(part.begin(), part.end()) == std::vector{3, 4});
    const auto rest = buffer.map(bench.queue, 6);
    CHECK(std::vector<int>(rest.begin(), rest.end()) == std::vector{6, 7});
}

TEST_CASE("mapping blocks and unmap waits for its event")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8};
    Mapping<int> mapping;
    CHECK(makes_calls({Call::clRetainCommandQueue, Call::clRetainMemObject, Call::clEnqueueMapBuffer},
                      [&] { mapping = buffer.map(bench.queue); }));
    CHECK(map_count(buffer) == 1);
    CHECK(makes_calls({Call::clEnqueueUnmapMemObject, Call::clWaitForEvents, Call::clReleaseEvent},
                      [&] { mapping.unmap(); }));
    CHECK(map_count(buffer) == 0);
    CHECK(mapping.data() == nullptr);
    CHECK(mapping.size() == 0);
}

TEST_CASE("the blocking flag and the range of a mapping reach the driver")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8};
    {
        const clutch_test::Recording recording;
        static_cast<void>(buffer.map(bench.queue, 3, 2));
    }
    const auto records = bench.driver().records_of(Call::clEnqueueMapBuffer);
    REQUIRE(records.size() == 1);
    CHECK(records[0]->values[2] == CL_TRUE);
    CHECK(records[0]->values[3] == (CL_MAP_READ | CL_MAP_WRITE));
    CHECK(records[0]->values[4] == 12);
    CHECK(records[0]->values[5] == 8);
    CHECK_FALSE(records[0]->event_asked);
}

TEST_CASE("elements that are const are mapped to be read")
{
    const Bench bench;
    const Buffer<const int> buffer{bench.queue, numbers(8)};
    {
        const clutch_test::Recording recording;
        const auto mapping = buffer.map(bench.queue);
        CHECK(std::is_same_v<decltype(mapping[0]), const int&>);
        CHECK(mapping[5] == 5);
    }
    const auto records = bench.driver().records_of(Call::clEnqueueMapBuffer);
    REQUIRE(records.size() == 1);
    CHECK(records[0]->values[3] == CL_MAP_READ);
}

TEST_CASE("a mapping that is dropped is unmapped without waiting")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8};
    {
        const auto mapping = buffer.map(bench.queue);
        bench.driver().reset();
    }
    CHECK(bench.driver().count(Call::clEnqueueUnmapMemObject) == 1);
    CHECK(bench.driver().count(Call::clWaitForEvents) == 0);
    CHECK(bench.driver().total() == 3); // and the two references
    CHECK(map_count(buffer) == 0);
}

TEST_CASE("a mapping is unmapped once")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8};
    {
        auto mapping = buffer.map(bench.queue);
        mapping.unmap();
        CHECK(calls([&] { mapping.unmap(); }) == 0);
    }
    CHECK(bench.driver().count(Call::clEnqueueUnmapMemObject) == 1);
}

TEST_CASE("a mapping moves and does not copy")
{
    CHECK_FALSE(std::is_copy_constructible_v<Mapping<int>>);
    CHECK_FALSE(std::is_copy_assignable_v<Mapping<int>>);
    CHECK(std::is_nothrow_move_constructible_v<Mapping<int>>);
    CHECK(std::is_nothrow_move_assignable_v<Mapping<int>>);
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(8)};
    {
        auto mapping = buffer.map(bench.queue, 2, 3);
        int* const data = mapping.data();
        CHECK(calls([&] {
                  auto moved = std::move(mapping);
                  CHECK(mapping.data() == nullptr); // NOLINT: moved from on purpose
                  CHECK(mapping.size() == 0);
                  CHECK(mapping.begin() == mapping.end());
                  mapping.unmap();
                  CHECK(moved.data() == data);
                  CHECK(moved.size() == 3);
                  mapping = std::move(moved);
                  CHECK(moved.data() == nullptr); // NOLINT: moved from on purpose
                  auto& same = mapping;
                  mapping = std::move(same);
              }) == 0);
        CHECK(mapping.data() == data);
        CHECK(map_count(buffer) == 1);
        bench.driver().reset();
    }
    CHECK(bench.driver().count(Call::clEnqueueUnmapMemObject) == 1);
    CHECK(map_count(buffer) == 0);
}

TEST_CASE("move assignment unmaps what was mapped before")
{
    const Bench bench;
    const Buffer<int> a{bench.queue, 8}, b{bench.queue, 8};
    auto mapping = a.map(bench.queue);
    auto other = b.map(bench.queue);
    bench.driver().reset();
    mapping = std::move(other);
    CHECK(bench.driver().count(Call::clEnqueueUnmapMemObject) == 1);
    CHECK(map_count(a) == 0);
    CHECK(map_count(b) == 1);
    CHECK(user_references(a.get()) == 1);
    CHECK(user_references(b.get()) == 2);
}

TEST_CASE("a mapping of nothing is empty and costs no call")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8};
    CHECK(calls([&] {
              auto mapping = buffer.map(bench.queue, 8);
              CHECK(mapping.data() == nullptr);
              CHECK(mapping.size() == 0);
              CHECK(mapping.begin() == mapping.end());
              mapping.unmap();
              Mapping<int>{}.unmap();
          }) == 0);
}

TEST_CASE("a mapping keeps queue and memory alive until it is dropped")
{
    const CleanDriver clean;
    const auto before = live();
    {
        Mapping<int> mapping;
        {
            const Queue queue{clutch::Device::find("0:0")};
            mapping = Buffer<int>{queue, numbers(8)}.map(queue);
        }
        CHECK(mapping[7] == 7);
        mapping[0] = 1;
        mapping.unmap();
    }
    CHECK(live() == before);
    {
        Mapping<int> mapping;
        {
            const Queue queue{clutch::Device::find("0:0")};
            mapping = Buffer<int>{queue, numbers(8)}.view(0).map(queue);
        }
    }
    CHECK(live() == before);
}

TEST_CASE("a raw queue or a wrapper of one maps as well")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(4)};
    CHECK(buffer.map(bench.queue.get())[3] == 3);
    CHECK(buffer.map(GetWrapper<cl_command_queue>{bench.queue.get()})[3] == 3);
    CHECK(buffer.map(CallWrapper<cl_command_queue>{bench.queue.get()})[3] == 3);
    CHECK(map_count(buffer) == 0);
    CHECK(user_references(bench.queue.get()) == 1);
}

TEST_CASE("map_async gives a mapping and the event that says when it may be used")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(8)};
    bench.driver().hold_events(true);
    Mapping<int> mapping;
    const Event event = buffer.map_async(bench.queue, mapping, 2, 3);
    CHECK_FALSE(event.done());
    CHECK(user_references(event.get()) == 1);
    bench.driver().complete(event.get());
    event.wait();
    CHECK(std::vector<int>(mapping.begin(), mapping.end()) == std::vector{2, 3, 4});
    bench.driver().hold_events(false);
    mapping.unmap();
    CHECK(map_count(buffer) == 0);
}

TEST_CASE("map_async unmaps what its mapping had before")
{
    const Bench bench;
    const Buffer<int> a{bench.queue, 8}, b{bench.queue, 8};
    auto mapping = a.map(bench.queue);
    b.map_async(bench.queue, mapping).wait();
    CHECK(map_count(a) == 0);
    CHECK(map_count(b) == 1);
    a.map_async(bench.queue, mapping, 8).wait(); // nothing
    CHECK(map_count(b) == 0);
    CHECK(mapping.data() == nullptr);
}

TEST_CASE("a map_async that fails leaves its mapping as it was")
{
    const Bench bench;
    const Buffer<int> a{bench.queue, 8}, b{bench.queue, 8};
    auto mapping = a.map(bench.queue);
    int* const data = mapping.data();
    const auto before = live();
    for (Call call : {Call::clRetainCommandQueue, Call::clRetainMemObject, Call::clEnqueueMapBuffer}) {
        bench.driver().fail(call, 1, CL_OUT_OF_HOST_MEMORY);
        CHECK(code([&] { static_cast<void>(b.map_async(bench.queue, mapping)); }) == CL_OUT_OF_HOST_MEMORY);
        CHECK(mapping.data() == data);
        CHECK(mapping.size() == 8);
        CHECK(map_count(a) == 1);
        CHECK(map_count(b) == 0);
        CHECK(live() == before);
    }
    bench.driver().fail(Call::clEnqueueMarkerWithWaitList, 1, CL_OUT_OF_HOST_MEMORY);
    CHECK(code([&] { static_cast<void>(b.map_async(bench.queue, mapping, 8)); }) == CL_OUT_OF_HOST_MEMORY);
    CHECK(mapping.data() == data);
    CHECK(map_count(a) == 1);
}

TEST_CASE("a mapping that the driver refuses is an Error with its code")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8};
    bench.driver().fail(Call::clEnqueueMapBuffer, 1, CL_MAP_FAILURE);
    const std::string text = message([&] { static_cast<void>(buffer.map(bench.queue)); });
    CHECK(holds(text, "Buffer::map: clEnqueueMapBuffer: CL_MAP_FAILURE (-12)"));
    CHECK(user_references(bench.queue.get()) == 1);
    CHECK(user_references(buffer.get()) == 1);
}

TEST_CASE("an unmap that the driver refused can be tried again")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(8)};
    auto mapping = buffer.map(bench.queue);
    bench.driver().fail(Call::clEnqueueUnmapMemObject, 1, CL_OUT_OF_HOST_MEMORY);
    CHECK(code([&] { mapping.unmap(); }) == CL_OUT_OF_HOST_MEMORY);
    CHECK(map_count(buffer) == 1);
    CHECK(mapping.size() == 8);
    mapping.unmap();
    CHECK(map_count(buffer) == 0);
}

TEST_CASE("a mapping whose unmap was refused is unmapped when it is dropped")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8};
    {
        auto mapping = buffer.map(bench.queue);
        bench.driver().fail(Call::clEnqueueUnmapMemObject, 1, CL_OUT_OF_HOST_MEMORY);
        CHECK(code([&] { mapping.unmap(); }) == CL_OUT_OF_HOST_MEMORY);
    }
    CHECK(map_count(buffer) == 0);
}

TEST_CASE("an unmap that fails in the destructor stays there")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8};
    bench.driver().fail_always(Call::clEnqueueUnmapMemObject, CL_OUT_OF_HOST_MEMORY);
    CHECK_NOTHROW([&] { static_cast<void>(buffer.map(bench.queue)); }());
    CHECK(user_references(bench.queue.get()) == 1);
    CHECK(user_references(buffer.get()) == 1);
}

TEST_CASE("an unmap command that fails later is unmap's Error")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8};
    auto mapping = buffer.map(bench.queue);
    bench.driver().hold_events(true);
    const auto before = live();
    const clutch_test::OnCall when_waiting{
        Call::clWaitForEvents, [&] {
            const auto records = clutch_test::driver().records_of(Call::clEnqueueUnmapMemObject);
            if (!records.empty())
                clutch_test::driver().complete(reinterpret_cast<cl_event>(records.back()->returned),
                                               CL_OUT_OF_RESOURCES);
        }};
    bench.driver().reset();
    const clutch_test::Recording recording;
    CHECK(code([&] { mapping.unmap(); }) == CL_OUT_OF_RESOURCES);
    CHECK(mapping.data() == nullptr); // the driver took the unmap: the memory is no longer the host's
    CHECK(live() == before);
}

TEST_CASE("mapping and unmapping report the driver's refusal at each call")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 8}, nothing;
    const std::array after{buffer.fill_async(bench.queue, 1)};
    Mapping<int> mapping;
    fail_each_call_of([&] { buffer.map(bench.queue).unmap(); });
    fail_each_call_of([&] {
        Mapping<int> own;
        buffer.map_async(bench.queue, own, 0, 8, after).wait();
        own.unmap();
    });
    fail_each_call_of([&] { static_cast<void>(nothing.map_async(bench.queue, mapping, 0, 0, after)); });
    CHECK(map_count(buffer) == 0);
}

} // namespace
