#include "core/window.hpp"

#include <geobreaker/core/transition.hpp>

#include <algorithm>
#include <limits>

namespace geobreaker::core {

std::string_view to_string(Cause cause) noexcept {
  switch (cause) {
    case Cause::share:
      return "share";
    case Cause::run:
      return "run";
    case Cause::probe_granted:
      return "probe-granted";
    case Cause::probe_succeeded:
      return "probe-succeeded";
    case Cause::probe_failed:
      return "probe-failed";
    case Cause::probe_neutral:
      return "probe-neutral";
    case Cause::lease_expired:
      return "lease-expired";
    case Cause::operator_act:
      return "operator";
    case Cause::restored:
      return "restored";
    case Cause::noticed:
      return "noticed";
  }
  return "share";
}

Micros cooldown(const BreakerConfig& config, std::int32_t failed_probes) noexcept {
  Micros result = config.base_cooldown;
  // What is doubled is below the maximum, which is at most a year: nothing overflows, and the loop is short
  // for any count.
  for (std::int32_t k = 0; k < failed_probes && result < config.max_cooldown; ++k) result *= 2;
  return std::min(result, config.max_cooldown);
}

namespace {

/// After so many neutral probes in a row at most one probe a second is let through, so that they cannot loop.
constexpr std::int32_t neutral_probes_at_full_speed = 3;
constexpr Micros neutral_probe_interval{std::chrono::seconds{1}};

/// Keeps every sum with a store time far below 2^53, whatever a caller or another process says.
constexpr Micros longest{std::chrono::hours{24 * 366}};

/// One event's work on one provider's state.
class Step {
 public:
  Step(BreakerState state, const BreakerConfig& config, SharedTime now)
      : state_(std::move(state)), config_(config), now_(now) {}

  void forgive_the_future();
  void restore_if_lost(const Decision& carried);
  void operator()(const Acquire& event);
  void operator()(const Report& event);
  void operator()(const Evaluate&) { evaluate(); }
  void operator()(const Pause& event) { extend_pause(event.request); }
  void operator()(const Operate& event);

  [[nodiscard]] Transition finish() && { return {std::move(state_), std::move(reply_)}; }

 private:
  [[nodiscard]] Decision& decision() noexcept { return state_.decision; }
  [[nodiscard]] SharedTime in(Micros span) const noexcept { return now_ + span; }
  [[nodiscard]] std::int64_t after(std::int64_t old) const noexcept {
    return std::max<std::int64_t>(old + 1, now_.time_since_epoch().count());
  }
  /// Every write of the decision gets a new version; what ends an epoch a new epoch as well.
  void written() noexcept { decision().version = after(decision().version); }
  void new_epoch() noexcept { decision().epoch = after(decision().epoch); }
  void change_phase(Phase to, Cause cause, SharedTime at);
  void drop_lease() noexcept;
  void note_expired_lease();

  void grant_probe(const LeaseToken& token);
  void settle_probe(const Report& event);
  void probe_succeeded();
  void probe_failed();
  void probe_neutral();
  void count_outcome(const Report& event);
  void count_failure(const Report& event);
  void extend_pause(const PauseRequest& request);
  void note_share();
  void forget_share_unless_it_holds();
  void evaluate();
  void trip(Cause cause);
  void open_for(Micros cooldown);
  void clear_counts();

