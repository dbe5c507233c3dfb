// One reference a handle: copying retains, moving steals, and everything is released once, whatever the order.
#include "probe.hpp"

#include <type_traits>
#include <utility>

namespace {

using namespace test;

// Each owner under test: how to make one, which raw handles it owns, and the calls that count its references.

struct OwnsDevice {
    using Object = clutch::Device;
    static constexpr Call retain = Call::clRetainDevice, release = Call::clReleaseDevice;
    static constexpr bool counted = false; // the driver counts no references to a device that is no part of another
    static Object make(const Bench& bench) { return bench.queue.device(); }
    static std::vector<const void*> handles(const Object& object) { return {object.get()}; }
    static bool empty(const Object& object) { return object.get() == nullptr && !object; }
};

struct OwnsContext {
    using Object = clutch::Context;
    static constexpr Call retain = Call::clRetainContext, release = Call::clReleaseContext;
    static constexpr bool counted = true;
    static Object make(const Bench& bench) { return Object{bench.queue.device()}; }
    static std::vector<const void*> handles(const Object& object) { return {object.get()}; }
    static bool empty(const Object& object) { return object.get() == nullptr && !object; }
};

struct OwnsQueue {
    using Object = clutch::Queue;
    static constexpr Call retain = Call::clRetainCommandQueue, release = Call::clReleaseCommandQueue;
    static constexpr bool counted = true;
    static Object make(const Bench& bench) { return Object{bench.queue.context(), bench.queue.device()}; }
    static std::vector<const void*> handles(const Object& object) { return {object.get()}; }
    static bool empty(const Object& object)
    {
        return object.get() == nullptr && !object && object.context_handle() == nullptr &&
               object.device_handle() == nullptr;
    }
};

struct OwnsEvent {
    using Object = clutch::Event;
    static constexpr Call retain = Call::clRetainEvent, release = Call::clReleaseEvent;
    static constexpr bool counted = true;
    static Object make(const Bench& bench) { return clutch::Buffer<int>{bench.queue, 1}.fill_async(bench.queue, 0); }
    static std::vector<const void*> handles(const Object& object) { return {object.get()}; }
    static bool empty(const Object& object) { return object.get() == nullptr && !object; }
};

struct OwnsBuffer {
    using Object = clutch::Buffer<float>;
    static constexpr Call retain = Call::clRetainMemObject, release = Call::clReleaseMemObject;
    static constexpr bool counted = true;
    static Object make(const Bench& bench) { return Object{bench.queue, 64}; }
    static std::vector<const void*> handles(const Object& object) { return {object.get()}; }
    static bool empty(const Object& object) { return object.get() == nullptr && object.size() == 0 && object.empty(); }
};

struct OwnsView {
    using Object = clutch::BufferView<float>;
    static constexpr Call retain = Call::clRetainMemObject, release = Call::clReleaseMemObject;
    static constexpr bool counted = true;
    static Object make(const Bench& bench) { return clutch::Buffer<float>{bench.queue, 64}.view(32, 16); }
    static std::vector<const void*> handles(const Object& object) // the part, and the buffer that it is a part of
    {
        return {object.get(), ask<cl_mem>(clGetMemObjectInfo, object.get(), CL_MEM_ASSOCIATED_MEMOBJECT)};
    }
    static bool empty(const Object& object)
    {
        return object.get() == nullptr && object.size() == 0 && object.empty() && object.offset() == 0;
    }
};

template <class Owner>
void check_user_references(const std::vector<const void*>& handles, std::uint32_t wanted)
{
    if constexpr (Owner::counted)
        for (const void* handle : handles)
            CHECK(user_references(handle) == wanted);
}

/// A reference to what `object` owns first, as C code has one.
template <class Object>
auto reference_of_c_code(const Object& object)
{
    const auto raw = object.get();
    REQUIRE(clutch::detail::HandleTraits<std::remove_const_t<decltype(raw)>>::retain(raw) == CL_SUCCESS);
    return raw;
}

template <class Owner>
void release_by_hand(const void* handle)
{
    using Handle = decltype(std::declval<typename Owner::Object>().get());
    CHECK(clutch::detail::HandleTraits<Handle>::release(static_cast<Handle>(const_cast<void*>(handle))) == CL_SUCCESS);
}

#define FOR_EACH_OWNER(name)                                                                                           \
    TEMPLATE_TEST_CASE(name, "", OwnsDevice, OwnsContext, OwnsQueue, OwnsEvent, OwnsBuffer, OwnsView)

FOR_EACH_OWNER("a copy retains once and is the same object")
{
    const Bench bench;
    auto& driver = bench.driver();
    const auto object = TestType::make(bench);
    const auto handles = TestType::handles(object);
    driver.reset();
    {
        const auto copy = object; // NOLINT: the copy is what is tested
        CHECK(driver.count(TestType::retain) == handles.size());
        CHECK(driver.total() == handles.size());
        CHECK(copy.get() == object.get());
        CHECK(TestType::handles(copy) == handles);
        check_user_references<TestType>(handles, 2);
        driver.reset();
    }
    CHECK(driver.count(TestType::release) == handles.size());
    CHECK(driver.total() == handles.size());
    check_user_references<TestType>(handles, 1);
}

FOR_EACH_OWNER("a move steals the reference without a driver call")
{
    const Bench bench;
    auto object = TestType::make(bench);
    const auto handles = TestType::handles(object);
    CHECK(std::is_nothrow_move_constructible_v<typename TestType::Object>);
    CHECK(calls([&] {
              const auto moved = std::move(object);
              CHECK(moved.get() == handles[0]);
              CHECK(object.get() == nullptr); // NOLINT: moved from on purpose
              object = typename TestType::Object{};
              check_user_references<TestType>(handles, 1);
          }) == handles.size()); // the releases when `moved` ends
    check_user_references<TestType>(handles, 0);
}

FOR_EACH_OWNER("a moved-from object is empty and can be copied and assigned and destroyed")
{
    const Bench bench;
    const auto before = live();
    {
        auto object = TestType::make(bench);
        const auto target = std::move(object);
        CHECK(TestType::empty(object)); // NOLINT: moved from on purpose
        CHECK_FALSE(TestType::empty(target));
        CHECK(calls([&] {
                  const auto copy = object;
                  CHECK(TestType::empty(copy));
                  auto other = std::move(object);
                  CHECK(TestType::empty(other));
                  other = copy;
                  CHECK(TestType::empty(other));
              }) == 0);
        object = target;
        CHECK(object.get() == target.get());
        check_user_references<TestType>(TestType::handles(target), 2);
        auto emptied = std::move(object);
    }
    CHECK(live() == before);
}

FOR_EACH_OWNER("a default-constructed object is empty and costs no call")
{
    const Bench bench;
    CHECK(calls([] {
              const typename TestType::Object object;
              CHECK(TestType::empty(object));
              const auto copy = object; // NOLINT: the copy is what is tested
              CHECK(TestType::empty(copy));
          }) == 0);
}

FOR_EACH_OWNER("copy assignment retains the new object and releases the old one once")
{
    const Bench bench;
    auto& driver = bench.driver();
    auto object = TestType::make(bench);
    const auto other = TestType::make(bench);
    const auto old = TestType::handles(object), kept = TestType::handles(other);
    driver.reset();
    object = other;
    CHECK(driver.count(TestType::retain) == kept.size());
    CHECK(driver.count(TestType::release) == old.size());
    CHECK(driver.total() == old.size() + kept.size());
    CHECK(TestType::handles(object) == kept);
    check_user_references<TestType>(old, 0);
    check_user_references<TestType>(kept, 2);
}

FOR_EACH_OWNER("move assignment retains nothing and releases the old object once")
{
    const Bench bench;
    auto& driver = bench.driver();
    auto object = TestType::make(bench);
    auto other = TestType::make(bench);
    const auto old = TestType::handles(object), kept = TestType::handles(other);
    CHECK(std::is_nothrow_move_assignable_v<typename TestType::Object>);
    driver.reset();
    object = std::move(other);
    CHECK(driver.count(TestType::release) == old.size());
    CHECK(driver.total() == old.size());
    CHECK(TestType::empty(other)); // NOLINT: moved from on purpose
    CHECK(TestType::handles(object) == kept);
    check_user_references<TestType>(old, 0);
    check_user_references<TestType>(kept, 1);
}

FOR_EACH_OWNER("assignment to itself keeps the one reference")
{
    const Bench bench;
    auto object = TestType::make(bench);
    const auto handles = TestType::handles(object);
    auto& same = object;
    object = same;
    CHECK(TestType::handles(object) == handles);
    check_user_references<TestType>(handles, 1);
    object = std::move(same);
    CHECK(TestType::handles(object) == handles);
    check_user_references<TestType>(handles, 1);
}

FOR_EACH_OWNER("assigning a copy of the same object keeps the count")
{
    const Bench bench;
    auto object = TestType::make(bench);
    const auto copy = object;
    const auto handles = TestType::handles(object);
    object = copy;
    CHECK(TestType::handles(object) == handles);
    check_user_references<TestType>(handles, 2);
}

FOR_EACH_OWNER("swapping makes no driver call")
{
    const Bench bench;
    auto a = TestType::make(bench), b = TestType::make(bench);
    const auto old_a = TestType::handles(a), old_b = TestType::handles(b);
    CHECK(calls([&] { std::swap(a, b); }) == 0);
    CHECK(TestType::handles(a) == old_b);
    CHECK(TestType::handles(b) == old_a);
}

FOR_EACH_OWNER("a vector that grows makes no driver call")
{
    const Bench bench;
    std::vector<typename TestType::Object> objects;
    for (int i = 0; i < 3; ++i)
        objects.push_back(TestType::make(bench));
    CHECK(calls([&] { objects.reserve(objects.capacity() * 4); }) == 0);
    CHECK_FALSE(TestType::empty(objects[0]));
    CHECK_FALSE(TestType::empty(objects[2]));
}

FOR_EACH_OWNER("destroying releases everything")
{
    const Bench bench;
    const auto before = live();
    {
        const auto object = TestType::make(bench);
        const auto copy = object;
        const auto other = TestType::make(bench);
        CHECK((live() != before || !TestType::counted));
    }
    CHECK(live() == before);
}

FOR_EACH_OWNER("adopt takes the reference over")
{
    const Bench bench;
    const auto object = TestType::make(bench);
    const auto handles = TestType::handles(object);
    const auto raw = reference_of_c_code(object);
    {
        const auto adopted = TestType::Object::adopt(raw);
        CHECK(TestType::handles(adopted) == handles);
        if constexpr (TestType::counted)
            CHECK(user_references(raw) == 2);
    }
    check_user_references<TestType>(handles, 1);
}

FOR_EACH_OWNER("adopt adds no reference to what it adopts")
{
    const Bench bench;
    auto& driver = bench.driver();
    const auto object = TestType::make(bench);
    const auto raw = reference_of_c_code(object);
    driver.reset();
    const auto adopted = TestType::Object::adopt(raw);
    CHECK(driver.count(TestType::retain) == TestType::handles(object).size() - 1); // a view holds its buffer as well
    CHECK(driver.count(TestType::release) == 0);
}

FOR_EACH_OWNER("retain adds one reference")
{
    const Bench bench;
    auto& driver = bench.driver();
    const auto object = TestType::make(bench);
    const auto handles = TestType::handles(object);
    {
        const auto retained = TestType::Object::retain(object.get());
        CHECK(TestType::handles(retained) == handles);
        check_user_references<TestType>(handles, 2);
        driver.reset();
    }
    CHECK(driver.count(TestType::release) == handles.size());
    check_user_references<TestType>(handles, 1);
}

FOR_EACH_OWNER("adopting a null handle gives an empty object and costs no call")
{
    const Bench bench;
    CHECK(calls([] {
              const auto object = TestType::Object::adopt(nullptr);
              CHECK(TestType::empty(object));
          }) == 0);
}

FOR_EACH_OWNER("retaining a null handle is an Error that names the call")
{
    const Bench bench;
    const std::string text = message([] { static_cast<void>(TestType::Object::retain(nullptr)); });
    CHECK(holds(text, clutch_test::name(TestType::retain)));
    CHECK(holds(text, "CL_INVALID_"));
}

FOR_EACH_OWNER("a copy that the driver refuses is an Error and leaves the original whole")
{
    const Bench bench;
    auto& driver = bench.driver();
    const auto object = TestType::make(bench);
    const auto handles = TestType::handles(object);
    for (unsigned nth = 1; nth <= handles.size(); ++nth) {
        INFO("reference " << nth);
        const auto before = live();
        driver.fail(TestType::retain, nth, CL_OUT_OF_HOST_MEMORY);
        const std::string text = message([&] { const auto copy = object; });
        driver.clear_failures();
        CHECK(holds(text, clutch_test::name(TestType::retain)));
        CHECK(holds(text, ": CL_OUT_OF_HOST_MEMORY (-6)"));
        CHECK(TestType::handles(object) == handles);
        check_user_references<TestType>(handles, 1);
        CHECK(live() == before);
    }
}

FOR_EACH_OWNER("an assignment that the driver refuses is an Error and leaves both sides as they were")
{
    const Bench bench;
    auto& driver = bench.driver();
    const auto source = TestType::make(bench);
    const auto source_handles = TestType::handles(source);
    for (unsigned nth = 1; nth <= source_handles.size(); ++nth) {
        INFO("reference " << nth);
        auto target = TestType::make(bench);
        const auto target_handles = TestType::handles(target);
        driver.fail(TestType::retain, nth, CL_OUT_OF_HOST_MEMORY);
        CHECK(code([&] { target = source; }) == CL_OUT_OF_HOST_MEMORY);
        driver.clear_failures();
        CHECK(TestType::handles(source) == source_handles);
        CHECK(TestType::handles(target) == target_handles);
        check_user_references<TestType>(source_handles, 1);
        check_user_references<TestType>(target_handles, 1);
    }
}

FOR_EACH_OWNER("a release that the driver refuses stays inside the destructor")
{
    const Bench bench;
    auto& driver = bench.driver();
    const auto object = TestType::make(bench);
    const auto handles = TestType::handles(object);
    driver.fail_always(TestType::release, CL_OUT_OF_HOST_MEMORY);
    CHECK_NOTHROW([&] { const auto copy = object; }());
    driver.clear_failures();
    if constexpr (TestType::counted) // what the driver would not release is still there: hand it over to end it
        for (const void* handle : handles) {
            CHECK(user_references(handle) == 2);
            release_by_hand<TestType>(handle);
        }
    check_user_references<TestType>(handles, 1);
}

TEST_CASE("objects are compared by their handles")
{
    const Bench bench;
    const clutch::Device device = bench.queue.device();
    const clutch::Context context = bench.queue.context(), other{device};
    CHECK(context == clutch::Context{context});
    CHECK(context != other);
    const clutch::Queue queue{context, device};
    CHECK(queue == clutch::Queue{queue});
    CHECK(queue != bench.queue);
    CHECK(device == clutch::Device{device});
    CHECK(device != clutch::Device::find("0:1"));
    const clutch::Buffer<int> buffer{queue, 1};
    const clutch::Event event = buffer.fill_async(queue, 1);
    CHECK(event == clutch::Event{event});
    CHECK(event != buffer.fill_async(queue, 1));
    CHECK(clutch::Event{} == clutch::Event{});
}

TEST_CASE("the order in which objects are dropped does not matter")
{
    const CleanDriver clean;
    const auto before = live();
    struct Chain {
        clutch::Device device = clutch::Device::find("0:0");
        clutch::Context context{device};
        clutch::Queue queue{context, device};
        clutch::Buffer<int> buffer{queue, 64};
        clutch::BufferView<int> view = buffer.view(32, 32);
        clutch::BufferView<int> nested = view.view(0, 8);
        clutch::Mapping<int> mapping = view.map(queue);
        clutch::Event event = buffer.fill_async(queue, 1, 0, 8);

        void drop(int which)
        {
            switch (which) {
            case 0:
                device = {};
                break;
            case 1:
                context = {};
                break;
            case 2:
                queue = {};
                break;
            case 3:
                buffer = {};
                break;
            case 4:
                view = {};
                break;
            case 5:
                nested = {};
                break;
            case 6:
                mapping = {};
                break;
            default:
                event = {};
                break;
            }
        }
    };
    std::array<int, 8> order{0, 1, 2, 3, 4, 5, 6, 7};
    std::uint64_t violations = 0;
    int tried = 0;
    do {
        Chain chain;
        for (int which : order)
            chain.drop(which);
        ++tried;
        violations += clean.driver().violations();
        clean.driver().forgive();
    } while (std::next_permutation(order.begin(), order.end()) && tried < 50000);
    CHECK(tried == 40320);
    CHECK(violations == 0);
    CHECK(live() == before);
}

TEST_CASE("what is made in a context works after the context was dropped")
{
    const CleanDriver clean;
    const clutch::Device device = clutch::Device::find("0:0");
    clutch::Context context{device};
    const clutch::Queue queue{context, device};
    const clutch::Buffer<int> buffer{context, 4};
    context = {};
    buffer.fill(queue, 7);
    std::array<int, 4> host{};
    buffer.read(queue, host);
    CHECK(host == std::array{7, 7, 7, 7});
    CHECK(is_live(queue.context().get()));
}

} // namespace
