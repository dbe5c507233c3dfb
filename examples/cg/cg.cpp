// cg: solves A x = b on an OpenCL device by conjugate gradients, preconditioned with the diagonal of A (Jacobi).
//
// Each iteration is nine small launches and one read of 32 bytes. On a small system the device is done before the host
// has launched the next kernel, so what a launch costs the host is what the solve costs; the report at the end shows
// both.
#include "csr_matrix.hpp"
#include "matrix_market.hpp"

#include "../program.hpp"

#include <clutch/clutch.hpp>

#if __has_include("heap.hpp") // the heap counter of clutch's build tree; without it the report leaves the heap out
#include "heap.hpp"
#define CG_COUNTS_HEAP 1
#else
#define CG_COUNTS_HEAP 0
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using clutch::Entry;
using clutch::Global;
using clutch::Kernel;
using clutch::Local;

inline constexpr clutch::Source kernels{R"CLC(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// The numbers of a solve that both sides look at: where each stands in `scalars`.
enum { curvature, residual };

// product = matrix * x, one row a work-item
kernel void multiply(global double* product, global const int* row_begin, global const int* column,
                     global const double* value, global const double* x, uint rows)
{
    uint row = get_global_id(0);
    if (row >= rows)
        return;
    double sum = 0;
    for (int i = row_begin[row]; i < row_begin[row + 1]; ++i)
        sum += value[i] * x[column[i]];
    product[row] = sum;
}

// The sum of `value` over a work-group of 2^n work-items, in work-item 0: each round, the lower half adds the upper.
double sum_of_group(double value, local double* scratch)
{
    uint item = get_local_id(0);
    scratch[item] = value;
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_size)
            scratch[item] += scratch[item + half_size];
    }
    return scratch[0];
}

// First stage of x * y: a partial sum for each work-group. Who adds what depends on the launch's sizes alone, so a solve
// gives the same bits each time.
kernel void dot_groups(global double* partial, global const double* x, global const double* y, uint size,
                       local double* scratch)
{
    double sum = 0;
    for (size_t i = get_global_id(0); i < size; i += get_global_size(0))
        sum += x[i] * y[i];
    sum = sum_of_group(sum, scratch);
    if (get_local_id(0) == 0)
        partial[get_group_id(0)] = sum;
}

// Second stage: one work-group adds the partial sums and leaves the result on the device.
kernel void dot_total(global double* scalars, uint result, global const double* partial, uint count,
                      local double* scratch)
{
    double sum = 0;
    for (uint i = get_local_id(0); i < count; i += get_local_size(0))
        sum += partial[i];
    sum = sum_of_group(sum, scratch);
    if (get_local_id(0) == 0)
        scalars[result] = sum;
}

// x = 0, so r = b; z = r / diagonal; p = z
kernel void start_from_zero(global double* x, global double* r, global double* z, global double* p,
                            global const double* b, global const double* diagonal, uint rows)
{
    uint i = get_global_id(0);
    if (i >= rows)
        return;
    x[i] = 0;
    r[i] = b[i];
    z[i] = b[i] / diagonal[i];
    p[i] = z[i];
}

// A step along p: alpha = r * z / p * Ap; x += alpha p; r -= alpha Ap; z = r / diagonal
kernel void advance(global double* x, global double* r, global double* z, global const double* p,
                    global const double* ap, global const double* diagonal, global const double* scalars, uint rz,
                    uint rows)
{
    uint i = get_global_id(0);
    if (i >= rows)
        return;
    double alpha = scalars[rz] / scalars[curvature];
    x[i] += alpha * p[i];
    r[i] -= alpha * ap[i];
    z[i] = r[i] / diagonal[i];
}

// The next direction: beta = new r * z / old r * z; p = z + beta p
kernel void turn(global double* p, global const double* z, global const double* scalars, uint new_rz, uint old_rz,
                 uint rows)
{
    uint i = get_global_id(0);
    if (i < rows)
        p[i] = z[i] + scalars[new_rz] / scalars[old_rz] * p[i];
}
)CLC"};

