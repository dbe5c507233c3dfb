// Images and samplers: whole enough that handles exist, answer and can be passed to kernels; images can be read and
// written by the host. Copies, fills and mapping of images have room here.
#include "image.hpp"

#include "info.hpp"

namespace clutch_test {
namespace {

cl_mem no_image(cl_int code, cl_int* errcode_ret)
{
    return with_code(static_cast<cl_mem>(nullptr), code, errcode_ret);
}

std::size_t channels(cl_channel_order order)
{
    switch (order) {
    case CL_R:
    case CL_A:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_DEPTH:
        return 1;
    case CL_RG:
    case CL_RA:
        return 2;
    case CL_RGBA:
    case CL_BGRA:
    case CL_ARGB:
        return 4;
    default:
        return 0;
    }
}

std::size_t channel_size(cl_channel_type type)
{
    switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
        return 1;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT:
        return 2;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
        return 4;
    default:
        return 0;
    }
}

// Width, height and depth in elements, rows and slices, with array layers as the last of them.
struct Extent {
    std::size_t width, height, depth;
};

bool extent_of(const cl_image_desc& description, Extent& extent)
{
    switch (description.image_type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
        extent = {description.image_width, 1, 1};
        break;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        extent = {description.image_width, description.image_array_size, 1};
        break;
    case CL_MEM_OBJECT_IMAGE2D:
        extent = {description.image_width, description.image_height, 1};
        break;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
        extent = {description.image_width, description.image_height, description.image_array_size};
        break;
    case CL_MEM_OBJECT_IMAGE3D:
        extent = {description.image_width, description.image_height, description.image_depth};
        break;
    default:
        return false;
    }
    return extent.width != 0 && extent.height != 0 && extent.depth != 0;
}

void copy_rows(std::byte* to, std::size_t to_row, std::size_t to_slice, const std::byte* from, std::size_t from_row,
               std::size_t from_slice, std::size_t bytes, std::size_t rows, std::size_t slices)
{
    for (std::size_t z = 0; z < slices; ++z) {
        for (std::size_t y = 0; y < rows; ++y) {
            std::memcpy(to + z * to_slice + y * to_row, from + z * from_slice + y * from_row, bytes);
        }
    }
}

cl_mem make_image(Call call, cl_context context_handle, cl_mem_flags flags, const cl_image_format* format,
                  const cl_image_desc* description, void* host_pointer, cl_int* errcode_ret)
{
    Context* const context = checked(call, context_handle);
    if (context == nullptr) {
        return no_image(CL_INVALID_CONTEXT, errcode_ret);
    }
    if (std::none_of(context->devices.begin(), context->devices.end(),
                     [](const Device* device) { return device->traits.image_support; })) {
        return no_image(CL_INVALID_OPERATION, errcode_ret);
    }
    if (const cl_int code = check_memory_flags(flags, host_pointer)) {
        return no_image(code, errcode_ret);
    }
    const std::size_t element =
        format == nullptr ? 0 : channels(format->image_channel_order) * channel_size(format->image_channel_data_type);
    if (element == 0) {
        return no_image(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errcode_ret);
    }
    Extent extent{};
    if (description == nullptr || !extent_of(*description, extent) || description->num_mip_levels != 0 ||
        description->num_samples != 0) {
        return no_image(CL_INVALID_IMAGE_DESCRIPTOR, errcode_ret);
    }
    if (extent.width > 16384 || extent.height > 16384 || extent.depth > 2048) {
        return no_image(CL_INVALID_IMAGE_SIZE, errcode_ret);
    }
    const std::size_t host_row =
        description->image_row_pitch != 0 ? description->image_row_pitch : extent.width * element;
    const std::size_t host_slice =
        description->image_slice_pitch != 0 ? description->image_slice_pitch : host_row * extent.height;
    if (host_row < extent.width * element || host_slice < host_row * (extent.height - 1) ||
        (host_pointer == nullptr && (description->image_row_pitch | description->image_slice_pitch) != 0)) {
        return no_image(CL_INVALID_IMAGE_DESCRIPTOR, errcode_ret);
    }
    Memory* behind = nullptr;
    if (description->buffer != nullptr) {
        behind = checked(call, description->buffer);
        if (behind == nullptr || behind->size < extent.width * element * extent.height) {
            return no_image(CL_INVALID_IMAGE_DESCRIPTOR, errcode_ret);
        }
    } else if (description->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        return no_image(CL_INVALID_IMAGE_DESCRIPTOR, errcode_ret);
    }

    Memory* const image = Arena<Memory>::make(context);
    if (image == nullptr) {
        return no_image(CL_OUT_OF_HOST_MEMORY, errcode_ret);
    }
    image->type = description->image_type;
    image->flags = flags;
    image->format = *format;
    image->description = *description;
    image->element_size = element;
    image->host_pointer = host_pointer;
    const bool shares = behind != nullptr || (flags & CL_MEM_USE_HOST_PTR) != 0;
    image->row_pitch = shares ? host_row : extent.width * element;
    image->slice_pitch = shares ? host_slice : image->row_pitch * extent.height;
    const std::size_t size = image->slice_pitch * extent.depth;
    if (behind != nullptr) {
        image->parent = Held<Memory>{behind};
        image->bytes = behind->bytes;
        image->size = size;
    } else if (!give_bytes(*image, size)) {
        Arena<Memory>::release(image);
        return no_image(CL_MEM_OBJECT_ALLOCATION_FAILURE, errcode_ret);
    }
    if ((flags & CL_MEM_COPY_HOST_PTR) != 0) {
        copy_rows(image->bytes, image->row_pitch, image->slice_pitch, static_cast<const std::byte*>(host_pointer),
                  host_row, host_slice, extent.width * element, extent.height, extent.depth);
    }
    return with_code(image, CL_SUCCESS, errcode_ret);
}

cl_int transfer(Call call, bool read, cl_command_queue queue_handle, cl_mem handle, cl_bool blocking,
                const std::size_t* origin, const std::size_t* region, std::size_t row, std::size_t slice,
                std::byte* host, cl_uint count, const cl_event* waits, cl_event* event)
{
    Queue* const queue = checked(call, queue_handle);
    if (queue == nullptr) {
        return CL_INVALID_COMMAND_QUEUE;
    }
    Memory* image = nullptr;
    if (const cl_int code = check_memory(call, *queue, handle, image)) {
        return code;
    }
    if (image->is_buffer()) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (const cl_int code = check_waits(call, *queue->context, count, waits)) {
        return code;
    }
    Extent extent{};
    extent_of(image->description, extent);
    if (host == nullptr || origin == nullptr || region == nullptr) {
        return CL_INVALID_VALUE;
    }
    const auto fits = [](std::size_t begin, std::size_t size, std::size_t all) {
        return size != 0 && begin < all && size <= all - begin;
    };
    if (!fits(origin[0], region[0], extent.width) || !fits(origin[1], region[1], extent.height) ||
        !fits(origin[2], region[2], extent.depth)) {
        return CL_INVALID_VALUE;
    }
    const std::size_t bytes = region[0] * image->element_size;
    row = row == 0 ? bytes : row;
    slice = slice == 0 ? row * region[1] : slice;
    if (row < bytes || slice < row * region[1]) {
        return CL_INVALID_VALUE;
    }
    std::byte* const device =
        image->bytes + origin[2] * image->slice_pitch + origin[1] * image->row_pitch + origin[0] * image->element_size;
    const auto type = static_cast<cl_command_type>(read ? CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE);
    return submit(*queue, {call, type, count, waits, event, blocking != CL_FALSE}, [&] {
        if (read) {
            copy_rows(host, row, slice, device, image->row_pitch, image->slice_pitch, bytes, region[1], region[2]);
        } else {
            copy_rows(device, image->row_pitch, image->slice_pitch, host, row, slice, bytes, region[1], region[2]);
        }
    });
}

cl_sampler make_sampler(Call call, cl_context handle, cl_bool normalized, cl_addressing_mode addressing,
                        cl_filter_mode filter, std::vector<cl_sampler_properties> properties, cl_int* errcode_ret)
{
    Context* const context = checked(call, handle);
    if (context == nullptr) {
        return with_code(static_cast<cl_sampler>(nullptr), CL_INVALID_CONTEXT, errcode_ret);
    }
    if (addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT ||
        (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR)) {
        return with_code(static_cast<cl_sampler>(nullptr), CL_INVALID_VALUE, errcode_ret);
    }
    Sampler* const sampler = Arena<Sampler>::make(context, normalized, addressing, filter);
    if (sampler != nullptr) {
        sampler->properties = std::move(properties);
    }
    return with_code(sampler, sampler != nullptr ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, errcode_ret);
}

} // namespace

