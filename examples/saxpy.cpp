// saxpy: y = a * x + y on the best device there is. The smallest complete clutch program.
#include <clutch/clutch.hpp>

#include <cstdio>
#include <vector>

inline constexpr clutch::Source vectors{R"CLC(
kernel void axpy(global float* y, global const float* x, float a)
{
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}
)CLC"};

// The parameters of the kernel, written out once; every launch is checked against them at compile time.
constexpr clutch::Kernel<clutch::Entry<vectors, "axpy">, clutch::Global<float>, clutch::Global<const float>, float>
    axpy{};

int main()
try {
    clutch::Queue queue = clutch::default_queue();
    std::vector<float> host(1000, 1.0f);
    clutch::Buffer<float> x{queue, host}, y{queue, host};

    axpy(queue, {1000}, y, x, 2.0f); // 1000 work-items; the first launch builds the program, later ones only launch

    y.read(queue, host); // waits until the result is there
    for (float value : host)
        if (value != 3.0f) {
            std::fprintf(stderr, "saxpy: 2 * 1 + 1 gave %g\n", static_cast<double>(value));
            return 1;
        }
    std::printf("saxpy on %s: %zu results, all right\n", queue.device().name().c_str(), host.size());
    return 0;
} catch (const clutch::Error& error) {
    std::fprintf(stderr, "saxpy: %s\n", error.what());
    return 1;
}
