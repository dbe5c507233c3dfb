// Makes warm launches and nothing else, for callgrind to count: see instructions.sh. Needs neither Google Benchmark nor
// the other libraries; those that there are can be named too.
//
//   launch_instructions CONTENDER LAUNCHES     e.g.  launch_instructions clutch/2 1000
//   launch_instructions                        lists the contenders
#include "contender.hpp"
#include "stand.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

namespace {

void run(const char* id, const char* count)
{
    char* end = nullptr;
    const std::size_t launches = std::strtoull(count, &end, 10);
    if (end == count || *end != '\0')
        throw std::invalid_argument{std::string{"not a number of launches: "} + count};
    const std::vector<clutch::Device> devices = clutch::Device::all();
    if (devices.empty())
        throw std::runtime_error{"no OpenCL device"};
    const bench::Stand stand{devices.front()};
    const bench::Launches launch = bench::contender(id).make(stand.place());
    launch(launches);
    stand.drain();
}

} // namespace

int main(int argc, char** argv)
{
    try {
        if (argc == 3) {
            run(argv[1], argv[2]);
        } else {
            for (const bench::Contender& contender : bench::contenders())
                std::puts(contender.id().c_str());
        }
        return argc == 3 || argc == 1 ? 0 : 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "launch_instructions: %s\n", error.what());
        return 1;
    }
}
