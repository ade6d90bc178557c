// The breaker alone: five calls fail, and the next one is not made.
#include <geobreaker/breaker.hpp>
#include <geobreaker/store/memory_store.hpp>

#include <iostream>

int main() {
  geobreaker::SystemClock clock;
  geobreaker::SystemRandom random;
  geobreaker::MemoryStore store(clock);  // a fleet shares a RedisStore instead
  auto breaker = geobreaker::Breaker::create("maps", {}, store, clock, random);
  if (!breaker) {
    std::cerr << breaker.error().detail << '\n';
    return 2;
  }

  for (int call = 1; call <= 6; ++call) {
    auto admission = breaker->acquire_blocking();
    if (const auto* no = std::get_if<geobreaker::Rejection>(&admission)) {
      const auto wait = std::chrono::ceil<std::chrono::seconds>(no->retry_after);
      std::cout << "call " << call << ": not made, ask again in " << wait.count() << " s\n";
      continue;
    }
    auto permit = std::get<geobreaker::Permit>(std::move(admission));
    permit.mark_sent();  // here the provider would be called; this one is down
    std::move(permit).failure();
    std::cout << "call " << call << ": made, and failed\n";
  }
}
