// The form of the driver's program binaries: a text that carries the source, the options it was compiled with, and what
// the binary is good for, closed by a checksum. A device refuses what was made for another device or driver version.
#pragma once

#include "platform.hpp"

namespace clutch_test {

struct Binary {
    cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
    std::string options;
    std::string text;
};

std::string write_binary(const Device& device, const Binary& binary);
bool read_binary(const Device& device, std::string_view bytes, Binary& binary); // false: not to be used

} // namespace clutch_test
