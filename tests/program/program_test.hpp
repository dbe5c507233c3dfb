// What the tests of programs share: a text with two kernels, and a look at what the driver was given.
#pragma once

#include "../objects/probe.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CLUTCH_TEST_SANITIZER_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CLUTCH_TEST_SANITIZER_HEAP 1
#endif
#endif
#ifdef CLUTCH_TEST_SANITIZER_HEAP
extern "C" std::size_t __sanitizer_get_current_allocated_bytes(); // GCC 12 has the function, not its header
#else
#include <malloc.h>
#endif

namespace test {

inline const std::string two_kernels = "kernel void scale(global float* data, float by) { data[0] *= by; }\n"
                                       "kernel void clear(global float* data) { data[0] = 0; }\n";

using Scale = clutch::Kernel<clutch::Global<float>, float>;
using Clear = clutch::Kernel<clutch::Global<float>>;

/// A bench with a buffer to launch on.
struct LaunchBench : Bench {
    clutch::Buffer<float> data{queue, 64};
};

/// The bytes of the process's heap that are in use, by all threads.
inline std::size_t heap_in_use()
{
#ifdef CLUTCH_TEST_SANITIZER_HEAP
    return __sanitizer_get_current_allocated_bytes();
#else
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
}

/// The text of an answer of the driver.
template <class Query>
std::string ask_text(Query query)
{
    std::size_t bytes = 0;
    REQUIRE(query(0, nullptr, &bytes) == CL_SUCCESS);
    std::string text(bytes, '\0');
    REQUIRE(query(bytes, text.data(), nullptr) == CL_SUCCESS);
    text.resize(text.find('\0'));
    return text;
}

inline std::string source_of(cl_program program)
{
    return ask_text([&](std::size_t size, void* value, std::size_t* given) {
        return clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, value, given);
    });
}

inline std::string options_of(cl_program program, cl_device_id device)
{
    return ask_text([&](std::size_t size, void* value, std::size_t* given) {
        return clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, size, value, given);
    });
}

/// The programs that clBuildProgram was called for while `work` ran, in order.
template <class Work>
std::vector<cl_program> built_by(Work work)
{
    clutch_test::driver().reset();
    {
        const clutch_test::Recording recording;
        work();
    }
    std::vector<cl_program> programs;
    for (const clutch_test::Record* record : clutch_test::driver().records_of(Call::clBuildProgram))
        programs.push_back(reinterpret_cast<cl_program>(record->values[0]));
    return programs;
}

/// The text that the launches made by `work` ran; they are all of one.
template <class Work>
std::string text_run_by(Work work)
{
    clutch_test::driver().reset();
    {
        const clutch_test::Recording recording;
        work();
    }
    std::string text;
    for (const clutch_test::Record* record : clutch_test::driver().records_of(Call::clEnqueueNDRangeKernel)) {
        const std::string one = source_of(ask<cl_program>(clGetKernelInfo, record->kernel, CL_KERNEL_PROGRAM));
        CHECK((text.empty() || text == one));
        text = one;
    }
    return text;
}

/// The number of clBuildProgram calls while `work` ran.
template <class Work>
std::uint64_t builds(Work work)
{
    const std::uint64_t before = clutch_test::driver().count(Call::clBuildProgram);
    work();
    return clutch_test::driver().count(Call::clBuildProgram) - before;
}

inline void set_extensions(const Bench& bench, const char* extensions)
{
    const cl_device_id device = bench.queue.device_handle();
    auto traits = bench.driver().traits(device);
    traits.extensions = extensions;
    bench.driver().set_traits(device, traits);
}

/// Runs `work` in so many threads at once and waits for all.
template <class Work>
void in_threads(int count, Work work)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&work, i] { work(i); });
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace test
