// Buffer, BufferView, Mapping: typed device memory, parts of it, and a look at it from the host.
#pragma once

#include <clutch/context.hpp>
#include <clutch/detail/handle.hpp>
#include <clutch/detail/info.hpp>
#include <clutch/event.hpp>
#include <clutch/ndrange.hpp>
#include <clutch/queue.hpp>

#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace clutch {

template <class T>
class BufferView;

namespace detail {

/// From here to the end of the buffer.
inline constexpr std::size_t rest = std::numeric_limits<std::size_t>::max();

/// The context a buffer is made in: of a Queue, a Context, a raw handle of either, or a wrapper that gives one.
template <class C>
concept context_like = queue_like<C> || handle_of<C, cl_context>;

template <context_like C>
cl_context context_of(const C& owner)
{
    if constexpr (queue_like<C>)
        return view(owner).context;
    else
        return handle<cl_context>(owner);
}

CLUTCH_COLD inline std::string range_text(std::size_t offset, std::size_t count, std::size_t size)
{
    return std::to_string(count) + " elements from element " + std::to_string(offset) + " of a buffer of " +
           std::to_string(size);
}

/// `count`, or what is left behind `offset` where it is `rest`. Errors: CL_INVALID_VALUE for a range that is not
/// inside.
inline std::size_t within(const char* call, std::size_t offset, std::size_t count, std::size_t size)
{
    if (offset <= size && count == rest)
        return size - offset;
    if (offset > size || count > size - offset) [[unlikely]]
        raise(call, {}, CL_INVALID_VALUE, range_text(offset, count == rest ? 0 : count, size));
    return count;
}

/// `count` elements of `size` bytes in bytes. Errors: CL_INVALID_BUFFER_SIZE for more than `size_t` holds, or a
/// negative count.
template <size_like I>
std::size_t byte_count(I count, std::size_t size)
{
    const auto elements = static_cast<std::size_t>(count);
    if (negative(elements) || elements > std::numeric_limits<std::size_t>::max() / size) [[unlikely]]
        raise("Buffer", {}, CL_INVALID_BUFFER_SIZE,
              to_text(elements) + " elements of " + std::to_string(size) + " bytes");
    return elements * size;
}

/// A buffer of `bytes`; none for zero bytes, which OpenCL does not make: such a buffer is empty, and legal everywhere.
inline Owned<cl_mem> create_buffer(cl_context context, cl_mem_flags flags, std::size_t bytes, const void* from)
{
    if (bytes == 0)
        return {};
    cl_int status = CL_SUCCESS;
    if (from != nullptr)
        flags |= CL_MEM_COPY_HOST_PTR;
    auto memory = Owned<cl_mem>::adopt(clCreateBuffer(context, flags, bytes, const_cast<void*>(from), &status));
    if (status != CL_SUCCESS) [[unlikely]]
        raise("Buffer", "clCreateBuffer", status, std::to_string(bytes) + " bytes");
    return memory;
}

/// What a command gives when nothing is to be moved: an event that is complete when `after` is.
inline cl_int enqueue_marker(cl_command_queue queue, std::span<const Event> after, cl_event* event) noexcept
{
    return clEnqueueMarkerWithWaitList(queue, count(after), handles(after), event);
}

[[noreturn]] CLUTCH_COLD inline void refuse_transfer(const char* subject, const char* call, cl_int status,
                                                     std::span<const Event> after)
{
    raise(subject, call, status, explain_wait_list(after));
}

inline cl_event marker(const char* subject, cl_command_queue queue, std::span<const Event> after)
{
    cl_event event = nullptr;
    if (const cl_int status = enqueue_marker(queue, after, &event); status != CL_SUCCESS) [[unlikely]]
        refuse_transfer(subject, "clEnqueueMarkerWithWaitList", status, after);
    return event;
}

/// Runs an enqueue call for a copy and returns its event; a copy of nothing gives a marker.
template <class Enqueue>
Event transfer(const char* subject, const char* call, cl_command_queue queue, std::size_t bytes,
               std::span<const Event> after, Enqueue enqueue)
{
    if (bytes == 0)
        return Event::adopt(marker(subject, queue, after));
    cl_event event = nullptr;
    if (const cl_int status = enqueue(&event); status != CL_SUCCESS) [[unlikely]]
        refuse_transfer(subject, call, status, after);
    return Event::adopt(event);
}

/// The multiple of elements at which a part of `buffer` may begin on every device of its context; for messages.
CLUTCH_COLD inline std::string explain_alignment(cl_mem buffer, std::size_t offset, std::size_t element)
{
    const auto context = memory_info(buffer).value_or<cl_context>(CL_MEM_CONTEXT, nullptr);
    std::size_t multiple = 0;
    for (cl_device_id device : context_info(context).list_or_empty<cl_device_id>(CL_CONTEXT_DEVICES))
        if (const std::size_t bytes = device_info(device).value_or<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 0) / 8u;
            bytes != 0)
            multiple = multiple == 0 ? bytes : std::lcm(multiple, bytes);
    std::string text = "a view from byte " + std::to_string(offset) + " on";
    if (multiple != 0)
        text += "; this device's parts begin at multiples of " + std::to_string(multiple) + " bytes, " +
                std::to_string(std::lcm(multiple, element) / element) + " elements here";
    return text;
}

