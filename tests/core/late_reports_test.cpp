// Stragglers: reports of calls that began in another epoch (F1, F4, stoplight, nestjs-redisx, go-redis,
// opossum).
#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace geobreaker::testing {
namespace {

Reply straggler(Machine& m, std::int64_t epoch, Verb verb) {
  return m.apply(Report{.epoch = epoch, .verb = verb, .successes_before = 3, .reporter = "host"});
}

void expect_nothing_but_late(Machine& m, std::int64_t epoch, Verb verb) {
  BreakerState expected = m.state;
  ++expected.tally.late;
  EXPECT_EQ(straggler(m, epoch, verb), late());
  EXPECT_EQ(m.state, expected);
}

TEST(LateReport, TwentyCallsInFlightOpenOnceWithTheBaseCooldownAndFifteenAreLate) {
  Machine m;
  const std::int64_t epoch = m.epoch();
  int opened = 0;
  for (int i = 0; i < 20; ++i) {
    opened += static_cast<int>(m.apply(Report{.epoch = epoch, .verb = Verb::failure}).changes.size());
    m.pass(50ms);
  }
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(m.decision().cooldown, 30s);
  EXPECT_EQ(m.decision().open_until, start + 200ms + 30s);
  EXPECT_EQ(m.decision().failed_probes, 0);
  EXPECT_EQ(m.state.tally.late, 15);
}

TEST(LateReport, WhileOpenChangesNothing) {
  Machine m = open_machine();
  m.pass(10s);
  for (const Verb verb : {Verb::success, Verb::failure, Verb::neutral}) expect_nothing_but_late(m, 0, verb);
}

TEST(LateReport, WhileHalfOpenNeitherClosesNorRestartsTheCooldown) {
  Machine m = probing_machine();
  for (const Verb verb : {Verb::success, Verb::failure, Verb::neutral}) expect_nothing_but_late(m, 0, verb);
  EXPECT_EQ(m.acquire(token_b).ruling, Ruling::refused) << "the lease still stands";
}

TEST(LateReport, AfterTheCloseDoesNotCountIntoTheNewWindow) {
  Machine m = probing_machine();
  const std::int64_t open_epoch = m.epoch();
  m.end_probe(Verb::success);
  for (int i = 0; i < 10; ++i) {
    expect_nothing_but_late(m, 0, Verb::failure);
    expect_nothing_but_late(m, open_epoch, Verb::failure);
  }
  EXPECT_EQ(m.phase(), Phase::closed);
}

TEST(LateReport, OfAnOperatorsEarlierEpochIsIgnored) {
  Machine m;
  for (int i = 0; i < 4; ++i) m.fail();
  m.apply(Operate{.action = Action::automatic});
  expect_nothing_but_late(m, 0, Verb::failure);
}

TEST(LateReport, OfAnEpochThatDoesNotExistYetIsIgnoredToo) {
  Machine m;
  for (int i = 0; i < 10; ++i) expect_nothing_but_late(m, m.epoch() + 1, Verb::failure);
}

TEST(LateReport, ATokenWithoutAGrantIsLate) {
  Machine m;
  EXPECT_EQ(m.end_probe(Verb::failure), late());
  Machine open = open_machine();
  EXPECT_EQ(open.end_probe(Verb::success), late());
  EXPECT_EQ(open.phase(), Phase::open);
}

TEST(LateReport, OfTheRightTokenButAnotherEpochIsLate) {
  Machine m = probing_machine();
  EXPECT_EQ(m.apply(Report{.epoch = m.epoch() - 1, .token = token_a, .verb = Verb::success}), late());
  EXPECT_EQ(m.phase(), Phase::half_open);
}

TEST(StaleReport, OlderThanTheShortWindowIsDroppedAndCounted) {
  Machine m;
  m.fail();
  BreakerState expected = m.state;
  const Report old{.verb = Verb::failure, .successes_before = 5, .age = 10s + 1us, .reporter = "host"};
  EXPECT_EQ(m.apply(old), (Reply{.ruling = Ruling::stale}));
  expected.tally.stale = 1;
  EXPECT_EQ(m.state, expected);
}

TEST(StaleReport, AsOldAsTheShortWindowStillCounts) {
  Machine m;
  EXPECT_EQ(m.apply(Report{.verb = Verb::failure, .age = 10s}).ruling, Ruling::accepted);
  EXPECT_EQ(m.state.window.run, 1);
}

TEST(StaleReport, AProbesOutcomeIsNeverTooOld) {
  Machine m = probing_machine();
  EXPECT_EQ(m.apply(Report{.epoch = m.epoch(), .token = token_a, .verb = Verb::success, .age = 1h}).ruling,
            Ruling::accepted);
  EXPECT_EQ(m.phase(), Phase::closed);
}

}  // namespace
}  // namespace geobreaker::testing
