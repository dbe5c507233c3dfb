// expect: a parameter by value takes that very type, or one that converts to it
// Structs are told apart by their type, not by their size.
#include <clutch/clutch.hpp>

struct Point {
    cl_int x;
};

struct Other {
    cl_int x;
};

inline constexpr clutch::Source source{"typedef struct { int x; } Point; kernel void k(Point point) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, Point> k{};

void launch(const clutch::Queue& queue, Other other, Point point)
{
#ifndef CLUTCH_ACCEPT
    k(queue, {1}, other);
#else
    k(queue, {1}, point);
#endif
}