inline Owned<cl_mem> create_sub_buffer(cl_mem buffer, std::size_t offset, std::size_t bytes, std::size_t element)
{
    if (bytes == 0)
        return {};
    const cl_buffer_region region{offset, bytes};
    cl_int status = CL_SUCCESS;
    auto memory = Owned<cl_mem>::adopt(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
    if (status != CL_SUCCESS) [[unlikely]]
        raise("Buffer::view", "clCreateSubBuffer", status,
              status == CL_MISALIGNED_SUB_BUFFER_OFFSET ? explain_alignment(buffer, offset, element) : std::string{});
    return memory;
}

} // namespace detail

/// The memory of a buffer as the host sees it, from `map` to `unmap`: a contiguous range of `T`. Owns the mapping and
/// keeps the queue and the memory alive; moves, does not copy. One thread at a time. OpenCL 3.0, sections 5.2.4
/// and 5.5.
template <class T>
class Mapping {
public:
    Mapping() noexcept = default;
    Mapping(Mapping&& other) noexcept = default;

    Mapping& operator=(Mapping&& other) noexcept
    {
        if (this != &other) {
            release();
            queue_ = std::move(other.queue_);
            memory_ = std::move(other.memory_);
            data_ = std::move(other.data_);
            size_ = std::move(other.size_);
        }
        return *this;
    }

    ~Mapping() { release(); }

    T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; } ///< elements
    T* begin() const noexcept { return data_; }
    T* end() const noexcept { return data() + size(); }
    T& operator[](std::size_t index) const noexcept { return data()[index]; }

    /// Gives the memory back to the device and blocks until that has happened. A second call does nothing. The
    /// destructor does the same without waiting, and without a way to report an error: call this where errors matter.
    void unmap()
    {
        if (data() == nullptr)
            return;
        cl_event event = nullptr;
        detail::check(enqueue_unmap(&event), "Mapping", "clEnqueueUnmapMemObject");
        forget();
        Event::adopt(event).wait();
    }

private:
    template <class>
    friend class BufferBase;

    Mapping(detail::Owned<cl_command_queue> queue, detail::Owned<cl_mem> memory, T* data, std::size_t size) noexcept
        : queue_{std::move(queue)}, memory_{std::move(memory)}, data_{data}, size_{size}
    {}

    cl_int enqueue_unmap(cl_event* event) const noexcept
    {
        void* const pointer = const_cast<std::remove_cv_t<T>*>(data());
        return clEnqueueUnmapMemObject(queue_.get(), memory_.get(), pointer, 0, nullptr, event);
    }

    void forget() noexcept
    {
        data_ = nullptr;
        size_ = 0;
    }

    void release() noexcept
    {
        if (data() != nullptr)
            static_cast<void>(enqueue_unmap(nullptr));
        forget();
    }

    detail::Owned<cl_command_queue> queue_;
    detail::Owned<cl_mem> memory_;
    detail::Known<T*> data_;
    detail::Known<std::size_t> size_;
};

