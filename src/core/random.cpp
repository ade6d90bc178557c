#include <geobreaker/random.hpp>

#include <sys/random.h>

namespace geobreaker {

std::uint64_t SystemRandom::next() noexcept {
  std::uint64_t value = 0;
  // Requests of up to 256 bytes are never cut short once the system has booted; EINTR before that is the only
  // reason to ask again.
  while (getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value)) {
  }
  return value;
}

std::uint64_t SeededRandom::next() noexcept {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace geobreaker
