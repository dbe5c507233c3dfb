// Platform: one installed OpenCL driver.
#pragma once

#include <clutch/detail/info.hpp>

#include <string>
#include <vector>

namespace clutch {

/// One OpenCL implementation (OpenCL 3.0, section 4.1). A plain value: platforms are never released, so copies are
/// free. Every question below asks the driver and allocates its answer; any thread may ask.
class Platform {
public:
    constexpr Platform() noexcept = default;

    /// Takes a handle over. Platforms have no reference count: `adopt` and `retain` are the same.
    static constexpr Platform adopt(cl_platform_id platform) noexcept
    {
        Platform result;
        result.handle_ = platform;
        return result;
    }
    static constexpr Platform retain(cl_platform_id platform) noexcept { return adopt(platform); }

    /// Every platform that the ICD loader shows; empty, not an error, where no driver is installed.
    static std::vector<Platform> all()
    {
        cl_uint count = 0;
        const cl_int status = clGetPlatformIDs(0, nullptr, &count);
        constexpr cl_int no_platform = -1001; // the loader's way to say "none" (cl_khr_icd)
        if (status == no_platform || (status == CL_SUCCESS && count == 0))
            return {};
        detail::check(status, "Platform::all", "clGetPlatformIDs");
        std::vector<cl_platform_id> handles(count);
        detail::check(clGetPlatformIDs(count, handles.data(), nullptr), "Platform::all", "clGetPlatformIDs");
        std::vector<Platform> platforms;
        for (cl_platform_id handle : handles)
            platforms.push_back(adopt(handle));
        return platforms;
    }

    constexpr cl_platform_id get() const noexcept { return handle_; }
    explicit constexpr operator bool() const noexcept { return handle_ != nullptr; }
    friend constexpr bool operator==(const Platform&, const Platform&) noexcept = default;

    std::string name() const { return text(CL_PLATFORM_NAME); }
    std::string vendor() const { return text(CL_PLATFORM_VENDOR); }
    std::string version() const { return text(CL_PLATFORM_VERSION); } ///< "OpenCL 3.0 ..."
    std::string extensions() const { return text(CL_PLATFORM_EXTENSIONS); }

private:
    std::string text(cl_platform_info param) const { return detail::platform_info(handle_).text(param, "Platform"); }

    cl_platform_id handle_ = nullptr;
};

} // namespace clutch
