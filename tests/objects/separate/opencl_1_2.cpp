// A driver of OpenCL 1.2: objects and programs use no call that it lacks. The driver itself counts one as a violation.
#include "../probe.hpp"

#include <cstdlib>

namespace {

using namespace test;
using clutch::Buffer;
using clutch::Device;
using clutch::Queue;

const int environment = setenv("CLUTCH_TEST_VERSION", "1.2", 1);

TEST_CASE("a device of OpenCL 1.2 says so")
{
    const CleanDriver clean;
    REQUIRE(environment == 0);
    const Device device = Device::best();
    CHECK(device.version() == "OpenCL 1.2 clutch test driver");
    CHECK(device.opencl_version() == Device::Version{1, 2});
    CHECK(device.opencl_version() < Device::Version{2, 0});
}

TEST_CASE("objects work on a driver of OpenCL 1.2")
{
    const CleanDriver clean;
    const auto before = live();
    {
        const Queue queue{Device::best(), {.profiling = true, .out_of_order = true}};
        const Buffer<int> buffer{queue, 64};
        buffer.fill(queue, 7);
        std::vector<int> host(64);
        buffer.read(queue, host);
        CHECK(host == std::vector(64, 7));
        const auto view = buffer.view(32);
        buffer.copy_from(queue, view);
        view.map(queue).unmap();
        const clutch::Event event = view.fill_async(queue, 1, 0, 0);
        event.wait();
        CHECK_NOTHROW(view.fill_async(queue, 1).duration());
        queue.flush();
        queue.finish();
        CHECK(clutch::BufferView<int>::retain(view.get()).offset() == 32);
        CHECK(Queue::retain(queue.get()).device() == queue.device());
    }
    CHECK(live() == before);
}

TEST_CASE("programs work on a driver of OpenCL 1.2")
{
    const CleanDriver clean;
    const auto before = live();
    {
        const Queue queue{Device::best()};
        const auto program = clutch::Program::from_source("kernel void set(global int* x, int a) { x[0] = a; }");
        const clutch::Kernel<clutch::Global<int>, cl_int> set{program, "set"};
        const Buffer<int> buffer{queue, 64};
        CHECK_NOTHROW(set(queue, {64}, buffer, 7));
        CHECK_NOTHROW(set.enqueue(queue, {{64}, {32}}, buffer, 7).wait());
        CHECK(set.info(queue).parameters.at(0).type == "int*");
        CHECK(code([&] { set(queue, {{64}, {48}}, buffer, 7); }) == CL_INVALID_WORK_GROUP_SIZE);
    }
    CHECK(live() == before);
}

} // namespace
