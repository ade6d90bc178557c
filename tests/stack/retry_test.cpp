#include <geobreaker/stack/auth_guard.hpp>
#include <geobreaker/stack/retry.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace geobreaker {
namespace {

using std::chrono::milliseconds;

TEST(Backoff, IsDrawnEvenlyBelowACapThatDoublesPerAttempt) {
  const RetryPolicy policy{.attempts = 6, .base = milliseconds{200}, .max = milliseconds{1000}};
  SeededRandom random(1);
  const std::array<milliseconds, 5> caps{milliseconds{200}, milliseconds{400}, milliseconds{800},
                                         milliseconds{1000}, milliseconds{1000}};
  for (std::size_t i = 0; i < caps.size(); ++i) {
    std::chrono::microseconds least = caps[i], most{0};
    for (int draw = 0; draw < 2000; ++draw) {
      const auto wait = backoff(policy, static_cast<int>(i) + 2, random);
      least = std::min(least, wait);
      most = std::max(most, wait);
    }
    EXPECT_GE(least.count(), 0);
    EXPECT_LT(least, caps[i] / 20);
    EXPECT_LT(most, caps[i]);
    EXPECT_GT(most, caps[i] * 19 / 20);
  }
}

TEST(Backoff, NeverOverflows) {
  SeededRandom random(2);
  const RetryPolicy policy{.attempts = 1'000'000, .base = milliseconds{60'000}, .max = milliseconds{60'000}};
  EXPECT_LE(backoff(policy, 1'000'000, random), milliseconds{60'000});
}

TEST(AuthGuard, DisablesForFiveMinutesDoublingToAnHourUntilACallIsAccepted) {
  using std::chrono::minutes;
  AuthGuard guard;
  const SteadyTime now{minutes{100}};
  EXPECT_EQ(guard.disabled_for(now), SteadyClock::duration{0});
  for (const int expected : {5, 10, 20, 40, 60, 60}) {
    guard.refused(now);
    EXPECT_EQ(guard.disabled_for(now), minutes{expected});
  }
  EXPECT_EQ(guard.disabled_for(now + minutes{60}), SteadyClock::duration{0});
  guard.accepted();
  guard.refused(now);
  EXPECT_EQ(guard.disabled_for(now), minutes{5});
}

}  // namespace
}  // namespace geobreaker
