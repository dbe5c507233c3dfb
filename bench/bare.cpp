// The baseline: the calls that a launch cannot do without, written by hand in C's manner, each checked.
#include "contender.hpp"

#include <memory>
#include <stdexcept>
#include <type_traits>

namespace bench {
namespace {

[[noreturn, gnu::cold, gnu::noinline]] void fail(const char* call, cl_int status)
{
    throw std::runtime_error{std::string{call} + ": " + std::to_string(status)};
}

template <bool with_event>
void launch_two(std::size_t times, cl_command_queue queue, cl_kernel kernel, cl_mem a, cl_float b)
{
    const std::size_t global = 1;
    for (; times > 0; --times) {
        cl_int status = clSetKernelArg(kernel, 0, sizeof a, &a);
        if (status != CL_SUCCESS)
            fail("clSetKernelArg", status);
        status = clSetKernelArg(kernel, 1, sizeof b, &b);
        if (status != CL_SUCCESS)
            fail("clSetKernelArg", status);
        cl_event event;
        status = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr,
                                        with_event ? &event : nullptr);
        if (status != CL_SUCCESS)
            fail("clEnqueueNDRangeKernel", status);
        if constexpr (with_event) {
            status = clReleaseEvent(event);
            if (status != CL_SUCCESS)
                fail("clReleaseEvent", status);
        }
    }
}

template <bool with_event>
void launch_eight(std::size_t times, cl_command_queue queue, cl_kernel kernel, cl_mem a, cl_mem b, cl_mem c, cl_mem d,
                  cl_float e, cl_float f, cl_int g, cl_uint h)
{
    const std::size_t global = 1;
    for (; times > 0; --times) {
        cl_int status = clSetKernelArg(kernel, 0, sizeof a, &a);
        if (status != CL_SUCCESS)
            fail("clSetKernelArg", status);
        status = clSetKernelArg(kernel, 1, sizeof b, &b);
        if (status != CL_SUCCESS)
            fail("clSetKernelArg", status);
        status = clSetKernelArg(kernel, 2, sizeof c, &c);
        if (status != CL_SUCCESS)
            fail("clSetKernelArg", status);
        status = clSetKernelArg(kernel, 3, sizeof d, &d);
        if (status != CL_SUCCESS)
            fail("clSetKernelArg", status);
        status = clSetKernelArg(kernel, 4, sizeof e, &e);
        if (status != CL_SUCCESS)
            fail("clSetKernelArg", status);
        status = clSetKernelArg(kernel, 5, sizeof f, &f);
        if (status != CL_SUCCESS)
            fail("clSetKernelArg", status);
        status = clSetKernelArg(kernel, 6, sizeof g, &g);
        if (status != CL_SUCCESS)
            fail("clSetKernelArg", status);
        status = clSetKernelArg(kernel, 7, sizeof h, &h);
        if (status != CL_SUCCESS)
            fail("clSetKernelArg", status);
        cl_event event;
        status = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr,
                                        with_event ? &event : nullptr);
        if (status != CL_SUCCESS)
            fail("clEnqueueNDRangeKernel", status);
        if constexpr (with_event) {
            status = clReleaseEvent(event);
            if (status != CL_SUCCESS)
                fail("clReleaseEvent", status);
        }
    }
}

std::shared_ptr<std::remove_pointer_t<cl_kernel>> make_kernel(const Place& place, const char* name)
{
    cl_int status = CL_SUCCESS;
    const char* text = kernel_text;
    const cl_program program = clCreateProgramWithSource(place.context, 1, &text, nullptr, &status);
    if (status != CL_SUCCESS)
        fail("clCreateProgramWithSource", status);
    status = clBuildProgram(program, 1, &place.device, "", nullptr, nullptr);
    if (status != CL_SUCCESS)
        fail("clBuildProgram", status);
    const cl_kernel kernel = clCreateKernel(program, name, &status);
    if (status != CL_SUCCESS)
        fail("clCreateKernel", status);
    clReleaseProgram(program); // the kernel keeps it
    return {kernel, clReleaseKernel};
}

template <bool with_event>
Launches make_two(const Place& place)
{
    return [place, kernel = make_kernel(place, "two")](std::size_t times) {
        launch_two<with_event>(times, place.queue, kernel.get(), place.a, Values{}.b);
    };
}

template <bool with_event>
Launches make_eight(const Place& place)
{
    return [place, kernel = make_kernel(place, "eight")](std::size_t times) {
        const Values v;
        launch_eight<with_event>(times, place.queue, kernel.get(), place.a, place.b, place.c, place.d, v.e, v.f, v.g,
                                 v.h);
    };
}

} // namespace

void add_bare(std::vector<Contender>& list)
{
    list.push_back({"bare", "bare C calls", 2, false, make_two<false>});
    list.push_back({"bare", "bare C calls", 8, false, make_eight<false>});
    list.push_back({"bare-event", "bare C calls", 2, true, make_two<true>});
    list.push_back({"bare-event", "bare C calls", 8, true, make_eight<true>});
}

} // namespace bench
