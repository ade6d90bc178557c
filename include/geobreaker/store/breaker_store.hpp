#pragma once

#include <geobreaker/core/transition.hpp>
#include <geobreaker/result.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace geobreaker {

/// A decision and the store's time at which it was read.
struct Reading {
  core::Decision decision;
  SharedTime now{};
};

/// What a transition answered, with the decision as it stands after it.
struct StoreReply {
  core::Reply reply;
  core::Decision decision;
  SharedTime now{};  ///< the store's time of the transition
};

/// One transition to be made. The references must stay valid until apply has returned, not longer.
struct StoreCall {
  std::string_view provider;
  const core::Event& event;
  const BreakerConfig& config;
  core::Decision carried;  ///< the newest decision the caller knows; heals a store that lost it
};

using ReadHandler = std::function<void(Result<Reading>)>;
using ApplyHandler = std::function<void(Result<StoreReply>)>;

/// Where the shared state lives. Every implementation passes the same suite (tests/store/store_contract.hpp).
///
/// A handler is called exactly once: before the call returns if the answer needs no waiting, else later from
/// a thread of the store's, and never later than the store's time-out. Handlers must not block. Errors:
/// store_unavailable, store_timeout, store_refused, bad_reply. Nothing throws (bad_alloc aside). Threads:
/// any, concurrently.
class BreakerStore {
 public:
  virtual ~BreakerStore() = default;
  /// The decision alone, without side effect. A provider that the store has never heard of is closed, version
  /// 0.
  virtual void read(std::string_view provider, ReadHandler done) = 0;
  /// Makes one transition, atomically, at the store's time.
  virtual void apply(const StoreCall& call, ApplyHandler done) = 0;
  /// Answers of `apply` for callers that cannot wait: set by stores that need no waiting (memory), else
  /// empty.
  [[nodiscard]] virtual std::optional<StoreReply> apply_at_once(const StoreCall&) { return std::nullopt; }
};

}  // namespace geobreaker
