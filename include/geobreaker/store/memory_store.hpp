#pragma once

#include <geobreaker/store/breaker_store.hpp>

#include <map>
#include <mutex>
#include <string>

namespace geobreaker {

/// The store of one process: runs the transition under a mutex, on the injected clock's shared time.
class MemoryStore final : public BreakerStore {
 public:
  /// `clock` must outlive the store.
  explicit MemoryStore(Clock& clock) : clock_(clock) {}

  void read(std::string_view provider, ReadHandler done) override;
  void apply(const StoreCall& call, ApplyHandler done) override;
  [[nodiscard]] std::optional<StoreReply> apply_at_once(const StoreCall& call) override;

  /// A copy of all that is kept about a provider, for status pages and tests.
  [[nodiscard]] core::BreakerState state(std::string_view provider) const;
  /// What losing the store would do: every provider's state is gone.
  void clear();

 private:
  Clock& clock_;
  mutable std::mutex mutex_;
  std::map<std::string, core::BreakerState, std::less<>> states_;  // guarded by mutex_
};

}  // namespace geobreaker
