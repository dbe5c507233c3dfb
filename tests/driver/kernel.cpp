#include "kernel.hpp"

#include "image.hpp"
#include "info.hpp"

#include <bit>

_cl_kernel::_cl_kernel(_cl_program* its_program, std::shared_ptr<const clutch_test::KernelText> its_text)
    : program(its_program), text(std::move(its_text)), slots(new clutch_test::Slot[text->parameters.size()])
{
    constexpr std::size_t step = 16;
    std::size_t total = 0;
    for (std::size_t i = 0; i < text->parameters.size(); ++i) {
        const clutch_test::Parameter& parameter = text->parameters[i];
        clutch_test::Slot& slot = slots[i];
        slot.parameter = &parameter;
        slot.takes = parameter.takes;
        slot.expected_size = parameter.size;
        const bool is_value = parameter.takes == clutch_test::Takes::value;
        slot.room = static_cast<std::uint32_t>(!is_value             ? sizeof(void*)
                                               : parameter.size != 0 ? parameter.size
                                                                     : clutch_test::opaque_room);
        total += (slot.room + step - 1) / step * step;
    }
    bytes.reset(new std::byte[total]());
    std::byte* place = bytes.get();
    for (clutch_test::Slot& slot : arguments()) {
        slot.bytes = place;
        place += (slot.room + step - 1) / step * step;
    }
    svm_pointers.reserve(64);
    program->kernels_alive.fetch_add(1, std::memory_order_relaxed);
}

_cl_kernel::~_cl_kernel()
{
    program->kernels_alive.fetch_sub(1, std::memory_order_release);
}

