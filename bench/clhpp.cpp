// CLHPP, the C++ bindings that Khronos publishes: the functor, and setArg with enqueueNDRangeKernel. Its exceptions are
// on, so that every call is checked.
#define CL_TARGET_OPENCL_VERSION 120
#include "contender.hpp"

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#if __has_include(<CL/opencl.hpp>)
#include <CL/opencl.hpp>
#else
#include <CL/cl2.hpp>
#endif

#include <utility>

namespace bench {
namespace {

constexpr bool retain = true;

cl::Program build(const Place& place)
{
    cl::Program program{cl::Context{place.context, retain}, std::string{kernel_text}};
    program.build({cl::Device{place.device, retain}});
    return program;
}

/// The functor as its documentation writes it, with buffers by value, each of which is then retained and released; and
/// with references, the best that it can do. It has no way to ask for no event.
template <class Buffer>
using Two = cl::KernelFunctor<Buffer, cl_float>;
template <class Buffer>
using Eight = cl::KernelFunctor<Buffer, Buffer, Buffer, Buffer, cl_float, cl_float, cl_int, cl_uint>;

template <class Buffer>
Launches make_two_functor(const Place& place)
{
    return [kernel = Two<Buffer>{build(place), "two"}, queue = cl::CommandQueue{place.queue, retain},
            a = cl::Buffer{place.a, retain}](std::size_t times) mutable {
        const Values v;
        for (; times > 0; --times)
            kernel(cl::EnqueueArgs{queue, cl::NDRange{1}}, a, v.b);
    };
}

template <class Buffer>
Launches make_eight_functor(const Place& place)
{
    return [kernel = Eight<Buffer>{build(place), "eight"}, queue = cl::CommandQueue{place.queue, retain},
            a = cl::Buffer{place.a, retain}, b = cl::Buffer{place.b, retain}, c = cl::Buffer{place.c, retain},
            d = cl::Buffer{place.d, retain}](std::size_t times) mutable {
        const Values v;
        for (; times > 0; --times)
            kernel(cl::EnqueueArgs{queue, cl::NDRange{1}}, a, b, c, d, v.e, v.f, v.g, v.h);
    };
}

template <bool with_event, class... Given>
void launch(std::size_t times, cl::Kernel& kernel, const cl::CommandQueue& queue, const Given&... given)
{
    for (; times > 0; --times) {
        cl_uint index = 0;
        (kernel.setArg(index++, given), ...);
        if constexpr (with_event) {
            cl::Event event;
            queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange{1}, cl::NullRange, nullptr, &event);
        } else {
            queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange{1});
        }
    }
}

template <bool with_event>
Launches make_two(const Place& place)
{
    return [kernel = cl::Kernel{build(place), "two"}, queue = cl::CommandQueue{place.queue, retain},
            a = cl::Buffer{place.a, retain}](std::size_t times) mutable {
        launch<with_event>(times, kernel, queue, a, Values{}.b);
    };
}

template <bool with_event>
Launches make_eight(const Place& place)
{
    return [kernel = cl::Kernel{build(place), "eight"}, queue = cl::CommandQueue{place.queue, retain},
            a = cl::Buffer{place.a, retain}, b = cl::Buffer{place.b, retain}, c = cl::Buffer{place.c, retain},
            d = cl::Buffer{place.d, retain}](std::size_t times) mutable {
        const Values v;
        launch<with_event>(times, kernel, queue, a, b, c, d, v.e, v.f, v.g, v.h);
    };
}

} // namespace

void add_clhpp(std::vector<Contender>& list)
{
    list.push_back({"clhpp-setarg", "CLHPP setArg", 2, false, make_two<false>});
    list.push_back({"clhpp-setarg", "CLHPP setArg", 8, false, make_eight<false>});
    list.push_back({"clhpp-setarg-event", "CLHPP setArg", 2, true, make_two<true>});
    list.push_back({"clhpp-setarg-event", "CLHPP setArg", 8, true, make_eight<true>});
    list.push_back({"clhpp-functor", "CLHPP functor", 2, true, make_two_functor<cl::Buffer>});
    list.push_back({"clhpp-functor", "CLHPP functor", 8, true, make_eight_functor<cl::Buffer>});
    list.push_back({"clhpp-functor-ref", "CLHPP functor, Buffer&", 2, true, make_two_functor<cl::Buffer&>});
    list.push_back({"clhpp-functor-ref", "CLHPP functor, Buffer&", 8, true, make_eight_functor<cl::Buffer&>});
}

} // namespace bench