/// What buffers and views of buffers share: their size, and how elements get in and out. Offsets and counts are in
/// elements and checked: CL_INVALID_VALUE for a range that is not inside. A `T` that is const allows reading only.
///
/// Calls block until the elements are there; their `_async` twins return an Event at once, wait for `after` first, and
/// need the host memory until the event is complete. Moving nothing is no error and, in the blocking form, no call. The
/// driver may allocate, these functions do not. Any thread. Errors: CL_MEM_OBJECT_ALLOCATION_FAILURE,
/// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST and what else the driver says. OpenCL 3.0, section 5.2.
template <class T>
class BufferBase {
    static_assert(std::is_trivially_copyable_v<T>,
                  "clutch::Buffer<T>: T must be trivially copyable, since its bytes are copied to and from the device");

public:
    using value_type = std::remove_const_t<T>;
    static constexpr bool writable = !std::is_const_v<T>;

    cl_mem get() const noexcept { return memory_.get(); }

    /// Elements.
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size() == 0; }

    /// Copies `to.size()` elements, from `offset` on, to the host. Section 5.2.2.
    template <detail::queue_like Q>
    void read(const Q& queue, std::span<value_type> to, std::size_t offset = 0) const
    {
        detail::within("Buffer::read", offset, to.size(), size());
        if (!to.empty())
            detail::check(clEnqueueReadBuffer(raw(queue), get(), CL_TRUE, bytes(offset), to.size_bytes(), to.data(), 0,
                                              nullptr, nullptr),
                          "Buffer::read", "clEnqueueReadBuffer");
    }

    template <detail::queue_like Q>
    Event read_async(const Q& queue, std::span<value_type> to, std::size_t offset = 0,
                     std::span<const Event> after = {}) const
    {
        detail::within("Buffer::read_async", offset, to.size(), size());
        return detail::transfer(
            "Buffer::read_async", "clEnqueueReadBuffer", raw(queue), to.size_bytes(), after, [&](cl_event* event) {
                return clEnqueueReadBuffer(raw(queue), get(), CL_FALSE, bytes(offset), to.size_bytes(), to.data(),
                                           detail::count(after), detail::handles(after), event);
            });
    }

    /// Copies `from.size()` elements from the host, to `offset` and on. Section 5.2.2.
    template <detail::queue_like Q>
    void write(const Q& queue, std::span<const value_type> from, std::size_t offset = 0) const requires writable
    {
        detail::within("Buffer::write", offset, from.size(), size());
        if (!from.empty())
            detail::check(clEnqueueWriteBuffer(raw(queue), get(), CL_TRUE, bytes(offset), from.size_bytes(),
                                               from.data(), 0, nullptr, nullptr),
                          "Buffer::write", "clEnqueueWriteBuffer");
    }

    template <detail::queue_like Q>
    Event write_async(const Q& queue, std::span<const value_type> from, std::size_t offset = 0,
                      std::span<const Event> after = {}) const requires writable
    {
        detail::within("Buffer::write_async", offset, from.size(), size());
        return detail::transfer(
            "Buffer::write_async", "clEnqueueWriteBuffer", raw(queue), from.size_bytes(), after, [&](cl_event* event) {
                return clEnqueueWriteBuffer(raw(queue), get(), CL_FALSE, bytes(offset), from.size_bytes(), from.data(),
                                            detail::count(after), detail::handles(after), event);
            });
    }

    /// Sets `count` elements, from `offset` on, to `value`. `T` has 1, 2, 4, ... or 128 bytes. Section 5.2.3.
    template <detail::queue_like Q>
    void fill(const Q& queue, const value_type& value, std::size_t offset = 0,
              std::size_t count = detail::rest) const requires writable
    {
        count = detail::within("Buffer::fill", offset, count, size());
        if (count != 0)
            fill("Buffer::fill", raw(queue), value, offset, count, {}).wait();
    }

    template <detail::queue_like Q>
    Event fill_async(const Q& queue, const value_type& value, std::size_t offset = 0, std::size_t count = detail::rest,
                     std::span<const Event> after = {}) const requires writable
    {
        count = detail::within("Buffer::fill_async", offset, count, size());
        return fill("Buffer::fill_async", raw(queue), value, offset, count, after);
    }

    /// Copies `count` elements of `from`, starting at its `from_offset`, to `offset` and on; on the device.
    /// Errors: CL_MEM_COPY_OVERLAP for overlapping ranges of one buffer. Section 5.2.2.
    template <detail::queue_like Q, class U>
        requires std::is_same_v<std::remove_const_t<U>, value_type>
    void copy_from(const Q& queue, const BufferBase<U>& from, std::size_t from_offset = 0, std::size_t offset = 0,
                   std::size_t count = detail::rest) const requires writable
    {
        count = detail::within("Buffer::copy_from: source", from_offset, count, from.size());
        detail::within("Buffer::copy_from: destination", offset, count, size());
        if (count != 0)
            copy("Buffer::copy_from", raw(queue), from.get(), from_offset, offset, count, {}).wait();
    }

    template <detail::queue_like Q, class U>
        requires std::is_same_v<std::remove_const_t<U>, value_type>
            Event copy_from_async(const Q& queue, const BufferBase<U>& from, std::size_t from_offset = 0,
                                  std::size_t offset = 0, std::size_t count = detail::rest,
                                  std::span<const Event> after = {})
    const requires writable
    {
        count = detail::within("Buffer::copy_from_async: source", from_offset, count, from.size());
        detail::within("Buffer::copy_from_async: destination", offset, count, size());
        return copy("Buffer::copy_from_async", raw(queue), from.get(), from_offset, offset, count, after);
    }

    /// Shows `count` elements, from `offset` on, to the host, to read and (unless `T` is const) to write, until the
    /// mapping is unmapped or dropped. Section 5.2.4. Errors: also CL_MAP_FAILURE.
    template <detail::queue_like Q>
    [[nodiscard]] Mapping<T> map(const Q& queue, std::size_t offset = 0, std::size_t count = detail::rest) const
    {
        Mapping<T> mapping;
        map("Buffer::map", queue, mapping, CL_TRUE, offset, count, {}, nullptr);
        return mapping;
    }

    /// As `map`, with the mapping in `mapping`, whose elements are there once the event is complete.
    template <detail::queue_like Q>
    Event map_async(const Q& queue, Mapping<T>& mapping, std::size_t offset = 0, std::size_t count = detail::rest,
                    std::span<const Event> after = {}) const
    {
        cl_event event = nullptr;
        map("Buffer::map_async", queue, mapping, CL_FALSE, offset, count, after, &event);
        return Event::adopt(event);
    }

