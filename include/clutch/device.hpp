// Device: what kernels run on, how to find one, and what it can do.
#pragma once

#include <clutch/detail/handle.hpp>
#include <clutch/detail/info.hpp>
#include <clutch/platform.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clutch {

/// One OpenCL device (OpenCL 3.0, section 4.2). Owns a reference, which only sub-devices count. Every question below
/// asks the driver, and those that return text allocate; any thread may ask.
class Device {
public:
    /// An OpenCL version a device speaks, as in "OpenCL 3.0".
    struct Version {
        unsigned major = 0, minor = 0;
        friend constexpr auto operator<=>(const Version&, const Version&) noexcept = default;
    };

    Device() noexcept = default;

    static Device adopt(cl_device_id device) noexcept
    {
        Device result;
        result.handle_ = detail::Owned<cl_device_id>::adopt(device);
        return result;
    }

    static Device retain(cl_device_id device) { return adopt(detail::Owned<cl_device_id>::retain(device)); }

    /// Every device of every platform, in the loader's order; empty, not an error, where no driver is installed.
    static std::vector<Device> all()
    {
        std::vector<Device> devices;
        for (const Platform& platform : Platform::all())
            for (Device& device : of(platform))
                devices.push_back(std::move(device));
        return devices;
    }

    /// The devices of one platform.
    static std::vector<Device> of(const Platform& platform)
    {
        cl_uint count = 0;
        const cl_int status = clGetDeviceIDs(platform.get(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
        if (status == CL_DEVICE_NOT_FOUND || (status == CL_SUCCESS && count == 0))
            return {};
        detail::check(status, "Device::of", "clGetDeviceIDs");
        std::vector<cl_device_id> handles(count);
        detail::check(clGetDeviceIDs(platform.get(), CL_DEVICE_TYPE_ALL, count, handles.data(), nullptr), "Device::of",
                      "clGetDeviceIDs");
        std::vector<Device> devices;
        for (cl_device_id handle : handles)
            devices.push_back(adopt(handle));
        return devices;
    }

    /// The device that `what` names: "gpu", "cpu" or "accelerator" (the best of that type), "P:D" (device D of platform
    /// P, both from 0), or a part of the name of the device, its vendor or its platform, in any case. Of several that
    /// fit, the best: GPU before accelerator before CPU, more compute units first, else the first. Errors:
    /// CL_DEVICE_NOT_FOUND, with the devices that were seen.
    static Device find(std::string_view what);

    /// The best device there is, in the order that `find` uses. Errors: CL_DEVICE_NOT_FOUND, and how to install a
    /// driver.
    static Device best();

    cl_device_id get() const noexcept { return handle_.get(); }
    explicit operator bool() const noexcept { return get() != nullptr; }
    friend bool operator==(const Device& a, const Device& b) noexcept { return a.get() == b.get(); }

    std::string name() const { return text(CL_DEVICE_NAME); }
    std::string vendor() const { return text(CL_DEVICE_VENDOR); }
    std::string version() const { return text(CL_DEVICE_VERSION); }        ///< "OpenCL 3.0 ..."
    std::string driver_version() const { return text(CL_DRIVER_VERSION); } ///< in the vendor's own form
    std::string extensions() const { return text(CL_DEVICE_EXTENSIONS); }  ///< separated by spaces

    /// Whether the device lists the extension by exactly this name, such as "cl_khr_fp64".
    bool has_extension(std::string_view extension) const
    {
        const std::string list = " " + extensions() + " ";
        return !extension.empty() && list.find(" " + std::string{extension} + " ") != std::string::npos;
    }

    /// The OpenCL version the device speaks, from its version text.
    Version opencl_version() const
    {
        const std::string words = version();
        constexpr std::string_view prefix = "OpenCL ";
        Version result;
        if (words.starts_with(prefix)) {
            const char* const end = words.data() + words.size();
            const auto major = std::from_chars(words.data() + prefix.size(), end, result.major);
            if (major.ptr != end)
                std::from_chars(major.ptr + 1, end, result.minor);
        }
        return result;
    }

    Platform platform() const { return Platform::adopt(value<cl_platform_id>(CL_DEVICE_PLATFORM)); }
    cl_device_type type() const { return value<cl_device_type>(CL_DEVICE_TYPE); }
    cl_uint compute_units() const { return value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS); }

    std::size_t max_work_group_size() const
    {
        return value<std::size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
    } ///< work-items

    /// Work-items of a work-group in each dimension, at the most.
    std::vector<std::size_t> max_work_item_sizes() const
    {
        return detail::device_info(get()).list<std::size_t>(CL_DEVICE_MAX_WORK_ITEM_SIZES, "Device");
    }

    cl_ulong global_memory_size() const { return value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE); }     ///< bytes
    cl_ulong local_memory_size() const { return value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE); }       ///< bytes
    cl_ulong max_allocation_size() const { return value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE); } ///< bytes
    cl_uint address_bits() const { return value<cl_uint>(CL_DEVICE_ADDRESS_BITS); }                ///< 32 or 64

    /// What the offset of a `BufferView` must be a multiple of, in bytes.
    std::size_t base_address_alignment() const { return value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8u; }

