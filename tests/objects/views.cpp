// Views: parts of a buffer that share its memory and keep it alive.
#include "probe.hpp"

#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace {

using namespace test;
using clutch::Buffer;
using clutch::BufferView;
using clutch::Queue;

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

std::vector<int> numbers(std::size_t count)
{
    std::vector<int> result(count);
    std::iota(result.begin(), result.end(), 0);
    return result;
}

template <class T>
std::vector<std::remove_const_t<T>> contents(const Queue& queue, const clutch::BufferBase<T>& buffer)
{
    std::vector<std::remove_const_t<T>> host(buffer.size());
    buffer.read(queue, host);
    return host;
}

std::size_t origin_of(cl_mem memory)
{
    return ask<std::size_t>(clGetMemObjectInfo, memory, CL_MEM_OFFSET);
}

cl_mem parent_of(cl_mem memory)
{
    return ask<cl_mem>(clGetMemObjectInfo, memory, CL_MEM_ASSOCIATED_MEMOBJECT);
}

/// A sub-buffer as C code makes it, in bytes.
cl_mem raw_part(cl_mem buffer, std::size_t origin, std::size_t size)
{
    const cl_buffer_region region{origin, size};
    cl_int status = CL_SUCCESS;
    const cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    REQUIRE(status == CL_SUCCESS);
    return part;
}

/// Lets parts begin at multiples of so many bytes, on every device.
void align(const Bench& bench, cl_uint bytes)
{
    for (const clutch::Device& device : clutch::Device::all()) {
        auto traits = bench.driver().traits(device.get());
        traits.base_alignment_bits = bytes * 8;
        bench.driver().set_traits(device.get(), traits);
    }
}

TEST_CASE("a view is the part of the buffer that was asked for")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(128)};
    const BufferView<int> view = buffer.view(32, 4);
    CHECK(view.size() == 4);
    CHECK(view.offset() == 32);
    CHECK_FALSE(view.empty());
    CHECK(contents(bench.queue, view) == std::vector{32, 33, 34, 35});
    CHECK(origin_of(view.get()) == 128);
    CHECK(parent_of(view.get()) == buffer.get());
}

TEST_CASE("a view without a count reaches to the end")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(70)};
    CHECK(buffer.view(0).size() == 70);
    CHECK(buffer.view(64).size() == 6);
    CHECK(contents(bench.queue, buffer.view(64)) == std::vector{64, 65, 66, 67, 68, 69});
}

TEST_CASE("a view and its buffer share the memory both ways")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(64)};
    const BufferView<int> view = buffer.view(32, 3);
    view.fill(bench.queue, -1);
    std::array<int, 5> host{};
    buffer.read(bench.queue, host, 31);
    CHECK(host == std::array{31, -1, -1, -1, 35});
    buffer.write(bench.queue, std::array{7}, 33);
    CHECK(contents(bench.queue, view) == std::vector{-1, 7, -1});
}

TEST_CASE("a view moves elements like a buffer")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(64)};
    const BufferView<int> a = buffer.view(0, 4), b = buffer.view(32, 4);
    b.copy_from(bench.queue, a, 1, 2, 2);
    CHECK(contents(bench.queue, b) == std::vector{32, 33, 1, 2});
    b.write_async(bench.queue, std::array{9}, 3).wait();
    CHECK(contents(bench.queue, b) == std::vector{32, 33, 1, 9});
    b.map(bench.queue, 1, 2)[0] = 8;
    CHECK(contents(bench.queue, b) == std::vector{32, 8, 1, 9});
    const Buffer<int> copy{bench.queue, 4};
    copy.copy_from(bench.queue, b);
    CHECK(contents(bench.queue, copy) == std::vector{32, 8, 1, 9});
    CHECK(code([&] { b.fill(bench.queue, 1, 3, 2); }) == CL_INVALID_VALUE); // the buffer goes on, the view does not
}

TEST_CASE("a view costs one sub-buffer and one reference to the buffer")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 64};
    CHECK(makes_calls(
        {Call::clCreateSubBuffer, Call::clRetainMemObject, Call::clReleaseMemObject, Call::clReleaseMemObject},
        [&] { const BufferView<int> view = buffer.view(32, 4); }));
}

TEST_CASE("a view keeps its buffer alive")
{
    const Bench bench;
    const auto before = live();
    {
        BufferView<int> view;
        {
            const Buffer<int> buffer{bench.queue, numbers(64)};
            view = buffer.view(32, 2);
        }
        CHECK(contents(bench.queue, view) == std::vector{32, 33});
    }
    CHECK(live() == before);
}

TEST_CASE("a view of a view is a part of the whole buffer")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(256)};
    const BufferView<int> view = buffer.view(64, 128), nested = view.view(32, 64), innermost = nested.view(32);
    CHECK(nested.size() == 64);
    CHECK(nested.offset() == 96);
    CHECK(parent_of(nested.get()) == buffer.get());
    CHECK(innermost.size() == 32);
    CHECK(innermost.offset() == 128);
    CHECK(parent_of(innermost.get()) == buffer.get());
    CHECK(contents(bench.queue, innermost.view(0, 2)) == std::vector{128, 129});
}

