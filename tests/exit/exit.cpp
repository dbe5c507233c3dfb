// Nothing with an owning destructor has static storage: after main, clutch makes no OpenCL call that the user did not
// write. A program of its own, since a test framework outlives main as well. Exit status 0: held; 1: broken, with a
// line.
#include <driver.hpp>

#include <clutch/clutch.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

/// Made before anything of clutch's, so destroyed after it: what the driver counted since main ended is clutch's doing.
class Watch {
public:
    Watch() = default;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    ~Watch()
    {
        const auto calls = clutch_test::driver().total() - at_end_of_main;
        const auto violations = clutch_test::driver().violations();
        if (at_end_of_main == 0 || calls != 0 || violations != 0) {
            std::printf("%llu calls at the end of main, %llu after it, %llu violations\n",
                        static_cast<unsigned long long>(at_end_of_main), static_cast<unsigned long long>(calls),
                        static_cast<unsigned long long>(violations));
            std::fflush(stdout);
            std::_Exit(1);
        }
    }

    std::uint64_t at_end_of_main = 0;
};

Watch watch;

inline constexpr clutch::Source source{"kernel void k(int x) {} kernel void l(int x) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "k">, cl_int> k{};
constexpr clutch::Kernel<clutch::Entry<source, "l">, cl_int> l{};

} // namespace

int main(int argc, char** argv)
{
    {
        const clutch::Queue queue = clutch::default_queue();
        const auto program = clutch::Program::from_source("kernel void m(int x) {}");
        const clutch::Kernel<cl_int> m{program, "m"};
        k(queue, {1}, 1);
        l(queue, {1}, 1);
        m(queue, {1}, 1);
        program.replace("kernel void m(int x) { }"); // the main thread still has a kernel of the old text
        std::thread{[&] { k(queue, {1}, 1); }}.join();
        m(queue, {1}, 1);
    }
    watch.at_end_of_main = clutch_test::driver().total();
    if (argc > 1 && std::string{argv[1]} == "exit")
        std::exit(0);
    return 0;
}
