// heat: warm discs in a cold, insulated plate even out. Explicit finite differences on an OpenCL device, one launch a
// time step, and the plate at the end as a picture.
#include "../program.hpp"

#include <clutch/clutch.hpp>

#include <png.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

inline constexpr clutch::Source kernels{R"CLC(
// One time step: each point moves towards the mean of its four neighbours. No heat crosses the edge of the plate: the
// neighbour beyond it is the point itself.
kernel void diffuse(global float* next, global const float* now, int width, int height, float rate)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width)
        return;
    global const float* row = now + (size_t)y * width;
    global const float* above = now + (size_t)max(y - 1, 0) * width;
    global const float* below = now + (size_t)min(y + 1, height - 1) * width;
    float here = row[x];
    float around = row[max(x - 1, 0)] + row[min(x + 1, width - 1)] + above[x] + below[x];
    next[(size_t)y * width + x] = here + rate * (around - 4 * here);
}
)CLC"};

constexpr clutch::Kernel<clutch::Entry<kernels, "diffuse">, clutch::Global<float>, clutch::Global<const float>, cl_int,
                         cl_int, float>
    diffuse{};

struct Options {
    cl_int width = 512;
    cl_int height = 512;
    cl_int steps = 1000;
    float rate = 0.2f; // conductivity * time step / spacing^2
    std::string output = "heat.png";
};

/// Above the largest, a point overshoots its neighbours' mean and errors grow with each step; below the smallest, a
/// step changes so little that single precision rounds it away.
constexpr float smallest_rate = 0.01f, largest_rate = 0.25f;

/// Three discs of temperature 1, 0.8 and 0.6 in a plate of temperature 0.
std::vector<float> warm_discs(int width, int height)
{
    struct Disc {
        double x, y, radius; // of the shorter side, from the middle
        float temperature;
    };
    constexpr std::array discs{Disc{-0.22, -0.10, 0.17, 1.0f}, Disc{0.20, -0.20, 0.12, 0.8f},
                               Disc{0.10, 0.22, 0.15, 0.6f}};

    std::vector<float> plate;
    plate.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    const double side = std::min(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float temperature = 0;
            for (const Disc& disc : discs)
                if (std::hypot((x + 0.5 - width / 2.0) / side - disc.x, (y + 0.5 - height / 2.0) / side - disc.y) <
                    disc.radius)
                    temperature = disc.temperature;
            plate.push_back(temperature);
        }
    return plate;
}

double mean(const std::vector<float>& plate)
{
    return std::accumulate(plate.begin(), plate.end(), 0.0) / static_cast<double>(plate.size());
}

