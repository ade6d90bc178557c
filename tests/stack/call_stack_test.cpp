#include "support/stack_fixture.hpp"

#include <geobreaker/stack/call_stack.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

namespace geobreaker {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::answered;
using test::Layered;
using test::query;
using test::replied;
using test::World;

struct CallStackTest : testing::Test {
  World world;

  Attempt call(Layered& layered, const AddressQuery& what = query("somewhere 1")) {
    return world.time.run(world.context, layered.stack.call(what));
  }
  Outcome outcome(Layered& layered) { return std::get<ProviderReply>(call(layered)).outcome; }
  Skipped skipped(Layered& layered) { return std::get<Skipped>(call(layered)); }
  core::BreakerState state() const { return world.store.state("p"); }
};

CallStackOptions attempts(int count) {
  CallStackOptions options;
  options.retry.attempts = count;
  return options;
}

TEST_F(CallStackTest, TriesAFailureAgainAndReportsOneOutcomePerPermit) {
  int calls = 0;
  Layered p(
      world, "p", Precision::rooftop,
      [&](const AddressQuery&) {
        return ++calls < 3 ? replied(Outcome::provider_error) : answered(Precision::rooftop);
      },
      {}, attempts(3));
  EXPECT_EQ(outcome(p), Outcome::ok);
  EXPECT_EQ(p.provider.calls.size(), 3U);
  EXPECT_EQ(p.stack.counts().calls, 3U);
  EXPECT_EQ(p.breaker.counts().successes, 1U);
  EXPECT_EQ(p.breaker.counts().failures, 0U);
}

TEST_F(CallStackTest, TriesOnlyFailuresAgain) {
  for (const Outcome once : {Outcome::no_match, Outcome::bad_request, Outcome::rate_limited,
                             Outcome::quota_exhausted, Outcome::auth}) {
    World other;
    Layered p(
        other, "p", Precision::rooftop, [&](const AddressQuery&) { return replied(once); }, {}, attempts(5));
    const AddressQuery what = query("x");
    const Attempt attempt = other.time.run(other.context, p.stack.call(what));
    EXPECT_EQ(std::get<ProviderReply>(attempt).outcome, once);
    EXPECT_EQ(p.provider.calls.size(), 1U) << to_string(once);
  }
}

TEST_F(CallStackTest, BeginsNoAttemptAfterTheRetryDeadline) {
  CallStackOptions options = attempts(100);
  options.retry.deadline = seconds{3};
  BreakerConfig config;
  config.threshold = 1000;
  config.run_threshold = 1000;
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return replied(Outcome::network); }, config,
      options);
  const SteadyTime start = world.time.steady_now();
  EXPECT_EQ(outcome(p), Outcome::network);
  EXPECT_LE(world.time.steady_now() - start, seconds{3} + milliseconds{50});
  EXPECT_EQ(p.breaker.counts().failures, 1U);
}

TEST_F(CallStackTest, AHangingProviderEndsAsTimeout) {
  CallStackOptions options = attempts(1);
  options.timeout = seconds{2};
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::rooftop); }, {},
      options);
  p.provider.latency = std::chrono::hours{1};
  const SteadyTime start = world.time.steady_now();
  EXPECT_EQ(outcome(p), Outcome::timeout);
  EXPECT_EQ(world.time.steady_now() - start, seconds{2});
  EXPECT_EQ(p.breaker.counts().failures, 1U);
}

TEST_F(CallStackTest, ACallThroughWhichTheProcessStoodStillSaysNothingAndIsMadeAgain) {
  CallStackOptions options = attempts(1);
  options.timeout = seconds{2};
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::rooftop); }, {},
      options);
  p.provider.latency = std::chrono::hours{1};
  const auto stand_still = [&]() -> asio::awaitable<void> {
    while (p.provider.calls.empty()) co_await asio::post(asio::use_awaitable);
    co_await asio::post(asio::use_awaitable);  // the wait for the answer has begun
    world.time.advance(seconds{30});
    p.provider.latency = milliseconds{50};
  };
  asio::co_spawn(world.context, stand_still(), asio::detached);
  EXPECT_EQ(outcome(p), Outcome::ok);
  EXPECT_EQ(p.provider.calls.size(), 2U);
  EXPECT_EQ(p.breaker.counts().failures, 0U);
  EXPECT_EQ(p.breaker.counts().neutrals, 1U);
  EXPECT_EQ(p.breaker.counts().successes, 1U);
}

TEST_F(CallStackTest, AFailureThatArrivesWhenTheProcessGoesOnIsNoFailure) {
  int calls = 0;
  Layered p(world, "p", Precision::rooftop, [&](const AddressQuery&) {
    if (++calls > 1) return answered(Precision::rooftop);
    world.time.advance(seconds{5});  // the server has given up meanwhile
    return replied(Outcome::network);
  });
  EXPECT_EQ(outcome(p), Outcome::ok);
  EXPECT_EQ(p.breaker.counts().failures, 0U);
  EXPECT_EQ(p.breaker.counts().neutrals, 1U);
}

