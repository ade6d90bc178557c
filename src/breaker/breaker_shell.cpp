#include "breaker/breaker_shell.hpp"

#include <algorithm>
#include <utility>

namespace geobreaker::detail {

namespace {

/// A store that refused a write is tried again so often; meanwhile this process decides alone.
constexpr SteadyClock::duration writing_test_interval = std::chrono::seconds{1};

/// The server answered, and said no: full, read-only, not allowed, garbage under a key.
bool is_refusal(const Error& why) noexcept {
  return why.code == Errc::store_refused || why.code == Errc::bad_reply;
}

}  // namespace

BreakerShell::BreakerShell(std::string provider, const BreakerConfig& config, BreakerStore& store,
                           Clock& clock, Random& random, BreakerOptions options)
    : provider_(std::move(provider)),
      config_(config),
      store_(store),
      clock_(clock),
      random_(random),
      options_(std::move(options)),
      local_(config_),
      feed_(provider_, options_.observer) {}

std::optional<Admission> BreakerShell::try_acquire() {
  // The token costs a system call, so it is drawn only where a probe may be due: here, or when the answer
  // says so.
  for (const bool surely : {false, true}) {
    const Asked asked = ask_with(surely);
    const auto answer = store_.apply_at_once({provider_, core::Acquire{asked.token}, config_, asked.carried});
    if (!answer) return std::nullopt;
    const core::Reply& reply = answer->reply;
    learn(answer->decision, answer->now, asked.carried.version, reply.changes);
    const bool probe_is_due = reply.ruling == core::Ruling::refused && reply.retry_after == Micros{0};
    if (surely || !asked.token.empty() || !probe_is_due) return admission_of(*answer, asked);
  }
  return std::nullopt;
}

void BreakerShell::acquire(AdmissionHandler done) {
  if (auto at_once = try_acquire()) return done(std::move(*at_once));
  bool writing_refused = false;
  {
    const std::lock_guard lock(mutex_);
    writing_refused = writing_refused_;
  }
  if (writing_refused) {
    test_writing();
    return done(decide_alone());
  }
  store_.read(provider_, [self = shared_from_this(), done = std::move(done),
                          asked_with = known().version](Result<Reading> read) {
    if (!read) {
      self->lose_store(read.error());
      return done(self->decide_alone());
    }
    self->learn(read->decision, read->now, asked_with, {});
    std::unique_lock lock(self->mutex_);
    const core::Answer answer = self->view_.answer(read->now);
    const std::int64_t epoch = self->view_.known().epoch;
    lock.unlock();
    if (answer.verdict == core::Verdict::may_probe) return self->ask_for_probe(done);
    done(self->admission_of(answer, epoch, false));
  });
}

/// Only the caller who may become the probe changes anything in the store.
void BreakerShell::ask_for_probe(AdmissionHandler done) {
  const Asked asked = ask_with(true);
  store_.apply({provider_, core::Acquire{asked.token}, config_, asked.carried},
               [self = shared_from_this(), asked, done = std::move(done)](Result<StoreReply> answer) {
                 if (!answer) {
                   self->lose_writing(answer.error());
                   return done(self->decide_alone());
                 }
                 self->learn(answer->decision, answer->now, asked.carried.version, answer->reply.changes);
                 done(self->admission_of(*answer, asked));
               });
}

BreakerShell::Asked BreakerShell::ask_with(bool may_probe) {
  Asked asked;
  {
    const std::lock_guard lock(mutex_);
    asked.carried = view_.known();
    const SharedTime now = now_locked();
    const bool looks_due =
        asked.carried.phase != core::Phase::closed && view_.answer(now).verdict == core::Verdict::may_probe;
    may_probe = (may_probe || looks_due) && !view_.held(now);
  }
  if (may_probe) asked.token = new_token();
  return asked;
}

Admission BreakerShell::admission_of(const StoreReply& answer, const Asked& asked) {
  std::unique_lock lock(mutex_);
  const auto held = view_.held(answer.now);
  lock.unlock();
  const core::Reply& reply = answer.reply;
  if (reply.ruling == core::Ruling::refused) {
    const bool of_the_phase = reply.refusal == core::Refusal::breaker_open;
    return reject(reply.refusal,
                  of_the_phase ? std::max(reply.retry_after, held.value_or(Micros{0})) : reply.retry_after);
  }
  const bool probe = reply.ruling == core::Ruling::probe_granted;
  if (held) {
    if (probe) give_back(asked.token, answer.decision.epoch);
    return reject(core::Refusal::breaker_open, *held);
  }
  return admit(answer.decision.epoch, probe ? asked.token : core::LeaseToken{}, false);
}

Admission BreakerShell::admission_of(const core::Answer& answer, std::int64_t epoch, bool local) {
  if (answer.verdict == core::Verdict::refuse) return reject(answer.refusal, answer.retry_after);
  return admit(epoch, {}, local);
}

/// Nobody waits for this: the answer of a store that takes writes again ends the time alone.
void BreakerShell::test_writing() {
  std::unique_lock lock(mutex_);
  const SteadyTime now = clock_.steady_now();
  if (now < next_writing_test_) return;
  next_writing_test_ = now + writing_test_interval;
  const core::Decision carried = view_.known();
  lock.unlock();
  const core::Event event = core::Evaluate{};
  store_.apply({provider_, event, config_, carried},
               [self = shared_from_this(), asked_with = carried.version](Result<StoreReply> answer) {
                 if (!answer) return;
                 std::unique_lock relock(self->mutex_);
                 self->writing_refused_ = false;
                 relock.unlock();
                 self->learn(answer->decision, answer->now, asked_with, answer->reply.changes);
               });
}

Admission BreakerShell::decide_alone() {
  std::unique_lock lock(mutex_);
  const SharedTime now = now_locked();
  const core::Answer known = view_.answer(now);
  const std::int64_t epoch = view_.known().epoch;
  const auto held = view_.held(now);
  lock.unlock();
  // Deadlines that are known are honoured in any case; after them only the local breaker stands in the way,
  // if there is one.
  if (held || options_.on_store_loss == OnStoreLoss::allow) return admission_of(known, epoch, true);
  const core::LeaseToken token = new_token();
  const LocalAnswer answer = *apply_locally(core::Acquire{token});
  const core::Reply& reply = answer.reply;
  if (reply.ruling == core::Ruling::refused) return reject(reply.refusal, reply.retry_after);
  return admit(answer.epoch, reply.ruling == core::Ruling::probe_granted ? token : core::LeaseToken{}, true);
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

/// A probe that a deadline of our own forbids goes to somebody else.
void BreakerShell::give_back(const core::LeaseToken& token, std::int64_t epoch) {
  const core::Event event = core::Report{.epoch = epoch, .token = token, .verb = core::Verb::neutral};
  const core::Decision carried = known();
  store_.apply({provider_, event, config_, carried},
               [self = shared_from_this(), asked_with = carried.version](Result<StoreReply> answer) {
                 if (answer) self->learn(answer->decision, answer->now, asked_with, answer->reply.changes);
               });
}

void BreakerShell::check_current(std::int64_t epoch, bool local, std::function<void(bool)> done) {
  const auto by_the_local_breaker = [](BreakerShell& self, std::int64_t of_permit) {
    if (self.options_.on_store_loss == OnStoreLoss::allow) return true;
    const std::lock_guard lock(self.mutex_);
    return self.local_.decision().epoch == of_permit;
  };
  if (local) return done(by_the_local_breaker(*this, epoch));
  store_.read(provider_, [self = shared_from_this(), epoch, done = std::move(done), by_the_local_breaker,
                          asked_with = known().version](Result<Reading> read) {
    if (!read) {
      self->lose_store(read.error());
      return done(by_the_local_breaker(*self, epoch));
    }
    self->learn(read->decision, read->now, asked_with, {});
    done(self->known().epoch == epoch);
  });
}

void BreakerShell::report(core::Report report, bool local, bool reported) {
  report.reporter = options_.reporter;
  count_report(report, reported);
  if (local) {
    apply_locally(report);
    return;
  }
  const core::Event event = report;
  const core::Decision carried = known();
  store_.apply({provider_, event, config_, carried},
               [self = shared_from_this(), report = std::move(report),
                asked_with = carried.version](Result<StoreReply> answer) {
                 if (answer)
                   return self->learn(answer->decision, answer->now, asked_with, answer->reply.changes);
                 // The fleet never hears of it; this process must not forget it.
                 self->lose_writing(answer.error());
                 self->apply_locally(report);
               });
}

void BreakerShell::learn(const core::Decision& said, SharedTime store_now, std::int64_t asked_with,
                         const std::vector<core::PhaseChange>& changes) {
  {
    const std::lock_guard lock(mutex_);
    store_offset_ = std::chrono::duration_cast<Micros>(store_now.time_since_epoch() -
                                                       clock_.steady_now().time_since_epoch());
    offset_known_ = true;
    const bool alone = local_rules();
    const bool back = !writing_refused_ && std::exchange(store_away_, false);
    const core::Decision before = view_.known();
    if (view_.learn(said, store_now, asked_with)) ++counts_.state_lost;
    // The stricter of both holds: a cool-down that this process came to alone is kept to its end.
    if (alone && local_.decision().epoch != before.epoch)
      view_.hold(deadline_of(local_.decision()), said.epoch);
    if (back) feed_.store_back();
    // An answer that was overtaken, or seen by another caller before, has nothing new to tell.
    const bool news = said.version > before.version;
    if (!local_rules())  // else observers follow the local breaker, until the store takes writes again
      counts_.trips_seen += static_cast<std::uint64_t>(
          feed_.follow(news ? changes : std::vector<core::PhaseChange>{}, view_.known(), store_now));
  }
  feed_.deliver();
}

void BreakerShell::lose_writing(const Error& why) {
  if (is_refusal(why)) {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(writing_refused_, true))
      next_writing_test_ = clock_.steady_now() + writing_test_interval;
  }
  lose_store(why);
}

void BreakerShell::lose_store(const Error& why) {
  {
    const std::lock_guard lock(mutex_);
    ++counts_.store_errors;
    if (std::exchange(store_away_, true)) return;
    feed_.store_lost(why);
    // A store that comes and goes without news must not make this process forget what it counted meanwhile.
    if (local_rules() && std::exchange(inherited_version_, view_.known().version) != view_.known().version) {
      const SharedTime now = now_locked();
      local_.inherit(view_.known(), now);
      counts_.trips_seen += static_cast<std::uint64_t>(feed_.follow({}, local_.decision(), now));
    }
  }
  feed_.deliver();
}

std::optional<BreakerShell::LocalAnswer> BreakerShell::apply_locally(const core::Event& event) {
  if (options_.on_store_loss == OnStoreLoss::allow) return std::nullopt;
  LocalAnswer answer;
  {
    const std::lock_guard lock(mutex_);
    const SharedTime now = now_locked();
    answer.reply = local_.apply(event, now);
    answer.epoch = local_.decision().epoch;
    if (local_rules())
      counts_.trips_seen +=
          static_cast<std::uint64_t>(feed_.follow(answer.reply.changes, local_.decision(), now));
  }
  feed_.deliver();
  return answer;
}

SharedTime BreakerShell::now_locked() const noexcept {
  if (!offset_known_) return clock_.shared_now();
  return SharedTime{std::chrono::duration_cast<Micros>(clock_.steady_now().time_since_epoch()) +
                    store_offset_};
}

core::LeaseToken BreakerShell::new_token() noexcept {
  const core::LeaseToken token{random_.next(), random_.next()};
  return token.empty() ? core::LeaseToken{1, 1} : token;
}

core::Answer BreakerShell::peek() const {
  const std::lock_guard lock(mutex_);
  const SharedTime now = now_locked();
  const core::Answer known = view_.answer(now);
  if (!store_away_ || view_.held(now)) return known;
  if (local_rules()) return core::decide(local_.decision(), now);
  return known.verdict == core::Verdict::may_probe ? core::Answer{} : known;
}

core::Decision BreakerShell::known() const {
  const std::lock_guard lock(mutex_);
  return view_.known();
}

BreakerCounts BreakerShell::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
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