TEST_CASE("a view of a view lives on without the one it was made from")
{
    const Bench bench;
    const auto before = live();
    {
        BufferView<int> nested = Buffer<int>{bench.queue, numbers(128)}.view(32).view(32, 2);
        CHECK(contents(bench.queue, nested) == std::vector{64, 65});
        CHECK(bench.alive(Kind::memory) == 2);
    }
    CHECK(live() == before);
}

TEST_CASE("a view of a view does not reach beyond it")
{
    const Bench bench;
    const BufferView<int> view = Buffer<int>{bench.queue, 256}.view(64, 64);
    bench.driver().reset();
    CHECK(code([&] { static_cast<void>(view.view(0, 65)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(view.view(32, 33)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(view.view(65)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(view.view(huge - 31, 64)); }) == CL_INVALID_VALUE);
    CHECK(bench.driver().total() == 0);
}

TEST_CASE("a view outside the buffer is an Error before the driver is called")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 64};
    bench.driver().reset();
    CHECK(code([&] { static_cast<void>(buffer.view(0, 65)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(buffer.view(32, 33)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(buffer.view(65)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(buffer.view(65, 0)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(buffer.view(huge)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(buffer.view(huge - 31, 32)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(buffer.view(32, huge - 31)); }) == CL_INVALID_VALUE);
    CHECK(code([&] { static_cast<void>(buffer.view(0, std::size_t{1} << 62)); }) == CL_INVALID_VALUE);
    CHECK(bench.driver().total() == 0);
    const std::string text = message([&] { static_cast<void>(buffer.view(32, 33)); });
    CHECK(holds(text, "Buffer::view: CL_INVALID_VALUE (-30)"));
    CHECK(holds(text, "33 elements from element 32 of a buffer of 64"));
}

TEST_CASE("a view of nothing is empty and makes no sub-buffer")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 64}, nothing;
    bench.driver().reset();
    for (const BufferView<int>& view : {buffer.view(64), buffer.view(0, 0), buffer.view(5, 0), nothing.view(0),
                                        nothing.view(0, 0), BufferView<int>{}, BufferView<int>{}.view(0)}) {
        CHECK(view.empty());
        CHECK(view.size() == 0);
        CHECK(view.get() == nullptr);
        CHECK_NOTHROW(view.fill(bench.queue, 1));
    }
    CHECK(bench.driver().count(Call::clCreateSubBuffer) == 0);
    CHECK(bench.driver().count(Call::clEnqueueFillBuffer) == 0);
    CHECK(code([&] { static_cast<void>(nothing.view(0, 1)); }) == CL_INVALID_VALUE);
}

TEST_CASE("a view at an offset that the device cannot address names the multiple that it can")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 64};
    CHECK(code([&] { static_cast<void>(buffer.view(1)); }) == CL_MISALIGNED_SUB_BUFFER_OFFSET);
    const std::string text = message([&] { static_cast<void>(buffer.view(33, 4)); });
    CHECK(holds(text, "clCreateSubBuffer: CL_MISALIGNED_SUB_BUFFER_OFFSET (-13)"));
    CHECK(holds(text, "byte 132"));
    CHECK(holds(text, "multiples of 128 bytes"));
    CHECK(holds(text, "32 elements"));
    align(bench, 16);
    CHECK(holds(message([&] { static_cast<void>(buffer.view(1)); }), "multiples of 16 bytes, 4 elements"));
    CHECK_NOTHROW(buffer.view(4));
}

TEST_CASE("the multiple of elements is one that the bytes allow")
{
    const Bench bench;
    struct Twelve {
        std::array<char, 12> bytes;
    };
    const Buffer<Twelve> buffer{bench.queue, 100};
    const std::string text = message([&] { static_cast<void>(buffer.view(10)); });
    CHECK(holds(text, "multiples of 128 bytes, 32 elements")); // 32 * 12 = 3 * 128
    CHECK_NOTHROW(buffer.view(32));
    const Buffer<std::array<char, 256>> large{bench.queue, 4};
    CHECK_NOTHROW(large.view(1));
}

TEST_CASE("the multiple suits every device of the context")
{
    const Bench bench;
    const auto devices = clutch::Device::all();
    for (std::size_t i = 0; i < devices.size(); ++i) {
        auto traits = bench.driver().traits(devices[i].get());
        traits.base_alignment_bits = i == 0 ? 24 * 8 : 32 * 8;
        bench.driver().set_traits(devices[i].get(), traits);
    }
    const Buffer<int> buffer{clutch::Context{devices}, 64};
    CHECK(holds(message([&] { static_cast<void>(buffer.view(1)); }), "multiples of 96 bytes, 24 elements"));
}

TEST_CASE("a misaligned view is reported as such though the driver answers no question on the way")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 64};
    const auto before = live();
    for (Call call : {Call::clGetMemObjectInfo, Call::clRetainContext, Call::clGetContextInfo, Call::clRetainDevice,
                      Call::clGetDeviceInfo}) {
        INFO(clutch_test::name(call));
        bench.driver().fail_always(call, CL_OUT_OF_HOST_MEMORY);
        CHECK(code([&] { static_cast<void>(buffer.view(1)); }) == CL_MISALIGNED_SUB_BUFFER_OFFSET);
        bench.driver().clear_failures();
        CHECK(live() == before);
    }
}

TEST_CASE("a view to read from is made of one to write without a driver call where it is moved")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(64)};
    BufferView<int> view = buffer.view(32, 2);
    const BufferView<const int> copy = view;
    CHECK(copy.get() == view.get());
    CHECK(copy.offset() == 32);
    CHECK(user_references(view.get()) == 2);
    CHECK(user_references(buffer.get()) == 3);
    const cl_mem raw = view.get();
    bench.driver().reset();
    const BufferView<const int> moved = std::move(view);
    CHECK(bench.driver().total() == 0);
    CHECK(view.get() == nullptr); // NOLINT: moved from on purpose
    CHECK(view.size() == 0);
    CHECK(view.offset() == 0);
    CHECK(moved.get() == raw);
    CHECK(moved.offset() == 32);
    CHECK(contents(bench.queue, moved) == std::vector{32, 33});
    CHECK_FALSE(std::is_convertible_v<BufferView<const int>, BufferView<int>>);
    CHECK_FALSE(std::is_constructible_v<BufferView<const int>, BufferView<float>>);
}

