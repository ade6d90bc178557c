#include "support/virtual_time.hpp"

#include <geobreaker/stack/rate_limiter.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <vector>

namespace geobreaker {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

asio::awaitable<void> take_turn(RateLimiter& limiter, Clock& clock, std::vector<SteadyTime>& turns) {
  co_await limiter.wait_for_turn();
  turns.push_back(clock.steady_now());
}

struct RateLimiterTest : testing::Test {
  asio::io_context context;
  test::VirtualTime time;
  std::vector<SteadyTime> turns;

  void ask(RateLimiter& limiter, int times) {
    for (int i = 0; i < times; ++i) asio::co_spawn(context, take_turn(limiter, time, turns), asio::detached);
  }
  void until(std::size_t count) {
    time.run(context, [&]() -> asio::awaitable<bool> {
      while (turns.size() < count) co_await time.wait_until(time.steady_now() + milliseconds{1});
      co_return true;
    }());
  }
};

TEST_F(RateLimiterTest, SpacesTurnsEvenlyHoweverManyAskAtOnce) {
  RateLimiter limiter(milliseconds{500}, time, time);
  const SteadyTime start = time.steady_now();
  ask(limiter, 5);
  until(5);
  ASSERT_EQ(turns.size(), 5U);
  for (std::size_t i = 0; i < turns.size(); ++i) EXPECT_EQ(turns[i] - start, milliseconds{500} * i);
}

TEST_F(RateLimiterTest, SavesNoTurnsUpWhileNobodyAsks) {
  RateLimiter limiter(milliseconds{500}, time, time);
  ask(limiter, 1);
  until(1);
  time.advance(std::chrono::minutes{10});
  const SteadyTime later = time.steady_now();
  ask(limiter, 2);
  until(3);
  EXPECT_EQ(turns[1], later);
  EXPECT_EQ(turns[2] - later, milliseconds{500});
}

TEST_F(RateLimiterTest, LetsEverybodyGoSoonAfterStop) {
  RateLimiter limiter(std::chrono::hours{1}, time, time);
  ask(limiter, 3);
  until(1);
  const SteadyTime stopped = time.steady_now();
  limiter.stop();
  until(3);
  EXPECT_LE(time.steady_now() - stopped, milliseconds{250});
}

TEST_F(RateLimiterTest, WithoutALimitNobodyWaits) {
  RateLimiter limiter(std::nullopt, time, time);
  const SteadyTime start = time.steady_now();
  ask(limiter, 1000);
  until(1000);
  EXPECT_EQ(turns.back(), start);
}

}  // namespace
}  // namespace geobreaker