private:
    static Device adopt(detail::Owned<cl_device_id> handle) noexcept
    {
        Device result;
        result.handle_ = std::move(handle);
        return result;
    }

    std::string text(cl_device_info param) const { return detail::device_info(get()).text(param, "Device"); }

    template <class T>
    T value(cl_device_info param) const
    {
        return detail::device_info(get()).value<T>(param, "Device");
    }

    detail::Owned<cl_device_id> handle_;
};

namespace detail {

inline int preference(cl_device_type type) noexcept
{
    if ((type & CL_DEVICE_TYPE_GPU) != 0)
        return 3;
    if ((type & CL_DEVICE_TYPE_ACCELERATOR) != 0)
        return 2;
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? 1 : 0;
}

/// The first of the best; `devices` is not empty.
inline Device best_of(const std::vector<Device>& devices)
{
    const auto rank = [](const Device& device) { return std::pair{preference(device.type()), device.compute_units()}; };
    std::size_t best = 0;
    auto best_rank = rank(devices[0]);
    for (std::size_t i = 1; i < devices.size(); ++i)
        if (const auto candidate = rank(devices[i]); candidate > best_rank) {
            best = i;
            best_rank = candidate;
        }
    return devices[best];
}

inline std::string lower_case(std::string_view text)
{
    std::string result{text};
    for (char& c : result)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return result;
}

/// The devices there are, as `find` counts them, or what to do where there are none.
CLUTCH_COLD inline std::string devices_seen()
{
    std::string seen;
    const std::vector<Platform> platforms = Platform::all();
    for (std::size_t p = 0; p < platforms.size(); ++p) {
        const std::vector<Device> devices = Device::of(platforms[p]);
        if (devices.empty())
            seen += "\n  " + std::to_string(p) + ":- no device (" + platforms[p].name() + ")";
        for (std::size_t d = 0; d < devices.size(); ++d)
            seen += "\n  " + std::to_string(p) + ":" + std::to_string(d) + " " + devices[d].name() + " (" +
                    platforms[p].name() + ")";
    }
    if (seen.empty())
        return "no OpenCL driver is installed; a driver for the CPU comes with the package pocl-opencl-icd, one for a "
               "GPU "
               "from its vendor, and clinfo lists what the loader sees";
    return "devices seen:" + seen;
}

} // namespace detail

inline Device Device::best()
{
    const std::vector<Device> devices = all();
    if (devices.empty())
        detail::raise("Device::best", {}, CL_DEVICE_NOT_FOUND, detail::devices_seen());
    return detail::best_of(devices);
}

inline Device Device::find(std::string_view what)
{
    const std::string wanted = detail::lower_case(what);
    const std::vector<Platform> platforms = Platform::all();
    std::vector<Device> matches;

    std::array<unsigned, 2> place{};
    const char* const end = wanted.data() + wanted.size();
    const auto first = std::from_chars(wanted.data(), end, place[0]);
    const bool colon = first.ec == std::errc{} && first.ptr != end && *first.ptr == ':';
    const auto second = colon ? std::from_chars(first.ptr + 1, end, place[1]) : first;
    const bool by_place = colon && second.ec == std::errc{} && second.ptr == end;

    for (std::size_t p = 0; p < platforms.size() && !wanted.empty(); ++p) {
        const std::vector<Device> devices = of(platforms[p]);
        for (std::size_t d = 0; d < devices.size(); ++d) {
            const Device& device = devices[d];
            bool fits = false;
            if (by_place)
                fits = p == place[0] && d == place[1];
            else if (wanted == "gpu")
                fits = (device.type() & CL_DEVICE_TYPE_GPU) != 0;
            else if (wanted == "cpu")
                fits = (device.type() & CL_DEVICE_TYPE_CPU) != 0;
            else if (wanted == "accelerator")
                fits = (device.type() & CL_DEVICE_TYPE_ACCELERATOR) != 0;
            else
                for (const std::string& name : {device.name(), device.vendor(), platforms[p].name()})
                    fits = fits || detail::lower_case(name).find(wanted) != std::string::npos;
            if (fits)
                matches.push_back(device);
        }
    }
    if (matches.empty())
        detail::raise("no device fits '" + std::string{what} + "'", {}, CL_DEVICE_NOT_FOUND, detail::devices_seen());
    return detail::best_of(matches);
}

} // namespace clutch
