#include "stack/async_breaker.hpp"

#include <geobreaker/stack/call_stack.hpp>

#include <boost/asio/experimental/awaitable_operators.hpp>

#include <utility>

namespace geobreaker {

namespace {

/// A record whose calls this process keeps sleeping through takes what the last one says.
constexpr int most_standstills = 3;

SkipReason skip_reason_of(core::Refusal refusal) noexcept {
  switch (refusal) {
    case core::Refusal::breaker_open:
      return SkipReason::breaker_open;
    case core::Refusal::forced_open:
      return SkipReason::forced_open;
    case core::Refusal::paused_rate:
      return SkipReason::paused_rate;
    case core::Refusal::paused_quota:
      return SkipReason::paused_quota;
  }
  return SkipReason::breaker_open;
}

ProviderReply given_up() { return {Outcome::cancelled, {}, {}, "stopped before anything was sent"}; }

Micros to_micros(SteadyClock::duration span) noexcept { return std::chrono::duration_cast<Micros>(span); }

}  // namespace

CallStack::CallStack(Provider& provider, Breaker& breaker, Clock& clock, Waiter& waiter, Random& random,
                     CallStackOptions options)
    : provider_(provider),
      breaker_(breaker),
      clock_(clock),
      waiter_(waiter),
      random_(random),
      options_(std::move(options)),
      bulkhead_(options_.max_concurrency),
      limiter_(options_.interval, clock, waiter) {}

void CallStack::stop() noexcept {
  stopped_ = true;
  limiter_.stop();
}

boost::asio::awaitable<Attempt> CallStack::call(const AddressQuery& query) {
  if (const auto left = auth_.disabled_for(clock_.steady_now()); left > SteadyClock::duration{0})
    co_return skip(SkipReason::auth_disabled, to_micros(left));
  const Bulkhead::Slot slot = co_await bulkhead_.enter();
  if (stopped_) co_return given_up();
  for (int standstills = 0;; ++standstills) {
    Admission admission = co_await async_acquire(breaker_);
    if (const auto* rejection = std::get_if<Rejection>(&admission))
      co_return skip(skip_reason_of(rejection->reason), rejection->retry_after);
    const bool last = standstills == most_standstills;
    if (auto attempt = co_await call_admitted(query, std::get<Permit>(std::move(admission)), last))
      co_return std::move(*attempt);
    if (stopped_) co_return given_up();
  }
}

boost::asio::awaitable<std::optional<Attempt>> CallStack::call_admitted(const AddressQuery& query,
                                                                        Permit permit, bool last) {
  const int attempts = permit.is_probe() ? 1 : options_.retry.attempts;
  const SteadyTime give_up = clock_.steady_now() + options_.retry.deadline;
  for (int attempt = 1;; ++attempt) {
    const bool waited = co_await limiter_.wait_for_turn();
    if (stopped_) {
      std::move(permit).neutral();
      co_return given_up();
    }
    // Time has passed: a permit of a past epoch must not call a provider that the fleet has given up
    // meanwhile.
    if ((waited || attempt > 1) && !co_await async_check_current(breaker_, permit)) {
      std::move(permit).neutral();
      co_return skip(SkipReason::breaker_open, breaker_.peek().retry_after);
    }
    permit.mark_sent();
    ++counts_.calls;
    Heartbeat heartbeat(clock_, waiter_);
    bool overdue = false;
    ProviderReply reply = co_await call_in_time(query, heartbeat, permit, overdue);
    if (overdue) {  // its failure was reported when it became overdue; what it brought in the end is the
                    // record's all the same
      note_reply(reply);
      co_return reply;
    }
    const bool stood_still = heartbeat.missed();
    if (stood_still && is_failure(reply.outcome) && !last) {
      std::move(permit).neutral();
      co_return std::nullopt;
    }
    if (is_failure(reply.outcome) && attempt < attempts && !stopped_) {
      const SteadyTime next = clock_.steady_now() + backoff(options_.retry, attempt + 1, random_);
      if (next < give_up) {
        co_await waiter_.wait_until(next);
        continue;
      }
    }
    note_reply(reply);
    report(std::move(permit), reply, stood_still);
    co_return reply;
  }
}

boost::asio::awaitable<ProviderReply> CallStack::call_in_time(const AddressQuery& query, Heartbeat& heartbeat,
                                                              Permit& permit, bool& overdue) {
  using boost::asio::experimental::awaitable_operators::operator||;
  if (provider_.traits().in_process) co_return co_await provider_.forward(query);
  const SteadyTime deadline = clock_.steady_now() + options_.timeout;
  auto first = co_await (provider_.forward(query) || watch(heartbeat, deadline, permit, overdue));
  if (first.index() == 0) co_return std::get<0>(std::move(first));
  co_return ProviderReply{
      Outcome::timeout, {}, {}, "no answer within " + std::to_string(options_.timeout.count()) + " ms"};
}

/// Waits for the deadline. A slow call counts as a failure when it becomes overdue, not when it ends: a
/// provider that hangs is then noticed long before the first time-out comes back.
boost::asio::awaitable<void> CallStack::watch(Heartbeat& heartbeat, SteadyTime deadline, Permit& permit,
                                              bool& overdue) {
  const Micros slow = breaker_.config().slow_call;
  const SteadyTime due = clock_.steady_now() + slow;
  if (slow > Micros{0} && due < deadline) {
    co_await heartbeat.wait_until(due);
    if (clock_.steady_now() >= due &&
        !heartbeat.missed()) {  // not merely cancelled, and not asleep meanwhile
      overdue = true;
      std::move(permit).failure();
    }
  }
  co_await heartbeat.wait_until(deadline);
}

/// Counts the record's outcome. A provider that throttles without saying for how long is left alone for a
/// time of our own.
void CallStack::note_reply(ProviderReply& reply) {
  ++counts_.outcomes[static_cast<std::size_t>(reply.outcome)];
  if (reply.outcome != Outcome::ok && reply.outcome != Outcome::no_match) last_trouble_ = reply.detail;
  if (reply.pause) return;
  if (reply.outcome == Outcome::rate_limited) reply.pause = options_.pause_rate;
  if (reply.outcome == Outcome::quota_exhausted) reply.pause = options_.pause_quota;
}

/// A call through which this process stood still tells the breaker nothing, whatever it brought.
void CallStack::report(Permit permit, const ProviderReply& reply, bool stood_still) {
  switch (reply.outcome) {
    case Outcome::ok:
    case Outcome::no_match:
      auth_.accepted();
      return stood_still ? std::move(permit).neutral() : std::move(permit).success();
    case Outcome::provider_error:
    case Outcome::timeout:
    case Outcome::network:
      return stood_still ? std::move(permit).neutral() : std::move(permit).failure();
    case Outcome::rate_limited:
      return std::move(permit).pause({Micros{*reply.pause}, core::PauseReason::rate});
    case Outcome::quota_exhausted:
      return std::move(permit).pause({Micros{*reply.pause}, core::PauseReason::quota});
    case Outcome::auth:
      auth_.refused(clock_.steady_now());
      return std::move(permit).neutral();
    case Outcome::bad_request:
    case Outcome::cancelled:
      return std::move(permit).neutral();
  }
}

Attempt CallStack::skip(SkipReason reason, Micros retry_after) {
  ++counts_.skips[static_cast<std::size_t>(reason)];
  return Skipped{reason, retry_after};
}

}  // namespace geobreaker