TEST_F(CallStackTest, AProcessThatKeepsStandingStillGivesUpInTheEnd) {
  Layered p(
      world, "p", Precision::rooftop,
      [&](const AddressQuery&) {
        world.time.advance(seconds{5});
        return replied(Outcome::network);
      },
      {}, attempts(1));
  EXPECT_EQ(outcome(p), Outcome::network);
  EXPECT_EQ(p.provider.calls.size(), 4U);
  EXPECT_EQ(p.breaker.counts().failures, 0U);
  EXPECT_EQ(p.breaker.counts().neutrals, 4U);
}

TEST_F(CallStackTest, ASlowCallFailsWhenItBecomesOverdueAndItsAnswerIsTakenAllTheSame) {
  BreakerConfig config;
  config.slow_call = seconds{2};
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::rooftop); },
      config, attempts(3));
  p.provider.latency = seconds{5};
  const AddressQuery what = query("x");
  std::uint64_t failures_before_due = 9, failures_when_due = 9;
  asio::co_spawn(
      world.context,
      [&]() -> asio::awaitable<void> {
        const SteadyTime start = world.time.steady_now();
        co_await world.time.wait_until(start + milliseconds{1900});
        failures_before_due = p.breaker.counts().failures;
        co_await world.time.wait_until(start + milliseconds{2100});
        failures_when_due = p.breaker.counts().failures;
      },
      asio::detached);
  EXPECT_EQ(outcome(p), Outcome::ok);
  EXPECT_EQ(failures_before_due, 0U);
  EXPECT_EQ(failures_when_due, 1U);
  EXPECT_EQ(p.breaker.counts().failures, 1U) << "once per permit";
  EXPECT_EQ(p.breaker.counts().successes, 0U);
  EXPECT_EQ(p.provider.calls.size(), 1U);
}

TEST_F(CallStackTest, OverdueCallsOpenTheBreakerLongBeforeTheFirstTimeOut) {
  BreakerConfig config;
  config.slow_call = seconds{2};
  CallStackOptions options = attempts(1);
  options.timeout = seconds{30};
  options.max_concurrency = 50;
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::rooftop); },
      config, options);
  p.provider.latency = std::chrono::hours{1};
  const AddressQuery what = query("x");
  int ended = 0;
  for (int i = 0; i < 20; ++i)
    asio::co_spawn(world.context, p.stack.call(what), [&](std::exception_ptr, Attempt) { ++ended; });
  world.time.run(world.context, [&]() -> asio::awaitable<bool> {
    co_await world.time.wait_until(world.time.steady_now() + milliseconds{2500});
    co_return true;
  }());
  EXPECT_EQ(ended, 0);
  EXPECT_EQ(state().decision.phase, core::Phase::open);
  EXPECT_EQ(state().tally.late, 15) << "the other fifteen, overdue at the same time";
  world.time.run(world.context, [&]() -> asio::awaitable<bool> {
    while (ended < 20) co_await world.time.wait_until(world.time.steady_now() + seconds{1});
    co_return true;
  }());
}

TEST_F(CallStackTest, ACallThatIsQuickEnoughIsNoSlowCall) {
  BreakerConfig config;
  config.slow_call = seconds{2};
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::rooftop); },
      config);
  p.provider.latency = milliseconds{1999};
  EXPECT_EQ(outcome(p), Outcome::ok);
  EXPECT_EQ(p.breaker.counts().failures, 0U);
  EXPECT_EQ(p.breaker.counts().successes, 1U);
}

TEST_F(CallStackTest, AnOpenBreakerSkipsWithTheTimeThatIsLeft) {
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return replied(Outcome::network); }, {},
      attempts(1));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(outcome(p), Outcome::network);
  world.time.advance(seconds{10});
  const Skipped skip = skipped(p);
  EXPECT_EQ(skip.reason, SkipReason::breaker_open);
  EXPECT_EQ(skip.retry_after, seconds{20});
  EXPECT_EQ(p.provider.calls.size(), 5U);
}

TEST_F(CallStackTest, AProbeIsASingleRequest) {
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return replied(Outcome::network); }, {},
      attempts(4));
  for (int i = 0; i < 5; ++i) outcome(p);
  const std::size_t before = p.provider.calls.size();
  world.time.advance(seconds{31});
  EXPECT_EQ(outcome(p), Outcome::network);
  EXPECT_EQ(p.provider.calls.size(), before + 1);
  EXPECT_EQ(state().decision.failed_probes, 1);
}

TEST_F(CallStackTest, AThrottleMovesTheFleetToAPauseAndIsNoFailure) {
  Layered p(world, "p", Precision::rooftop, [](const AddressQuery&) {
    ProviderReply reply = replied(Outcome::rate_limited);
    reply.pause = seconds{90};
    return reply;
  });
  EXPECT_EQ(outcome(p), Outcome::rate_limited);
  const Skipped skip = skipped(p);
  EXPECT_EQ(skip.reason, SkipReason::paused_rate);
  EXPECT_EQ(skip.retry_after, seconds{90});
  EXPECT_EQ(p.breaker.counts().failures, 0U);
  world.time.advance(seconds{90});
  EXPECT_EQ(outcome(p), Outcome::rate_limited) << "a pause ends without a probe";
}

