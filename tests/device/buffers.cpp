// Buffers: elements arrive where they were sent, and nowhere else.
#include "device_test.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace {

using namespace test;
using clutch::Buffer;
using clutch::Entry;
using clutch::Event;
using clutch::Global;
using clutch::Kernel;
using clutch::Mapping;

inline constexpr clutch::Source source{R"CLC(
kernel void add(global int* x, int a)
{
    x[get_global_id(0)] += a;
}
)CLC"};

constexpr Kernel<Entry<source, "add">, Global<cl_int>, cl_int> add{};

using Ints = std::vector<cl_int>;

Ints counted(std::size_t count, cl_int from = 0)
{
    Ints result(count);
    std::iota(result.begin(), result.end(), from);
    return result;
}

template <class T>
void check_fill(const T& value)
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<T> buffer{queue, 5};
    buffer.fill(queue, value);
    CAPTURE(sizeof(T));
    for (const T& element : contents(queue, buffer))
        CHECK(std::memcmp(&element, &value, sizeof(T)) == 0);
}

} // namespace

TEST_CASE("A buffer made of a container holds its elements")
{
    const clutch::Queue queue = clutch::default_queue();
    const std::array<cl_int, 3> array{4, 5, 6};
    CHECK(contents(queue, Buffer<cl_int>{queue, counted(1000)}) == counted(1000));
    CHECK(contents(queue, Buffer<cl_int>{queue, array}) == Ints{4, 5, 6});
    CHECK(contents(queue, Buffer<const cl_int>{queue, array}) == Ints{4, 5, 6});
    CHECK(contents(queue, Buffer<cl_int>{queue.context(), counted(7)}) == counted(7));
    CHECK(contents(queue, Buffer<cl_int>{queue.context().get(), counted(7)}) == counted(7));
}

TEST_CASE("A buffer made of a container is a copy: the container may change at once")
{
    const clutch::Queue queue = clutch::default_queue();
    Ints values = counted(1000);
    const Buffer<cl_int> buffer{queue, values};
    std::fill(values.begin(), values.end(), -1);
    CHECK(contents(queue, buffer) == counted(1000));
}

TEST_CASE("What is written is what is read")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> buffer{queue, 1000};
    buffer.write(queue, counted(1000, 5));
    CHECK(contents(queue, buffer) == counted(1000, 5));
}

TEST_CASE("A part is written at its offset, and the rest stays")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> buffer{queue, counted(8)};
    buffer.write(queue, Ints{-1, -2, -3}, 2);
    CHECK(contents(queue, buffer) == Ints{0, 1, -1, -2, -3, 5, 6, 7});
}

TEST_CASE("A part is read from its offset")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> buffer{queue, counted(8)};
    Ints part(3);
    buffer.read(queue, part, 4);
    CHECK(part == Ints{4, 5, 6});
}

TEST_CASE("fill sets every element, of each size that OpenCL fills with")
{
    check_fill<cl_uchar>(0xab);
    check_fill<cl_short>(-1234);
    check_fill<float>(1.5f);
    check_fill<cl_ulong>(0x0123456789abcdef);
    check_fill<cl_float4>({{1, 2, 3, 4}});
    check_fill<cl_float8>({{1, 2, 3, 4, 5, 6, 7, 8}});
    check_fill<cl_int16>({{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}});
    check_fill<cl_long16>({{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}});
}

TEST_CASE("fill sets a part at its offset, and the rest stays")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> buffer{queue, counted(6)};
    buffer.fill(queue, -1, 2, 3);
    CHECK(contents(queue, buffer) == Ints{0, 1, -1, -1, -1, 5});
    buffer.fill(queue, -2, 4);
    CHECK(contents(queue, buffer) == Ints{0, 1, -1, -1, -2, -2});
}

TEST_CASE("copy_from copies a part of another buffer to its offset, and the rest stays")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> from{queue, counted(8, 100)}, to{queue, counted(8)};
    to.copy_from(queue, from, 5, 1, 2);
    CHECK(contents(queue, to) == Ints{0, 105, 106, 3, 4, 5, 6, 7});
    to.copy_from(queue, from);
    CHECK(contents(queue, to) == counted(8, 100));
}