TEST_CASE("an adopted sub-buffer knows its place and its buffer")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(128)};
    const auto view = BufferView<int>::adopt(raw_part(buffer.get(), 128, 256));
    CHECK(view.size() == 64);
    CHECK(view.offset() == 32);
    CHECK(user_references(view.get()) == 1);
    const auto nested = view.view(32, 2);
    CHECK(nested.offset() == 64);
    CHECK(contents(bench.queue, nested) == std::vector{64, 65});
}

TEST_CASE("an adopted buffer that is no part of another is a view of it all")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, numbers(64)};
    const auto view = BufferView<int>::retain(buffer.get());
    CHECK(view.size() == 64);
    CHECK(view.offset() == 0);
    CHECK(contents(bench.queue, view.view(32, 2)) == std::vector{32, 33});
}

TEST_CASE("a view of an adopted view begins where that one does though no whole element lies before it")
{
    const Bench bench;
    align(bench, 8);
    struct Twelve {
        std::array<int, 3> words;
    };
    const Buffer<int> buffer{bench.queue, numbers(64)};
    const auto view = BufferView<Twelve>::adopt(raw_part(buffer.get(), 32, 48)); // 32 bytes: 2 elements and 8 bytes
    const auto nested = view.view(0, 1);
    CHECK(origin_of(nested.get()) == 32);
    CHECK(contents(bench.queue, nested)[0].words == std::array{8, 9, 10});
}

TEST_CASE("a sub-buffer that cannot be asked is released by adopt and kept as it was by retain")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 64};
    const auto view = buffer.view(32, 4);
    const auto before = live();
    for (unsigned nth = 1; nth <= 3; ++nth) {
        REQUIRE(clRetainMemObject(view.get()) == CL_SUCCESS);
        bench.driver().fail(Call::clGetMemObjectInfo, nth, CL_OUT_OF_HOST_MEMORY);
        CHECK(code([&] { static_cast<void>(BufferView<int>::adopt(view.get())); }) == CL_OUT_OF_HOST_MEMORY);
        bench.driver().fail(Call::clGetMemObjectInfo, nth, CL_OUT_OF_HOST_MEMORY);
        CHECK(code([&] { static_cast<void>(BufferView<int>::retain(view.get())); }) == CL_OUT_OF_HOST_MEMORY);
        CHECK(user_references(view.get()) == 1);
        CHECK(user_references(buffer.get()) == 2);
    }
    CHECK(live() == before);
}

TEST_CASE("making a view reports the driver's refusal at each call")
{
    const Bench bench;
    const Buffer<int> buffer{bench.queue, 128};
    const auto view = buffer.view(32);
    fail_each_call_of([&] { static_cast<void>(buffer.view(32, 4)); });
    fail_each_call_of([&] { static_cast<void>(buffer.view(128)); });
    fail_each_call_of([&] { static_cast<void>(view.view(32, 4)); });
    fail_each_call_of([&] { const BufferView<const int> copy = view; });
    fail_each_call_of([&] { static_cast<void>(BufferView<int>::retain(view.get())); });
    fail_each_call([&] {
        REQUIRE(clRetainMemObject(view.get()) == CL_SUCCESS);
        return [&] { static_cast<void>(BufferView<int>::adopt(view.get())); };
    });
}

} // namespace
