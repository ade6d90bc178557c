#include "batch/parking_lot.hpp"

#include "batch/row.hpp"

#include <gtest/gtest.h>

#include <array>

namespace geobreaker {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct ParkingLotTest : testing::Test {
  ParkingLot lot{2};
  std::array<Row, 8> rows;
  SteadyTime now{std::chrono::hours{1}};

  Parked skipped(SteadyClock::duration wait, std::size_t link = 0) {
    return {now + wait, now + std::chrono::minutes{10}, link, true};
  }
  Parked failed(SteadyClock::duration wait, std::size_t link = 0) {
    return {now + wait, now + std::chrono::minutes{10}, link, false};
  }
  std::size_t due() {
    std::size_t count = 0;
    while (lot.take_due(now) != nullptr) ++count;
    return count;
  }
};

TEST_F(ParkingLotTest, SendsOneRowToLookAndHoldsTheOthersBack) {
  for (Row& row : rows) lot.park(row, skipped(milliseconds{500}), now);
  EXPECT_EQ(due(), 0U);
  EXPECT_EQ(lot.next_due(), now + milliseconds{500});
  now += milliseconds{500};
  EXPECT_EQ(due(), 1U);
  EXPECT_EQ(lot.size(), 7U);
}

TEST_F(ParkingLotTest, LetsAllGoOnceTheProviderAnswers) {
  for (Row& row : rows) lot.park(row, skipped(milliseconds{500}), now);
  now += milliseconds{500};
  ASSERT_EQ(due(), 1U);
  lot.answered(0);
  EXPECT_EQ(due(), 7U);
  EXPECT_EQ(lot.size(), 0U);
  EXPECT_FALSE(lot.next_due());
}

TEST_F(ParkingLotTest, ARefusedLookHoldsEverybodyAgain) {
  for (Row& row : rows) lot.park(row, skipped(milliseconds{500}), now);
  now += milliseconds{500};
  Row* scout = lot.take_due(now);
  ASSERT_NE(scout, nullptr);
  lot.park(*scout, skipped(milliseconds{800}), now);
  now += milliseconds{799};
  EXPECT_EQ(due(), 0U);
  now += milliseconds{1};
  EXPECT_EQ(due(), 1U);
}

TEST_F(ParkingLotTest, LooksOnceASecondEvenIfTheRefusalSaysLater) {
  lot.park(rows[0], skipped(std::chrono::minutes{5}), now);
  EXPECT_EQ(lot.next_due(), now + seconds{1});
}

TEST_F(ParkingLotTest, AnAnswerFromOneProviderDoesNotFreeThoseWhoWaitForAnother) {
  lot.park(rows[0], skipped(seconds{1}, 0), now);
  lot.park(rows[1], skipped(seconds{1}, 1), now);
  lot.answered(1);
  EXPECT_EQ(lot.take_due(now), &rows[1]);
  EXPECT_EQ(lot.take_due(now), nullptr);
}

TEST_F(ParkingLotTest, ARowWhoseCallFailedWaitsItsOwnTime) {
  lot.park(rows[0], failed(seconds{30}), now);
  lot.answered(0);
  EXPECT_EQ(due(), 0U);
  now += seconds{30};
  EXPECT_EQ(due(), 1U);
}

TEST_F(ParkingLotTest, PatienceEndsEvenWhileTheProviderRefuses) {
  Parked impatient = skipped(seconds{1});
  impatient.give_up = now + milliseconds{300};
  lot.park(rows[0], impatient, now);
  lot.park(rows[1], skipped(seconds{1}), now);
  EXPECT_EQ(lot.next_due(), now + milliseconds{300});
  now += milliseconds{300};
  EXPECT_EQ(lot.take_due(now), &rows[0]);
  EXPECT_EQ(lot.take_due(now), nullptr);
}

}  // namespace
}  // namespace geobreaker
