// Kernels as objects: constants in headers, values, members, elements, template arguments, callables.
#include "kernels.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using clutch::Buffer;
using clutch::Queue;

namespace {

using Stated = std::remove_const_t<decltype(user::axpy)>;
static_assert(std::is_empty_v<Stated> && std::is_trivially_copyable_v<Stated>);
static_assert(std::is_nothrow_copy_constructible_v<user::RunTime> && std::is_copy_assignable_v<user::RunTime>);
static_assert(noexcept(user::axpy.try_launch(std::declval<const Queue&>(), clutch::NDRange{1},
                                             std::declval<const Buffer<float>&>(), std::declval<const Buffer<float>&>(),
                                             1.0f)));

constexpr auto& by_reference = user::axpy;
constexpr auto by_value = user::axpy;

inline constexpr clutch::Source empty_source{"kernel void nothing() {}"};
constexpr clutch::Kernel<clutch::Entry<empty_source, "nothing">> nothing{};
static constexpr clutch::Source file_local_source{"kernel void k(int x) {}"};
static constexpr clutch::Kernel<clutch::Entry<file_local_source, "k">, cl_int> file_local{};

struct Class {
    static constexpr clutch::Source source{"kernel void k(int x) {}"};
    static constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};
};

class Solver {
public:
    explicit Solver(const clutch::Program& program) : step_{program, "step"} {}
    void step(const Queue& queue, const Buffer<float>& y, const Buffer<float>& x) const
    {
        step_(queue, {y.size()}, y, x, 1.0f);
        axpy_(queue, {y.size()}, y, x, 1.0f);
    }

private:
    user::RunTime step_;
    Stated axpy_;
};

template <auto& kernel>
void by_template_reference(const Queue& queue, const Buffer<float>& y)
{
    kernel(queue, {1}, y, y, 1.0f);
}

template <auto kernel>
void by_template_value(const Queue& queue, const Buffer<float>& y)
{
    kernel(queue, {1}, y, y, 1.0f);
}

template <class K>
void by_template_type(const Queue& queue, const Buffer<float>& y)
{
    K{}(queue, {1}, y, y, 1.0f);
}

template <class K, class... Args>
void forwards(const K& kernel, const Queue& queue, const clutch::Launch& launch, const Args&... args)
{
    kernel(queue, launch, args...);
}

} // namespace

void stated(const Queue& queue, const Buffer<float>& y)
{
    by_reference(queue, {1}, y, y, 1.0f);
    by_value(queue, {1}, y, y, 1.0f);
    nothing(queue, {1});
    file_local(queue, {1}, 1);
    Class::k(queue, {1}, 1);
    by_template_reference<user::axpy>(queue, y);
    by_template_value<user::axpy>(queue, y);
    by_template_type<Stated>(queue, y);
    const user::RunTime from_source{user::axpy.program(), "axpy"};
    const user::RunTime from_program{clutch::program<user::vectors>(), "axpy"};
    forwards(user::axpy, queue, {{1}, {1}}, y, y, 1.0f);
    forwards(from_source, queue, {.global = {1}}, y, y, 1.0f);
}

void run_time(const Queue& queue, const Buffer<float>& y, const clutch::Program& program)
{
    const std::string name = "axpy";
    std::vector<user::RunTime> kernels{{program, "a"}, {program, name}};
    kernels.emplace_back(program, std::string_view{name});
    kernels.push_back(kernels.front());
    kernels[0] = kernels[1];
    for (const user::RunTime& kernel : kernels)
        kernel(queue, {1}, y, y, 1.0f);
    std::map<std::string, user::RunTime> by_name;
    by_name.emplace("axpy", kernels[0]);
    by_name.at("axpy")(queue, {1}, y, y, 1.0f);
    std::optional<user::RunTime> maybe;
    maybe.emplace(program, "axpy");
    (*maybe)(queue, {1}, y, y, 1.0f);
    const auto shared = std::make_shared<user::RunTime>(program, "axpy");
    (*shared)(queue, {1}, y, y, 1.0f);
    user::RunTime moved = std::move(kernels.back());
    std::swap(moved, kernels[0]);
    Solver{program}.step(queue, y, y);
}

void callables(const Queue& queue, const Buffer<float>& y, const user::RunTime& kernel)
{
    using Function =
        std::function<void(const Queue&, clutch::NDRange, const Buffer<float>&, const Buffer<float>&, float)>;
    const Function one = user::axpy, two = kernel;
    one(queue, {1}, y, y, 1.0f);
    two(queue, {1}, y, y, 1.0f);
    std::invoke(user::axpy, queue, clutch::NDRange{1}, y, y, 1.0f);
    const auto bound = std::bind_front(kernel, queue, clutch::NDRange{1}, y, y);
    bound(1.0f);
    const auto captured = [kernel, queue, y](float a) { kernel(queue, {1}, y, y, a); };
    captured(2.0f);
}
