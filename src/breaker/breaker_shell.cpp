#include "breaker/breaker_shell.hpp"

#include <algorithm>
#include <utility>

namespace geobreaker::detail {

namespace {

/// The end of the deadline that keeps callers out, if the decision has one.
SharedTime deadline_of(const core::Decision& d) noexcept {
  switch (d.phase) {
    case core::Phase::closed: return {};
    case core::Phase::open: return d.open_until;
    case core::Phase::half_open: return d.lease_end;
  }
  return {};
}

template <class Act>
void contained(BreakerObserver* observer, Act act) noexcept {
  if (observer == nullptr) return;
  try {
    act(*observer);
  } catch (...) {  // an observer's trouble is not the caller's
  }
}

}  // namespace

BreakerShell::BreakerShell(std::string provider, const BreakerConfig& config, BreakerStore& store, Clock& clock,
                           Random& random, BreakerOptions options)
    : provider_(std::move(provider)),
      config_(config),
      store_(store),
      clock_(clock),
      random_(random),
      options_(std::move(options)),
      local_(config_) {}

std::optional<Admission> BreakerShell::try_acquire() {
  // The token costs a system call, so it is drawn only where a probe may be due.
  core::LeaseToken token = known().phase == core::Phase::closed ? core::LeaseToken{} : new_token();
  auto answer = store_.apply_at_once({provider_, core::Acquire{token}, config_, known()});
  if (!answer) return std::nullopt;
  const core::Decision decision = learn(answer->decision, answer->now);
  announce(answer->reply.changes);
  return admission_of(answer->reply, decision, token, false);
}

void BreakerShell::acquire(AdmissionHandler done) {
  if (auto at_once = try_acquire()) return done(std::move(*at_once));
  store_.read(provider_, [self = shared_from_this(), done = std::move(done)](Result<Reading> read) {
    if (!read) return done(self->decide_without_store(read.error()));
    const core::Decision decision = self->learn(read->decision, read->now);
    if (const auto wait = self->own_deadline(read->now)) return done(self->reject(core::Refusal::breaker_open, *wait));
    const core::Answer answer = core::decide(decision, read->now);
    switch (answer.verdict) {
      case core::Verdict::admit: return done(self->admit(decision.epoch, {}, false));
      case core::Verdict::refuse: return done(self->reject(answer.refusal, answer.retry_after));
      case core::Verdict::may_probe: return self->ask_for_probe(done);
    }
  });
}

/// Only the caller who may become the probe changes anything in the store.
void BreakerShell::ask_for_probe(AdmissionHandler done) {
  const core::LeaseToken token = new_token();
  store_.apply({provider_, core::Acquire{token}, config_, known()},
               [self = shared_from_this(), token, done = std::move(done)](Result<StoreReply> answer) {
                 if (!answer) return done(self->decide_without_store(answer.error()));
                 const core::Decision decision = self->learn(answer->decision, answer->now);
                 self->announce(answer->reply.changes);
                 done(self->admission_of(answer->reply, decision, token, false));
               });
}

Admission BreakerShell::admission_of(const core::Reply& reply, const core::Decision& decision,
                                     const core::LeaseToken& token, bool local) {
  switch (reply.ruling) {
    case core::Ruling::admitted: return admit(decision.epoch, {}, local);
    case core::Ruling::probe_granted: return admit(decision.epoch, token, local);
    default: return reject(reply.refusal, reply.retry_after);
  }
}

Admission BreakerShell::decide_without_store(const Error& why) {
  lose_store(why);
  if (options_.on_store_loss == OnStoreLoss::allow) return admit(0, {}, true);
  const core::LeaseToken token = new_token();
  const SharedTime now = shared_now();
  std::unique_lock lock(mutex_);
  const core::Reply reply = local_.apply(core::Acquire{token}, now);
  const core::Decision decision = local_.decision();
  lock.unlock();
  return admission_of(reply, decision, token, true);
}

Admission BreakerShell::admit(std::int64_t epoch, const core::LeaseToken& token, bool local) {
  const std::lock_guard lock(mutex_);
  ++counts_.admitted;
  if (local) ++counts_.degraded;
  if (!token.empty()) ++counts_.probes_granted;
  return Permit(shared_from_this(), epoch, token, local);
}

Admission BreakerShell::reject(core::Refusal reason, Micros retry_after) {
  const std::lock_guard lock(mutex_);
  ++counts_.rejected;
  return Rejection{reason, std::max(Micros{0}, retry_after)};
}

void BreakerShell::check_current(std::int64_t epoch, bool local, std::function<void(bool)> done) {
  if (local) {
    const std::lock_guard lock(mutex_);
    return done(options_.on_store_loss == OnStoreLoss::allow || local_.decision().epoch == epoch);
  }
  store_.read(provider_, [self = shared_from_this(), epoch, done = std::move(done)](Result<Reading> read) {
    // Without the store nobody can say that the epoch has passed: the attempt goes on.
    done(!read || self->learn(read->decision, read->now).epoch == epoch);
  });
}

void BreakerShell::report(core::Report report, bool local, bool reported) {
  report.reporter = options_.reporter;
  count_report(report, reported);
  if (local) {
    const SharedTime now = shared_now();
    std::unique_lock lock(mutex_);
    const core::Reply reply = local_.apply(report, now);
    lock.unlock();
    return announce(reply.changes);
  }
  const core::Event event = report;
  store_.apply({provider_, event, config_, known()},
               [self = shared_from_this(), report = std::move(report)](Result<StoreReply> answer) {
                 if (answer) {
                   self->learn(answer->decision, answer->now);
                   return self->announce(answer->reply.changes);
                 }
                 // The fleet never hears of it; this process must not forget it.
                 self->lose_store(answer.error());
                 const SharedTime now = self->shared_now();
                 const std::lock_guard lock(self->mutex_);
                 static_cast<void>(self->local_.apply(report, now));
               });
}

core::Decision BreakerShell::learn(const core::Decision& said, SharedTime store_now) {
  std::unique_lock lock(mutex_);
  store_offset_ = std::chrono::duration_cast<Micros>(store_now.time_since_epoch() -
                                                     clock_.steady_now().time_since_epoch());
  offset_known_ = true;
  const bool back = std::exchange(store_away_, false);
  // The stricter of both holds: a cool-down that this process came to alone is kept to its end.
  if (back) held_until_ = std::max(held_until_, deadline_of(local_.decision()));
  if (said.version >= known_.version) {
    keep_own_deadline(said, store_now);
    if (known_.phase == core::Phase::closed && said.phase != core::Phase::closed) ++counts_.trips_seen;
    known_ = said;
  } else if (deadline_of(known_) > std::max(store_now, held_until_)) {
    ++counts_.state_lost;
    held_until_ = deadline_of(known_);
  }
  const core::Decision decision = known_;
  lock.unlock();
  if (back) contained(options_.observer, [&](BreakerObserver& o) { o.on_store_back(provider_); });
  return decision;
}

void BreakerShell::keep_own_deadline(const core::Decision& said, SharedTime now) {
  if (said.restored && said.phase == core::Phase::closed && deadline_of(known_) > now)
    held_until_ = std::max(held_until_, deadline_of(known_));
}

std::optional<Micros> BreakerShell::own_deadline(SharedTime now) const {
  const std::lock_guard lock(mutex_);
  if (held_until_ <= now) return std::nullopt;
  return held_until_ - now;
}

void BreakerShell::lose_store(const Error& why) {
  const SharedTime now = shared_now();
  {
    const std::lock_guard lock(mutex_);
    ++counts_.store_errors;
    if (std::exchange(store_away_, true)) return;
    local_.inherit(known_, now);
  }
  contained(options_.observer, [&](BreakerObserver& o) { o.on_store_lost(provider_, why); });
}

SharedTime BreakerShell::shared_now() const {
  const std::lock_guard lock(mutex_);
  if (!offset_known_) return clock_.shared_now();
  return SharedTime{std::chrono::duration_cast<Micros>(clock_.steady_now().time_since_epoch()) + store_offset_};
}

core::LeaseToken BreakerShell::new_token() noexcept {
  const core::LeaseToken token{random_.next(), random_.next()};
  return token.empty() ? core::LeaseToken{1, 1} : token;
}

core::Answer BreakerShell::peek() const {
  const SharedTime now = shared_now();
  const std::lock_guard lock(mutex_);
  if (held_until_ > now) return {core::Verdict::refuse, core::Refusal::breaker_open, held_until_ - now};
  return core::decide(store_away_ ? local_.decision() : known_, now);
}

core::Decision BreakerShell::known() const {
  const std::lock_guard lock(mutex_);
  return known_;
}

BreakerCounts BreakerShell::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void BreakerShell::announce(const std::vector<core::PhaseChange>& changes) {
  for (const core::PhaseChange& change : changes)
    contained(options_.observer, [&](BreakerObserver& o) { o.on_phase_change(provider_, change); });
}

void BreakerShell::count_report(const core::Report& report, bool reported) {
  const bool probe = !report.token.empty();
  const std::lock_guard lock(mutex_);
  if (!reported) ++counts_.unreported;
  switch (report.verb) {
    case core::Verb::success:
      ++counts_.successes;
      if (probe) ++counts_.probes_succeeded;
      break;
    case core::Verb::failure:
      ++counts_.failures;
      if (probe) ++counts_.probes_failed;
      break;
    case core::Verb::neutral:
      ++counts_.neutrals;
      if (probe) ++counts_.probes_neutral;
      break;
  }
}

}  // namespace geobreaker::detail
