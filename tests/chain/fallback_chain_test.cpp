#include "support/stack_fixture.hpp"

#include <geobreaker/chain/fallback_chain.hpp>

#include <gtest/gtest.h>

#include <deque>
#include <set>

namespace geobreaker {
namespace {

using std::chrono::seconds;
using test::answered;
using test::Layered;
using test::query;
using test::replied;
using test::World;

struct FallbackChainTest : testing::Test {
  World world;
  std::deque<Layered> layers;
  ChainPolicy policy;
  RecordProgress progress;
  std::optional<Precision> accept_of_last;

  static CallStackOptions one_attempt() {
    CallStackOptions options;
    options.retry.attempts = 1;
    return options;
  }
  Layered& add(std::string name, Precision best, test::ScriptedProvider::Script script,
               BreakerConfig config = {}) {
    return layers.emplace_back(world, std::move(name), best, std::move(script), config, one_attempt());
  }
  Layered& add(std::string name, Precision best, Outcome outcome) {
    return add(std::move(name), best, [=](const AddressQuery&) {
      return outcome == Outcome::ok ? answered(best) : replied(outcome);
    });
  }
  FallbackChain chain() {
    std::vector<ChainLink> links;
    for (Layered& l : layers) links.push_back({l.breaker.provider(), &l.stack, std::nullopt});
    if (accept_of_last) links.back().accept = accept_of_last;
    return FallbackChain(std::move(links), policy, world.time);
  }
  ChainStep walk(FallbackChain& chain) {
    const AddressQuery what = query("Musterweg 7");
    return world.time.run(world.context, chain.walk(what, progress));
  }
  RecordStatus finished(FallbackChain& chain) { return std::get<Finished>(walk(chain)).status; }
  Parked parked(FallbackChain& chain) { return std::get<Parked>(walk(chain)); }
  void trip(Layered& l) {
    world.store.apply({l.breaker.provider(),
                       core::Operate{core::Action::open, std::chrono::hours{24}},
                       BreakerConfig{},
                       {}},
                      [](const Result<StoreReply>&) {});
  }
  /// An open breaker with its cool-down, as failures leave it behind.
  void open(Layered& l) {
    for (int i = 0; i < 5; ++i) std::get<Permit>(*l.breaker.try_acquire()).mark_sent();
    std::vector<Permit> permits;
    for (int i = 0; i < 5; ++i) permits.push_back(std::get<Permit>(*l.breaker.try_acquire()));
    for (Permit& permit : permits) std::move(permit).failure();
  }
};

TEST_F(FallbackChainTest, StopsAtTheFirstAnswerThatIsGoodEnough) {
  add("a", Precision::rooftop, Outcome::ok);
  Layered& b = add("b", Precision::rooftop, Outcome::ok);
  auto c = chain();
  EXPECT_EQ(finished(c), RecordStatus::ok);
  EXPECT_EQ(c.tried(progress), "a:ok");
  EXPECT_TRUE(b.provider.calls.empty());
}

TEST_F(FallbackChainTest, GoesOnAfterNoMatchAndBadRequest) {
  add("a", Precision::rooftop, Outcome::no_match);
  add("b", Precision::rooftop, Outcome::bad_request);
  add("c", Precision::rooftop, Outcome::ok);
  auto c = chain();
  EXPECT_EQ(finished(c), RecordStatus::ok);
  EXPECT_EQ(c.tried(progress), "a:no-match|b:bad-request|c:ok");
  EXPECT_EQ(progress.best_link, 2U);
}

TEST_F(FallbackChainTest, NoMatchIsSaidOnlyWhenEverybodyWasAskedAndAnswered) {
  policy.on_skip = OnSkip::next;
  add("a", Precision::rooftop, Outcome::no_match);
  add("b", Precision::rooftop, Outcome::no_match);
  auto all_answered = chain();
  EXPECT_EQ(finished(all_answered), RecordStatus::no_match);

  progress = {};
  add("c", Precision::rooftop, Outcome::provider_error);
  auto one_failed = chain();
  EXPECT_EQ(finished(one_failed), RecordStatus::failed);
  EXPECT_EQ(one_failed.tried(progress), "a:no-match|b:no-match|c:provider-error");
}

TEST_F(FallbackChainTest, ASkippedProviderMakesTheRecordFailedNotNoMatch) {
  policy.on_skip = OnSkip::next;
  trip(add("a", Precision::rooftop, Outcome::ok));
  add("b", Precision::rooftop, Outcome::no_match);
  auto c = chain();
  EXPECT_EQ(finished(c), RecordStatus::failed);
  EXPECT_EQ(c.tried(progress), "a:forced-open|b:no-match");
}

TEST_F(FallbackChainTest, BadRequestWhenEverybodySaysSo) {
  add("a", Precision::rooftop, Outcome::bad_request);
  add("b", Precision::rooftop, Outcome::bad_request);
  auto c = chain();
  EXPECT_EQ(finished(c), RecordStatus::bad_request);
}

TEST_F(FallbackChainTest, WithoutAProviderOfStreetsACityPointIsOk) {
  add("gazetteer", Precision::locality, Outcome::ok);
  auto c = chain();
  EXPECT_EQ(c.wanted(), Precision::locality);
  EXPECT_EQ(finished(c), RecordStatus::ok);
}

TEST_F(FallbackChainTest, BesideAProviderOfStreetsACityPointIsBelowThreshold) {
  add("streets", Precision::rooftop, Outcome::no_match);
  add("gazetteer", Precision::locality, Outcome::ok);
  auto c = chain();
  EXPECT_EQ(c.wanted(), Precision::street);
  EXPECT_EQ(finished(c), RecordStatus::below_threshold);
  EXPECT_EQ(progress.best->precision, Precision::locality);
  EXPECT_EQ(c.tried(progress), "streets:no-match|gazetteer:ok");
}

TEST_F(FallbackChainTest, AProvidersOwnAcceptMakesItsCoarseAnswerGoodEnough) {
  add("streets", Precision::rooftop, Outcome::no_match);
  add("gazetteer", Precision::locality, Outcome::ok);
  accept_of_last = Precision::locality;
  auto c = chain();
  EXPECT_EQ(finished(c), RecordStatus::ok);
}

TEST_F(FallbackChainTest, AWorseLaterAnswerNeverReplacesABetterOne) {
  add("a", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::postcode); });
  add("b", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::country); });
  add("c", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::postcode, {1, 2}); });
  auto c = chain();
  EXPECT_EQ(finished(c), RecordStatus::below_threshold);
  EXPECT_EQ(progress.best_link, 0U);
  EXPECT_EQ(progress.best->at, (Coordinates{48.1, 11.5}));
}