  BreakerState state_;
  const BreakerConfig& config_;
  SharedTime now_;
  Reply reply_;
};

void Step::change_phase(Phase to, Cause cause, SharedTime at) {
  if (decision().phase == to) return;
  reply_.changes.push_back({decision().phase, to, cause, at});
  decision().phase = to;
}

void Step::drop_lease() noexcept {
  state_.token = {};
  decision().lease_end = {};
  decision().lease = {};
}

void Step::clear_counts() {
  state_.window = {};
  decision().failures_until = {};
}

/// A deadline farther ahead than its own length can only come from a store clock that stepped back, or from a
/// fail-over to a host with another clock: it is pulled in once, so that it cannot pin the provider.
void Step::forgive_the_future() {
  Decision& d = decision();
  bool pulled = false;
  const auto pull = [&](SharedTime& deadline, Micros length) {
    if (deadline <= in(length)) return;
    deadline = in(length);
    pulled = true;
  };
  pull(d.open_until, d.cooldown);
  pull(d.lease_end, d.lease);
  pull(d.pause_until, d.pause);
  pull(d.forced_until, d.forced_for);
  state_.closed_at = std::min(state_.closed_at, now_);
  core::forgive_the_future(state_.window, now_);
  if (pulled) written();
}

void Step::restore_if_lost(const Decision& carried) {
  const Decision lost = decision();
  if (carried.version <= lost.version) return;
  state_ = {.decision = carried,
            .token = {},
            .neutral_probes = 0,
            .closed_at = {},
            .window = {},
            .tally = state_.tally};
  Decision& d = decision();
  const bool absent = lost.version == 0;
  d.version = after(std::max(lost.version, carried.version));
  d.epoch = absent ? carried.epoch : after(carried.epoch);
  d.restored = true;
  d.failures_until = {};
  // The token of a probe in flight is lost with the store: nobody else may probe until its lease would have
  // ended.
  if (carried.phase == Phase::half_open) {
    d.phase = Phase::open;
    d.open_until = carried.lease_end;
    d.cooldown = std::max(carried.cooldown, carried.lease);
  }
  d.lease_end = {};
  d.lease = {};
  d.cooldown = std::min(d.cooldown, longest);
  ++state_.tally.restored;
  if (lost.phase != d.phase) reply_.changes.push_back({lost.phase, d.phase, Cause::restored, now_});
  forgive_the_future();
}

/// The lease's end is an event that nobody reports: the next one to look records it, at its exact time.
void Step::note_expired_lease() {
  if (decision().phase == Phase::half_open && decision().lease_end <= now_)
    change_phase(Phase::open, Cause::lease_expired, decision().lease_end);
}

void Step::operator()(const Acquire& event) {
  const Decision& d = decision();
  const Answer answer = decide(d, now_);
  const bool half_open = answer.verdict == Verdict::refuse && answer.refusal == Refusal::breaker_open &&
                         d.phase == Phase::half_open;
  if (half_open && state_.token == event.token) {  // asked again, for instance after a lost reply
    reply_.ruling = Ruling::probe_granted;
    return;
  }
  if (answer.verdict == Verdict::may_probe && !event.token.empty()) return grant_probe(event.token);
  if (answer.verdict != Verdict::admit) {  // without a token there is no probe: such an asker only looks
    reply_.ruling = Ruling::refused;
    reply_.refusal = answer.refusal;
    reply_.retry_after = answer.retry_after;
    return;
  }
  reply_.ruling = Ruling::admitted;
}

void Step::grant_probe(const LeaseToken& token) {
  note_expired_lease();
  if (!state_.token.empty() && state_.token != token) ++state_.tally.abandoned;
  state_.token = token;
  decision().lease = config_.probe_lease_or_default();
  decision().lease_end = in(decision().lease);
  change_phase(Phase::half_open, Cause::probe_granted, now_);
  written();
  reply_.ruling = Ruling::probe_granted;
}

void Step::operator()(const Report& event) {
  if (event.pause) extend_pause(*event.pause);
  const bool of_a_probe = !event.token.empty();
  const bool current = event.epoch == decision().epoch &&
                       (of_a_probe ? event.token == state_.token : decision().phase == Phase::closed);
  if (!current) {
    ++state_.tally.late;
    reply_.ruling = Ruling::late;
    return;
  }
  if (of_a_probe) return settle_probe(event);
  if (event.age > config_.short_window_or_default()) {
    ++state_.tally.stale;
    reply_.ruling = Ruling::stale;
    return;
  }
  count_outcome(event);
}

/// The lease may have ended meanwhile: until somebody takes the probe over, its holder's outcome still
/// counts.
void Step::settle_probe(const Report& event) {
  note_expired_lease();
  switch (event.verb) {
    case Verb::success:
      return probe_succeeded();
    case Verb::failure:
      return probe_failed();
    case Verb::neutral:
      return probe_neutral();
  }
}

void Step::probe_succeeded() {
  drop_lease();
  change_phase(Phase::closed, Cause::probe_succeeded, now_);
  Decision& d = decision();
  d.open_until = {};
  d.cooldown = {};
  d.restored = false;
  if (config_.flap_guard == Micros{0}) d.failed_probes = 0;
  state_.neutral_probes = 0;
  state_.closed_at = now_;
  clear_counts();
  new_epoch();
  written();
}

void Step::probe_failed() {
  drop_lease();
  Decision& d = decision();
  if (d.failed_probes < std::numeric_limits<std::int32_t>::max()) ++d.failed_probes;
  state_.neutral_probes = 0;
  change_phase(Phase::open, Cause::probe_failed, now_);
  open_for(cooldown(config_, d.failed_probes));
}

void Step::probe_neutral() {
  drop_lease();
  change_phase(Phase::open, Cause::probe_neutral, now_);
  state_.neutral_probes = std::min(state_.neutral_probes + 1, neutral_probes_at_full_speed);
  Decision& d = decision();
  if (state_.neutral_probes == neutral_probes_at_full_speed) {
    d.open_until = in(neutral_probe_interval);
    d.cooldown = std::max(d.cooldown, neutral_probe_interval);
  }
  written();
}

void Step::count_outcome(const Report& event) {
  const std::int64_t successes = event.successes_before + (event.verb == Verb::success ? 1 : 0);
  if (successes > 0) {
    count(state_.window, successes, 0, event.flush_interval, config_, now_);
    end_run(state_.window);
  }
  if (event.verb != Verb::failure)
    return forget_share_unless_it_holds();  // anything else never adds to the case for opening
  count_failure(event);
  evaluate();
}

void Step::count_failure(const Report& event) {
  count(state_.window, 1, 1, event.flush_interval, config_, now_);
  lengthen_run(state_.window, config_, now_);
  remember_reporter(state_.window, event.reporter, now_);
  Decision& d = decision();
  if (d.failures_until >= in(config_.window - config_.window / 4)) return;
  d.failures_until = in(config_.window);
  written();
}

void Step::forget_share_unless_it_holds() {
  SharedTime& since = state_.window.share_since;
  if (since != SharedTime{} && !share_holds(state_.window, config_, now_)) since = {};
}

void Step::note_share() {
  Window& w = state_.window;
  if (!share_holds(w, config_, now_))
    w.share_since = {};
  else if (w.share_since == SharedTime{})
    w.share_since = now_;
}

/// A share must have held, and the first failure of a run have arrived, for the settling time: successes that
/// are still on their way must not be missed.
void Step::evaluate() {
  if (decision().phase != Phase::closed) return;
  note_share();
  if (is_forced(decision(), Forced::closed, now_)) return;
  const Window& w = state_.window;
  const Micros settling = settling_time(w, config_, now_);
  const bool share = w.share_since != SharedTime{};
  const bool run = run_holds(w, config_, now_);
  if (share && now_ - w.share_since >= settling) return trip(Cause::share);
  if (run && now_ - w.run_first >= settling) return trip(Cause::run);
  if (share) reply_.settles_at = w.share_since + settling;
  if (run && (!share || w.run_first + settling < reply_.settles_at))
    reply_.settles_at = w.run_first + settling;
}

void Step::trip(Cause cause) {
  Decision& d = decision();
  const bool flapping = config_.flap_guard > Micros{0} && state_.closed_at != SharedTime{} &&
                        now_ - state_.closed_at < config_.flap_guard;
  if (!flapping)
    d.failed_probes = 0;
  else if (d.failed_probes < std::numeric_limits<std::int32_t>::max())
    ++d.failed_probes;
  state_.neutral_probes = 0;
  change_phase(Phase::open, cause, now_);
  open_for(cooldown(config_, d.failed_probes));
}

void Step::open_for(Micros cooldown) {
  Decision& d = decision();
  d.cooldown = cooldown;
  d.open_until = in(cooldown);
  d.restored = false;
  end_run(state_.window);
  state_.window.share_since = {};
  new_epoch();
  written();
}

void Step::extend_pause(const PauseRequest& request) {
  const bool quota = request.reason == PauseReason::quota;
  const Micros length = std::min(request.duration, quota ? config_.max_pause_quota : config_.max_pause_rate);
  Decision& d = decision();
  if (length <= Micros{0} || request.reason == PauseReason::none || in(length) <= d.pause_until) return;
  d.pause_until = in(length);
  d.pause = length;
  d.pause_reason = request.reason;
  written();
}

void Step::operator()(const Operate& event) {
  Decision& d = decision();
  const auto end_pause = [&] {
    d.pause_until = {};
    d.pause = {};
    d.pause_reason = PauseReason::none;
  };
  if (event.action == Action::unpause) {
    end_pause();
    return written();
  }
  note_expired_lease();
  const bool open =
      event.action == Action::open || (event.action == Action::automatic && is_forced(d, Forced::open, now_));
  drop_lease();
  clear_counts();
  state_.neutral_probes = 0;
  state_.closed_at = {};
  d.failed_probes = 0;
  d.cooldown = {};
  d.open_until = open ? now_ : SharedTime{};
  d.restored = false;
  change_phase(open ? Phase::open : Phase::closed, Cause::operator_act, now_);
  const bool forces = event.action != Action::automatic;
  d.forced = !forces ? Forced::none : open ? Forced::open : Forced::closed;
  d.forced_for = forces ? std::clamp(event.duration, Micros{0}, longest) : Micros{0};
  d.forced_until = forces ? in(d.forced_for) : SharedTime{};
  if (!forces) end_pause();
  new_epoch();
  written();
}

}  // namespace

Transition transition(BreakerState state, const Event& event, const BreakerConfig& config, SharedTime now,
                      const Decision& carried) {
  Step step(std::move(state), config, now);
  step.forgive_the_future();
  step.restore_if_lost(carried);
  std::visit(step, event);
  return std::move(step).finish();
}

}  // namespace geobreaker::core