protected:
    BufferBase() noexcept = default;
    BufferBase(detail::Owned<cl_mem> memory, std::size_t size) noexcept : memory_{std::move(memory)}, size_{size} {}

    /// Memory from elsewhere, of as many elements as it has room for; a rest of less than one is left out.
    explicit BufferBase(detail::Owned<cl_mem> memory) : memory_{std::move(memory)}
    {
        if (get() != nullptr)
            size_ = detail::memory_info(get()).template value<std::size_t>(CL_MEM_SIZE, "Buffer") / sizeof(T);
    }

    static constexpr std::size_t bytes(std::size_t elements) noexcept { return elements * sizeof(T); }

    detail::Owned<cl_mem> memory_;
    detail::Known<std::size_t> size_;

private:
    template <class Q>
    static cl_command_queue raw(const Q& queue)
    {
        return detail::handle<cl_command_queue>(queue);
    }

    Event fill(const char* subject, cl_command_queue queue, const value_type& value, std::size_t offset,
               std::size_t count, std::span<const Event> after) const
    {
        static_assert(std::has_single_bit(sizeof(T)) && sizeof(T) <= 128,
                      "clutch::Buffer<T>::fill: OpenCL fills with patterns of 1, 2, 4, 8, 16, 32, 64 or 128 bytes");
        return detail::transfer(subject, "clEnqueueFillBuffer", queue, bytes(count), after, [&](cl_event* event) {
            return clEnqueueFillBuffer(queue, get(), &value, sizeof(T), bytes(offset), bytes(count),
                                       detail::count(after), detail::handles(after), event);
        });
    }

    Event copy(const char* subject, cl_command_queue queue, cl_mem from, std::size_t from_offset, std::size_t offset,
               std::size_t count, std::span<const Event> after) const
    {
        return detail::transfer(subject, "clEnqueueCopyBuffer", queue, bytes(count), after, [&](cl_event* event) {
            return clEnqueueCopyBuffer(queue, from, get(), bytes(from_offset), bytes(offset), bytes(count),
                                       detail::count(after), detail::handles(after), event);
        });
    }

    template <class Q>
    void map(const char* subject, const Q& queue, Mapping<T>& mapping, cl_bool blocking, std::size_t offset,
             std::size_t count, std::span<const Event> after, cl_event* event) const
    {
        count = detail::within(subject, offset, count, size());
        if (count == 0) {
            if (event != nullptr)
                *event = detail::marker(subject, raw(queue), after);
            mapping = {};
            return;
        }
        // The references first: a copy that fails after the mapping is made would leave it mapped.
        auto owner = detail::Owned<cl_command_queue>::retain(raw(queue));
        auto memory = memory_;
        cl_int status = CL_SUCCESS;
        void* const data = clEnqueueMapBuffer(
            raw(queue), get(), blocking, writable ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ, bytes(offset),
            bytes(count), detail::count(after), detail::handles(after), event, &status);
        if (status != CL_SUCCESS) [[unlikely]]
            detail::refuse_transfer(subject, "clEnqueueMapBuffer", status, after);
        mapping = Mapping<T>{std::move(owner), std::move(memory), static_cast<T*>(data), count};
    }
};