namespace api {

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                     const cl_image_desc* description, void* host_pointer, cl_int* errcode_ret)
{
    return make_image(Call::clCreateImage, context, flags, format, description, host_pointer, errcode_ret);
}

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                                   const cl_image_format* format, const cl_image_desc* description, void* host_pointer,
                                   cl_int* errcode_ret)
{
    if (properties != nullptr && *properties != 0) {
        return no_image(CL_INVALID_PROPERTY, errcode_ret);
    }
    return make_image(Call::clCreateImageWithProperties, context, flags, format, description, host_pointer,
                      errcode_ret);
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format* format, std::size_t width,
                       std::size_t height, std::size_t row, void* host_pointer, cl_int* errcode_ret)
{
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = width;
    description.image_height = height;
    description.image_row_pitch = row;
    return make_image(Call::clCreateImage2D, context, flags, format, &description, host_pointer, errcode_ret);
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format* format, std::size_t width,
                       std::size_t height, std::size_t depth, std::size_t row, std::size_t slice, void* host_pointer,
                       cl_int* errcode_ret)
{
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE3D;
    description.image_width = width;
    description.image_height = height;
    description.image_depth = depth;
    description.image_row_pitch = row;
    description.image_slice_pitch = slice;
    return make_image(Call::clCreateImage3D, context, flags, format, &description, host_pointer, errcode_ret);
}

