#pragma once

#include <cstdint>

namespace geobreaker {

/// The one seam through which chance enters: tokens, jitter, phases.
/// Threads: SystemRandom any, concurrently; SeededRandom one.
class Random {
 public:
  virtual ~Random() = default;
  [[nodiscard]] virtual std::uint64_t next() noexcept = 0;
  /// Evenly spread over [0, 1).
  [[nodiscard]] double unit() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
};

/// The system's random source, not a generator seeded from it: a token must not repeat in a forked child.
class SystemRandom final : public Random {
 public:
  [[nodiscard]] std::uint64_t next() noexcept override;
};

/// The same numbers for the same seed, for tests and simulations (splitmix64; Steele, Lea and Flood, 2014).
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) noexcept : state_(seed) {}
  [[nodiscard]] std::uint64_t next() noexcept override;

 private:
  std::uint64_t state_;
};

}  // namespace geobreaker
