// The list of what the caller did against OpenCL's rules.
#pragma once

#include <cstddef>
#include <cstdint>

namespace clutch_test {

// Counts a violation and keeps its text, made as by printf, if there is room. Allocates nothing.
[[gnu::cold, gnu::format(printf, 1, 2)]] void violation(const char* format, ...);

std::uint64_t violations_counted();
const char* violation_kept(std::size_t index);
void forget_violations();

} // namespace clutch_test
