// The tests' side of the test driver: finds the control panel through the loader.
#include "driver.hpp"

#include <cstdlib>
#include <stdexcept>

#if defined(__clang__)
// Older clang compare function types by address, which differs between the driver and the test program.
#define CLUTCH_TEST_FOREIGN_CALL __attribute__((no_sanitize("function")))
#else
#define CLUTCH_TEST_FOREIGN_CALL
#endif

namespace clutch_test {
namespace {

std::string platform_name(cl_platform_id platform)
{
    std::size_t size = 0;
    if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, nullptr, &size) != CL_SUCCESS || size == 0) {
        return "(a platform without a name)";
    }
    std::string text(size, '\0');
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, size, text.data(), nullptr);
    text.resize(size - 1);
    return text;
}

CLUTCH_TEST_FOREIGN_CALL Control& find_control()
{
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(count);
    if (count > 0) {
        clGetPlatformIDs(count, platforms.data(), nullptr);
    }
    std::string seen;
    for (cl_platform_id platform : platforms) {
        const std::string text = platform_name(platform);
        if (text == "clutch test driver") {
            using Entrance = Control* (*)();
            const auto entrance =
                reinterpret_cast<Entrance>(clGetExtensionFunctionAddressForPlatform(platform, "clutchTestControl"));
            if (entrance == nullptr) {
                throw std::runtime_error("the test driver does not hand out clutchTestControl");
            }
            return *entrance();
        }
        seen += seen.empty() ? text : ", " + text;
    }
    const char* vendors = std::getenv("OCL_ICD_VENDORS");
    throw std::runtime_error("the platform \"clutch test driver\" is not there; OCL_ICD_VENDORS is " +
                             (vendors == nullptr ? std::string("not set") : "\"" + std::string(vendors) + "\"") +
                             ", platforms seen: " + (seen.empty() ? "none" : seen));
}

} // namespace

Control& driver()
{
    static Control& control = find_control();
    return control;
}

} // namespace clutch_test
