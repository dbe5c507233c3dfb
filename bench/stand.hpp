// A stand for the contenders: one device, with the queue and the buffers that all of them share there.
#pragma once

#include "contender.hpp"

#include <clutch/clutch.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

class Stand {
public:
    explicit Stand(const clutch::Device& device)
        : queue_{device},
          a_{queue_, 1},
          b_{queue_, 1},
          c_{queue_, 1},
          d_{queue_, 1},
          title_{device.name() + " (" + device.platform().name() + " " + device.driver_version() + ")"}
    {}

    /// Device, platform and driver version; the devices of one process are told apart by it.
    const std::string& title() const noexcept { return title_; }

    Place place() const noexcept
    {
        return {queue_.context_handle(), queue_.device_handle(), queue_.get(), a_.get(), b_.get(), c_.get(), d_.get()};
    }

    /// Waits until everything that was launched has run.
    void drain() const { queue_.finish(); }

private:
    friend std::vector<Stand> stands(std::string_view);

    clutch::Queue queue_;
    clutch::Buffer<float> a_, b_, c_;
    clutch::Buffer<cl_int> d_;
    std::string title_;
};

/// One for each device there is, of the platforms whose name contains `platform`.
inline std::vector<Stand> stands(std::string_view platform = {})
{
    std::vector<Stand> list;
    for (const clutch::Device& device : clutch::Device::all()) {
        if (device.platform().name().find(platform) == std::string::npos)
            continue;
        Stand stand{device};
        const std::string title = stand.title_;
        for (int twin = 2;
             std::any_of(list.begin(), list.end(), [&](const Stand& other) { return other.title_ == stand.title_; });
             ++twin)
            stand.title_ = title + " #" + std::to_string(twin);
        list.push_back(std::move(stand));
    }
    return list;
}

/// How many launches are made before the queue is drained: enough for the clock, too few to fill the queue.
inline constexpr std::size_t batch = 128;

} // namespace bench
