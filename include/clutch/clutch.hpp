// clutch: launches OpenCL kernels from C++, typed, and at the cost of the bare calls. Includes every public header.
#pragma once

#include <clutch/buffer.hpp>
#include <clutch/context.hpp>
#include <clutch/device.hpp>
#include <clutch/error.hpp>
#include <clutch/event.hpp>
#include <clutch/kernel.hpp>
#include <clutch/kernel_info.hpp>
#include <clutch/launch.hpp>
#include <clutch/ndrange.hpp>
#include <clutch/parameters.hpp>
#include <clutch/platform.hpp>
#include <clutch/program.hpp>
#include <clutch/queue.hpp>
#include <clutch/source.hpp>
