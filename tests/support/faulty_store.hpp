#pragma once

#include <geobreaker/store/breaker_store.hpp>

#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

namespace geobreaker::testing {

/// A store in front of another one that fails, delays or loses on purpose. Threads: any, concurrently.
class FaultyStore final : public BreakerStore {
 public:
  enum class Mode {
    at_once,        ///< like memory: answers need no waiting
    waiting,        ///< works, but only through handlers, as a store on a network does
    down,           ///< refused at once; nothing reaches the inner store
    lost_requests,  ///< timed out; nothing reached the inner store
    lost_replies,   ///< timed out, though the inner store did what it was asked
    read_only,      ///< answers reads, and refuses every transition: a full server, a replica, missing rights
    held,           ///< the inner store does it now, the answer comes with `release`
  };

  explicit FaultyStore(BreakerStore& inner, Mode mode = Mode::waiting) : inner_(inner), mode_(mode) {}

  void set(Mode mode) { mode_ = mode; }
  [[nodiscard]] int reads() const { return reads_; }
  [[nodiscard]] int applies() const { return applies_; }

  void read(std::string_view provider, ReadHandler done) override {
    ++reads_;
    switch (mode_) {
      case Mode::down:
        return done(refused());
      case Mode::lost_requests:
        return done(timed_out());
      case Mode::lost_replies:
        return inner_.read(provider, [&](Result<Reading>) { done(timed_out()); });
      case Mode::held:
        return inner_.read(provider, [&](Result<Reading> answer) {
          hold([done, answer = std::move(answer)] { done(answer); });
        });
      default:
        return inner_.read(provider, std::move(done));
    }
  }

  void apply(const StoreCall& call, ApplyHandler done) override {
    ++applies_;
    switch (mode_) {
      case Mode::read_only:
        return done(Error{Errc::store_refused, "OOM command not allowed"});
      case Mode::down:
        return done(refused());
      case Mode::lost_requests:
        return done(timed_out());
      case Mode::lost_replies:
        return inner_.apply(call, [&](Result<StoreReply>) { done(timed_out()); });
      case Mode::held:
        return inner_.apply(call, [&](Result<StoreReply> answer) {
          hold([done, answer = std::move(answer)] { done(answer); });
        });
      default:
        return inner_.apply(call, std::move(done));
    }
  }

  [[nodiscard]] std::optional<StoreReply> apply_at_once(const StoreCall& call) override {
    if (mode_ != Mode::at_once) return std::nullopt;
    ++applies_;
    return inner_.apply_at_once(call);
  }

  /// Delivers what was held: the oldest answer first, or the newest, as where two connections overtake each
  /// other.
  void release(bool newest_first = false) {
    std::deque<std::function<void()>> answers;
    {
      const std::lock_guard lock(mutex_);
      answers.swap(held_);
    }
    while (!answers.empty()) {
      const auto answer = newest_first ? answers.back() : answers.front();
      newest_first ? answers.pop_back() : answers.pop_front();
      answer();
    }
  }
  [[nodiscard]] std::size_t waiting_answers() const {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }

 private:
  static Error refused() { return {Errc::store_unavailable, "the store refuses connections"}; }
  static Error timed_out() { return {Errc::store_timeout, "the store did not answer within 50ms"}; }
  void hold(std::function<void()> answer) {
    const std::lock_guard lock(mutex_);
    held_.push_back(std::move(answer));
  }

  BreakerStore& inner_;
  std::atomic<Mode> mode_;
  std::atomic<int> reads_{0};
  std::atomic<int> applies_{0};
  mutable std::mutex mutex_;
  std::deque<std::function<void()>> held_;  // guarded by mutex_
};

}  // namespace geobreaker::testing
