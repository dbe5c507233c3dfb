// Every way to make a buffer, and what goes in and out of it.
#include <clutch/clutch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using clutch::Buffer;
using clutch::BufferView;
using clutch::Context;
using clutch::Event;
using clutch::Mapping;
using clutch::Queue;

namespace {

static_assert(std::is_nothrow_move_constructible_v<Buffer<float>> && std::is_copy_constructible_v<Buffer<float>>);
static_assert(std::is_nothrow_move_constructible_v<Mapping<float>> && !std::is_copy_constructible_v<Mapping<float>>);
static_assert(std::is_nothrow_default_constructible_v<Buffer<const float>>);
static_assert(std::is_convertible_v<BufferView<float>, BufferView<const float>> &&
              !std::is_convertible_v<BufferView<const float>, BufferView<float>>);
static_assert(std::ranges::contiguous_range<Mapping<float>>);

template <class B>
concept writable = requires(const B& buffer, const Queue& queue, std::span<const float> from)
{
    buffer.write(queue, from);
};
static_assert(writable<Buffer<float>> && writable<BufferView<float>>);
static_assert(!writable<Buffer<const float>> && !writable<BufferView<const float>>);

struct QueueByGet {
    cl_command_queue get() const { return nullptr; }
};

struct ContextByCall {
    cl_context operator()() const { return nullptr; }
};

} // namespace

void making(const Queue& queue, const Context& context, cl_command_queue raw_queue, cl_context raw_context)
{
    const std::vector<float> vector(4);
    std::array<float, 4> array{};
    const float plain[] = {1, 2, 3};
    const std::string text = "text";
    const Buffer<float> none, sized{queue, 4}, by_size{queue, vector.size()}, by_short{queue, std::int16_t{4}};
    const Buffer<float> of_vector{queue, vector}, of_array{queue, array}, of_plain{queue, plain};
    const Buffer<float> of_span{queue, std::span{array}.first(2)}, of_temporary{queue, std::vector<float>(8)};
    const Buffer<char> of_text{queue, text};
    const Buffer<const float> constant{queue, vector}, constant_sized{context, 4};
    const Buffer<float> in_context{context, 4}, in_raw{raw_context, vector}, in_raw_queue{raw_queue, 4};
    const Buffer<float> by_wrapper{QueueByGet{}, 4}, by_context_wrapper{ContextByCall{}, vector};
    const Buffer<float> flags{queue, 4, CL_MEM_READ_ONLY}, flags_too{queue, vector, CL_MEM_READ_ONLY};
    const auto adopted = Buffer<float>::adopt(nullptr);
    std::vector<Buffer<float>> several;
    several.emplace_back(queue, 4);
    several.push_back(sized);
    std::swap(several[0], several[1]);
}

void transfers(const Queue& queue, const Buffer<float>& buffer, const Buffer<const float>& constant,
               const BufferView<float>& view, cl_command_queue raw)
{
    std::vector<float> vector(4);
    std::array<float, 4> array{};
    float plain[4] = {};
    const std::vector<float> fixed(4);
    buffer.read(queue, vector);
    buffer.read(queue, array, 2);
    constant.read(raw, plain);
    view.read(QueueByGet{}, std::span{vector}.subspan(1));
    buffer.write(queue, fixed);
    buffer.write(queue, vector, 1);
    view.write(raw, plain);
    buffer.fill(queue, 1);
    buffer.fill(queue, 1.0f, 2);
    view.fill(queue, 0, 0, 2);
    buffer.copy_from(queue, constant);
    buffer.copy_from(queue, view, 0, 1, 2);
    view.copy_from(raw, buffer.view(0), 1);

    const Event written = buffer.write_async(queue, fixed);
    const Event read = buffer.read_async(queue, vector, 0, {&written, 1});
    const std::vector<Event> both{written, read};
    const Event filled = view.fill_async(queue, 1, 0, 2, both);
    buffer.copy_from_async(queue, constant, 0, 0, 2, std::array{filled, read}).wait();
    Event::wait_all(both);
}

void mappings(const Queue& queue, const Buffer<float>& buffer, const Buffer<const float>& constant)
{
    Mapping<float> mapping = buffer.map(queue);
    for (float& element : mapping)
        element += 1;
    mapping[0] = 2;
    const Mapping<const float> fixed = constant.map(queue, 1, 2);
    float sum = 0;
    for (const float& element : fixed)
        sum += element;
    mapping[1] = sum;
    mapping.unmap();
    buffer.map_async(queue, mapping, 0, 2).wait();
    const std::span<float> elements{mapping};
    elements[0] = 1;
}
