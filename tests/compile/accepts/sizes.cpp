// Every way to write the sizes of a launch.
#include "kernels.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <type_traits>
#include <vector>

using clutch::Launch;
using clutch::NDRange;

namespace {

enum Width : int { narrow = 8 };

static_assert(NDRange{}.empty());
static_assert(NDRange{7}.rank() == 1 && NDRange{7, 1}.rank() == 2 && NDRange{7, 1, 1}.rank() == 3);
static_assert(NDRange{1024, 64} == NDRange{1024u, std::size_t{64}});
static_assert(clutch::round_up(1000, 64) == 1024);
static_assert(clutch::round_up(NDRange{1000, 10}, NDRange{64, 4}) == NDRange{1024, 12});
static_assert(std::is_trivially_copyable_v<NDRange>);
static_assert(!std::is_convertible_v<int, NDRange>);

/// The calls have the same forms: `call(queue, sizes)` is one of them.
template <class Call>
void every_form(const clutch::Queue& queue, Call call)
{
    const int n = 1000;
    const std::size_t w = 64;
    const unsigned char h = 32;
    const long long d = 4;
    static_cast<void>(call(queue, NDRange{n}));
    static_cast<void>(call(queue, Launch{.global = {n}}));
    static_cast<void>(call(queue, Launch{{w, h}, {16, h}}));
    static_cast<void>(call(queue, Launch{{w, h, d}, {}, {1, 2, 3}}));
}

} // namespace

void numbers_in_braces(const clutch::Queue& queue, const clutch::Buffer<float>& y, const clutch::Buffer<float>& x)
{
    const int n = 1000;
    const std::size_t w = 64;
    const unsigned char h = 32;
    const long long d = 4;
    const std::int16_t small = 2;
    user::axpy(queue, {1000}, y, x, 2.0f);
    user::axpy(queue, {n}, y, x, 2.0f);
    user::axpy(queue, {y.size()}, y, x, 2.0f);
    user::axpy(queue, {n + 1}, y, x, 2.0f);
    user::axpy(queue, {w, h}, y, x, 2.0f);
    user::axpy(queue, {w, h, d}, y, x, 2.0f);
    user::axpy(queue, {h, 16u, small}, y, x, 2.0f);
    user::axpy(queue, {narrow * 2}, y, x, 2.0f);
    user::axpy(queue, {1024, 64}, y, x, 2.0f);
}

void braces_in_braces(const clutch::Queue& queue, const clutch::Buffer<float>& y, const clutch::Buffer<float>& x)
{
    const int n = 1000;
    const std::size_t w = 64;
    const unsigned char h = 32;
    user::axpy(queue, {{n}, {64}}, y, x, 2.0f);
    user::axpy(queue, {{w, h}, {16, 16}}, y, x, 2.0f);
    user::axpy(queue, {{w, h, 4}, {4, 4, 4}}, y, x, 2.0f);
    user::axpy(queue, {{n}, {64}, {8}}, y, x, 2.0f);
    user::axpy(queue, {{w, h}, {}, {1, 2}}, y, x, 2.0f);
    user::axpy(queue, {clutch::round_up(NDRange{n}, NDRange{64}), {64}}, y, x, 2.0f);
    user::axpy(queue, {{clutch::round_up(n, 64)}, {64}}, y, x, 2.0f);
}

void by_name(const clutch::Queue& queue, const clutch::Buffer<float>& y, const clutch::Buffer<float>& x,
             const clutch::Event& event)
{
    const int n = 1000;
    const std::vector<clutch::Event> vector{event};
    const std::array<clutch::Event, 2> array{event, event};
    const clutch::Event plain_array[] = {event};
    user::axpy(queue, {.global = {n}}, y, x, 2.0f);
    user::axpy(queue, {.global = {n}, .local = {64}}, y, x, 2.0f);
    user::axpy(queue, {.global = {n}, .local = {}, .offset = {8}}, y, x, 2.0f);
    user::axpy(queue, {.global = {n}, .after = vector}, y, x, 2.0f);
    user::axpy(queue, {.global = {n, n}, .local = {8, 8}, .offset = {1, 2}, .after = array}, y, x, 2.0f);
    user::axpy(queue, {.global = {n}, .after = plain_array}, y, x, 2.0f);
    user::axpy(queue, {.global = {n}, .after = {&event, 1}}, y, x, 2.0f);
    user::axpy(queue, {.global = {n}, .after = std::span{vector}.first(1)}, y, x, 2.0f);
    user::axpy(queue, {.global = {n}, .after = {}}, y, x, 2.0f);
}

void objects(const clutch::Queue& queue, const clutch::Buffer<float>& y, const clutch::Buffer<float>& x)
{
    NDRange range{1000};
    const NDRange constant{64, 4};
    constexpr NDRange known{8, 8};
    user::axpy(queue, range, y, x, 2.0f);
    user::axpy(queue, constant, y, x, 2.0f);
    user::axpy(queue, known, y, x, 2.0f);
    user::axpy(queue, NDRange{1000}, y, x, 2.0f);
    user::axpy(queue, {range}, y, x, 2.0f);
    user::axpy(queue, {range, {10}}, y, x, 2.0f);
    user::axpy(queue, {constant, known}, y, x, 2.0f);
    user::axpy(queue, {.global = range, .local = {10}}, y, x, 2.0f);

    Launch launch{.global = {1000}};
    const Launch fixed{{64, 64}, {8, 8}};
    launch.local = {10};
    range = {500, 2};
    user::axpy(queue, launch, y, x, 2.0f);
    user::axpy(queue, fixed, y, x, 2.0f);
    user::axpy(queue, Launch{.global = range}, y, x, 2.0f);
    user::axpy(queue, Launch{range, {10, 2}}, y, x, 2.0f);
}

void every_call(const clutch::Queue& queue, const clutch::Buffer<float>& y, const clutch::Buffer<float>& x)
{
    every_form(queue, [&](const auto& q, const auto& how) { return user::axpy.enqueue(q, how, y, x, 2.0f); });
    every_form(queue, [&](const auto& q, const auto& how) { return user::axpy.try_launch(q, how, y, x, 2.0f); });
    user::axpy.enqueue(queue, {1000}, y, x, 2.0f).wait();
    user::axpy.enqueue(queue, {{1000}, {10}}, y, x, 2.0f).wait();
    user::axpy.enqueue(queue, {.global = {1000}, .offset = {1}}, y, x, 2.0f).wait();
    if (user::axpy.try_launch(queue, {64, 64}, y, x, 2.0f) || user::axpy.try_launch(queue, {{64}, {8}}, y, x, 2.0f) ||
        user::axpy.try_launch(queue, {.global = {1000}}, y, x, 2.0f))
        queue.finish();
}
