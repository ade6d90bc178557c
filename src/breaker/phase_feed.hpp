#pragma once

#include <geobreaker/breaker.hpp>

#include <deque>
#include <mutex>
#include <variant>
#include <vector>

namespace geobreaker::detail {

/// Tells the observer what happened, in order and one call at a time, as an unbroken chain of phases: what
/// other processes did is filled in as `noticed` when it is seen. Called without any lock, so that an
/// observer may call the breaker.
class PhaseFeed {
 public:
  PhaseFeed(std::string provider, BreakerObserver* observer)
      : provider_(std::move(provider)), observer_(observer) {}

  /// Queues `changes` and whatever is missing before and after them, up to the phase of `after`. Returns how
  /// many trips that made. The caller holds the lock under which `after` was learned: the order of the calls
  /// is the order of the stream.
  int follow(const std::vector<core::PhaseChange>& changes, const core::Decision& after, SharedTime now);
  void store_lost(const Error& why) { queue(why); }
  void store_back() { queue(Back{}); }

  /// Calls the observer with what is queued, unless another thread (or a caller further up this stack) is at
  /// it. To be called without any lock.
  void deliver();

 private:
  struct Back {};
  using Item = std::variant<core::PhaseChange, Error, Back>;

  int emit(core::PhaseChange change);
  void queue(Item item);
  void tell(const Item& item) noexcept;

  const std::string provider_;
  BreakerObserver* const observer_;
  core::Phase phase_ = core::Phase::closed;  // guarded by the caller's lock, as is last_
  SharedTime last_{};
  std::mutex mutex_;
  std::deque<Item> waiting_;  // guarded by mutex_, as is delivering_
  bool delivering_ = false;
};

}  // namespace geobreaker::detail
