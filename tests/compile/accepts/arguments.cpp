// Every kind of argument that a parameter takes.
#include <clutch/clutch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

using clutch::Buffer;
using clutch::BufferView;
using clutch::Constant;
using clutch::Global;
using clutch::Kernel;
using clutch::Local;
using clutch::Queue;

namespace user {

struct Point {
    cl_float x, y;
};

struct Body {
    Point at;
    cl_float4 velocity;
    cl_int tags[3];
    cl_uchar kind;
};

enum Unscoped { first, second };

class Field : public Buffer<float> {
public:
    using Buffer::Buffer;
    explicit Field(const Queue& queue) : Buffer{queue, 100} {}
};

class Grid : public Field {
public:
    using Field::Field;
};

struct Converts {
    operator Point() const { return {1, 2}; }
};

struct ByGet {
    cl_mem memory = nullptr;
    cl_mem get() const noexcept { return memory; }
};

struct ByCall {
    cl_mem memory = nullptr;
    const cl_mem& operator()() const noexcept { return memory; }
};

/// Gives a handle by both, and by a name of its own; `get` is asked.
struct ByBoth {
    cl_mem get() const { return nullptr; }
    cl_mem operator()() const { return nullptr; }
};

struct QueueByCall {
    cl_command_queue operator()() const { return nullptr; }
};

struct Release {
    void operator()(cl_mem) const {}
};

/// A vector of the user's own that also knows its device memory: the handle decides.
struct Mirrored {
    std::vector<float> host;
    Buffer<float> device;
    const float* data() const { return host.data(); }
    std::size_t size() const { return host.size(); }
    cl_mem get() const { return device.get(); }
};

} // namespace user

using namespace user;

void numbers(const Queue& queue, const Kernel<float>& f, const Kernel<double>& d, const Kernel<cl_int>& i,
             const Kernel<cl_uchar>& b, const Kernel<cl_ulong>& u, const Kernel<cl_long>& l)
{
    const std::size_t size = 4;
    volatile int changing = 3;
    f(queue, {1}, 3.14);
    f(queue, {1}, 3);
    f(queue, {1}, 3.14L);
    f(queue, {1}, size);
    f(queue, {1}, second);
    d(queue, {1}, 2.5f);
    d(queue, {1}, cl_long{1});
    i(queue, {1}, size);
    i(queue, {1}, 'c');
    i(queue, {1}, u'c');
    i(queue, {1}, first);
    i(queue, {1}, std::int8_t{-1});
    i(queue, {1}, int{changing});
    b(queue, {1}, 200);
    b(queue, {1}, 1LL);
    u(queue, {1}, size);
    u(queue, {1}, 1);
    u(queue, {1}, 1ull);
    l(queue, {1}, 1l);
    l(queue, {1}, 1ull);
    l(queue, {1}, std::ptrdiff_t{-1});
}

void structs(const Queue& queue, const Kernel<Point>& p, const Kernel<Body>& b, const Kernel<cl_float4>& v,
             const Kernel<cl_int3>& v3, const Kernel<std::array<float, 4>>& a)
{
    const Body body{};
    p(queue, {1}, Point{1, 2});
    p(queue, {1}, body.at);
    p(queue, {1}, Converts{});
    b(queue, {1}, body);
    v(queue, {1}, cl_float4{{1, 2, 3, 4}});
    v(queue, {1}, body.velocity);
    v3(queue, {1}, cl_int3{{1, 2, 3, 0}});
    a(queue, {1}, std::array<float, 4>{1, 2, 3, 4});
}

void memory(const Queue& queue, const Kernel<Global<float>>& writes, const Kernel<Global<const float>>& reads,
            const Kernel<Constant<float>>& constants, const Kernel<Global<void>>& untyped,
            const Kernel<Global<const void>>& untyped_reads, const Kernel<Global<Body>>& bodies)
{
    const Buffer<float> buffer{queue, 100};
    Buffer<float> changing = buffer;
    const Buffer<const float> constant{queue, std::vector<float>(100)};
    const BufferView<float> view = buffer.view(0, 10);
    const BufferView<const float> constant_view = view;
    const Field field{queue};
    const Grid grid{queue};
    cl_mem raw = buffer.get();
    const cl_mem constant_raw = raw;
    const std::unique_ptr<std::remove_pointer_t<cl_mem>, Release> unique;
    const std::shared_ptr<std::remove_pointer_t<cl_mem>> shared;

    writes(queue, {1}, buffer);
    writes(queue, {1}, changing);
    writes(queue, {1}, std::move(changing));
    writes(queue, {1}, Buffer<float>{queue, 10});
    writes(queue, {1}, view);
    writes(queue, {1}, buffer.view(0, 10));
    writes(queue, {1}, field);
    writes(queue, {1}, grid);
    writes(queue, {1}, raw);
    writes(queue, {1}, constant_raw);
    writes(queue, {1}, nullptr);
    writes(queue, {1}, ByGet{});
    writes(queue, {1}, ByCall{});
    writes(queue, {1}, ByBoth{});
    writes(queue, {1}, unique);
    writes(queue, {1}, shared);
    writes(queue, {1}, Mirrored{});

    reads(queue, {1}, buffer);
    reads(queue, {1}, constant);
    reads(queue, {1}, view);
    reads(queue, {1}, constant_view);
    reads(queue, {1}, field);
    reads(queue, {1}, raw);
    reads(queue, {1}, nullptr);

    constants(queue, {1}, buffer);
    constants(queue, {1}, constant);
    constants(queue, {1}, constant_view);
    constants(queue, {1}, grid);
    constants(queue, {1}, raw);
    constants(queue, {1}, nullptr);

    untyped(queue, {1}, buffer);
    untyped(queue, {1}, Buffer<Body>{queue, 1});
    untyped_reads(queue, {1}, constant);
    bodies(queue, {1}, Buffer<Body>{queue, 1});
}

void local_memory(const Queue& queue, const Kernel<Local<float>, Local<Body>>& k, std::size_t count)
{
    constexpr auto known = clutch::local<float>(64);
    static_assert(known.count() == 64 && known.bytes() == 256);
    k(queue, {1}, known, clutch::local<Body>(count));
    k(queue, {1}, clutch::local<float>(count), clutch::local<Body>(3u));
}

void queues(const Queue& queue, const Kernel<cl_int>& k, Queue changing, cl_command_queue raw,
            const std::shared_ptr<std::remove_pointer_t<cl_command_queue>>& shared)
{
    k(queue, {1}, 1);
    k(changing, {1}, 1);
    k(Queue{queue.context(), queue.device()}, {1}, 1);
    k(clutch::default_queue(), {1}, 1);
    k(raw, {1}, 1);
    k(queue.get(), {1}, 1);
    k(QueueByCall{}, {1}, 1);
    k(shared, {1}, 1);
    k.enqueue(QueueByCall{}, {1}, 1).wait();
    static_cast<void>(k.try_launch(raw, {1}, 1));
    static_cast<void>(k.info(raw));
    k.program().build(QueueByCall{});
}
