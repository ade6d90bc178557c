#pragma once

#include <geobreaker/store/breaker_store.hpp>

#include <map>
#include <mutex>
#include <string>

namespace geobreaker {

/// The store of one process: runs the transition under a mutex.
///
/// Its time starts at the clock's shared time and advances with the clock's steady time, so that a step of
/// the wall clock neither ends a cool-down nor pins one. A provider that has nothing left to say (closed, and
/// nothing in its window) is forgotten in the end, so that many short-lived names do not pile up.
class MemoryStore final : public BreakerStore {
 public:
  /// `clock` must outlive the store.
  explicit MemoryStore(Clock& clock);

  void read(std::string_view provider, ReadHandler done) override;
  void apply(const StoreCall& call, ApplyHandler done) override;
  [[nodiscard]] std::optional<StoreReply> apply_at_once(const StoreCall& call) override;

  /// A copy of all that is kept about a provider, for status pages and tests.
  [[nodiscard]] core::BreakerState state(std::string_view provider) const;
  /// What losing the store would do: every provider's state is gone.
  void clear();
  /// How many providers are kept.
  [[nodiscard]] std::size_t size() const;

 private:
  struct Kept {
    core::BreakerState state;
    SharedTime meant_until{};  ///< when nothing in it means anything any more, by the configuration of the
                               ///< last caller
  };

  [[nodiscard]] SharedTime now() const noexcept;
  Kept& kept(std::string_view provider, SharedTime now);

  Clock& clock_;
  const SharedTime shared_start_;
  const SteadyTime steady_start_;
  mutable std::mutex mutex_;
  std::map<std::string, Kept, std::less<>> providers_;  // guarded by mutex_, as is sweep_at_
  std::size_t sweep_at_;
};

}  // namespace geobreaker
