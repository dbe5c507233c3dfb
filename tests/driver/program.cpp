#include "program.hpp"

#include "binary.hpp"
#include "info.hpp"

namespace clutch_test {
namespace {

using Notify = void(CL_CALLBACK*)(cl_program, void*);

cl_program no_program(cl_int code, cl_int* errcode_ret)
{
    return with_code(static_cast<cl_program>(nullptr), code, errcode_ret);
}

CLUTCH_TEST_FOREIGN_CALL void notify_user(Notify notify, cl_program program, void* data)
{
    if (notify != nullptr) {
        notify(program, data);
    }
}

// The devices that a build or link is for: those listed, or all of them; false if one is not among `all`.
bool chosen_devices(Call call, const std::vector<Device*>& all, cl_uint count, const cl_device_id* list,
                    std::vector<Device*>& chosen, cl_int& code)
{
    code = CL_SUCCESS;
    if ((count == 0) != (list == nullptr)) {
        code = CL_INVALID_VALUE;
    }
    for (cl_uint i = 0; code == CL_SUCCESS && i < count; ++i) {
        Device* const device = checked(call, list[i]);
        if (device == nullptr || std::find(all.begin(), all.end(), device) == all.end()) {
            code = CL_INVALID_DEVICE;
        } else {
            chosen.push_back(device);
        }
    }
    if (list == nullptr) {
        chosen = all;
    }
    return code == CL_SUCCESS;
}

// What the compiler itself defines for a device.
void predefine(const Device& device, BuildOptions& options)
{
    const int version = platform_version();
    options.macros.insert({{"__OPENCL_VERSION__", std::to_string(version)},
                           {"__OPENCL_C_VERSION__", std::to_string(version >= 300 ? 300 : 120)},
                           {"CL_VERSION_1_0", "100"},
                           {"CL_VERSION_1_1", "110"},
                           {"CL_VERSION_1_2", "120"},
                           {"CL_VERSION_2_0", "200"},
                           {"CL_VERSION_3_0", "300"},
                           {"__ENDIAN_LITTLE__", "1"}});
    if (device.traits.image_support) {
        options.macros.insert({"__IMAGE_SUPPORT__", "1"});
    }
    const std::string& extensions = device.traits.extensions;
    for (std::size_t begin = 0; begin < extensions.size();) {
        const std::size_t end = std::min(extensions.find(' ', begin), extensions.size());
        if (end > begin) {
            options.macros.insert({extensions.substr(begin, end - begin), "1"});
        }
        begin = end + 1;
    }
}

// Compiles a text for a device; the outcome is a log, empty on success, and kernels.
Scanned compile(const Device& device, const std::string& text, BuildOptions options)
{
    predefine(device, options);
    const Preprocessed preprocessed = preprocess(text, options);
    if (!preprocessed.error.empty()) {
        return {{}, preprocessed.error};
    }
    return scan(preprocessed.tokens, has_extension(device, "cl_khr_fp64"));
}

// One device's part of clBuildProgram and clCompileProgram; the program's lock is held.
bool build_one(Program& program, Device& device, const std::string& options_text, const BuildOptions& options,
               cl_program_binary_type type)
{
    Build& build = *program.build_for(&device);
    const bool from_binary = program.made == Program::Made::from_binary;
    build.options = options_text;
    if (!from_binary) {
        build.text = program.source;
        build.kept_options = options_text;
    }
    // A binary was compiled with the options it carries; those given now only finish it.
    BuildOptions used = from_binary ? parse_options(build.kept_options) : options;
    build.argument_info = program.made == Program::Made::from_source && options.argument_info;
    Scanned scanned = compile(device, build.text, std::move(used));
    build.log = scanned.error;
    build.kernels = std::move(scanned.kernels);
    const bool good = scanned.error.empty();
    build.type = good ? type : CL_PROGRAM_BINARY_TYPE_NONE;
    build.status.store(good ? CL_BUILD_SUCCESS : CL_BUILD_ERROR, std::memory_order_release);
    return good;
}

struct Headers {
    cl_uint count = 0;
    const cl_program* programs = nullptr;
    const char** names = nullptr;
};

cl_int build_or_compile(Call call, cl_program handle, cl_uint count, const cl_device_id* list, const char* options_text,
                        const Headers& headers, Notify notify, void* data, cl_program_binary_type type, cl_int failure)
{
    Program* const program = checked(call, handle);
    if (program == nullptr) {
        return CL_INVALID_PROGRAM;
    }
    if (notify == nullptr && data != nullptr) {
        return CL_INVALID_VALUE;
    }
    std::vector<Device*> devices;
    cl_int code = CL_SUCCESS;
    if (!chosen_devices(call, program->devices, count, list, devices, code)) {
        return code;
    }
    const std::string text = options_text == nullptr ? "" : options_text;
    BuildOptions options = parse_options(text);
    if (!options.valid) {
        return failure == CL_COMPILE_PROGRAM_FAILURE ? CL_INVALID_COMPILER_OPTIONS : CL_INVALID_BUILD_OPTIONS;
    }
    for (cl_uint i = 0; i < headers.count; ++i) {
        const Program* const header = checked(call, headers.programs[i]);
        if (header == nullptr) {
            return CL_INVALID_PROGRAM;
        }
        options.headers[headers.names[i]] = header->source;
    }
    if (program->kernels_alive.load(std::memory_order_acquire) != 0 || program->made == Program::Made::by_linking) {
        return CL_INVALID_OPERATION;
    }
    const bool compiles = program->made != Program::Made::from_binary;
    for (const Device* device : devices) {
        if (compiles && !device->traits.compiler_available) {
            return CL_COMPILER_NOT_AVAILABLE;
        }
        if (!compiles && program->build_for(device)->text.empty()) {
            return CL_INVALID_BINARY;
        }
    }
    bool good = true;
    {
        const std::lock_guard lock{program->mutex};
        for (Device* device : devices) {
            good = build_one(*program, *device, text, options, type) && good;
        }
    }
    notify_user(notify, program, data);
    return good ? CL_SUCCESS : failure;
}

cl_program make_from_il(Call call, cl_context handle, const void* il, std::size_t length, cl_int* errcode_ret)
{
    Context* const context = checked(call, handle);
    if (context == nullptr) {
        return no_program(CL_INVALID_CONTEXT, errcode_ret);
    }
    constexpr std::uint32_t spirv = 0x07230203;
    std::uint32_t first = 0;
    if (il != nullptr && length >= sizeof first) {
        std::memcpy(&first, il, sizeof first);
    }
    if (first != spirv) {
        return no_program(CL_INVALID_VALUE, errcode_ret);
    }
    Program* const program = Arena<Program>::make(context, Program::Made::from_il, context->devices);
    if (program == nullptr) {
        return no_program(CL_OUT_OF_HOST_MEMORY, errcode_ret);
    }
    const auto* const bytes = static_cast<const std::byte*>(il);
    program->il.assign(bytes, bytes + length);
    // Behind the magic number the tests put OpenCL C.
    program->source.assign(reinterpret_cast<const char*>(bytes) + sizeof first, length - sizeof first);
    return with_code(program, CL_SUCCESS, errcode_ret);
}

std::string names_of(const Kernels& kernels)
{
    std::string names;
    for (const auto& kernel : kernels) {
        names += (names.empty() ? "" : ";") + kernel->name;
    }
    return names;
}

// The kernels of the first device the program is built for; null if it is built for none.
const Kernels* kernels_of(const Program& program)
{
    for (const Build& build : program.builds) {
        if (build.status.load(std::memory_order_acquire) == CL_BUILD_SUCCESS &&
            build.type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
            return &build.kernels;
        }
    }
    return nullptr;
}

std::vector<std::string> binaries_of(const Program& program)
{
    std::vector<std::string> binaries;
    for (std::size_t i = 0; i < program.builds.size(); ++i) {
        const Build& build = program.builds[i];
        const bool good = build.status.load(std::memory_order_acquire) == CL_BUILD_SUCCESS;
        binaries.push_back(good ? write_binary(*program.devices[i], {build.type, build.kept_options, build.text}) : "");
    }
    return binaries;
}

cl_int give_binaries(const std::vector<std::string>& binaries, const Answer& answer)
{
    if (answer.place() != nullptr && answer.room() >= binaries.size() * sizeof(unsigned char*)) {
        const auto places = static_cast<unsigned char**>(answer.place());
        for (std::size_t i = 0; i < binaries.size(); ++i) {
            if (places[i] != nullptr) {
                std::memcpy(places[i], binaries[i].data(), binaries[i].size());
            }
        }
        // The array of pointers itself stays as the caller made it.
        return answer.bytes(std::vector<unsigned char*>(places, places + binaries.size()).data(),
                            binaries.size() * sizeof(unsigned char*));
    }
    return answer.list(std::vector<unsigned char*>(binaries.size()));
}

} // namespace

namespace api {

cl_program clCreateProgramWithSource(cl_context handle, cl_uint count, const char** texts, const std::size_t* lengths,
                                     cl_int* errcode_ret)
{
    Context* const context = checked(Call::clCreateProgramWithSource, handle);
    if (context == nullptr) {
        return no_program(CL_INVALID_CONTEXT, errcode_ret);
    }
    if (count == 0 || texts == nullptr || std::find(texts, texts + count, nullptr) != texts + count) {
        return no_program(CL_INVALID_VALUE, errcode_ret);
    }
    Program* const program = Arena<Program>::make(context, Program::Made::from_source, context->devices);
    if (program == nullptr) {
        return no_program(CL_OUT_OF_HOST_MEMORY, errcode_ret);
    }
    for (cl_uint i = 0; i < count; ++i) {
        program->source += lengths != nullptr && lengths[i] != 0 ? std::string(texts[i], lengths[i]) : texts[i];
    }
    return with_code(program, CL_SUCCESS, errcode_ret);
}

cl_program clCreateProgramWithBinary(cl_context handle, cl_uint count, const cl_device_id* list,
                                     const std::size_t* lengths, const unsigned char** binaries, cl_int* status,
                                     cl_int* errcode_ret)
{
    Context* const context = checked(Call::clCreateProgramWithBinary, handle);
    if (context == nullptr) {
        return no_program(CL_INVALID_CONTEXT, errcode_ret);
    }
    if (count == 0 || list == nullptr || lengths == nullptr || binaries == nullptr) {
        return no_program(CL_INVALID_VALUE, errcode_ret);
    }
    std::vector<Device*> devices;
    cl_int code = CL_SUCCESS;
    if (!chosen_devices(Call::clCreateProgramWithBinary, context->devices, count, list, devices, code)) {
        return no_program(code, errcode_ret);
    }
    std::vector<Binary> contents(count);
    for (cl_uint i = 0; i < count; ++i) {
        cl_int one = CL_SUCCESS;
        if (lengths[i] == 0 || binaries[i] == nullptr) {
            one = CL_INVALID_VALUE;
        } else if (!read_binary(*devices[i], {reinterpret_cast<const char*>(binaries[i]), lengths[i]}, contents[i])) {
            one = CL_INVALID_BINARY;
        }
        if (status != nullptr) {
            status[i] = one;
        }
        code = code == CL_SUCCESS ? one : code;
    }
    if (code != CL_SUCCESS) {
        return no_program(code, errcode_ret);
    }
    Program* const program = Arena<Program>::make(context, Program::Made::from_binary, std::move(devices));
    if (program == nullptr) {
        return no_program(CL_OUT_OF_HOST_MEMORY, errcode_ret);
    }
    for (cl_uint i = 0; i < count; ++i) {
        program->builds[i].text = std::move(contents[i].text);
        program->builds[i].kept_options = std::move(contents[i].options);
        program->builds[i].type = contents[i].type;
    }
    return with_code(program, CL_SUCCESS, errcode_ret);
}

cl_program clCreateProgramWithIL(cl_context context, const void* il, std::size_t length, cl_int* errcode_ret)
{
    return make_from_il(Call::clCreateProgramWithIL, context, il, length, errcode_ret);
}

cl_program clCreateProgramWithILKHR(cl_context context, const void* il, std::size_t length, cl_int* errcode_ret)
{
    return make_from_il(Call::clCreateProgramWithILKHR, context, il, length, errcode_ret);
}

cl_int clRetainProgram(cl_program program)
{
    return retain_handle(Call::clRetainProgram, program, CL_INVALID_PROGRAM);
}

cl_int clReleaseProgram(cl_program program)
{
    return release_handle(Call::clReleaseProgram, program, CL_INVALID_PROGRAM);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* list, const char* options, Notify notify,
                      void* data)
{
    return build_or_compile(Call::clBuildProgram, program, count, list, options, {}, notify, data,
                            CL_PROGRAM_BINARY_TYPE_EXECUTABLE, CL_BUILD_PROGRAM_FAILURE);
}

cl_int clCompileProgram(cl_program program, cl_uint count, const cl_device_id* list, const char* options,
                        cl_uint header_count, const cl_program* headers, const char** names, Notify notify, void* data)
{
    if ((header_count == 0) != (headers == nullptr) || (header_count == 0) != (names == nullptr)) {
        return CL_INVALID_VALUE;
    }
    return build_or_compile(Call::clCompileProgram, program, count, list, options, {header_count, headers, names},
                            notify, data, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_COMPILE_PROGRAM_FAILURE);
}

cl_program clLinkProgram(cl_context handle, cl_uint count, const cl_device_id* list, const char* options,
                         cl_uint input_count, const cl_program* inputs, Notify notify, void* data, cl_int* errcode_ret)
{
    Context* const context = checked(Call::clLinkProgram, handle);
    if (context == nullptr) {
        return no_program(CL_INVALID_CONTEXT, errcode_ret);
    }
    if (input_count == 0 || inputs == nullptr || (notify == nullptr && data != nullptr)) {
        return no_program(CL_INVALID_VALUE, errcode_ret);
    }
    std::vector<Device*> devices;
    cl_int code = CL_SUCCESS;
    if (!chosen_devices(Call::clLinkProgram, context->devices, count, list, devices, code)) {
        return no_program(code, errcode_ret);
    }
    const std::string text = options == nullptr ? "" : options;
    if (!parse_options(text).valid) {
        return no_program(CL_INVALID_LINKER_OPTIONS, errcode_ret);
    }
    for (cl_uint i = 0; i < input_count; ++i) {
        if (checked(Call::clLinkProgram, inputs[i]) == nullptr) {
            return no_program(CL_INVALID_PROGRAM, errcode_ret);
        }
    }
    Program* const program = Arena<Program>::make(context, Program::Made::by_linking, devices);
    if (program == nullptr) {
        return no_program(CL_OUT_OF_HOST_MEMORY, errcode_ret);
    }
    for (std::size_t d = 0; d < devices.size(); ++d) {
        Build& build = program->builds[d];
        build.options = text;
        build.argument_info = true;
        for (cl_uint i = 0; i < input_count; ++i) {
            const std::lock_guard lock{inputs[i]->mutex};
            const Build* const input = inputs[i]->build_for(devices[d]);
            if (input == nullptr || input->status.load(std::memory_order_acquire) != CL_BUILD_SUCCESS ||
                input->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
                code = CL_INVALID_OPERATION;
                break;
            }
            build.text += input->text + "\n";
            build.kept_options = input->kept_options;
            build.argument_info = build.argument_info && input->argument_info;
            for (const auto& kernel : input->kernels) {
                const bool twice = std::any_of(build.kernels.begin(), build.kernels.end(),
                                               [&](const auto& other) { return other->name == kernel->name; });
                if (twice) {
                    build.log = "error: '" + kernel->name + "' is defined twice\n";
                    code = CL_LINK_PROGRAM_FAILURE;
                }
                build.kernels.push_back(kernel);
            }
        }
        build.type = text.find("-create-library") == std::string::npos ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                                                                       : CL_PROGRAM_BINARY_TYPE_LIBRARY;
        build.status.store(code == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR, std::memory_order_release);
    }
    if (code == CL_INVALID_OPERATION) {
        Arena<Program>::release(program);
        return no_program(code, errcode_ret);
    }
    notify_user(notify, program, data);
    return with_code(program, code, errcode_ret); // a failed link has a program too: it holds the log
}

cl_int clUnloadCompiler()
{
    return CL_SUCCESS;
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform)
{
    return checked(Call::clUnloadPlatformCompiler, platform) == nullptr ? CL_INVALID_PLATFORM : CL_SUCCESS;
}

cl_int clGetProgramInfo(cl_program handle, cl_program_info parameter, std::size_t size, void* value,
                        std::size_t* size_given)
{
    Program* const program = checked(Call::clGetProgramInfo, handle);
    if (program == nullptr) {
        return CL_INVALID_PROGRAM;
    }
    const Answer answer{size, value, size_given};
    const std::lock_guard lock{program->mutex};
    switch (parameter) {
    case CL_PROGRAM_REFERENCE_COUNT:
        return answer.value(reference_count(program));
    case CL_PROGRAM_CONTEXT:
        return answer.value(static_cast<cl_context>(program->context.get()));
    case CL_PROGRAM_NUM_DEVICES:
        return answer.value(static_cast<cl_uint>(program->devices.size()));
    case CL_PROGRAM_DEVICES:
        return answer.list(program->devices);
    case CL_PROGRAM_SOURCE:
        return answer.text(program->made == Program::Made::from_source ? program->source : "");
    case CL_PROGRAM_BINARY_SIZES: {
        std::vector<std::size_t> sizes;
        for (const std::string& binary : binaries_of(*program)) {
            sizes.push_back(binary.size());
        }
        return answer.list(sizes);
    }
    case CL_PROGRAM_BINARIES:
        return give_binaries(binaries_of(*program), answer);
    case CL_PROGRAM_NUM_KERNELS:
    case CL_PROGRAM_KERNEL_NAMES: {
        const Kernels* const kernels = kernels_of(*program);
        if (kernels == nullptr) {
            return CL_INVALID_PROGRAM_EXECUTABLE;
        }
        return parameter == CL_PROGRAM_NUM_KERNELS ? answer.value(kernels->size()) : answer.text(names_of(*kernels));
    }
    default:
        break;
    }
    if (platform_version() >= 210 && parameter == CL_PROGRAM_IL) {
        return answer.list(program->il);
    }
    if (platform_version() >= 220 &&
        (parameter == CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT || parameter == CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT)) {
        return answer.flag(false);
    }
    return CL_INVALID_VALUE;
}

cl_int clGetProgramBuildInfo(cl_program handle, cl_device_id device_handle, cl_program_build_info parameter,
                             std::size_t size, void* value, std::size_t* size_given)
{
    Program* const program = checked(Call::clGetProgramBuildInfo, handle);
    if (program == nullptr) {
        return CL_INVALID_PROGRAM;
    }
    const Device* const device = checked(Call::clGetProgramBuildInfo, device_handle);
    const Build* const build = device == nullptr ? nullptr : program->build_for(device);
    if (build == nullptr) {
        return CL_INVALID_DEVICE;
    }
    const Answer answer{size, value, size_given};
    const std::lock_guard lock{program->mutex};
    switch (parameter) {
    case CL_PROGRAM_BUILD_STATUS:
        return answer.value(build->status.load(std::memory_order_acquire));
    case CL_PROGRAM_BUILD_OPTIONS:
        return answer.text(build->options);
    case CL_PROGRAM_BUILD_LOG:
        return answer.text(build->log);
    case CL_PROGRAM_BINARY_TYPE:
        return answer.value(build->type);
    default:
        break;
    }
    if (platform_version() >= 200 && parameter == CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE) {
        return answer.value(std::size_t{0});
    }
    return CL_INVALID_VALUE;
}

} // namespace api
} // namespace clutch_test
