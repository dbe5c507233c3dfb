// Counts what a warm launch takes from the heap, by every contender on every device. A program of its own, since a
// counted heap is a slower one.
//
//   launch_allocations [PART_OF_PLATFORM_NAME]
//
// One line each, fields separated by tabs: contender, device, then a launch's allocations and bytes by the library that
// is measured, then those by the driver, its own threads included.
#include "contender.hpp"
#include "stand.hpp"

#include <heap.hpp>

#include <cstdio>
#include <exception>

namespace {

void count(const bench::Contender& contender, const bench::Stand& stand)
{
    constexpr std::size_t batches = 8, launches = batches * bench::batch;
    const bench::Launches launch = contender.make(stand.place());
    const auto make_launches = [&] {
        for (std::size_t i = 0; i < batches; ++i) {
            launch(bench::batch);
            stand.drain();
        }
    };
    make_launches(); // until everything is warm, the counter's own stack walker too

    const heap::Count begin = heap::process_count();
    make_launches();
    const heap::Count all = heap::process_count() - begin;
    const auto each = [](std::uint64_t sum) { return static_cast<double>(sum) / double{launches}; };
    std::printf("%s\t%s\t%g\t%g\t%g\t%g\n", contender.id().c_str(), stand.title().c_str(), each(all.own),
                each(all.own_bytes), each(all.allocations - all.own), each(all.bytes - all.own_bytes));
}

} // namespace

int main(int argc, char** argv)
{
    try {
        heap::attribute(true);
        for (const bench::Stand& stand : bench::stands(argc > 1 ? argv[1] : ""))
            for (const bench::Contender& contender : bench::contenders())
                count(contender, stand);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "launch_allocations: %s\n", error.what());
        return 1;
    }
}
