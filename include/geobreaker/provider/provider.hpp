#pragma once

#include <geobreaker/geocode/answer.hpp>
#include <geobreaker/geocode/outcome.hpp>
#include <geobreaker/geocode/query.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace geobreaker {

/// What one call to a provider brought back.
struct ProviderReply {
  Outcome outcome = Outcome::provider_error;
  std::optional<Answer> answer;  ///< set if and only if outcome is ok
  std::optional<std::chrono::milliseconds>
      pause;           ///< rate-limited, quota-exhausted: how long to leave it alone
  std::string detail;  ///< for people: what was seen; never holds a secret
};

struct ProviderTraits {
  Precision best = Precision::rooftop;  ///< the best precision that it can give
  bool in_process = false;              ///< answers at once from memory: needs no time-out and no bulkhead
};

/// One source of coordinates. A call never throws (bad_alloc aside) and gives exactly one outcome.
/// It may be cancelled through the coroutine's cancellation slot (the time-out layer does that); the reply is
/// then dropped. Threads: one executor; many calls may be in flight at once.
class Provider {
 public:
  virtual ~Provider() = default;
  [[nodiscard]] virtual const ProviderTraits& traits() const noexcept = 0;
  /// `query` must outlive the call.
  [[nodiscard]] virtual boost::asio::awaitable<ProviderReply> forward(const AddressQuery& query) = 0;
  [[nodiscard]] virtual boost::asio::awaitable<ProviderReply> reverse(Coordinates at) = 0;
};

}  // namespace geobreaker