/// Black over violet and orange to pale yellow, for a temperature from 0 to 1; brighter is warmer at every point.
std::array<png_byte, 3> colour(float temperature)
{
    using Rgb = std::array<float, 3>;
    constexpr std::array<Rgb, 5> stops{{{4, 4, 20}, {82, 18, 124}, {182, 54, 98}, {248, 142, 48}, {253, 250, 190}}};

    const float place = std::clamp(temperature, 0.0f, 1.0f) * static_cast<float>(stops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    const float part = place - static_cast<float>(below);
    std::array<png_byte, 3> result;
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = static_cast<png_byte>(std::lround(std::lerp(stops[below][i], stops[below + 1][i], part)));
    return result;
}

/// A file that is opened before the work begins, so that a path that cannot be written costs nobody a long run.
class PngFile {
public:
    explicit PngFile(const std::string& path) : path_{path}, file_{std::fopen(path.c_str(), "wb")}
    {
        if (!file_)
            throw std::runtime_error{path + ": " + std::generic_category().message(errno)};
    }

    void write(const std::vector<float>& plate, int width, int height)
    {
        std::vector<png_byte> pixels;
        pixels.reserve(3 * plate.size());
        for (float temperature : plate) {
            const auto rgb = colour(temperature);
            pixels.insert(pixels.end(), rgb.begin(), rgb.end());
        }

        png_image image{};
        image.version = PNG_IMAGE_VERSION;
        image.width = static_cast<png_uint_32>(width);
        image.height = static_cast<png_uint_32>(height);
        image.format = PNG_FORMAT_RGB;
        if (png_image_write_to_stdio(&image, file_.get(), 0, pixels.data(), 0, nullptr) == 0)
            throw std::runtime_error{path_ + ": " + image.message};
        if (std::fclose(file_.release()) != 0)
            throw std::runtime_error{path_ + ": " + std::generic_category().message(errno)};
    }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
};

int simulate(const Options& options)
{
    const cl_int width = options.width, height = options.height, steps = options.steps;
    const float rate = options.rate;
    if (!(rate >= smallest_rate && rate <= largest_rate)) // written so that it also catches a NaN
        throw CLI::ValidationError{"--rate", "must lie between 0.01 and 0.25, above which the scheme is unstable"};

    const clutch::Queue queue = clutch::default_queue();
    std::vector<float> plate = warm_discs(width, height);
    const float warmest = *std::max_element(plate.begin(), plate.end());
    const double heat = mean(plate);
    PngFile file{options.output};

    // Two plates take turns: a step reads one and writes the other. Swapping Buffers swaps their handles, nothing more.
    clutch::Buffer<float> now{queue, plate}, next{queue, plate.size()};
    const auto step = [&] {
        diffuse(queue, {{clutch::round_up(width, 64), height}, {64, 1}}, next, now, width, height, rate);
        std::swap(now, next);
    };

    step(); // builds the kernel, so it is kept out of the measurement
    queue.finish();
    example::Stopwatch launches, wall;
    wall.start();
    {
        example::Progress progress;
        for (int done = 1; done < steps;) {
            // A batch at a time: the host could launch far ahead of the device, and commands that wait take memory.
            const int batch = std::min(steps - done, 100);
            launches.start();
            for (int i = 0; i < batch; ++i)
                step();
            launches.stop();
            queue.finish();
            done += batch;
            progress.show([&] { return "step " + std::to_string(done) + " of " + std::to_string(steps); });
        }
    }
    wall.stop();
    now.read(queue, plate);

    // What physics demands: no point ever is colder or warmer than the plate was, and no heat gets lost. The slack is
    // for rounding in single precision.
    const auto [coldest_now, warmest_now] = std::minmax_element(plate.begin(), plate.end());
    constexpr double slack = 1e-3;
    if (!(*coldest_now >= -slack && *warmest_now <= warmest + slack))
        throw std::runtime_error{"the maximum principle is violated: temperatures from " +
                                 std::to_string(*coldest_now) + " to " + std::to_string(*warmest_now)};
    if (!(std::abs(mean(plate) - heat) <= slack))
        throw std::runtime_error{"heat is not conserved: the mean went from " + std::to_string(heat) + " to " +
                                 std::to_string(mean(plate))};
    file.write(plate, width, height);

    std::printf("plate         %d x %d, %d steps at rate %g\n", width, height, steps, static_cast<double>(rate));
    std::printf("device        %s\n", queue.device().name().c_str());
    std::printf("temperatures  %.4f to %.4f, within 0 to %.4f of the start (maximum principle)\n",
                static_cast<double>(*coldest_now), static_cast<double>(*warmest_now), static_cast<double>(warmest));
    std::printf("mean          %.6f, at the start %.6f (heat is conserved)\n", mean(plate), heat);
    std::printf("launches      %d in %.3f s, the first left out\n", steps - 1, wall.seconds());
    if (steps > 1)
        std::printf("a warm launch %.2f us of the calling thread's time\n", launches.seconds() * 1e6 / (steps - 1));
    std::printf("picture       %s\n", options.output.c_str());
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    CLI::App app{"Lets warm discs in an insulated plate even out on an OpenCL device, and draws the plate.\n"
                 "CLUTCH_DEVICE names the device: gpu, cpu, a part of its name, or PLATFORM:DEVICE by number.",
                 "heat"};
    app.add_option("--width", options.width, "points across")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(1, 16'384));
    app.add_option("--height", options.height, "points down")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(1, 16'384));
    app.add_option("--steps", options.steps, "time steps")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(1, 10'000'000));
    app.add_option("--rate", options.rate, "conductivity * time step / spacing^2, 0.01 to 0.25")
        ->type_name("R")
        ->capture_default_str();
    app.add_option("--output", options.output, "the picture, a PNG file")->type_name("FILE")->capture_default_str();
    return example::run("heat", app, argc, argv, [&] { return simulate(options); });
}
