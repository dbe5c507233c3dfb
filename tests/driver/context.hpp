// Contexts.
#pragma once

#include "platform.hpp"

#include <algorithm>
#include <mutex>

namespace clutch_test {

// A function of the user's to call when an object ends. The latest registered is called first.
template <class Handle>
struct EndCallback {
    void(CL_CALLBACK* function)(Handle, void*);
    void* data;
};

template <class Handle>
CLUTCH_TEST_FOREIGN_CALL void call_back(std::vector<EndCallback<Handle>>& callbacks, Handle handle)
{
    for (auto callback = callbacks.rbegin(); callback != callbacks.rend(); ++callback) {
        callback->function(handle, callback->data);
    }
}

} // namespace clutch_test

struct _cl_context : clutch_test::Object {
    static constexpr clutch_test::Kind kind = clutch_test::Kind::context;

    ~_cl_context() { clutch_test::call_back<cl_context>(end_callbacks, this); }

    bool has(const _cl_device_id* device) const
    {
        return std::find(devices.begin(), devices.end(), device) != devices.end();
    }

    std::vector<_cl_device_id*> devices;
    std::vector<cl_context_properties> properties;
    std::mutex mutex; // guards the callbacks
    std::vector<clutch_test::EndCallback<cl_context>> end_callbacks;
};

namespace clutch_test {
using Context = _cl_context;
}