namespace clutch_test {
namespace {

[[gnu::cold, gnu::noinline]] cl_int used_by_two(Call call, const Kernel& kernel)
{
    violation("%s: kernel #%llu '%s' is in use by another thread", name(call),
              static_cast<unsigned long long>(serial_of(&kernel)), kernel.text->name.c_str());
    return CL_INVALID_OPERATION;
}

void keep(Slot& slot, const void* value, std::size_t size, std::uint64_t serial)
{
    slot.set = true;
    slot.svm = false;
    slot.null = value == nullptr;
    slot.size = size;
    slot.serial = serial;
    slot.thread = thread_number();
    if (value != nullptr) {
        std::memcpy(slot.bytes, value, size);
    }
}

cl_int set_value(Slot& slot, std::size_t size, const void* value)
{
    if (slot.expected_size != 0 ? size != slot.expected_size : size == 0 || size > slot.room) {
        return CL_INVALID_ARG_SIZE;
    }
    if (value == nullptr) {
        return CL_INVALID_ARG_VALUE;
    }
    keep(slot, value, size, 0);
    return CL_SUCCESS;
}

cl_int set_local(Slot& slot, std::size_t size, const void* value)
{
    if (value != nullptr) {
        return CL_INVALID_ARG_VALUE;
    }
    if (size == 0) {
        return CL_INVALID_ARG_SIZE;
    }
    keep(slot, nullptr, size, 0);
    return CL_SUCCESS;
}

cl_int set_memory(Call call, Slot& slot, std::size_t size, const void* value)
{
    if (size != sizeof(cl_mem)) {
        return CL_INVALID_ARG_SIZE;
    }
    const bool image = slot.takes == Takes::image;
    cl_mem handle = nullptr;
    if (value != nullptr) {
        std::memcpy(&handle, value, sizeof handle);
    }
    if (handle == nullptr) {
        if (image) {
            return CL_INVALID_ARG_VALUE;
        }
        keep(slot, nullptr, size, 0);
        return CL_SUCCESS;
    }
    const Memory* const memory = checked(call, handle);
    if (memory == nullptr) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (memory->is_buffer() == image) {
        return CL_INVALID_ARG_VALUE;
    }
    const Parameter& parameter = *slot.parameter;
    if (image && ((parameter.read_only && (memory->flags & CL_MEM_WRITE_ONLY) != 0) ||
                  (parameter.write_only && (memory->flags & CL_MEM_READ_ONLY) != 0))) {
        return CL_INVALID_ARG_VALUE;
    }
    keep(slot, value, size, serial_of(memory));
    return CL_SUCCESS;
}

cl_int set_sampler(Call call, Slot& slot, std::size_t size, const void* value)
{
    if (size != sizeof(cl_sampler)) {
        return CL_INVALID_ARG_SIZE;
    }
    if (value == nullptr) {
        return CL_INVALID_ARG_VALUE;
    }
    cl_sampler handle = nullptr;
    std::memcpy(&handle, value, sizeof handle);
    const Sampler* const sampler = checked(call, handle);
    if (sampler == nullptr) {
        return CL_INVALID_SAMPLER;
    }
    keep(slot, value, size, serial_of(sampler));
    return CL_SUCCESS;
}

// The way of clSetKernelArgSVMPointer and its Intel twin.
cl_int set_pointer(Call call, cl_kernel handle, cl_uint index, const void* pointer, bool (*supported)(const Context&))
{
    Kernel* const kernel = checked(call, handle);
    if (kernel == nullptr) {
        return CL_INVALID_KERNEL;
    }
    const KernelUse use{*kernel};
    if (!use.alone()) {
        return used_by_two(call, *kernel);
    }
    if (!supported(*kernel->program->context)) {
        return CL_INVALID_OPERATION;
    }
    if (index >= kernel->arguments().size()) {
        return CL_INVALID_ARG_INDEX;
    }
    Slot& slot = kernel->slots[index];
    if (slot.takes != Takes::memory || slot.parameter->is_pipe) {
        return CL_INVALID_ARG_VALUE;
    }
    if (pointer != nullptr) {
        const Allocation* const allocation = find_allocation(pointer);
        if (allocation == nullptr || allocation->context.load() != kernel->program->context.get()) {
            return CL_INVALID_ARG_VALUE;
        }
    }
    keep(slot, &pointer, sizeof pointer, 0);
    slot.svm = true;
    slot.null = pointer == nullptr;
    return CL_SUCCESS;
}

// Whether an argument that was set may still be used, and by this queue's device.
cl_int check_argument(const Queue& queue, const Kernel& kernel, const Slot& slot, std::size_t index)
{
    const auto complain = [&](const char* what) {
        violation("clEnqueueNDRangeKernel: argument %zu of kernel '%s': its %s ended after it was set", index,
                  kernel.text->name.c_str(), what);
    };
    if (slot.svm) {
        if (!slot.null && find_allocation(slot.as<const void*>()) == nullptr) {
            complain("allocation");
            return CL_INVALID_KERNEL_ARGS;
        }
    } else if (slot.takes == Takes::sampler) {
        const Sampler* const sampler = Arena<Sampler>::find(slot.as<cl_sampler>());
        if (sampler == nullptr || serial_of(sampler) != slot.serial) {
            complain("sampler");
            return CL_INVALID_SAMPLER;
        }
    } else if (!slot.null) {
        const Memory* const memory = Arena<Memory>::find(slot.as<cl_mem>());
        if (memory == nullptr || serial_of(memory) != slot.serial) {
            complain("memory object");
            return CL_INVALID_MEM_OBJECT;
        }
        Memory* same = nullptr;
        return check_memory(Call::clEnqueueNDRangeKernel, queue, slot.as<cl_mem>(), same);
    }
    return CL_SUCCESS;
}

cl_int check_arguments(const Queue& queue, Kernel& kernel)
{
    std::size_t local = 0;
    std::size_t index = 0;
    for (const Slot& slot : kernel.arguments()) {
        if (!slot.set) {
            return CL_INVALID_KERNEL_ARGS;
        }
        if (slot.takes == Takes::local) {
            local += slot.size;
        } else if (slot.takes != Takes::value) {
            if (const cl_int code = check_argument(queue, kernel, slot, index)) {
                return code;
            }
        }
        ++index;
    }
    for (const void* pointer : kernel.svm_pointers) {
        if (find_allocation(pointer) == nullptr) {
            violation("clEnqueueNDRangeKernel: the SVM list of kernel '%s' names memory that was freed",
                      kernel.text->name.c_str());
            return CL_INVALID_KERNEL_ARGS;
        }
    }
    return local > queue.device->traits.local_memory ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

cl_int check_sizes(const DeviceTraits& traits, const KernelText& text, cl_uint dimensions, const std::size_t* offset,
                   const std::size_t* global, const std::size_t* local)
{
    if (dimensions < 1 || dimensions > 3) {
        return CL_INVALID_WORK_DIMENSION;
    }
    if (global == nullptr) {
        return CL_INVALID_GLOBAL_WORK_SIZE;
    }
    const std::size_t most = traits.address_bits >= 64 ? SIZE_MAX : (std::size_t{1} << traits.address_bits) - 1;
    const bool required = text.required[0] != 0;
    std::size_t group = 1;
    for (cl_uint i = 0; i < dimensions; ++i) {
        if ((global[i] == 0 && !traits.zero_work_size_allowed) || global[i] > most) {
            return CL_INVALID_GLOBAL_WORK_SIZE;
        }
        if (offset != nullptr && offset[i] > most - global[i]) {
            return CL_INVALID_GLOBAL_OFFSET;
        }
        if (local == nullptr) {
            if (required && (platform_version() < 210 || global[i] % text.required[i] != 0)) {
                return CL_INVALID_WORK_GROUP_SIZE;
            }
            continue;
        }
        if (local[i] == 0) {
            return CL_INVALID_WORK_GROUP_SIZE;
        }
        if (local[i] > traits.max_work_item_sizes[i]) {
            return CL_INVALID_WORK_ITEM_SIZE;
        }
        if (global[i] % local[i] != 0 || (required && local[i] != text.required[i])) {
            return CL_INVALID_WORK_GROUP_SIZE;
        }
        group *= local[i]; // cannot wrap: each factor has been held to the device's limit
    }
    for (cl_uint i = dimensions; required && i < 3; ++i) {
        if (text.required[i] != 1) {
            return CL_INVALID_WORK_GROUP_SIZE;
        }
    }
    return group > traits.max_work_group_size ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
}

cl_kernel no_kernel(cl_int code, cl_int* errcode_ret)
{
    return with_code(static_cast<cl_kernel>(nullptr), code, errcode_ret);
}

// The definition of a kernel in the devices that the program is built for: all must agree.
cl_int find_definition(const Program& program, std::string_view wanted, std::shared_ptr<const KernelText>& text)
{
    bool built = false;
    for (const Build& build : program.builds) {
        if (build.status.load(std::memory_order_acquire) != CL_BUILD_SUCCESS ||
            build.type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
            continue;
        }
        built = true;
        for (const auto& candidate : build.kernels) {
            if (candidate->name == wanted) {
                if (text != nullptr && *text != *candidate) {
                    return CL_INVALID_KERNEL_DEFINITION;
                }
                text = candidate;
            }
        }
    }
    if (!built) {
        return CL_INVALID_PROGRAM_EXECUTABLE;
    }
    return text == nullptr ? CL_INVALID_KERNEL_NAME : CL_SUCCESS;
}

bool argument_info_available(Program& program)
{
    const std::lock_guard lock{program.mutex};
    for (std::size_t i = 0; i < program.builds.size(); ++i) {
        const Build& build = program.builds[i];
        if (build.status.load(std::memory_order_acquire) == CL_BUILD_SUCCESS) {
            const ArgumentInfo rule = program.devices[i]->traits.argument_info;
            return rule == ArgumentInfo::always || (rule == ArgumentInfo::as_built && build.argument_info);
        }
    }
    return false;
}

} // namespace

unsigned threads_of(const Kernel& kernel)
{
    int sum = 0;
    for (const auto& bits : kernel.users) {
        sum += std::popcount(bits.load(std::memory_order_relaxed));
    }
    return static_cast<unsigned>(sum);
}

KernelMark::KernelMark(cl_kernel kernel) : marked(nullptr)
{
    Kernel* const object = Arena<Kernel>::find(kernel);
    std::uint32_t nobody = 0;
    if (object != nullptr && object->user.compare_exchange_strong(nobody, thread_number(), std::memory_order_relaxed)) {
        marked = object;
    }
}

KernelMark::~KernelMark()
{
    if (marked != nullptr) {
        marked->user.store(0, std::memory_order_relaxed);
    }
}

void note_kernel(Record& record, cl_kernel handle, bool with_arguments)
{
    Kernel* const kernel = Arena<Kernel>::find(handle);
    if (kernel == nullptr) {
        return;
    }
    record.kernel_serial = serial_of(kernel);
    record.program_serial = serial_of(kernel->program.get());
    kernel->text->name.copy(record.kernel_name.data(), record.kernel_name.size() - 1);
    record.argument_count = static_cast<std::uint32_t>(kernel->arguments().size());
    // While another thread works on the kernel its arguments are not to be looked at.
    if (!with_arguments || kernel->user.load(std::memory_order_relaxed) != thread_number()) {
        return;
    }
    for (std::size_t i = 0; i < kernel->arguments().size() && i < record.arguments.size(); ++i) {
        const Slot& slot = kernel->slots[i];
        ArgumentSnapshot& snapshot = record.arguments[i];
        snapshot.set = slot.set;
        snapshot.null = slot.null;
        snapshot.svm = slot.svm;
        snapshot.thread = slot.thread;
        snapshot.size = slot.size;
        if (slot.set && !slot.null) {
            std::memcpy(snapshot.bytes.data(), slot.bytes, std::min(slot.size, snapshot.bytes.size()));
        }
    }
    record.svm_pointer_count = static_cast<std::uint32_t>(kernel->svm_pointers.size());
    std::copy_n(kernel->svm_pointers.begin(), std::min(kernel->svm_pointers.size(), record.svm_pointers.size()),
                record.svm_pointers.begin());
}

namespace api {

cl_kernel clCreateKernel(cl_program handle, const char* wanted, cl_int* errcode_ret)
{
    Program* const program = checked(Call::clCreateKernel, handle);
    if (program == nullptr) {
        return no_kernel(CL_INVALID_PROGRAM, errcode_ret);
    }
    if (wanted == nullptr) {
        return no_kernel(CL_INVALID_VALUE, errcode_ret);
    }
    const std::lock_guard lock{program->mutex};
    std::shared_ptr<const KernelText> text;
    if (const cl_int code = find_definition(*program, wanted, text)) {
        return no_kernel(code, errcode_ret);
    }
    Kernel* const kernel = Arena<Kernel>::make(program, std::move(text));
    return with_code(kernel, kernel != nullptr ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, errcode_ret);
}

cl_int clCreateKernelsInProgram(cl_program handle, cl_uint room, cl_kernel* list, cl_uint* count)
{
    Program* const program = checked(Call::clCreateKernelsInProgram, handle);
    if (program == nullptr) {
        return CL_INVALID_PROGRAM;
    }
    const std::lock_guard lock{program->mutex};
    for (const Build& build : program->builds) {
        if (build.status.load(std::memory_order_acquire) != CL_BUILD_SUCCESS ||
            build.type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
            continue;
        }
        if (list != nullptr && room < build.kernels.size()) {
            return CL_INVALID_VALUE;
        }
        for (std::size_t i = 0; list != nullptr && i < build.kernels.size(); ++i) {
            list[i] = Arena<Kernel>::make(program, build.kernels[i]);
        }
        if (count != nullptr) {
            *count = static_cast<cl_uint>(build.kernels.size());
        }
        return CL_SUCCESS;
    }
    return CL_INVALID_PROGRAM_EXECUTABLE;
}

cl_kernel clCloneKernel(cl_kernel handle, cl_int* errcode_ret)
{
    Kernel* const original = checked(Call::clCloneKernel, handle);
    if (original == nullptr) {
        return no_kernel(CL_INVALID_KERNEL, errcode_ret);
    }
    const KernelUse use{*original};
    if (!use.alone()) {
        return no_kernel(used_by_two(Call::clCloneKernel, *original), errcode_ret);
    }
    Kernel* const kernel = Arena<Kernel>::make(original->program.get(), original->text);
    if (kernel == nullptr) {
        return no_kernel(CL_OUT_OF_HOST_MEMORY, errcode_ret);
    }
    for (std::size_t i = 0; i < kernel->arguments().size(); ++i) {
        std::byte* const own = kernel->slots[i].bytes;
        kernel->slots[i] = original->slots[i];
        kernel->slots[i].bytes = own;
        std::memcpy(own, original->slots[i].bytes, original->slots[i].room);
    }
    kernel->svm_pointers.assign(original->svm_pointers.begin(), original->svm_pointers.end());
    return with_code(kernel, CL_SUCCESS, errcode_ret);
}

cl_int clRetainKernel(cl_kernel kernel)
{
    return retain_handle(Call::clRetainKernel, kernel, CL_INVALID_KERNEL);
}
cl_int clReleaseKernel(cl_kernel kernel)
{
    return release_handle(Call::clReleaseKernel, kernel, CL_INVALID_KERNEL);
}

cl_int clSetKernelArg(cl_kernel handle, cl_uint index, std::size_t size, const void* value)
{
    Kernel* const kernel = checked(Call::clSetKernelArg, handle);
    if (kernel == nullptr) {
        return CL_INVALID_KERNEL;
    }
    const KernelUse use{*kernel};
    if (!use.alone()) [[unlikely]] {
        return used_by_two(Call::clSetKernelArg, *kernel);
    }
    if (index >= kernel->arguments().size()) {
        return CL_INVALID_ARG_INDEX;
    }
    Slot& slot = kernel->slots[index];
    switch (slot.takes) {
    case Takes::value:
        return set_value(slot, size, value);
    case Takes::local:
        return set_local(slot, size, value);
    case Takes::memory:
    case Takes::image:
        return set_memory(Call::clSetKernelArg, slot, size, value);
    case Takes::sampler:
        return set_sampler(Call::clSetKernelArg, slot, size, value);
    }
    return CL_INVALID_ARG_VALUE;
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void* pointer)
{
    return set_pointer(Call::clSetKernelArgSVMPointer, kernel, index, pointer, has_svm);
}

cl_int clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index, const void* pointer)
{
    return set_pointer(Call::clSetKernelArgMemPointerINTEL, kernel, index, pointer, has_usm);
}

cl_int clSetKernelExecInfo(cl_kernel handle, cl_kernel_exec_info parameter, std::size_t size, const void* value)
{
    Kernel* const kernel = checked(Call::clSetKernelExecInfo, handle);
    if (kernel == nullptr) {
        return CL_INVALID_KERNEL;
    }
    const KernelUse use{*kernel};
    if (!use.alone()) {
        return used_by_two(Call::clSetKernelExecInfo, *kernel);
    }
    const Context& context = *kernel->program->context;
    switch (parameter) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case 0x4203: { // CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL
        if (parameter == CL_KERNEL_EXEC_INFO_SVM_PTRS ? !has_svm(context) : !has_usm(context)) {
            return CL_INVALID_OPERATION;
        }
        if (size == 0 && context.devices.front()->traits.empty_exec_info_allowed) {
            kernel->svm_pointers.clear();
            return CL_SUCCESS;
        }
        if (value == nullptr || size == 0 || size % sizeof(void*) != 0) {
            return CL_INVALID_VALUE;
        }
        const auto* const pointers = static_cast<const void* const*>(value);
        const std::size_t count = size / sizeof(void*);
        for (std::size_t i = 0; i < count; ++i) {
            if (find_allocation(pointers[i]) == nullptr) {
                return CL_INVALID_VALUE;
            }
        }
        kernel->svm_pointers.assign(pointers, pointers + count);
        return CL_SUCCESS;
    }
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM: {
        if (value == nullptr || size != sizeof(cl_bool)) {
            return CL_INVALID_VALUE;
        }
        const bool on = *static_cast<const cl_bool*>(value) != CL_FALSE;
        const bool can = std::any_of(context.devices.begin(), context.devices.end(), [](const Device* device) {
            return (device->traits.svm_capabilities & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0;
        });
        return on && !can ? CL_INVALID_OPERATION : CL_SUCCESS;
    }
    case 0x4200: // CL_KERNEL_EXEC_INFO_INDIRECT_{HOST,DEVICE,SHARED}_ACCESS_INTEL
    case 0x4201:
    case 0x4202:
        if (!has_usm(context)) {
            return CL_INVALID_OPERATION;
        }
        return value == nullptr || size != sizeof(cl_bool) ? CL_INVALID_VALUE : CL_SUCCESS;
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetKernelInfo(cl_kernel handle, cl_kernel_info parameter, std::size_t size, void* value,
                       std::size_t* size_given)
{
    const Kernel* const kernel = checked(Call::clGetKernelInfo, handle);
    if (kernel == nullptr) {
        return CL_INVALID_KERNEL;
    }
    const Answer answer{size, value, size_given};
    switch (parameter) {
    case CL_KERNEL_FUNCTION_NAME:
        return answer.text(kernel->text->name);
    case CL_KERNEL_NUM_ARGS:
        return answer.value(static_cast<cl_uint>(kernel->text->parameters.size()));
    case CL_KERNEL_REFERENCE_COUNT:
        return answer.value(reference_count(kernel));
    case CL_KERNEL_CONTEXT:
        return answer.value(static_cast<cl_context>(kernel->program->context.get()));
    case CL_KERNEL_PROGRAM:
        return answer.value(static_cast<cl_program>(kernel->program.get()));
    case CL_KERNEL_ATTRIBUTES:
        return answer.text(kernel->text->attributes);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetKernelArgInfo(cl_kernel handle, cl_uint index, cl_kernel_arg_info parameter, std::size_t size, void* value,
                          std::size_t* size_given)
{
    const Kernel* const kernel = checked(Call::clGetKernelArgInfo, handle);
    if (kernel == nullptr) {
        return CL_INVALID_KERNEL;
    }
    if (index >= kernel->text->parameters.size()) {
        return CL_INVALID_ARG_INDEX;
    }
    if (!argument_info_available(*kernel->program)) {
        return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    }
    const Parameter& declared = kernel->text->parameters[index];
    const Answer answer{size, value, size_given};
    switch (parameter) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER: {
        const bool global = declared.takes == Takes::memory || declared.takes == Takes::image;
        return answer.value(static_cast<cl_kernel_arg_address_qualifier>(
            declared.constant                ? CL_KERNEL_ARG_ADDRESS_CONSTANT
            : global                         ? CL_KERNEL_ARG_ADDRESS_GLOBAL
            : declared.takes == Takes::local ? CL_KERNEL_ARG_ADDRESS_LOCAL
                                             : CL_KERNEL_ARG_ADDRESS_PRIVATE));
    }
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return answer.value(
            static_cast<cl_kernel_arg_access_qualifier>(declared.read_only    ? CL_KERNEL_ARG_ACCESS_READ_ONLY
                                                        : declared.write_only ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
                                                        : declared.read_write ? CL_KERNEL_ARG_ACCESS_READ_WRITE
                                                                              : CL_KERNEL_ARG_ACCESS_NONE));
    case CL_KERNEL_ARG_TYPE_NAME:
        return answer.text(declared.type);
    case CL_KERNEL_ARG_TYPE_QUALIFIER: {
        cl_kernel_arg_type_qualifier bits = CL_KERNEL_ARG_TYPE_NONE;
        bits |= declared.is_const ? CL_KERNEL_ARG_TYPE_CONST : 0u;
        bits |= declared.is_volatile ? CL_KERNEL_ARG_TYPE_VOLATILE : 0u;
        bits |= declared.is_restrict ? CL_KERNEL_ARG_TYPE_RESTRICT : 0u;
        bits |= declared.is_pipe ? CL_KERNEL_ARG_TYPE_PIPE : 0u;
        return answer.value(bits);
    }
    case CL_KERNEL_ARG_NAME:
        return answer.text(declared.name);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetKernelWorkGroupInfo(cl_kernel handle, cl_device_id device_handle, cl_kernel_work_group_info parameter,
                                std::size_t size, void* value, std::size_t* size_given)
{
    Kernel* const kernel = checked(Call::clGetKernelWorkGroupInfo, handle);
    if (kernel == nullptr) {
        return CL_INVALID_KERNEL;
    }
    Program& program = *kernel->program;
    const Device* device = nullptr;
    if (device_handle != nullptr) {
        device = checked(Call::clGetKernelWorkGroupInfo, device_handle);
    } else if (program.devices.size() == 1) {
        device = program.devices.front();
    }
    if (device == nullptr || program.build_for(device) == nullptr) {
        return CL_INVALID_DEVICE;
    }
    const Answer answer{size, value, size_given};
    switch (parameter) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return answer.value(device->traits.max_work_group_size);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return answer.value(kernel->text->required);
    case CL_KERNEL_LOCAL_MEM_SIZE: {
        cl_ulong sum = 0;
        for (const Slot& slot : kernel->arguments()) {
            sum += slot.takes == Takes::local ? slot.size : 0;
        }
        return answer.value(sum);
    }
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return answer.value(device->traits.preferred_multiple);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return answer.value(cl_ulong{0});
    default: // CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels
        return CL_INVALID_VALUE;
    }
}

cl_int clGetKernelSubGroupInfo(cl_kernel handle, cl_device_id, cl_kernel_sub_group_info, std::size_t, const void*,
                               std::size_t, void*, std::size_t*)
{
    // No device has sub-groups (CL_DEVICE_MAX_NUM_SUB_GROUPS is 0).
    return checked(Call::clGetKernelSubGroupInfo, handle) == nullptr ? CL_INVALID_KERNEL : CL_INVALID_OPERATION;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue_handle, cl_kernel kernel_handle, cl_uint dimensions,
                              const std::size_t* offset, const std::size_t* global, const std::size_t* local,
                              cl_uint count, const cl_event* waits, cl_event* event)
{
    constexpr Call call = Call::clEnqueueNDRangeKernel;
    Queue* const queue = checked(call, queue_handle);
    if (queue == nullptr) {
        return CL_INVALID_COMMAND_QUEUE;
    }
    Kernel* const kernel = checked(call, kernel_handle);
    if (kernel == nullptr) {
        return CL_INVALID_KERNEL;
    }
    const KernelUse use{*kernel};
    if (!use.alone()) [[unlikely]] {
        return used_by_two(call, *kernel);
    }
    Program& program = *kernel->program;
    if (program.context.get() != queue->context.get()) {
        return CL_INVALID_CONTEXT;
    }
    const Build* const build = program.build_for(queue->device);
    if (build == nullptr || build->status.load(std::memory_order_acquire) != CL_BUILD_SUCCESS) {
        return CL_INVALID_PROGRAM_EXECUTABLE;
    }
    if (const cl_int code = check_arguments(*queue, *kernel)) {
        return code;
    }
    if (const cl_int code = check_sizes(queue->device->traits, *kernel->text, dimensions, offset, global, local)) {
        return code;
    }
    if (const cl_int code = check_waits(call, *queue->context, count, waits)) {
        return code;
    }
    return submit(*queue, {call, CL_COMMAND_NDRANGE_KERNEL, count, waits, event}, [] {});
}

} // namespace api
} // namespace clutch_test