using In = Global<const double>;
using Out = Global<double>; // and what is changed in place

constexpr Kernel<Entry<kernels, "multiply">, Out, Global<const cl_int>, Global<const cl_int>, In, In, cl_uint>
    multiply{};
constexpr Kernel<Entry<kernels, "dot_groups">, Out, In, In, cl_uint, Local<double>> dot_groups{};
constexpr Kernel<Entry<kernels, "dot_total">, Out, cl_uint, In, cl_uint, Local<double>> dot_total{};
constexpr Kernel<Entry<kernels, "start_from_zero">, Out, Out, Out, Out, In, In, cl_uint> start_from_zero{};
constexpr Kernel<Entry<kernels, "advance">, Out, Out, Out, In, In, In, In, cl_uint, cl_uint> advance{};
constexpr Kernel<Entry<kernels, "turn">, Out, In, In, cl_uint, cl_uint, cl_uint> turn{};

/// Where each number stands in `scalars`; the first two as in the kernels. r * z of this iteration and of the last take
/// turns in the last two places, so that none has to be copied.
enum Scalar : cl_uint { curvature, residual, rz_even, rz_odd, scalar_count };

/// Heap allocations of the calling thread so far, and how many of them the OpenCL driver did not make.
struct HeapCount {
    std::uint64_t allocations = 0;
    std::uint64_t own = 0;
};

HeapCount heap_count()
{
#if CG_COUNTS_HEAP
    const heap::Count count = heap::thread_count();
    return {count.allocations, count.own};
#else
    return {};
#endif
}

/// What launches cost the thread that makes them. On a device that works in that thread, as PoCL's basic one does, the
/// time holds the kernels' work too.
class LaunchCost {
public:
    void start()
    {
        before_ = heap_count();
        time_.start();
    }

    void stop(std::uint64_t launches)
    {
        time_.stop();
        const HeapCount now = heap_count();
        launches_ += launches;
        heap_.allocations += now.allocations - before_.allocations;
        heap_.own += now.own - before_.own;
    }

    std::uint64_t launches() const { return launches_; }
    double microseconds_a_launch() const { return time_.seconds() * 1e6 / count(); }
    double allocations_a_launch() const { return static_cast<double>(heap_.allocations) / count(); }
    double own_allocations_a_launch() const { return static_cast<double>(heap_.own) / count(); }

private:
    double count() const { return static_cast<double>(std::max<std::uint64_t>(launches_, 1)); }

    example::Stopwatch time_;
    HeapCount before_{};
    HeapCount heap_{};
    std::uint64_t launches_ = 0;
};

std::string text_of(const char* format, double number)
{
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), format, number);
    return text.data();
}

/// The system A x = b on the device, with b = A * 1, so that the solution is known to be all ones.
class Solver {
public:
    Solver(const clutch::Queue& queue, const cg::CsrMatrix& matrix)
        : queue_{queue},
          rows_{static_cast<cl_uint>(matrix.rows())},
          row_begin_{queue, matrix.row_begin},
          column_{queue, matrix.column},
          value_{queue, matrix.value},
          diagonal_{queue, matrix.diagonal()},
          b_{queue, rows_},
          x_{queue, rows_},
          r_{queue, rows_},
          z_{queue, rows_},
          p_{queue, rows_},
          ap_{queue, rows_},
          partial_{queue, groups},
          scalars_{queue, static_cast<cl_uint>(scalar_count)}
    {}

    /// Makes b, and starts from x = 0.
    void start()
    {
        p_.fill(queue_, 1.0);
        multiply(queue_, each_row(), b_, row_begin_, column_, value_, p_, rows_);
        dot(residual, b_, b_);
        start_from_zero(queue_, each_row(), x_, r_, z_, p_, b_, diagonal_, rows_);
        dot(rz_even, r_, z_);
        launches_ += 6;

        iterations_ = 0;
        b_squared_ = read_scalars()[residual];
        if (!std::isnormal(b_squared_))
            throw std::runtime_error{
                "the matrix is not positive definite, or its values are too large or too small for "
                "double precision: |A * 1| squared is " +
                text_of("%g", b_squared_)};
    }

