// Samplers; images are memory objects.
#pragma once

#include "memory.hpp"

struct _cl_sampler : clutch_test::Object {
    static constexpr clutch_test::Kind kind = clutch_test::Kind::sampler;

    _cl_sampler(_cl_context* its_context, cl_bool coordinates, cl_addressing_mode mode, cl_filter_mode its_filter)
        : context(its_context), normalized(coordinates), addressing(mode), filter(its_filter)
    {}

    clutch_test::Held<_cl_context> context;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    std::vector<cl_sampler_properties> properties;
};

namespace clutch_test {
using Sampler = _cl_sampler;
}