cl_int clGetImageInfo(cl_mem handle, cl_image_info parameter, std::size_t size, void* value, std::size_t* size_given)
{
    const Memory* const image = checked(Call::clGetImageInfo, handle);
    if (image == nullptr || image->is_buffer()) {
        return CL_INVALID_MEM_OBJECT;
    }
    const Answer answer{size, value, size_given};
    const cl_image_desc& description = image->description;
    switch (parameter) {
    case CL_IMAGE_FORMAT:
        return answer.value(image->format);
    case CL_IMAGE_ELEMENT_SIZE:
        return answer.value(image->element_size);
    case CL_IMAGE_ROW_PITCH:
        return answer.value(image->row_pitch);
    case CL_IMAGE_SLICE_PITCH: {
        const bool sliced = image->type == CL_MEM_OBJECT_IMAGE3D || image->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
                            image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        return answer.value(sliced ? image->slice_pitch : std::size_t{0});
    }
    case CL_IMAGE_WIDTH:
        return answer.value(description.image_width);
    case CL_IMAGE_HEIGHT:
        return answer.value(description.image_height);
    case CL_IMAGE_DEPTH:
        return answer.value(description.image_depth);
    case CL_IMAGE_ARRAY_SIZE:
        return answer.value(description.image_array_size);
    case CL_IMAGE_BUFFER:
        return answer.value(static_cast<cl_mem>(image->parent.get()));
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES:
        return answer.value(cl_uint{0});
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetSupportedImageFormats(cl_context handle, cl_mem_flags, cl_mem_object_type type, cl_uint room,
                                  cl_image_format* list, cl_uint* count)
{
    if (checked(Call::clGetSupportedImageFormats, handle) == nullptr) {
        return CL_INVALID_CONTEXT;
    }
    if (type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER || (list != nullptr && room == 0)) {
        return CL_INVALID_VALUE;
    }
    constexpr std::array<cl_image_format, 6> formats{{{CL_RGBA, CL_UNORM_INT8},
                                                      {CL_RGBA, CL_UNSIGNED_INT8},
                                                      {CL_RGBA, CL_FLOAT},
                                                      {CL_RGBA, CL_HALF_FLOAT},
                                                      {CL_R, CL_FLOAT},
                                                      {CL_R, CL_UNSIGNED_INT8}}};
    if (count != nullptr) {
        *count = static_cast<cl_uint>(formats.size());
    }
    if (list != nullptr) {
        std::copy_n(formats.begin(), std::min<std::size_t>(room, formats.size()), list);
    }
    return CL_SUCCESS;
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const std::size_t* origin,
                          const std::size_t* region, std::size_t row, std::size_t slice, void* host, cl_uint count,
                          const cl_event* waits, cl_event* event)
{
    return transfer(Call::clEnqueueReadImage, true, queue, image, blocking, origin, region, row, slice,
                    static_cast<std::byte*>(host), count, waits, event);
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const std::size_t* origin,
                           const std::size_t* region, std::size_t row, std::size_t slice, const void* host,
                           cl_uint count, const cl_event* waits, cl_event* event)
{
    // Not written through: `transfer` only reads what it is given here.
    return transfer(Call::clEnqueueWriteImage, false, queue, image, blocking, origin, region, row, slice,
                    static_cast<std::byte*>(const_cast<void*>(host)), count, waits, event);
}

cl_sampler clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter,
                           cl_int* errcode_ret)
{
    return make_sampler(Call::clCreateSampler, context, normalized, addressing, filter, {}, errcode_ret);
}

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties* properties,
                                         cl_int* errcode_ret)
{
    cl_bool normalized = CL_TRUE;
    cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
    cl_filter_mode filter = CL_FILTER_NEAREST;
    std::vector<cl_sampler_properties> copy;
    for (; properties != nullptr && *properties != 0; properties += 2) {
        switch (properties[0]) {
        case CL_SAMPLER_NORMALIZED_COORDS:
            normalized = static_cast<cl_bool>(properties[1]);
            break;
        case CL_SAMPLER_ADDRESSING_MODE:
            addressing = static_cast<cl_addressing_mode>(properties[1]);
            break;
        case CL_SAMPLER_FILTER_MODE:
            filter = static_cast<cl_filter_mode>(properties[1]);
            break;
        default:
            return with_code(static_cast<cl_sampler>(nullptr), CL_INVALID_VALUE, errcode_ret);
        }
        copy.insert(copy.end(), {properties[0], properties[1]});
    }
    if (properties != nullptr) {
        copy.push_back(0);
    }
    return make_sampler(Call::clCreateSamplerWithProperties, context, normalized, addressing, filter, std::move(copy),
                        errcode_ret);
}