TEST_F(CallStackTest, AnExhaustedQuotaThatNamesNoResetPausesForOurOwnTime) {
  Layered p(world, "p", Precision::rooftop,
            [](const AddressQuery&) { return replied(Outcome::quota_exhausted); });
  EXPECT_EQ(outcome(p), Outcome::quota_exhausted);
  const Skipped skip = skipped(p);
  EXPECT_EQ(skip.reason, SkipReason::paused_quota);
  EXPECT_EQ(skip.retry_after, std::chrono::hours{1});
}

TEST_F(CallStackTest, AWrongKeyDisablesTheProviderInThisProcessOnly) {
  Layered p(world, "p", Precision::rooftop, [](const AddressQuery&) { return replied(Outcome::auth); });
  EXPECT_EQ(outcome(p), Outcome::auth);
  const Skipped skip = skipped(p);
  EXPECT_EQ(skip.reason, SkipReason::auth_disabled);
  EXPECT_EQ(skip.retry_after, std::chrono::minutes{5});
  EXPECT_EQ(state().decision.phase, core::Phase::closed);
  EXPECT_EQ(p.breaker.counts().neutrals, 1U);
  EXPECT_EQ(p.provider.calls.size(), 1U);
}

TEST_F(CallStackTest, PermitsQueuedBehindTheLimiterDoNotCallAProviderThatTheFleetHasGivenUp) {
  CallStackOptions options = attempts(1);
  options.interval = seconds{1};
  options.max_concurrency = 200;
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return replied(Outcome::network); }, {},
      options);
  const AddressQuery what = query("x");
  int breaker_open = 0, called = 0;
  for (int i = 0; i < 200; ++i)
    asio::co_spawn(world.context, p.stack.call(what), [&](std::exception_ptr, Attempt attempt) {
      const auto* skip = std::get_if<Skipped>(&attempt);
      if (skip && skip->reason == SkipReason::breaker_open) ++breaker_open;
      if (!skip) ++called;
    });
  world.time.run(world.context, [&]() -> asio::awaitable<bool> {
    while (called + breaker_open < 200) co_await world.time.wait_until(world.time.steady_now() + seconds{1});
    co_return true;
  }());
  EXPECT_EQ(called, 5) << "the threshold";
  EXPECT_EQ(p.provider.calls.size(), 5U);
  EXPECT_EQ(breaker_open, 195);
  EXPECT_EQ(p.breaker.counts().neutrals, 195U);
}

TEST_F(CallStackTest, NoFurtherAttemptOnceTheEpochHasPassed) {
  CallStackOptions options = attempts(3);
  options.retry.base = seconds{5};
  int calls = 0;
  Layered p(
      world, "p", Precision::rooftop,
      [&](const AddressQuery&) {
        ++calls;
        // Another process trips the breaker while this record waits for its second attempt.
        world.store.apply({"p", core::Operate{core::Action::open}, BreakerConfig{}, {}},
                          [](const Result<StoreReply>&) {});
        return replied(Outcome::network);
      },
      {}, options);
  EXPECT_EQ(skipped(p).reason, SkipReason::breaker_open);
  EXPECT_EQ(calls, 1);
}

TEST_F(CallStackTest, AfterStopNothingNewIsSentAndWaitersEndAsCancelled) {
  CallStackOptions options = attempts(1);
  options.interval = std::chrono::hours{1};
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::rooftop); }, {},
      options);
  EXPECT_EQ(outcome(p), Outcome::ok);
  p.stack.stop();
  EXPECT_EQ(outcome(p), Outcome::cancelled);
  EXPECT_EQ(p.provider.calls.size(), 1U);
  EXPECT_EQ(p.breaker.counts().unreported, 0U);
}

TEST_F(CallStackTest, TheBulkheadBoundsCallsInFlight) {
  CallStackOptions options = attempts(1);
  options.max_concurrency = 4;
  Layered p(
      world, "p", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::rooftop); }, {},
      options);
  const AddressQuery what = query("x");
  int done = 0;
  for (int i = 0; i < 50; ++i)
    asio::co_spawn(world.context, p.stack.call(what), [&](std::exception_ptr, Attempt) { ++done; });
  world.time.run(world.context, [&]() -> asio::awaitable<bool> {
    while (done < 50) co_await world.time.wait_until(world.time.steady_now() + milliseconds{1});
    co_return true;
  }());
  EXPECT_EQ(p.provider.most_at_once, 4);
  EXPECT_EQ(p.stack.counts().skips[static_cast<std::size_t>(SkipReason::bulkhead_full)], 0U);
}

}  // namespace
}  // namespace geobreaker