    /// Launches one iteration; waits for nothing.
    void iterate(LaunchCost& cost)
    {
        const Scalar old_rz = iterations_ % 2 == 0 ? rz_even : rz_odd;
        const Scalar new_rz = iterations_ % 2 == 0 ? rz_odd : rz_even;

        cost.start();
        multiply(queue_, each_row(), ap_, row_begin_, column_, value_, p_, rows_);
        dot(curvature, p_, ap_);
        advance(queue_, each_row(), x_, r_, z_, p_, ap_, diagonal_, scalars_, old_rz, rows_);
        dot(residual, r_, r_);
        dot(new_rz, r_, z_);
        turn(queue_, each_row(), p_, z_, scalars_, new_rz, old_rz, rows_);
        cost.stop(launches_per_iteration);

        launches_ += launches_per_iteration;
        ++iterations_;
    }

    /// Waits for the last iteration. Returns |r| / |b|, the one thing that the host has to know: whether to go on.
    /// Asking after each iteration costs a round trip to the device, and stops at the very one that reaches the
    /// tolerance.
    double relative_residual() const
    {
        const auto scalars = read_scalars();
        if (!(scalars[curvature] > 0)) // written so that it also catches a NaN
            throw std::runtime_error{"the matrix is not positive definite: p * A p is " +
                                     text_of("%g", scalars[curvature]) + " in iteration " +
                                     std::to_string(iterations_)};
        if (!std::isfinite(scalars[residual]))
            throw std::runtime_error{"the numbers grow beyond double precision in iteration " +
                                     std::to_string(iterations_)};
        return std::sqrt(scalars[residual] / b_squared_);
    }

    /// max |x - 1|
    double error() const
    {
        std::vector<double> x(rows_);
        x_.read(queue_, x);
        double largest = 0;
        for (double value : x)
            largest = std::max(largest, std::abs(value - 1.0));
        return largest;
    }

    std::uint64_t iterations() const { return iterations_; }
    std::uint64_t launches() const { return launches_; }

private:
    static constexpr std::size_t group_size = 64; // a power of two, see sum_of_group
    static constexpr cl_uint groups = 64;         // fixed: it decides in which order a dot product adds
    static constexpr std::uint64_t launches_per_iteration = 9;

    /// A work-item for each row, in whole work-groups; the kernels leave out those beyond the last row.
    clutch::Launch each_row() const { return {.global = {clutch::round_up(rows_, group_size)}, .local = {group_size}}; }

    void dot(Scalar result, const clutch::Buffer<double>& x, const clutch::Buffer<double>& y)
    {
        const auto scratch = clutch::local<double>(group_size);
        dot_groups(queue_, {{groups * group_size}, {group_size}}, partial_, x, y, rows_, scratch);
        dot_total(queue_, {{group_size}, {group_size}}, scalars_, result, partial_, groups, scratch);
    }

    std::array<double, scalar_count> read_scalars() const
    {
        std::array<double, scalar_count> scalars;
        scalars_.read(queue_, scalars);
        return scalars;
    }

    clutch::Queue queue_;
    cl_uint rows_;
    clutch::Buffer<cl_int> row_begin_, column_;
    clutch::Buffer<double> value_, diagonal_, b_, x_, r_, z_, p_, ap_, partial_, scalars_;
    double b_squared_ = 0;
    std::uint64_t iterations_ = 0;
    std::uint64_t launches_ = 0;
};

void report_heap(Solver& solver, const LaunchCost& warm)
{
#if CG_COUNTS_HEAP
    // Telling whose an allocation is takes a walk up the stack, so it is done apart from the launches that were timed.
    LaunchCost sample;
    solver.start();
    heap::attribute(true);
    for (int i = 0; i < 100; ++i)
        solver.iterate(sample);
    heap::attribute(false);
    std::printf(
        "heap allocations   %.2f a warm launch in the calling thread; clutch's own: %.2f, in a sample of %llu\n",
        warm.allocations_a_launch(), sample.own_allocations_a_launch(),
        static_cast<unsigned long long>(sample.launches()));
#else
    static_cast<void>(solver);
    static_cast<void>(warm);
    std::printf("heap allocations   not counted by this build\n");
#endif
}