/// `size()` elements of `T` on the device (OpenCL 3.0, section 5.2.1). Owns one reference: copying retains, so copies
/// share the memory; moving steals. Kernels take it for `Global<T>`, `Global<const T>` and `Constant<T>`; a
/// `Buffer<const T>` only for the last two. A buffer of no elements is legal: kernels get a null pointer for it.
template <class T>
class Buffer : public BufferBase<T> {
public:
    Buffer() noexcept = default;

    /// `count` elements, not initialised, in the context of a queue or in a context. The driver allocates.
    /// Errors: CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES.
    template <detail::context_like C, detail::size_like I>
    Buffer(const C& owner, I count, cl_mem_flags flags = CL_MEM_READ_WRITE)
        : BufferBase<T>{
              detail::create_buffer(detail::context_of(owner), flags, detail::byte_count(count, sizeof(T)), nullptr),
              static_cast<std::size_t>(count)}
    {}

    /// A copy of `from`, made before the call returns.
    template <detail::context_like C>
    Buffer(const C& owner, std::span<const T> from,
           cl_mem_flags flags = BufferBase<T>::writable ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY)
        : BufferBase<T>{detail::create_buffer(detail::context_of(owner), flags, from.size_bytes(), from.data()),
                        from.size()}
    {}

    /// Takes over or adds a reference to memory from elsewhere; its size is asked for once, and a rest that is no whole
    /// element is left out. Errors: what the driver says; `adopt` then still has taken the reference, and releases it.
    static Buffer adopt(cl_mem memory) { return Buffer{detail::Owned<cl_mem>::adopt(memory)}; }
    static Buffer retain(cl_mem memory) { return Buffer{detail::Owned<cl_mem>::retain(memory)}; }

