#pragma once

#include <geobreaker/breaker.hpp>

#include <mutex>

#include "breaker/local_breaker.hpp"

namespace geobreaker::detail {

/// What a Breaker, its permits and the answers under way share. All I/O is the store's; all rules are core::transition's.
class BreakerShell : public std::enable_shared_from_this<BreakerShell> {
 public:
  BreakerShell(std::string provider, const BreakerConfig& config, BreakerStore& store, Clock& clock, Random& random,
               BreakerOptions options);

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
  [[nodiscard]] SharedTime shared_now() const;
  [[nodiscard]] core::LeaseToken new_token() noexcept;
  void ask_for_probe(AdmissionHandler done);
  [[nodiscard]] Admission admission_of(const core::Reply& reply, const core::Decision& decision,
                                       const core::LeaseToken& token, bool local);
  [[nodiscard]] Admission decide_without_store(const Error& why);
  [[nodiscard]] Admission admit(std::int64_t epoch, const core::LeaseToken& token, bool local);
  [[nodiscard]] Admission reject(core::Refusal reason, Micros retry_after);

  /// Takes what the store said, unless what is known is newer; returns what to decide by.
  core::Decision learn(const core::Decision& said, SharedTime store_now);
  void lose_store(const Error& why);
  void keep_own_deadline(const core::Decision& said, SharedTime now);
  [[nodiscard]] std::optional<Micros> own_deadline(SharedTime now) const;
  void announce(const std::vector<core::PhaseChange>& changes);
  void count_report(const core::Report& report, bool reported);

  const std::string provider_;
  const BreakerConfig config_;
  BreakerStore& store_;
  Clock& clock_;
  Random& random_;
  const BreakerOptions options_;

  mutable std::mutex mutex_;
  core::Decision known_;            // guarded by mutex_, as is all that follows
  Micros store_offset_{};           // store time minus this process's steady time, as measured last
  bool offset_known_ = false;
  bool store_away_ = false;
  SharedTime held_until_{};         // a deadline of ours that a restored decision or a recovered store must not shorten
  LocalBreaker local_;
  BreakerCounts counts_;
};

}  // namespace geobreaker::detail
