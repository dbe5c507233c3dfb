// The answer to a clGet...Info call: size checks and copying, once for all of them.
#pragma once

#include "table.hpp"

#include <string_view>

namespace clutch_test {

class Answer {
public:
    Answer(std::size_t room, void* value, std::size_t* size_given) : room_(room), value_(value), size_given_(size_given)
    {}

    cl_int bytes(const void* from, std::size_t size) const
    {
        if (value_ != nullptr) {
            if (room_ < size) {
                return CL_INVALID_VALUE;
            }
            if (size != 0) {
                std::memcpy(value_, from, size);
            }
        }
        if (size_given_ != nullptr) {
            *size_given_ = size;
        }
        return CL_SUCCESS;
    }

    template <class T>
    cl_int value(const T& answer) const
    {
        static_assert(std::is_trivially_copyable_v<T>);
        return bytes(&answer, sizeof answer);
    }

    cl_int flag(bool answer) const { return value(static_cast<cl_bool>(answer ? CL_TRUE : CL_FALSE)); }

    cl_int text(std::string_view answer) const
    {
        const std::string terminated(answer);
        return bytes(terminated.c_str(), terminated.size() + 1);
    }

    template <class T>
    cl_int list(const std::vector<T>& answer) const
    {
        return bytes(answer.data(), answer.size() * sizeof(T));
    }

    std::size_t room() const { return room_; }
    void* place() const { return value_; }

private:
    std::size_t room_;
    void* value_;
    std::size_t* size_given_;
};

// Stores a code through errcode_ret, where the caller gave one, and passes the result on.
template <class T>
T* with_code(T* result, cl_int code, cl_int* errcode_ret)
{
    if (errcode_ret != nullptr) {
        *errcode_ret = code;
    }
    return result;
}

} // namespace clutch_test
