// The state behind a Program: its generation, which a launch reads, and its text and builds, which resolution does.
#pragma once

#include <clutch/detail/build.hpp>
#include <clutch/source.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clutch::detail {

/// The next generation: a number that no program of this process has had before. 0 stands for none.
inline std::uint64_t next_generation() noexcept
{
    static constinit std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// What resolution needs of a program. Any thread; the lock is held for look-ups, never for a build.
class ProgramBody {
public:
    ProgramBody(std::string name, std::string text, std::string options)
        : name_{std::move(name)},
          text_{std::make_shared<const std::string>(std::move(text))},
          options_{std::move(options)}
    {}

    ProgramBody(const ProgramBody&) = delete;
    ProgramBody& operator=(const ProgramBody&) = delete;

    /// Nobody can launch the program any more, so what threads still have borrowed is released as well.
    ~ProgramBody()
    {
        for (const auto* builds : {&builds_, &retired_})
            for (const auto& build : *builds)
                build->destroy();
    }

    const std::string& name() const noexcept { return name_; }

    /// The record of a kernel's name: the same for the same name, as long as the program lives. Allocates once a name.
    const EntryRecord* entry(std::string_view name)
    {
        const std::scoped_lock lock{mutex_};
        auto found = entries_.find(name);
        if (found == entries_.end()) {
            found = entries_.emplace(std::string{name}, EntryRecord{}).first;
            found->second.name = found->first;
        }
        return &found->second;
    }

    /// The build of the present text for a context and a device: made if there is none, and built, or remembered as one
    /// that fails. Blocks while it is built. Text and generation are read together, before anything is built, and the
    /// build keeps that generation: a replacement meanwhile is another generation's, which the next launch will see.
    std::shared_ptr<Build> build(const std::atomic<std::uint64_t>& generation, cl_context context, cl_device_id device,
                                 Failure& failure)
    {
        std::shared_ptr<Build> found;
        std::shared_ptr<const std::string> text;
        {
            const std::scoped_lock lock{mutex_};
            // One that is held elsewhere stays: a thread may be about to take a kernel of it.
            std::erase_if(retired_, [](const auto& build) { return build->reclaim() && build.use_count() == 1; });
            found = find_or_add({generation.load(std::memory_order_acquire), context, device});
            text = text_;
        }
        failure = found->ensure_built(name_, *text, options_);
        return found;
    }

    /// Takes another text, under a new generation. Threads that have kernels of the old text go on with them until
    /// their next launch.
    void replace(std::atomic<std::uint64_t>& generation, std::string text)
    {
        auto fresh = std::make_shared<const std::string>(std::move(text));
        const std::scoped_lock lock{mutex_};
        retired_.reserve(retired_.size() + builds_.size());
        for (auto& build : builds_) {
            build->retire();
            retired_.push_back(std::move(build));
        }
        builds_.clear();
        text_ = std::move(fresh);
        generation.store(next_generation(), std::memory_order_release);
    }

private:
    // A program meets few contexts at a time. The bound keeps one that sees thousands come and go from holding them
    // all: a build keeps its context alive. The oldest goes first.
    static constexpr std::size_t max_builds = 32;

    std::shared_ptr<Build> find_or_add(const BuildKey& key)
    {
        const auto found =
            std::find_if(builds_.begin(), builds_.end(), [&](const auto& build) { return build->key() == key; });
        if (found != builds_.end()) {
            std::rotate(found, found + 1, builds_.end()); // the last is the one asked for last
            return builds_.back();
        }
        if (builds_.size() == max_builds) {
            builds_.front()->retire();
            retired_.push_back(std::move(builds_.front()));
            builds_.erase(builds_.begin());
        }
        return builds_.emplace_back(std::make_shared<Build>(key));
    }

    std::mutex mutex_;
    const std::string name_;
    std::shared_ptr<const std::string> text_;
    const std::string options_;
    std::map<std::string, EntryRecord, std::less<>> entries_;
    std::vector<std::shared_ptr<Build>> builds_;
    std::vector<std::shared_ptr<Build>> retired_; // until the threads that use their kernels have given them back
};

CLUTCH_COLD inline Failure explain_empty_queue(const std::string& program)
{
    std::string subject = "program '";
    subject.append(program).append("'");
    return failure(subject, {}, CL_INVALID_COMMAND_QUEUE, "the queue is empty (default-constructed or moved from)");
}

/// A program as launches see it. One of a Source is a constant-initialised static that is never destroyed, so that a
/// launch reads its generation from a fixed address, and nothing happens at exit; one made at run time is counted.
class ProgramState {
public:
    /// The program of a Source: its body is made at its first use.
    explicit constexpr ProgramState(const Source& source) noexcept : source_{&source} {}

    /// A program made at run time, with one reference.
    explicit ProgramState(std::unique_ptr<ProgramBody> body) noexcept
        : generation_{next_generation()}, body_{body.release()}
    {}

    ProgramState(const ProgramState&) = delete;
    ProgramState& operator=(const ProgramState&) = delete;
    ~ProgramState() = default; // trivial: see `release`

    /// One atomic load; 0 for the program of a Source that nothing has used yet.
    std::uint64_t generation() const noexcept { return generation_.load(std::memory_order_acquire); }

    /// The generation, given out now if there is none yet.
    std::uint64_t ensure_generation() noexcept
    {
        std::uint64_t current = generation();
        if (current == 0) {
            const std::uint64_t fresh = next_generation();
            if (generation_.compare_exchange_strong(current, fresh, std::memory_order_acq_rel))
                current = fresh;
        }
        return current;
    }

    ProgramBody& body()
    {
        ProgramBody* current = body_.load(std::memory_order_acquire);
        if (current == nullptr) {
            const std::string_view file = source_->file();
            auto made = std::make_unique<ProgramBody>(
                file.empty() ? std::string{"source"} : std::string{file} + ":" + std::to_string(source_->line()),
                std::string{source_->text()}, std::string{});
            if (body_.compare_exchange_strong(current, made.get(), std::memory_order_acq_rel))
                current = made.release();
        }
        return *current;
    }

    std::shared_ptr<Build> build(cl_context context, cl_device_id device, Failure& failure)
    {
        if (context == nullptr) {
            failure = explain_empty_queue(body().name());
            return nullptr;
        }
        ensure_generation();
        return body().build(generation_, context, device, failure);
    }

    void replace(std::string text) { body().replace(generation_, std::move(text)); }

    void retain() noexcept
    {
        if (source_ == nullptr)
            references_.fetch_add(1, std::memory_order_relaxed);
    }

    static void release(ProgramState* state) noexcept
    {
        if (state->source_ == nullptr && state->references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            destroy(state);
    }

private:
    // Apart, since a compiler that sees both this and a static program in one function warns that it might be deleted.
    CLUTCH_COLD static void destroy(ProgramState* state) noexcept
    {
        delete state->body_.load(std::memory_order_relaxed);
        delete state;
    }

    std::atomic<std::uint64_t> generation_{0};
    std::atomic<std::uint64_t> references_{1};
    std::atomic<ProgramBody*> body_{nullptr};
    const Source* source_ = nullptr;
};

static_assert(std::is_trivially_destructible_v<ProgramState>);

template <const Source& source>
inline constinit ProgramState source_program{source};

} // namespace clutch::detail
