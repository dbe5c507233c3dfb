// Reads kernels' declarations out of OpenCL C text.
#pragma once

#include "preprocessor.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clutch_test {

// What kind of value a parameter takes.
enum class Takes { value, memory, local, image, sampler };

struct Parameter {
    std::string name;
    std::string type; // as CL_KERNEL_ARG_TYPE_NAME says it
    Takes takes = Takes::value;
    std::size_t size = 0;  // of the value; 0 if not known
    bool constant = false; // in the constant address space
    bool read_only = false, write_only = false, read_write = false;
    bool is_const = false, is_volatile = false, is_restrict = false, is_pipe = false;

    bool operator==(const Parameter&) const = default;
};

struct KernelText {
    std::string name;
    std::vector<Parameter> parameters;
    std::array<std::size_t, 3> required{}; // reqd_work_group_size, zeros if none
    std::string attributes;                // as CL_KERNEL_ATTRIBUTES says them

    bool operator==(const KernelText&) const = default;
};

using Kernels = std::vector<std::shared_ptr<const KernelText>>;

// The outcome of one build: the kernels, or a log that says why not.
struct Scanned {
    Kernels kernels;
    std::string error;
};

// `doubles` is whether the device knows the type double.
Scanned scan(const std::vector<Token>& tokens, bool doubles);

} // namespace clutch_test