TEST_F(FallbackChainTest, ParksWhileTheProviderOfStreetsIsOpenAndDoesNotAskTheCoarserOne) {
  Layered& streets = add("streets", Precision::rooftop, Outcome::ok);
  Layered& gazetteer = add("gazetteer", Precision::locality, Outcome::ok);
  open(streets);
  auto c = chain();
  const Parked p = parked(c);
  EXPECT_EQ(p.link, 0U);
  EXPECT_TRUE(p.skipped);
  EXPECT_EQ(p.until - world.time.steady_now(), seconds{30});
  EXPECT_TRUE(gazetteer.provider.calls.empty());
  EXPECT_EQ(c.tried(progress), "streets:breaker-open");

  world.time.advance(seconds{30});
  EXPECT_EQ(finished(c), RecordStatus::ok);
  EXPECT_EQ(c.tried(progress), "streets:ok");
}

TEST_F(FallbackChainTest, AsksTheNextCapableProviderBeforeItParks) {
  open(add("a", Precision::rooftop, Outcome::ok));
  add("b", Precision::rooftop, Outcome::ok);
  auto c = chain();
  EXPECT_EQ(finished(c), RecordStatus::ok);
  EXPECT_EQ(c.tried(progress), "a:breaker-open|b:ok");
}

TEST_F(FallbackChainTest, OnSkipNextGoesToTheCoarserProviderAtOnce) {
  policy.on_skip = OnSkip::next;
  open(add("streets", Precision::rooftop, Outcome::ok));
  add("gazetteer", Precision::locality, Outcome::ok);
  auto c = chain();
  EXPECT_EQ(finished(c), RecordStatus::below_threshold);
  EXPECT_EQ(c.tried(progress), "streets:breaker-open|gazetteer:ok");
}

TEST_F(FallbackChainTest, GoesToTheCoarserProviderAfterMaxWait) {
  policy.max_wait = seconds{50};
  trip(add("streets", Precision::rooftop, Outcome::ok));
  add("gazetteer", Precision::locality, Outcome::ok);
  auto c = chain();
  const SteadyTime start = world.time.steady_now();
  const Parked p = parked(c);
  EXPECT_EQ(p.until - start, seconds{50}) << "no longer than the record's patience";
  EXPECT_EQ(p.give_up - start, seconds{50});
  world.time.advance(seconds{50});
  EXPECT_EQ(finished(c), RecordStatus::below_threshold);
  EXPECT_EQ(c.tried(progress), "streets:forced-open|gazetteer:ok");
}

