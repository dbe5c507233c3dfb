// Context: what buffers, programs and queues belong to.
#pragma once

#include <clutch/detail/handle.hpp>
#include <clutch/detail/info.hpp>
#include <clutch/device.hpp>

#include <span>
#include <vector>

namespace clutch {

/// An OpenCL context (OpenCL 3.0, section 4.4). Owns one reference: copying retains, moving steals. What is made in it
/// keeps it alive, so the order in which objects are dropped does not matter. Any thread.
class Context {
public:
    Context() noexcept = default;

    /// A context of one device. Allocates.
    explicit Context(const Device& device) : Context{std::span{&device, 1}} {}

    /// A context of several devices of one platform. Allocates. Errors: CL_INVALID_DEVICE for devices of two platforms,
    /// which some drivers crash on; what the driver says.
    explicit Context(std::span<const Device> devices)
    {
        if (devices.empty())
            detail::raise("Context", {}, CL_INVALID_VALUE, "a context needs a device");
        const Platform platform = devices[0].platform();
        std::vector<cl_device_id> handles;
        for (const Device& device : devices) {
            if (device.platform() != platform)
                detail::raise("Context", {}, CL_INVALID_DEVICE,
                              "'" + devices[0].name() + "' and '" + device.name() +
                                  "' belong to two platforms; a context holds devices of one");
            handles.push_back(device.get());
        }
        const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                    reinterpret_cast<cl_context_properties>(platform.get()), 0};
        cl_int status = CL_SUCCESS;
        handle_ = detail::Owned<cl_context>::adopt(clCreateContext(properties, static_cast<cl_uint>(handles.size()),
                                                                   handles.data(), nullptr, nullptr, &status));
        detail::check(status, "Context", "clCreateContext");
    }

    static Context adopt(cl_context context) noexcept
    {
        Context result;
        result.handle_ = detail::Owned<cl_context>::adopt(context);
        return result;
    }

    static Context retain(cl_context context)
    {
        Context result;
        result.handle_ = detail::Owned<cl_context>::retain(context);
        return result;
    }

    cl_context get() const noexcept { return handle_.get(); }
    explicit operator bool() const noexcept { return get() != nullptr; }
    friend bool operator==(const Context& a, const Context& b) noexcept { return a.get() == b.get(); }

    /// The devices of the context. Asks the driver and allocates.
    std::vector<Device> devices() const
    {
        std::vector<Device> result;
        for (cl_device_id device : detail::context_info(get()).list<cl_device_id>(CL_CONTEXT_DEVICES, "Context"))
            result.push_back(Device::retain(device));
        return result;
    }

private:
    detail::Owned<cl_context> handle_;
};

} // namespace clutch
