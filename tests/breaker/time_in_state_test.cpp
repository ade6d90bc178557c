// F18: closed + open + half-open add up to the time observed, per UTC day, whatever happens and whoever
// tells.
#include "breaker/breaker_fixture.hpp"

#include <geobreaker/metrics/time_in_state.hpp>

#include <algorithm>

namespace geobreaker::testing {
namespace {

using core::Cause;
using core::PhaseChange;

constexpr Micros day{24h};
constexpr SharedTime midnight{day * 19'675};

PhaseChange to(Phase from, Phase phase, SharedTime at) { return {from, phase, Cause::share, at}; }

TEST(TimeInState, NothingButClosedIsAWholeDayClosed) {
  const TimeInState times(midnight);
  EXPECT_EQ(times.total(midnight + day), (PhaseTimes{day, 0us, 0us}));
  EXPECT_EQ(times.days(midnight + day).size(), 1U) << "the next day has not begun";
  EXPECT_EQ(times.days(midnight + day + 1us).size(), 2U);
  EXPECT_TRUE(times.days(midnight).empty());
}

TEST(TimeInState, AScriptedDayAddsUpToTheMicrosecond) {
  TimeInState times(midnight);
  times.add(to(Phase::closed, Phase::open, midnight + 9h + 123us));
  times.add(to(Phase::open, Phase::half_open, midnight + 9h + 30s + 123us));
  times.add(to(Phase::half_open, Phase::open, midnight + 9h + 31s + 7us));
  times.add(to(Phase::open, Phase::half_open, midnight + 9h + 91s + 7us));
  times.add(to(Phase::half_open, Phase::closed, midnight + 9h + 92s));
  const PhaseTimes sum = times.total(midnight + day);
  EXPECT_EQ(sum.open, 90s);
  EXPECT_EQ(sum.half_open, (1s - 116us) + (1s - 7us));
  EXPECT_EQ(sum.total(), day);
}

TEST(TimeInState, APhaseThatCrossesMidnightIsSplitThere) {
  TimeInState times(midnight);
  times.add(to(Phase::closed, Phase::open, midnight + day - 10s));
  times.add(to(Phase::open, Phase::closed, midnight + 3 * day + 1s));
  const auto days = times.days(midnight + 4 * day);
  ASSERT_EQ(days.size(), 4U);
  EXPECT_EQ(days.at(midnight), (PhaseTimes{day - 10s, 10s, 0us}));
  EXPECT_EQ(days.at(midnight + day), (PhaseTimes{0us, day, 0us}));
  EXPECT_EQ(days.at(midnight + 2 * day), (PhaseTimes{0us, day, 0us}));
  EXPECT_EQ(days.at(midnight + 3 * day), (PhaseTimes{day - 1s, 1s, 0us}));
}

TEST(TimeInState, ALeaseThatRanOutUnnoticedIsBookedAtItsEndAlsoAfterAReport) {
  TimeInState times(midnight, Phase::half_open);
  EXPECT_EQ(times.total(midnight + 1h).half_open, 1h);
  times.add({Phase::half_open, Phase::open, Cause::lease_expired, midnight + 10s});
  EXPECT_EQ(times.total(midnight + 1h), (PhaseTimes{0us, 1h - 10s, 10s}));
}

TEST(TimeInState, TwoWorkersThatTellOfTheSameTransitionAreOne) {
  TimeInState times(midnight);
  for (int i = 0; i < 2; ++i) times.add(to(Phase::closed, Phase::open, midnight + 1h));
  times.add(to(Phase::closed, Phase::open, midnight + 1h + 20ms));
  for (int i = 0; i < 2; ++i) times.add(to(Phase::open, Phase::closed, midnight + 2h));
  EXPECT_EQ(times.total(midnight + day), (PhaseTimes{day - 1h, 1h, 0us}));
}

TEST(TimeInState, AChangeOlderThanTheLastLosesNoTime) {
  TimeInState times(midnight);
  times.add(to(Phase::closed, Phase::open, midnight + 2h));
  times.add(to(Phase::open, Phase::closed, midnight + 1h));
  EXPECT_EQ(times.total(midnight + day), (PhaseTimes{day, 0us, 0us}));
}

TEST(TimeInState, SumsPerDayEqualTheTimeObservedForAnyStream) {
  SeededRandom random(4242);
  for (int round = 0; round < 200; ++round) {
    const SharedTime begin = midnight + Micros{static_cast<std::int64_t>(random.next() % 200'000'000'000)};
    TimeInState times(begin, static_cast<Phase>(random.next() % 3));
    SharedTime now = begin;
    for (int i = 0; i < 100; ++i) {
      now += Micros{static_cast<std::int64_t>(random.next() % 20'000'000'000)};
      times.add(to(times.phase(), static_cast<Phase>(random.next() % 3), now));
    }
    now += 1s;
    EXPECT_EQ(times.total(now).total(), now - begin);
    for (const auto& [first, spent] : times.days(now)) {
      const Micros observed = std::min(now, first + day) - std::max(begin, first);
      EXPECT_EQ(spent.total(), observed) << "seed 4242";
    }
  }
}

/// Feeds the accumulator from the breaker itself.
class Accountant final : public BreakerObserver {
 public:
  explicit Accountant(SharedTime start) : times(start) {}
  void on_phase_change(std::string_view, const PhaseChange& change) override { times.add(change); }
  TimeInState times;
};

TEST(TimeInState, AScriptedDayOfARealBreakerOverMidnightAddsUpForBothOfItsWorkers) {
  ManualClock clock(midnight + 12h);
  MemoryStore store(clock);
  SeededRandom random(7);
  const auto make = [&](Accountant& accountant) {
    auto made = Breaker::create("nominatim", {}, store, clock, random, {.observer = &accountant});
    return std::move(made).value();
  };
  const SharedTime begin = clock.shared_now();
  Accountant one_books(begin);
  Accountant other_books(begin);
  Breaker one = make(one_books);
  Breaker other = make(other_books);

  clock.advance(11h + 59min + 50s);  // ten seconds to midnight
  fail(one, 5);
  rejection_of(other);
  clock.advance(30s);
  Permit lost = permit_of(one);  // its lease runs out, and nobody comes by for hours
  rejection_of(other);
  clock.advance(6h);
  permit_of(one).success();
  succeed(other);
  clock.advance(begin + day - clock.shared_now());

  const PhaseTimes expected_today{12h - 10s, 10s, 0us};
  const PhaseTimes expected_tomorrow{12h - (6h + 20s), 6h + 20s - 10s, 10s};
  const auto by_one = one_books.times.days(clock.shared_now());
  EXPECT_EQ(by_one.at(midnight).closed, expected_today.closed);
  EXPECT_EQ(by_one.at(midnight).open, expected_today.open);
  EXPECT_EQ(by_one.at(midnight + day), expected_tomorrow);
  EXPECT_EQ(by_one.at(midnight).total() + by_one.at(midnight + day).total(), day);
  for (const Accountant* books : {&one_books, &other_books})
    EXPECT_EQ(books->times.total(clock.shared_now()).total(), Micros{86'400'000'000});
  std::move(lost).neutral();
}

}  // namespace
}  // namespace geobreaker::testing
