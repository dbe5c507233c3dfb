// clutch: the stated and the run-time form, called and enqueued.
#include "contender.hpp"

#include <clutch/clutch.hpp>

namespace bench {
namespace {

using clutch::Buffer, clutch::Entry, clutch::Global;

inline constexpr clutch::Source source{kernel_text};

template <class... Entry>
using Two = clutch::Kernel<Entry..., Global<float>, float>;
template <class... Entry>
using Eight = clutch::Kernel<Entry..., Global<float>, Global<float>, Global<const float>, Global<const cl_int>, float,
                             float, cl_int, cl_uint>;

struct Stated {
    Two<Entry<source, "two">> two;
    Eight<Entry<source, "eight">> eight;
};

struct RunTime {
    clutch::Program program = clutch::Program::from_source(kernel_text);
    Two<> two{program, "two"};
    Eight<> eight{program, "eight"};
};

template <bool with_event, class Kernel, class... Given>
void launch(std::size_t times, const Kernel& kernel, const clutch::Queue& queue, const Given&... given)
{
    for (; times > 0; --times)
        if constexpr (with_event)
            static_cast<void>(kernel.enqueue(queue, {1}, given...));
        else
            kernel(queue, {1}, given...);
}

template <class Form, bool with_event>
Launches make_two(const Place& place)
{
    return [form = Form{}, queue = clutch::Queue::retain(place.queue), a = Buffer<float>::retain(place.a)](
               std::size_t times) { launch<with_event>(times, form.two, queue, a, Values{}.b); };
}

template <class Form, bool with_event>
Launches make_eight(const Place& place)
{
    return [form = Form{}, queue = clutch::Queue::retain(place.queue), a = Buffer<float>::retain(place.a),
            b = Buffer<float>::retain(place.b), c = Buffer<float>::retain(place.c),
            d = Buffer<cl_int>::retain(place.d)](std::size_t times) {
        const Values v;
        launch<with_event>(times, form.eight, queue, a, b, c, d, v.e, v.f, v.g, v.h);
    };
}

} // namespace

void add_clutch(std::vector<Contender>& list)
{
    list.push_back({"clutch", "clutch", 2, false, make_two<Stated, false>});
    list.push_back({"clutch", "clutch", 8, false, make_eight<Stated, false>});
    list.push_back({"clutch-runtime", "clutch, run time", 2, false, make_two<RunTime, false>});
    list.push_back({"clutch-runtime", "clutch, run time", 8, false, make_eight<RunTime, false>});
    list.push_back({"clutch-event", "clutch", 2, true, make_two<Stated, true>});
    list.push_back({"clutch-event", "clutch", 8, true, make_eight<Stated, true>});
    list.push_back({"clutch-runtime-event", "clutch, run time", 2, true, make_two<RunTime, true>});
    list.push_back({"clutch-runtime-event", "clutch, run time", 8, true, make_eight<RunTime, true>});
}

} // namespace bench