TEST_CASE("copy_from copies within one buffer where the ranges do not meet")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> buffer{queue, counted(8)};
    buffer.copy_from(queue, buffer, 0, 4, 4);
    CHECK(contents(queue, buffer) == Ints{0, 1, 2, 3, 0, 1, 2, 3});
    CHECK(code([&] { buffer.copy_from(queue, buffer, 0, 2, 4); }) == CL_MEM_COPY_OVERLAP);
}

TEST_CASE("A mapping shows what kernels wrote, and kernels see what was written to it")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> buffer{queue, counted(100)};
    add(queue, {100}, buffer, 1);
    {
        Mapping<cl_int> mapping = buffer.map(queue);
        CHECK(Ints(mapping.begin(), mapping.end()) == counted(100, 1));
        for (cl_int& element : mapping)
            element *= 2;
        mapping.unmap();
        CHECK(mapping.size() == 0);
    }
    add(queue, {100}, buffer, 1);
    Ints expected = counted(100, 1);
    for (cl_int& element : expected)
        element = 2 * element + 1;
    CHECK(contents(queue, buffer) == expected);
}

TEST_CASE("A mapping of a part shows that part and changes no other")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> buffer{queue, counted(8)};
    {
        const auto mapping = buffer.map(queue, 3, 2);
        CHECK(Ints(mapping.begin(), mapping.end()) == Ints{3, 4});
        mapping[1] = -1;
    } // the destructor gives it back
    CHECK(contents(queue, buffer) == Ints{0, 1, 2, 3, -1, 5, 6, 7});
}

TEST_CASE("A mapping of const elements can be read")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<const cl_int> buffer{queue, counted(4)};
    const Mapping<const cl_int> mapping = buffer.map(queue);
    CHECK(Ints(mapping.begin(), mapping.end()) == counted(4));
}

TEST_CASE("A mapping keeps memory and queue alive")
{
    const auto mapping = [] {
        const clutch::Queue queue{clutch::default_queue().device()};
        return Buffer<cl_int>{queue, counted(1000)}.map(queue);
    }();
    CHECK(Ints(mapping.begin(), mapping.end()) == counted(1000));
}

TEST_CASE("A moved mapping is given back once, and by the one that has it")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> buffer{queue, counted(2)};
    Mapping<cl_int> mapping = buffer.map(queue);
    Mapping<cl_int> taker = std::move(mapping);
    CHECK(mapping.data() == nullptr);
    taker[0] = 10;
    mapping = std::move(taker);
    mapping[1] = 11;
    mapping.unmap();
    taker.unmap();
    CHECK(contents(queue, buffer) == Ints{10, 11});
}

TEST_CASE("write_async, fill_async, copy_from_async and read_async do as they do when they block")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> a{queue, 6}, b{queue, 6};
    const Ints values = counted(6);
    Ints result(4);
    const Event written = a.write_async(queue, values);
    const Event set = a.fill_async(queue, -1, 4, 1, {&written, 1});
    const Event copied = b.copy_from_async(queue, a, 0, 0, 6, {&set, 1});
    const Event read = b.read_async(queue, result, 2, {&copied, 1});
    read.wait();
    CHECK(result == Ints{2, 3, -1, 5});
}

TEST_CASE("Copies wait for their wait lists", "[all-devices]")
{
    const clutch::Queue held = clutch::default_queue();
    const clutch::Queue free{held.context(), held.device()};
    const Buffer<cl_int> a{held, counted(4)}, b{held, counted(4)}, c{held, counted(4)};
    const Ints values(4, 50);
    Ints read(4);
    Mapping<cl_int> mapping;
    Gate gate{held};
    std::vector<Event> events;
    events.push_back(a.read_async(held, read, 0, gate.list()));
    events.push_back(a.write_async(held, values, 0, gate.list()));
    events.push_back(b.fill_async(held, 60, 0, clutch::detail::rest, gate.list()));
    events.push_back(c.copy_from_async(held, b, 0, 0, clutch::detail::rest, gate.list()));
    events.push_back(c.map_async(held, mapping, 0, clutch::detail::rest, gate.list()));
    held.flush();
    for (const Event& event : events)
        CHECK_FALSE(event.done());
    add.enqueue(free, {4}, a, 100).wait(); // each of the above would have been too early for this
    gate.open();
    Event::wait_all(events);
    CHECK(read == counted(4, 100));
    CHECK(contents(held, a) == Ints(4, 50));
    CHECK(contents(held, b) == Ints(4, 60));
    CHECK(Ints(mapping.begin(), mapping.end()) == Ints(4, 60));
}