cl_int clRetainSampler(cl_sampler sampler)
{
    return retain_handle(Call::clRetainSampler, sampler, CL_INVALID_SAMPLER);
}

cl_int clReleaseSampler(cl_sampler sampler)
{
    return release_handle(Call::clReleaseSampler, sampler, CL_INVALID_SAMPLER);
}

cl_int clGetSamplerInfo(cl_sampler handle, cl_sampler_info parameter, std::size_t size, void* value,
                        std::size_t* size_given)
{
    const Sampler* const sampler = checked(Call::clGetSamplerInfo, handle);
    if (sampler == nullptr) {
        return CL_INVALID_SAMPLER;
    }
    const Answer answer{size, value, size_given};
    switch (parameter) {
    case CL_SAMPLER_REFERENCE_COUNT:
        return answer.value(reference_count(sampler));
    case CL_SAMPLER_CONTEXT:
        return answer.value(static_cast<cl_context>(sampler->context.get()));
    case CL_SAMPLER_NORMALIZED_COORDS:
        return answer.value(sampler->normalized);
    case CL_SAMPLER_ADDRESSING_MODE:
        return answer.value(sampler->addressing);
    case CL_SAMPLER_FILTER_MODE:
        return answer.value(sampler->filter);
    default:
        break;
    }
    if (platform_version() >= 300 && parameter == CL_SAMPLER_PROPERTIES) {
        return answer.list(sampler->properties);
    }
    return CL_INVALID_VALUE;
}

} // namespace api
} // namespace clutch_test
