#include "binary.hpp"

#include <charconv>

namespace clutch_test {
namespace {

std::uint64_t checksum(std::string_view bytes) // FNV-1a
{
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const char byte : bytes) {
        sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    }
    return sum;
}

std::string header_of(const Device& device)
{
    return "clutch test binary 1\n" + device.traits.driver_version + "\n" + device.traits.name + "\n";
}

void append(std::string& bytes, std::string_view field)
{
    bytes += std::to_string(field.size()) + "\n";
    bytes += field;
}

// A number on a line of its own, taken off the front.
bool take_number(std::string_view& bytes, std::uint64_t& number)
{
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
        return false;
    }
    const auto [stop, error] = std::from_chars(bytes.data(), bytes.data() + end, number);
    const bool good = error == std::errc{} && stop == bytes.data() + end;
    bytes.remove_prefix(end + 1);
    return good;
}

bool take_field(std::string_view& bytes, std::string& field)
{
    std::uint64_t size = 0;
    if (!take_number(bytes, size) || size > bytes.size()) {
        return false;
    }
    field = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return true;
}

} // namespace

std::string write_binary(const Device& device, const Binary& binary)
{
    std::string bytes = header_of(device);
    bytes += std::to_string(binary.type) + "\n";
    append(bytes, binary.options);
    append(bytes, binary.text);
    bytes += std::to_string(checksum(bytes)) + "\n";
    return bytes;
}

bool read_binary(const Device& device, std::string_view bytes, Binary& binary)
{
    const std::string header = header_of(device);
    const std::string_view all = bytes;
    if (bytes.substr(0, header.size()) != header) {
        return false;
    }
    bytes.remove_prefix(header.size());
    std::uint64_t type = 0, sum = 0;
    if (!take_number(bytes, type) || !take_field(bytes, binary.options) || !take_field(bytes, binary.text)) {
        return false;
    }
    binary.type = static_cast<cl_program_binary_type>(type);
    const std::string_view summed = all.substr(0, all.size() - bytes.size());
    return take_number(bytes, sum) && bytes.empty() && sum == checksum(summed);
}

} // namespace clutch_test
