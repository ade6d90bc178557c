#pragma once

#include <geobreaker/store/breaker_store.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace geobreaker::testing {

/// What every BreakerStore must do. An implementation gives a Fixture:
///   BreakerStore& store();  void advance(Micros);  SharedTime now();  void lose_state();
/// and instantiates: INSTANTIATE_TYPED_TEST_SUITE_P(Name, StoreContract, Fixture);
template <class Fixture>
class StoreContract : public ::testing::Test {
 protected:
  StoreReply apply(const core::Event& event, const core::Decision& carried = {},
                   const std::string& provider = "nominatim") {
    std::promise<Result<StoreReply>> promise;
    fixture.store().apply({provider, event, config, carried},
                          [&](Result<StoreReply> answer) { promise.set_value(std::move(answer)); });
    Result<StoreReply> answer = promise.get_future().get();
    if (!answer) throw std::runtime_error(answer.error().detail);
    return std::move(answer).value();
  }
  Reading read(const std::string& provider = "nominatim") {
    std::promise<Result<Reading>> promise;
    fixture.store().read(provider, [&](Result<Reading> answer) { promise.set_value(std::move(answer)); });
    Result<Reading> answer = promise.get_future().get();
    if (!answer) throw std::runtime_error(answer.error().detail);
    return std::move(answer).value();
  }
  static core::LeaseToken token(std::uint64_t n) { return {0xfedc'ba98'0000'0000U, n}; }
  static core::Report report(std::int64_t epoch, core::Verb verb, core::LeaseToken token = {}) {
    core::Report event;
    event.epoch = epoch;
    event.verb = verb;
    event.token = token;
    event.reporter = "host-1";
    return event;
  }
  StoreReply trip(const std::string& provider = "nominatim") {
    StoreReply last;
    for (int i = 0; i < config.threshold; ++i)
      last = apply(report(read(provider).decision.epoch, core::Verb::failure), {}, provider);
    return last;
  }

  Fixture fixture;
  BreakerConfig config;
};

TYPED_TEST_SUITE_P(StoreContract);

TYPED_TEST_P(StoreContract, AProviderNeverHeardOfIsClosedAndHasVersionZero) {
  const Reading reading = this->read("never-heard-of");
  EXPECT_EQ(reading.decision, core::Decision{});
  const StoreReply answer = this->apply(core::Acquire{this->token(1)}, {}, "never-heard-of");
  EXPECT_EQ(answer.reply.ruling, core::Ruling::admitted);
  EXPECT_EQ(answer.decision, core::Decision{});
}

TYPED_TEST_P(StoreContract, ReadingTakesNoProbe) {
  this->trip();
  this->fixture.advance(this->config.base_cooldown);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(this->read().decision.phase, core::Phase::open);
  EXPECT_EQ(this->apply(core::Acquire{this->token(1)}).reply.ruling, core::Ruling::probe_granted);
}

TYPED_TEST_P(StoreContract, EveryAnswerCarriesTheDecisionThatAReadShowsThen) {
  const StoreReply tripped = this->trip();
  EXPECT_EQ(tripped.decision.phase, core::Phase::open);
  EXPECT_EQ(tripped.decision, this->read().decision);
  EXPECT_EQ(tripped.now, this->fixture.now());
}

TYPED_TEST_P(StoreContract, TheFullCycleClosedOpenHalfOpenClosed) {
  const StoreReply tripped = this->trip();
  ASSERT_EQ(tripped.reply.changes.size(), 1U);
  EXPECT_EQ(tripped.decision.open_until, tripped.now + this->config.base_cooldown);
  const StoreReply refused = this->apply(core::Acquire{this->token(1)});
  EXPECT_EQ(refused.reply.ruling, core::Ruling::refused);
  EXPECT_EQ(refused.reply.retry_after, this->config.base_cooldown);
  this->fixture.advance(this->config.base_cooldown);
  EXPECT_EQ(this->apply(core::Acquire{this->token(1)}).reply.ruling, core::Ruling::probe_granted);
  EXPECT_EQ(this->apply(core::Acquire{this->token(2)}).reply.ruling, core::Ruling::refused);
  EXPECT_EQ(this->apply(core::Acquire{this->token(1)}).reply.ruling, core::Ruling::probe_granted);
  const StoreReply closed =
      this->apply(this->report(this->read().decision.epoch, core::Verb::success, this->token(1)));
  EXPECT_EQ(closed.decision.phase, core::Phase::closed);
  EXPECT_GT(closed.decision.epoch, tripped.decision.epoch);
  EXPECT_GT(closed.decision.version, tripped.decision.version);
}

TYPED_TEST_P(StoreContract, ALateReportChangesNothing) {
  const StoreReply tripped = this->trip();
  const StoreReply late = this->apply(this->report(0, core::Verb::success));
  EXPECT_EQ(late.reply.ruling, core::Ruling::late);
  EXPECT_EQ(late.decision, tripped.decision);
}

TYPED_TEST_P(StoreContract, ProvidersDoNotTouchEachOther) {
  this->trip("a");
  for (const char* other : {"b", "a{", "a}:open_until", "a:b", "\xc3\xa4", "A", "%61"})
    EXPECT_EQ(this->read(other).decision, core::Decision{}) << other;
  EXPECT_EQ(this->read("a").decision.phase, core::Phase::open);
}

TYPED_TEST_P(StoreContract, AnyNameIsAProvider) {
  for (const std::string& name :
       {std::string("{}:%"), std::string("nul\0inside", 10), std::string("\xf0\x9f\x8c\x8d"),
        std::string(1000, 'x'), std::string("a b\r\nc")}) {
    EXPECT_EQ(this->trip(name).decision.phase, core::Phase::open);
    EXPECT_EQ(this->read(name).decision.phase, core::Phase::open);
  }
}

TYPED_TEST_P(StoreContract, ALostStateIsWrittenAnewFromWhatACallerKnows) {
  const core::Decision known = this->trip().decision;
  this->fixture.lose_state();
  EXPECT_EQ(this->read().decision.version, 0);
  const StoreReply answer = this->apply(core::Acquire{this->token(1)}, known);
  EXPECT_EQ(answer.reply.ruling, core::Ruling::refused);
  EXPECT_EQ(answer.decision.open_until, known.open_until);
  EXPECT_EQ(answer.decision.epoch, known.epoch);
  EXPECT_TRUE(answer.decision.restored);
  EXPECT_GT(answer.decision.version, known.version);
}

TYPED_TEST_P(StoreContract, APauseIsOnlyEverExtended) {
  using std::chrono::seconds;
  const auto pause = [&](seconds span) {
    return this->apply(core::Pause{{span, core::PauseReason::rate}}).decision.pause_until;
  };
  const SharedTime until = pause(seconds{30});
  EXPECT_EQ(until, this->fixture.now() + seconds{30});
  EXPECT_EQ(pause(seconds{10}), until);
  EXPECT_EQ(this->apply(core::Acquire{this->token(1)}).reply.refusal, core::Refusal::paused_rate);
  this->fixture.advance(seconds{30});
  EXPECT_EQ(this->apply(core::Acquire{this->token(1)}).reply.ruling, core::Ruling::admitted);
}

TYPED_TEST_P(StoreContract, AnOperatorIsObeyed) {
  const StoreReply opened = this->apply(core::Operate{core::Action::open, std::chrono::hours{1}});
  EXPECT_EQ(opened.decision.forced, core::Forced::open);
  EXPECT_EQ(this->apply(core::Acquire{this->token(1)}).reply.refusal, core::Refusal::forced_open);
  const StoreReply automatic = this->apply(core::Operate{core::Action::automatic, {}});
  EXPECT_EQ(automatic.decision.phase, core::Phase::open);
  EXPECT_EQ(this->apply(core::Acquire{this->token(1)}).reply.ruling, core::Ruling::probe_granted);
}

TYPED_TEST_P(StoreContract, AnEvaluateTripsWhatHasSettled) {
  this->config.flush_interval = std::chrono::milliseconds{100};
  core::Report event = this->report(0, core::Verb::failure);
  event.flush_interval = std::chrono::milliseconds{100};
  StoreReply last;
  for (int i = 0; i < this->config.threshold; ++i) last = this->apply(event);
  EXPECT_EQ(last.decision.phase, core::Phase::closed);
  ASSERT_EQ(last.reply.settles_at, last.now + std::chrono::milliseconds{200});
  this->fixture.advance(std::chrono::milliseconds{200});
  EXPECT_EQ(this->apply(core::Evaluate{}).decision.phase, core::Phase::open);
}

TYPED_TEST_P(StoreContract, ManyThreadsGetOneProbe) {
  for (int round = 0; round < 20; ++round) {
    const std::string provider = "p" + std::to_string(round);
    this->trip(provider);
    this->fixture.advance(this->config.base_cooldown);
    std::atomic<int> probes{0};
    std::vector<std::thread> threads;
    for (std::uint64_t i = 1; i <= 8; ++i)
      threads.emplace_back([&, i] {
        if (this->apply(core::Acquire{this->token(i)}, {}, provider).reply.ruling ==
            core::Ruling::probe_granted)
          ++probes;
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(probes, 1);
  }
}

TYPED_TEST_P(StoreContract, EveryHandlerIsCalledExactlyOnce) {
  constexpr std::size_t calls = 300;
  std::vector<std::atomic<int>> called(calls);
  std::atomic<std::size_t> left{calls};
  std::promise<void> all;
  for (std::size_t i = 0; i < calls; ++i) {
    const auto answered = [&, i] {
      ++called[i];
      if (--left == 0) all.set_value();
    };
    if (i % 2 == 0)
      this->fixture.store().read("nominatim", [answered](const Result<Reading>& answer) {
        EXPECT_TRUE(answer);
        answered();
      });
    else
      this->fixture.store().apply({"nominatim", core::Evaluate{}, this->config, {}},
                                  [answered](const Result<StoreReply>& answer) {
                                    EXPECT_TRUE(answer);
                                    answered();
                                  });
  }
  ASSERT_EQ(all.get_future().wait_for(std::chrono::seconds{20}), std::future_status::ready);
  for (const std::atomic<int>& count : called) EXPECT_EQ(count, 1);
}

REGISTER_TYPED_TEST_SUITE_P(StoreContract, AProviderNeverHeardOfIsClosedAndHasVersionZero,
                            ReadingTakesNoProbe, EveryAnswerCarriesTheDecisionThatAReadShowsThen,
                            TheFullCycleClosedOpenHalfOpenClosed, ALateReportChangesNothing,
                            ProvidersDoNotTouchEachOther, AnyNameIsAProvider,
                            ALostStateIsWrittenAnewFromWhatACallerKnows, APauseIsOnlyEverExtended,
                            AnOperatorIsObeyed, AnEvaluateTripsWhatHasSettled, ManyThreadsGetOneProbe,
                            EveryHandlerIsCalledExactlyOnce);

}  // namespace geobreaker::testing
