#include "redis/store_time.hpp"

#include <algorithm>

namespace geobreaker::redis {

namespace {

/// 500 millionths: the bound to which NTP disciplines a clock's rate.
constexpr int drift_divisor = 2000;

Micros since_start(SteadyTime at) noexcept {
  return std::chrono::duration_cast<Micros>(at.time_since_epoch());
}

}  // namespace

Micros StoreTime::error_at(SteadyTime now) const noexcept {
  return error_ + std::chrono::duration_cast<Micros>(now - measured_at_) / drift_divisor;
}

void StoreTime::measured(SharedTime store, SteadyTime sent, SteadyTime received) noexcept {
  const Micros half = std::max(Micros{0}, since_start(received) - since_start(sent)) / 2;
  const Micros offset = store.time_since_epoch() - since_start(sent) - half;
  const Micros now_error = error_at(received);
  // A worse measurement is passed over, unless it contradicts what is known: then the store's clock has been
  // set.
  if (known_ && half > now_error && std::chrono::abs(offset - offset_) <= half + now_error) return;
  known_ = true;
  offset_ = offset;
  error_ = half;
  measured_at_ = received;
}

SharedTime StoreTime::at(SteadyTime now) const noexcept { return SharedTime{since_start(now) + offset_}; }

}  // namespace geobreaker::redis
