#pragma once

#include <geobreaker/breaker.hpp>
#include <geobreaker/provider/provider.hpp>
#include <geobreaker/stack/auth_guard.hpp>
#include <geobreaker/stack/bulkhead.hpp>
#include <geobreaker/stack/heartbeat.hpp>
#include <geobreaker/stack/rate_limiter.hpp>
#include <geobreaker/stack/retry.hpp>
#include <geobreaker/stack/waiter.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace geobreaker {

/// The provider was not called.
struct Skipped {
  SkipReason reason = SkipReason::breaker_open;
  Micros retry_after{};
};

/// What became of one record at one provider: exactly one outcome or one skip reason.
using Attempt = std::variant<ProviderReply, Skipped>;

struct CallStackOptions {
  std::size_t max_concurrency = 16;
  std::optional<SteadyClock::duration> interval;  ///< between two calls; unset: no limit
  RetryPolicy retry;
  std::chrono::milliseconds timeout{10'000};     ///< of one call
  std::chrono::milliseconds pause_rate{60'000};  ///< after rate-limited, if the provider did not say
  std::chrono::milliseconds pause_quota{
      std::chrono::hours{1}};  ///< after quota-exhausted, if the provider did not say
};

/// Counted since the stack was made.
struct CallCounts {
  std::uint64_t calls = 0;                               ///< requests that were sent, retries included
  std::array<std::uint64_t, outcome_count> outcomes{};   ///< per record, after retries; by Outcome
  std::array<std::uint64_t, skip_reason_count> skips{};  ///< by SkipReason
};

/// One provider's layers, in their fixed order: bulkhead, breaker, retry, rate limit, time-out, call.
/// Threads: one executor.
class CallStack {
 public:
  /// All references must outlive the stack.
  CallStack(Provider& provider, Breaker& breaker, Clock& clock, Waiter& waiter, Random& random,
            CallStackOptions options);

  /// One record's way through the layers; `query` must outlive the call.
  [[nodiscard]] boost::asio::awaitable<Attempt> call(const AddressQuery& query);

  /// From now on nothing new is sent: records that wait for their turn end as `cancelled`, calls in flight go
  /// on.
  void stop() noexcept;

  [[nodiscard]] const CallCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] Breaker& breaker() const noexcept { return breaker_; }
  [[nodiscard]] const ProviderTraits& traits() const noexcept { return provider_.traits(); }
  /// The last thing a failed call said about itself, for people.
  [[nodiscard]] const std::string& last_trouble() const noexcept { return last_trouble_; }

 private:
  /// Empty if this process stood still during the call, so that a failure says nothing about the provider.
  [[nodiscard]] boost::asio::awaitable<std::optional<Attempt>> call_admitted(const AddressQuery& query,
                                                                             Permit permit, bool last);
  [[nodiscard]] boost::asio::awaitable<ProviderReply> call_in_time(const AddressQuery& query,
                                                                   Heartbeat& heartbeat, Permit& permit,
                                                                   bool& overdue);
  [[nodiscard]] boost::asio::awaitable<void> watch(Heartbeat& heartbeat, SteadyTime deadline, Permit& permit,
                                                   bool& overdue);
  void note_reply(ProviderReply& reply);
  void report(Permit permit, const ProviderReply& reply, bool stood_still);
  [[nodiscard]] Attempt skip(SkipReason reason, Micros retry_after);

  Provider& provider_;
  Breaker& breaker_;
  Clock& clock_;
  Waiter& waiter_;
  Random& random_;
  const CallStackOptions options_;
  Bulkhead bulkhead_;
  RateLimiter limiter_;
  AuthGuard auth_;
  CallCounts counts_;
  std::string last_trouble_;
  bool stopped_ = false;
};

}  // namespace geobreaker
