#pragma once

#include <geobreaker/clock.hpp>
#include <geobreaker/core/config.hpp>
#include <geobreaker/core/transition.hpp>
#include <geobreaker/random.hpp>
#include <geobreaker/result.hpp>
#include <geobreaker/store/breaker_store.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace geobreaker {

namespace detail {
class BreakerShell;
}

/// Leave to make one call, to be finished by exactly one report. Move-only.
///
/// A permit that is destroyed without a report counts: by an unwinding exception after `mark_sent`, as a
/// failure (a forgotten time-out branch cannot hide); otherwise as neutral, and as `unreported`. Threads: one
/// at a time. May outlive the Breaker, not the store.
class [[nodiscard]] Permit {
 public:
  Permit(Permit&& other) noexcept;
  Permit& operator=(Permit&&) = delete;
  ~Permit();

  void success() &&;
  void failure() &&;
  /// Says nothing about the provider's health: bad input, a cancelled call, a throttled one.
  void neutral() &&;
  /// Neutral, and the whole fleet leaves the provider alone for a while.
  void pause(core::PauseRequest request) &&;

  /// To be called when the request leaves the process: from then on an exception means a failed call.
  void mark_sent() noexcept { sent_ = true; }
  [[nodiscard]] bool is_probe() const noexcept { return !token_.empty(); }
  /// Given by this process alone, because the store could not be asked.
  [[nodiscard]] bool is_degraded() const noexcept { return local_; }

 private:
  friend class detail::BreakerShell;
  friend class Breaker;
  Permit(std::shared_ptr<detail::BreakerShell> shell, std::int64_t epoch, core::LeaseToken token,
         bool local) noexcept;
  void finish(core::Verb verb, std::optional<core::PauseRequest> pause);

  std::shared_ptr<detail::BreakerShell>
      shell_;  // shared: the store's thread may still be delivering a report's answer
  std::int64_t epoch_;
  core::LeaseToken token_;
  int exceptions_at_start_;
  bool local_;
  bool sent_ = false;
};

/// No call; ask again after `retry_after` (never negative, on this process's own clock).
struct Rejection {
  core::Refusal reason = core::Refusal::breaker_open;
  Micros retry_after{};
};

using Admission = std::variant<Permit, Rejection>;
using AdmissionHandler = std::function<void(Admission)>;

/// Counted since the breaker was made, by this process.
struct BreakerCounts {
  std::uint64_t admitted = 0, rejected = 0, degraded = 0;
  std::uint64_t successes = 0, failures = 0, neutrals = 0, unreported = 0;
  std::uint64_t probes_granted = 0, probes_succeeded = 0, probes_failed = 0, probes_neutral = 0;
  std::uint64_t trips_seen =
      0;  ///< times the breaker, as this process sees it, left closed, whoever caused it
  std::uint64_t state_lost =
      0;  ///< times the store came back without a deadline that this process still held
  std::uint64_t store_errors = 0;  ///< decisions and reports that the store could not take
};

/// Told of what happens, as this process sees it: one call at a time, in order, the phases as an unbroken
/// chain that starts closed (what other processes did comes as `Cause::noticed`; while the store is away the
/// chain is the local breaker's). Called from whichever thread comes by, never under a lock: it may call the
/// breaker; what it throws is swallowed.
class BreakerObserver {
 public:
  virtual ~BreakerObserver() = default;
  virtual void on_phase_change(std::string_view provider, const core::PhaseChange& change);
  virtual void on_store_lost(std::string_view provider, const Error& why);
  virtual void on_store_back(std::string_view provider);
};

enum class OnStoreLoss : std::uint8_t { local_breaker, allow };

struct BreakerOptions {
  OnStoreLoss on_store_loss = OnStoreLoss::local_breaker;
  std::string reporter = "local";       ///< this host's name among the reporters; see core::Report::reporter
  BreakerObserver* observer = nullptr;  ///< must outlive the breaker and its permits
};

/// One provider's breaker: asks the shared store, and protects this process alone while the store is away.
///
/// Errors:  a decision has none. A store that cannot be read admits the call (fail open) through a breaker of
/// this process
///          with the same configuration, which starts from what was known last.
/// Threads: any, concurrently. No lock is held while a call to the provider runs.
class Breaker {
 public:
  /// Refuses a faulty configuration, naming every fault. `store`, `clock` and `random` must outlive the
  /// breaker and its permits.
  [[nodiscard]] static Result<Breaker> create(std::string provider, const BreakerConfig& config,
                                              BreakerStore& store, Clock& clock, Random& random,
                                              BreakerOptions options = {});

  /// May one call go ahead? The handler runs at once if no waiting is needed, else on the store's thread, at
  /// the latest after the store's time-out.
  void acquire(AdmissionHandler done);
  /// The same for stores that never wait (memory): empty if this one might.
  [[nodiscard]] std::optional<Admission> try_acquire();
  /// The same for callers that may block, for at most the store's time-out.
  [[nodiscard]] Admission acquire_blocking();

  /// What `acquire` would answer by what this process knows; asks nobody and never takes the probe.
  [[nodiscard]] core::Answer peek() const;
  /// What this process knows of the shared decision.
  [[nodiscard]] core::Decision known() const;
  /// Whether a permit's epoch still runs, by a fresh look at the store: to be asked before each further
  /// attempt.
  void check_current(const Permit& permit, std::function<void(bool)> done);

  [[nodiscard]] const std::string& provider() const noexcept;
  [[nodiscard]] const BreakerConfig& config() const noexcept;
  [[nodiscard]] BreakerCounts counts() const;

 private:
  explicit Breaker(std::shared_ptr<detail::BreakerShell> shell) noexcept : shell_(std::move(shell)) {}
  std::shared_ptr<detail::BreakerShell> shell_;  // shared with permits and with answers that are on their way
};

}  // namespace geobreaker
