// Times a warm launch by every contender on every device, with Google Benchmark.
//
//   launch [--quick] [--platform PART_OF_NAME] [GOOGLE BENCHMARK OPTION...]     e.g.  --benchmark_filter=^clutch
//
// A ratio comes from neighbours in time: each iteration times a batch of the contender and a batch of each of the bare
// ones, within a millisecond or so, and the ratio is the median over the iterations. What else the machine does then
// meets all three alike. Draining the queue is not timed, for any of them.
//
// bench/run starts it several times: each process has its objects elsewhere in memory, and on a quick driver that
// shows.
#include "contender.hpp"
#include "stand.hpp"
#include "statistics.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <alloca.h>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using bench::Contender;
using bench::Stand;

/// A device with every contender on it. The rows share the bare ones, so that all are compared with the same.
struct Track {
    Stand stand;
    std::map<std::string, bench::Launches> launches{};

    explicit Track(Stand where) : stand{std::move(where)}
    {
        for (const Contender& contender : bench::contenders())
            launches[contender.id()] = contender.make(stand.place());
    }
};

/// Nanoseconds a launch, over one batch. Each batch runs at another depth of the stack: where stores to it lie 4096
/// bytes apart from what the driver reads, the processor mistakes one for the other, and 30 ns a launch are lost or not
/// by chance alone.
double time_batch(const bench::Launches& launches, const Stand& stand)
{
    static std::minstd_rand random;
    auto* const depth = static_cast<volatile char*>(alloca(16 + random() % 256 * 16));
    *depth = 0;
    constexpr std::size_t lead = 16; // the first launches after another contender's run on cold caches
    launches(lead);
    const auto begin = std::chrono::steady_clock::now();
    launches(bench::batch);
    const auto end = std::chrono::steady_clock::now();
    stand.drain();
    return std::chrono::duration<double, std::nano>{end - begin}.count() / double{bench::batch};
}

void run(benchmark::State& state, const Track& track, const Contender& contender)
{
    struct Side {
        const bench::Launches& launches;
        std::vector<double> times{};
    };
    const std::string arguments = "/" + std::to_string(contender.arguments);
    Side sides[] = {{track.launches.at(contender.id())},
                    {track.launches.at("bare" + arguments)},
                    {track.launches.at("bare-event" + arguments)}};
    auto& [own, bare, bare_event] = sides;
    std::vector<double> ratios, event_ratios;
    std::size_t first = 0;
    for ([[maybe_unused]] auto _ : state) {
        for (std::size_t i = 0; i < 3; ++i) { // each side is the first of the three as often as the others
            Side& side = sides[(first + i) % 3];
            side.times.push_back(time_batch(side.launches, track.stand));
        }
        first = (first + 1) % 3;
        ratios.push_back(own.times.back() / bare.times.back());
        event_ratios.push_back(own.times.back() / bare_event.times.back());
        state.SetIterationTime(own.times.back() * 1e-9 * double{bench::batch});
    }
    state.SetLabel(track.stand.title());
    state.counters["ns"] = bench::median(own.times);
    state.counters["x_bare"] = bench::median(ratios);
    state.counters["x_bare_event"] = bench::median(event_ratios);
}

/// Says how far it is, on a terminal; for when the results go to a file.
class Progress : public benchmark::BenchmarkReporter {
public:
    explicit Progress(std::size_t total) : total_{total} {}

    bool ReportContext(const Context&) override { return true; }

    void ReportRuns(const std::vector<Run>& runs) override
    {
        if (isatty(STDERR_FILENO) == 0 || runs.empty() || runs.front().run_type != Run::RT_Iteration)
            return;
        std::fprintf(stderr, "\r\033[K%zu of %zu: %s", ++done_, total_, runs.front().run_name.function_name.c_str());
    }

    void Finalize() override
    {
        if (done_ > 0)
            std::fputs("\r\033[K", stderr);
    }

private:
    std::size_t total_, done_ = 0;
};

std::string cpu_model()
{
    std::ifstream file{"/proc/cpuinfo"};
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != std::string::npos)
                return line.substr(colon + 2);
    return "unknown";
}

std::string compiler()
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#else
    return "unknown";
#endif
}

/// How many iterations a benchmark takes: as many as fit the time, since a device may be a hundred times slower than
/// another, and enough for a median.
benchmark::IterationCount iterations(const Track& track, bool quick)
{
    const bench::Launches& bare = track.launches.at("bare/2");
    time_batch(bare, track.stand); // warms up
    const auto begin = std::chrono::steady_clock::now();
    time_batch(bare, track.stand);
    const std::chrono::duration<double> one = std::chrono::steady_clock::now() - begin;
    return std::clamp(static_cast<benchmark::IterationCount>((quick ? 0.03 : 0.15) / (3 * one.count())),
                      benchmark::IterationCount{9}, benchmark::IterationCount{quick ? 21 : 99});
}

std::size_t register_all(std::string_view platform, bool quick)
{
    std::size_t rows = 0;
    for (Stand& found : bench::stands(platform)) {
        const auto track = std::make_shared<const Track>(std::move(found));
        const benchmark::IterationCount count = iterations(*track, quick);
        for (const Contender& contender : bench::contenders()) {
            const std::string name = contender.id() + "/" + track->stand.title();
            const auto function = [track, &contender](benchmark::State& state) { run(state, *track, contender); };
            benchmark::RegisterBenchmark(name.c_str(), function)
                ->UseManualTime()
                ->Iterations(count)
                ->Repetitions(quick ? 1 : 2);
            ++rows;
        }
    }
    return rows;
}

int run_all(int argc, char** argv)
{
    bool quick = false, to_file = false;
    std::string platform, interleave = "--benchmark_enable_random_interleaving=true";
    std::vector<char*> rest{argv[0], interleave.data()};
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        to_file = to_file || option.starts_with("--benchmark_out=");
        if (option == "--quick")
            quick = true;
        else if (option == "--platform" && i + 1 < argc)
            platform = argv[++i];
        else
            rest.push_back(argv[i]);
    }
    int rest_count = static_cast<int>(rest.size());
    rest.push_back(nullptr);
    benchmark::Initialize(&rest_count, rest.data());
    if (benchmark::ReportUnrecognizedArguments(rest_count, rest.data()))
        return 2;
    benchmark::AddCustomContext("cpu_model", cpu_model());
    benchmark::AddCustomContext("compiler", compiler());

    if (const std::size_t rows = register_all(platform, quick); rows > 0) {
        Progress progress{rows};
        benchmark::RunSpecifiedBenchmarks(to_file ? &progress : nullptr);
        benchmark::ClearRegisteredBenchmarks(); // now, and not at exit, when the driver may be gone
    }
    benchmark::Shutdown();
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        return run_all(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "launch: %s\n", error.what());
        return 1;
    }
}