struct Options {
    std::optional<std::string> matrix; // a file; none: Poisson's equation on a grid
    std::int32_t grid = 256;
    double tolerance = 1e-8;
    std::optional<std::uint64_t> max_iterations; // none: ten for each row
};

int solve(const Options& options)
{
    if (!(options.tolerance >= 1e-15 && options.tolerance < 1)) // written so that it also catches a NaN
        throw CLI::ValidationError{"--tolerance", "must lie between 1e-15 and 1"};

    const cg::CsrMatrix matrix =
        options.matrix ? cg::read_matrix_market(*options.matrix) : cg::poisson_matrix(options.grid);
    const std::string grid = std::to_string(options.grid);
    const std::string name = options.matrix.value_or("Poisson on a grid of " + grid + " x " + grid);
    const std::uint64_t limit = options.max_iterations.value_or(10 * matrix.rows());

    const clutch::Queue queue = clutch::default_queue();
    const std::string device = queue.device().name();
    if (!queue.device().has_extension("cl_khr_fp64"))
        throw std::runtime_error{"the device " + device + " has no double precision (cl_khr_fp64)"};

    Solver solver{queue, matrix};
    LaunchCost cold, warm;
    example::Stopwatch first, rest;

    first.start(); // the first iteration builds the program, so it says little about the others
    solver.start();
    solver.iterate(cold);
    double residual = solver.relative_residual();
    first.stop();

    rest.start();
    {
        example::Progress progress;
        while (residual > options.tolerance && solver.iterations() < limit) {
            solver.iterate(warm);
            residual = solver.relative_residual();
            progress.show([&] {
                return "iteration " + std::to_string(solver.iterations()) +
                       text_of(", relative residual %.2e", residual);
            });
        }
    }
    rest.stop();
    const std::uint64_t iterations = solver.iterations();

    const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    std::printf("matrix             %s: %zu rows, %zu nonzeros\n", name.c_str(), matrix.rows(), matrix.nonzeros());
    std::printf("device             %s\n", device.c_str());
    std::printf("iterations         %llu\n", number(iterations));
    std::printf("relative residual  %.3e\n", residual);
    std::printf("max |x - 1|        %.3e\n", solver.error());
    std::printf("launches           %llu\n", number(solver.launches()));
    std::printf("solve time         %.3f s, and %.3f s for the first iteration, which builds the kernels\n",
                rest.seconds(), first.seconds());
    if (warm.launches() != 0) {
        std::printf("a warm launch      %.2f us of the calling thread's time\n", warm.microseconds_a_launch());
        report_heap(solver, warm);
    }

    if (residual > options.tolerance)
        throw std::runtime_error{"no solution to a tolerance of " + text_of("%g", options.tolerance) + " in " +
                                 std::to_string(iterations) + " iterations"};
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    CLI::App app{
        "Solves A x = b, with b = A * 1, on an OpenCL device by conjugate gradients with a Jacobi preconditioner.\n"
        "CLUTCH_DEVICE names the device: gpu, cpu, a part of its name, or PLATFORM:DEVICE by number.",
        "cg"};
    auto* matrix =
        app.add_option("--matrix", options.matrix, "Matrix Market file: coordinate real symmetric")->type_name("FILE");
    app.add_option("--grid", options.grid, "without a file: Poisson's equation on N x N points")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(1, cg::max_poisson_grid))
        ->excludes(matrix);
    app.add_option("--tolerance", options.tolerance, "stop at this relative residual")
        ->type_name("T")
        ->capture_default_str();
    app.add_option("--max-iterations", options.max_iterations, "give up after so many; default: 10 for each row")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000'000));
    return example::run("cg", app, argc, argv, [&] { return solve(options); });
}
