// The slot: whole identities are compared, steady state resolves nothing, and what was resolved belongs to one thread.
#include "../support/driver_test.hpp"

#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace test;
using clutch::Entry;
using clutch::Global;
using clutch::Kernel;

/// The names of the kernels that ran, in order, and the serial numbers of their programs.
struct Ran {
    std::vector<std::string> names;
    std::vector<std::uint64_t> programs;
};

template <class Work>
Ran ran(Work work)
{
    auto& driver = clutch_test::driver();
    driver.reset();
    driver.record(true);
    work();
    driver.record(false);
    Ran result;
    for (const auto* record : driver.records_of(Call::clEnqueueNDRangeKernel)) {
        result.names.emplace_back(record->kernel_name.data());
        result.programs.push_back(record->program_serial);
    }
    return result;
}

using Plain = Kernel<cl_int>;

} // namespace

TEST_CASE("Two run-time kernels of one type never get each other's code")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source("kernel void a(int x) {} kernel void b(int x) {}");
    const Plain a{program, "a"}, b{program, "b"};
    const Ran result = ran([&] {
        for (int i = 0; i < 3; ++i) {
            a(queue, {1}, i);
            b(queue, {1}, i);
            b(queue, {1}, i);
        }
    });
    CHECK(result.names == std::vector<std::string>{"a", "b", "b", "a", "b", "b", "a", "b", "b"});
}

TEST_CASE("Kernels of one name and type in two programs never get each other's code")
{
    const CleanDriver clean;
    const clutch::Queue queue = clutch::default_queue();
    const auto one = clutch::Program::from_source("kernel void k(int x) {}");
    const auto two = clutch::Program::from_source("kernel void k(int x) { x = 1; }");
    const Plain k1{one, "k"}, k2{two, "k"};
    const Ran result = ran([&] {
        for (int i = 0; i < 3; ++i) {
            k1(queue, {1}, i);
            k2(queue, {1}, i);
        }
    });
    REQUIRE(result.programs.size() == 6);
    CHECK(result.programs[0] != result.programs[1]);
    for (std::size_t i = 2; i < 6; ++i)
        CHECK(result.programs[i] == result.programs[i % 2]);
}

TEST_CASE("A program made where a dropped one was never gets the dropped one's kernel")
{
    const CleanDriver clean;
    clean.driver().reuse_addresses(true);
    const clutch::Queue queue = clutch::default_queue();
    std::set<std::uint64_t> programs;
    std::set<std::string> names;
    for (int i = 0; i < 20; ++i) {
        const std::string name = "k" + std::to_string(i);
        const auto program = clutch::Program::from_source("kernel void " + name + "(int x) {}");
        const Plain k{program, name};
        const Ran result = ran([&] { k(queue, {1}, 1); });
        programs.insert(result.programs.at(0));
        names.insert(result.names.at(0));
    }
    CHECK(programs.size() == 20);
    CHECK(names.size() == 20);
}

TEST_CASE("Alternating kernels, contexts and devices make no clCreateKernel, no lock's worth of calls and no heap use")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const auto devices = clutch::Device::all();
    REQUIRE(devices.size() >= 2);
    const clutch::Context both{devices};
    const clutch::Queue queues[] = {clutch::Queue{devices[0]}, clutch::Queue{devices[1]},
                                    clutch::Queue{both, devices[0]}, clutch::Queue{both, devices[1]}};
    const auto program = clutch::Program::from_source("kernel void a(int x) {} kernel void b(int x) {}");
    const Plain kernels[] = {{program, "a"}, {program, "b"}};
    const auto round = [&] {
        for (const auto& kernel : kernels)
            for (const auto& queue : queues)
                kernel(queue, {1}, 1);
    };
    round();
    driver.reset();
    const auto heap_use = allocations(round);
    CHECK(heap_use == 0);
    CHECK(driver.count(Call::clSetKernelArg) == 8);
    CHECK(driver.count(Call::clEnqueueNDRangeKernel) == 8);
    CHECK(driver.total() == 16);
}

TEST_CASE("Each context and device runs a kernel of its own")
{
    const CleanDriver clean;
    const auto devices = clutch::Device::all();
    const clutch::Queue one{devices[0]}, two{devices[0]}, other{devices[1]};
    const auto program = clutch::Program::from_source("kernel void k(int x) {}");
    const Plain k{program, "k"};
    const Ran result = ran([&] {
        for (int i = 0; i < 2; ++i) {
            k(one, {1}, i);
            k(two, {1}, i);
            k(other, {1}, i);
        }
    });
    CHECK(std::set<std::uint64_t>(result.programs.begin(), result.programs.end()).size() == 3);
}

TEST_CASE("A context made anew at the same address never meets a kernel of the old one")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    driver.reuse_addresses(true);
    const auto device = clutch::Device::best();
    const auto program = clutch::Program::from_source("kernel void k(int x) {}");
    const Plain k{program, "k"};
    for (int i = 0; i < 200; ++i) {
        const clutch::Queue queue{device};
        k(queue, {1}, i); // a dead kernel would be a violation, one of another context an error
        k(queue, {1}, i);
    }
    CHECK(driver.live(Kind::context) <= 40);
    CHECK(driver.live(Kind::program) <= 40);
}

TEST_CASE("A replacement is what every later launch runs, and no later launch resolves twice")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source("kernel void k(int x) {}");
    const Plain k{program, "k"};
    const auto before = ran([&] { k(queue, {1}, 1); });
    const auto generation = program.generation();
    program.replace("kernel void k(int x) { x = 2; }");
    CHECK(program.generation() != generation);
    const auto after = ran([&] {
        k(queue, {1}, 1);
        k(queue, {1}, 1);
    });
    CHECK(driver.count(Call::clCreateKernel) == 1);
    REQUIRE(after.programs.size() == 2);
    CHECK(after.programs[0] != before.programs[0]);
    CHECK(after.programs[1] == after.programs[0]);
}

TEST_CASE("A replacement while a resolution is under way is seen by the next launch")
{
    const CleanDriver clean;
    auto& driver = clean.driver();
    const clutch::Queue queue = clutch::default_queue();
    const auto program = clutch::Program::from_source("kernel void k(int x) {}");
    const Plain k{program, "k"};
    for (const Call during :
         {Call::clCreateProgramWithSource, Call::clBuildProgram, Call::clCreateKernel, Call::clGetKernelInfo}) {
        CAPTURE(name(during));
        program.replace("kernel void k(int x) { x = 1; }");
        bool replaced = false;
        Ran first;
        {
            const clutch_test::OnCall hook{during, [&] {
                                               if (!std::exchange(replaced, true))
                                                   program.replace("kernel void k(int x) { x = 2; }");
                                           }};
            first = ran([&] { k(queue, {1}, 1); });
        }
        CHECK(replaced);
        const Ran second = ran([&] { k(queue, {1}, 1); });
        CHECK(driver.count(Call::clBuildProgram) == 1);
        CHECK(second.programs.at(0) != first.programs.at(0));
        const Ran third = ran([&] { k(queue, {1}, 1); });
        CHECK(third.programs.at(0) == second.programs.at(0));
        CHECK(driver.count(Call::clCreateKernel) == 0);
    }
}

TEST_CASE("Generations never repeat, across programs and replacements")
{
    const CleanDriver clean;
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 100; ++i) {
        const auto program = clutch::Program::from_source("kernel void k() {}");
        CHECK(seen.insert(program.generation()).second);
        program.replace("kernel void k() { }");
        CHECK(seen.insert(program.generation()).second);
        CHECK_FALSE(seen.insert(program.generation()).second);
    }
}