TEST_CASE("Moving nothing is no error, and its event is complete")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> buffer{queue, counted(3)}, none{queue, 0};
    Ints nothing;
    buffer.read(queue, nothing, 3);
    buffer.write(queue, nothing, 3);
    buffer.fill(queue, -1, 3);
    buffer.copy_from(queue, none);
    none.copy_from(queue, buffer, 3);
    none.fill(queue, 1);
    CHECK(none.map(queue).size() == 0);
    const std::vector<Event> events{buffer.read_async(queue, nothing), none.write_async(queue, nothing),
                                    none.fill_async(queue, 1), none.copy_from_async(queue, none)};
    Event::wait_all(events);
    for (const Event& event : events)
        CHECK(event.done());
    CHECK(contents(queue, buffer) == counted(3));
}

TEST_CASE("A range that is not inside the buffer is an error, and nothing is moved")
{
    const clutch::Queue queue = clutch::default_queue();
    const Buffer<cl_int> buffer{queue, counted(4)}, other{queue, counted(10, 100)};
    Ints five(5, -7);
    const std::span<cl_int> two{five.data(), 2};
    const auto refuses = [](auto work) { return code(work) == CL_INVALID_VALUE; };
    CHECK(refuses([&] { buffer.read(queue, five); }));
    CHECK(refuses([&] { buffer.read(queue, two, 3); }));
    CHECK(refuses([&] { buffer.write(queue, five); }));
    CHECK(refuses([&] { buffer.write(queue, two, 5); }));
    CHECK(refuses([&] { buffer.write(queue, two, static_cast<std::size_t>(-1)); }));
    CHECK(refuses([&] { buffer.fill(queue, 1, 2, 3); }));
    CHECK(refuses([&] { buffer.copy_from(queue, other); }));
    CHECK(refuses([&] { buffer.copy_from(queue, other, 8, 0, 3); }));
    CHECK(refuses([&] { static_cast<void>(buffer.map(queue, 1, 4)); }));
    CHECK(refuses([&] { static_cast<void>(buffer.view(5)); }));
    CHECK(five == Ints(5, -7));
    CHECK(contents(queue, buffer) == counted(4));
}

TEST_CASE("Reads, writes, fills and copies through a view count from the view's beginning")
{
    const clutch::Queue queue = clutch::default_queue();
    const std::size_t at = queue.device().base_address_alignment() / sizeof(cl_int);
    const Buffer<cl_int> buffer{queue, counted(2 * at)};
    const auto view = buffer.view(at);
    CHECK(view.size() == at);
    CHECK(contents(queue, view) == counted(at, static_cast<cl_int>(at)));
    view.write(queue, Ints{-1, -2});
    view.fill(queue, -3, 2, 1);
    view.copy_from(queue, buffer, 7, 3, 1);
    Ints expected = counted(2 * at);
    expected[at] = -1;
    expected[at + 1] = -2;
    expected[at + 2] = -3;
    expected[at + 3] = 7;
    CHECK(contents(queue, buffer) == expected);
}

TEST_CASE("Memory from elsewhere has the size that it has")
{
    const clutch::Queue queue = clutch::default_queue();
    cl_int status = CL_SUCCESS;
    const auto adopted = Buffer<cl_int>::adopt(
        clCreateBuffer(queue.context().get(), CL_MEM_READ_WRITE, 10 * sizeof(cl_int), nullptr, &status));
    REQUIRE(status == CL_SUCCESS);
    CHECK(adopted.size() == 10);
    const auto seen_as_pairs = Buffer<cl_int2>::retain(adopted.get());
    CHECK(seen_as_pairs.size() == 5);
    adopted.write(queue, counted(10));
    CHECK(contents(queue, seen_as_pairs)[4].s[1] == 9);
}

TEST_CASE("64 MiB go to the device, through a kernel and back, unharmed")
{
    const clutch::Queue queue = clutch::default_queue();
    const std::size_t count = (std::size_t{64} << 20) / sizeof(cl_int);
    if (queue.device().max_allocation_size() < count * sizeof(cl_int))
        SKIP("the device has no buffers of 64 MiB");
    Ints values = counted(count);
    const Buffer<cl_int> buffer{queue, values};
    add(queue, {count}, buffer, 1);
    buffer.read(queue, values);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i)
        wrong += values[i] == static_cast<cl_int>(i) + 1 ? 0 : 1;
    CHECK(wrong == 0);
}