    /// `count` elements from `offset` on as memory of its own (a sub-buffer, section 5.2.1), which shares this buffer's
    /// and keeps it alive. Errors: CL_INVALID_VALUE outside the buffer; CL_MISALIGNED_SUB_BUFFER_OFFSET for an offset
    /// that the device cannot address, with the multiple that it can.
    BufferView<T> view(std::size_t offset, std::size_t count = detail::rest) const;

private:
    explicit Buffer(detail::Owned<cl_mem> memory) : BufferBase<T>{std::move(memory)} {}
};

/// A part of a `Buffer`, taken by kernels and copies like one. Owns a reference to its sub-buffer, which keeps the
/// buffer alive: copying retains, moving steals.
template <class T>
class BufferView : public BufferBase<T> {
public:
    BufferView() noexcept = default;
    BufferView(const BufferView&) = default;
    BufferView(BufferView&&) noexcept = default;
    BufferView& operator=(const BufferView& other) { return *this = BufferView{other}; } // all of it, or nothing
    BufferView& operator=(BufferView&&) noexcept = default;
    ~BufferView() = default;

    /// A view to read from.
    template <class U>
        requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>)
    BufferView(BufferView<U> other)
    noexcept
        : BufferBase<T>{std::move(other.memory_), other.size_},
          buffer_{std::move(other.buffer_)},
          origin_{other.origin_}
    {}

    /// Takes over or adds a reference to a sub-buffer from elsewhere, as with `Buffer`.
    static BufferView adopt(cl_mem memory) { return BufferView{detail::Owned<cl_mem>::adopt(memory)}; }
    static BufferView retain(cl_mem memory) { return BufferView{detail::Owned<cl_mem>::retain(memory)}; }

    /// Where in the buffer this begins, in elements.
    std::size_t offset() const noexcept { return origin_ / sizeof(T); }

    /// A part of this part: as `Buffer::view`, with `offset` counted from here.
    BufferView view(std::size_t offset, std::size_t count = detail::rest) const;

private:
    friend class Buffer<T>;
    template <class>
    friend class BufferView;

    explicit BufferView(detail::Owned<cl_mem> memory) : BufferBase<T>{std::move(memory)}
    {
        if (this->get() == nullptr)
            return;
        const auto info = detail::memory_info(this->get());
        const auto buffer = info.template value<cl_mem>(CL_MEM_ASSOCIATED_MEMOBJECT, "BufferView");
        buffer_ = detail::Owned<cl_mem>::retain(buffer == nullptr ? this->get() : buffer);
        origin_ = info.template value<std::size_t>(CL_MEM_OFFSET, "BufferView");
    }

    static BufferView create(const detail::Owned<cl_mem>& buffer, std::size_t origin, std::size_t count)
    {
        return BufferView{detail::create_sub_buffer(buffer.get(), origin, count * sizeof(T), sizeof(T)), count, buffer,
                          origin};
    }

    BufferView(detail::Owned<cl_mem> memory, std::size_t size, detail::Owned<cl_mem> buffer,
               std::size_t origin) noexcept
        : BufferBase<T>{std::move(memory), size}, buffer_{std::move(buffer)}, origin_{origin}
    {}

    detail::Owned<cl_mem> buffer_; // OpenCL makes no sub-buffer of a sub-buffer, so a view of a view needs the whole
    detail::Known<std::size_t> origin_; // in bytes: a view from elsewhere may begin within what would be an element
};

template <class T>
BufferView<T> Buffer<T>::view(std::size_t offset, std::size_t count) const
{
    count = detail::within("Buffer::view", offset, count, this->size());
    return BufferView<T>::create(this->memory_, offset * sizeof(T), count);
}

template <class T>
BufferView<T> BufferView<T>::view(std::size_t offset, std::size_t count) const
{
    count = detail::within("BufferView::view", offset, count, this->size());
    return create(buffer_, origin_ + offset * sizeof(T), count);
}

} // namespace clutch
