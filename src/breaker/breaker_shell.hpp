#pragma once

#include "breaker/fleet_view.hpp"
#include "breaker/local_breaker.hpp"
#include "breaker/phase_feed.hpp"

#include <geobreaker/breaker.hpp>

#include <mutex>

namespace geobreaker::detail {

/// What a Breaker, its permits and the answers under way share. All I/O is the store's; all rules are
/// core::transition's.
class BreakerShell : public std::enable_shared_from_this<BreakerShell> {
 public:
  BreakerShell(std::string provider, const BreakerConfig& config, BreakerStore& store, Clock& clock,
               Random& random, BreakerOptions options);

  void acquire(AdmissionHandler done);
  [[nodiscard]] std::optional<Admission> try_acquire();
  void check_current(std::int64_t epoch, bool local, std::function<void(bool)> done);
  void report(core::Report report, bool local, bool reported);

  [[nodiscard]] core::Answer peek() const;
  [[nodiscard]] core::Decision known() const;
  [[nodiscard]] BreakerCounts counts() const;
  [[nodiscard]] const std::string& provider() const noexcept { return provider_; }
  [[nodiscard]] const BreakerConfig& config() const noexcept { return config_; }

 private:
  /// What an Acquire was sent with.
  struct Asked {
    core::LeaseToken token;
    core::Decision carried;
  };

  [[nodiscard]] core::LeaseToken new_token() noexcept;
  [[nodiscard]] Asked ask_with(bool may_probe);
  void ask_for_probe(AdmissionHandler done);
  [[nodiscard]] Admission admission_of(const StoreReply& answer, const Asked& asked);
  [[nodiscard]] Admission admission_of(const core::Answer& answer, std::int64_t epoch, bool local);
  [[nodiscard]] Admission decide_alone();
  void test_writing();
  [[nodiscard]] Admission admit(std::int64_t epoch, const core::LeaseToken& token, bool local);
  [[nodiscard]] Admission reject(core::Refusal reason, Micros retry_after);
  void give_back(const core::LeaseToken& token, std::int64_t epoch);

  void learn(const core::Decision& said, SharedTime store_now, std::int64_t asked_with,
             const std::vector<core::PhaseChange>& changes);
  void lose_store(const Error& why);
  void lose_writing(const Error& why);
  struct LocalAnswer {
    core::Reply reply;
    std::int64_t epoch = 0;
  };
  /// One event on the local breaker; empty where there is none (`OnStoreLoss::allow`).
  std::optional<LocalAnswer> apply_locally(const core::Event& event);
  void count_report(const core::Report& report, bool reported);

  // The callers of these hold mutex_.
  [[nodiscard]] SharedTime now_locked() const noexcept;
  [[nodiscard]] bool local_rules() const noexcept {
    return store_away_ && options_.on_store_loss == OnStoreLoss::local_breaker;
  }

  const std::string provider_;
  const BreakerConfig config_;
  BreakerStore& store_;
  Clock& clock_;
  Random& random_;
  const BreakerOptions options_;

  mutable std::mutex mutex_;
  FleetView view_;         // guarded by mutex_, as is all that follows
  Micros store_offset_{};  // store time minus this process's steady time, as measured last
  bool offset_known_ = false;
  bool store_away_ = false;
  bool writing_refused_ = false;  // the store answers, but takes nothing: it counts as away until it does
  SteadyTime next_writing_test_{};
  std::int64_t inherited_version_ = -1;  // what the local breaker started from last
  LocalBreaker local_;
  BreakerCounts counts_;
  PhaseFeed feed_;
};

}  // namespace geobreaker::detail
