// Boost.Compute. Its enqueue functions always return an event; there is no way to ask for none.
#define CL_TARGET_OPENCL_VERSION 120
#include "contender.hpp"

#include <boost/compute/buffer.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/context.hpp>
#include <boost/compute/kernel.hpp>
#include <boost/compute/program.hpp>

namespace bench {
namespace {

namespace compute = boost::compute;

compute::kernel make_kernel(const Place& place, const char* name)
{
    return compute::program::build_with_source(kernel_text, compute::context{place.context}).create_kernel(name);
}

template <class... Given>
void launch(std::size_t times, compute::kernel& kernel, compute::command_queue& queue, const Given&... given)
{
    for (; times > 0; --times) {
        kernel.set_args(given...);
        const std::size_t global = 1;
        queue.enqueue_nd_range_kernel(kernel, 1, nullptr, &global, nullptr);
    }
}

Launches make_two(const Place& place)
{
    return [kernel = make_kernel(place, "two"), queue = compute::command_queue{place.queue},
            a = compute::buffer{place.a}](std::size_t times) mutable { launch(times, kernel, queue, a, Values{}.b); };
}

Launches make_eight(const Place& place)
{
    return [kernel = make_kernel(place, "eight"), queue = compute::command_queue{place.queue},
            a = compute::buffer{place.a}, b = compute::buffer{place.b}, c = compute::buffer{place.c},
            d = compute::buffer{place.d}](std::size_t times) mutable {
        const Values v;
        launch(times, kernel, queue, a, b, c, d, v.e, v.f, v.g, v.h);
    };
}

} // namespace

void add_boost(std::vector<Contender>& list)
{
    list.push_back({"boost", "Boost.Compute", 2, true, make_two});
    list.push_back({"boost", "Boost.Compute", 8, true, make_eight});
}

} // namespace bench