TEST_F(FallbackChainTest, AllProvidersOpenWaitsAndThenFailsWithAllReasons) {
  policy.max_wait = seconds{20};
  trip(add("a", Precision::rooftop, Outcome::ok));
  open(add("b", Precision::rooftop, Outcome::ok));
  auto c = chain();
  const Parked p = parked(c);
  EXPECT_EQ(p.until - world.time.steady_now(), seconds{20});
  world.time.advance(seconds{20});
  EXPECT_EQ(finished(c), RecordStatus::failed);
  EXPECT_EQ(c.tried(progress), "a:forced-open|b:breaker-open");
}

TEST_F(FallbackChainTest, ARecordThatMakesAProviderFailGoesOnAfterThreeRounds) {
  Layered& streets = add("streets", Precision::rooftop, Outcome::provider_error);
  add("gazetteer", Precision::locality, Outcome::ok);
  auto c = chain();
  for (const int wait : {30, 60}) {
    const Parked p = parked(c);
    EXPECT_FALSE(p.skipped);
    EXPECT_NEAR(std::chrono::duration<double>(p.until - world.time.steady_now()).count(), wait, 0.1);
    world.time.advance(seconds{wait});
  }
  EXPECT_EQ(finished(c), RecordStatus::below_threshold);
  EXPECT_EQ(streets.provider.calls.size(), 3U);
  EXPECT_EQ(c.tried(progress), "streets:provider-error|gazetteer:ok");
}

TEST_F(FallbackChainTest, ThrottlingParksTheRecordUntilThePauseEnds) {
  bool throttled = true;
  add("streets", Precision::rooftop, [&](const AddressQuery&) {
    if (!throttled) return answered(Precision::rooftop);
    ProviderReply reply = replied(Outcome::rate_limited);
    reply.pause = seconds{40};
    return reply;
  });
  add("gazetteer", Precision::locality, Outcome::ok);
  auto c = chain();
  const Parked p = parked(c);
  EXPECT_NEAR(std::chrono::duration<double>(p.until - world.time.steady_now()).count(), 40, 0.1);
  EXPECT_EQ(c.tried(progress), "streets:rate-limited");
  throttled = false;
  world.time.advance(seconds{40});
  EXPECT_EQ(finished(c), RecordStatus::ok);
}

TEST_F(FallbackChainTest, APauseThatOutlastsThePatienceIsNotWaitedFor) {
  add("streets", Precision::rooftop, Outcome::quota_exhausted);
  add("gazetteer", Precision::locality, Outcome::ok);
  policy.max_wait = std::chrono::minutes{10};
  auto c = chain();
  EXPECT_EQ(finished(c), RecordStatus::below_threshold);
  EXPECT_EQ(c.tried(progress), "streets:quota-exhausted|gazetteer:ok");
  progress = {};
  EXPECT_EQ(finished(c), RecordStatus::below_threshold);
  EXPECT_EQ(c.tried(progress), "streets:paused-quota|gazetteer:ok");
}

TEST_F(FallbackChainTest, NobodyWaitsForAKeyToBePutRight) {
  add("streets", Precision::rooftop, Outcome::auth);
  add("gazetteer", Precision::locality, Outcome::ok);
  auto c = chain();
  EXPECT_EQ(finished(c), RecordStatus::below_threshold);
  progress = {};
  EXPECT_EQ(finished(c), RecordStatus::below_threshold);
  EXPECT_EQ(c.tried(progress), "streets:auth-disabled|gazetteer:ok");
}

TEST_F(FallbackChainTest, AProviderThatAnsweredIsNotAskedAgainAfterParking) {
  Layered& a = add("a", Precision::rooftop, Outcome::no_match);
  Layered& b = add("b", Precision::rooftop, Outcome::ok);
  open(b);
  auto c = chain();
  parked(c);
  world.time.advance(seconds{30});
  EXPECT_EQ(finished(c), RecordStatus::ok);
  EXPECT_EQ(a.provider.calls.size(), 1U);
  EXPECT_EQ(c.tried(progress), "a:no-match|b:ok");
}

TEST(Words, NoOutcomeWordEqualsASkipWord) {
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < outcome_count; ++i) words.insert(to_string(static_cast<Outcome>(i)));
  for (std::size_t i = 0; i < skip_reason_count; ++i) words.insert(to_string(static_cast<SkipReason>(i)));
  EXPECT_EQ(words.size(), outcome_count + skip_reason_count);
}

}  // namespace
}  // namespace geobreaker
