#include "batch/provider_view.hpp"

namespace geobreaker {

namespace {

std::string with_time_left(std::string word, Micros left) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(left).count();
  return word + " " + std::to_string(seconds) + "s";
}

std::string state_of(const Breaker& breaker) {
  const core::Answer answer = breaker.peek();
  const core::Decision known = breaker.known();
  switch (answer.verdict) {
    case core::Verdict::admit:
      return "closed";
    case core::Verdict::may_probe:
      return "probe due";
    case core::Verdict::refuse:
      break;
  }
  switch (answer.refusal) {
    case core::Refusal::forced_open:
      return "forced-open";
    case core::Refusal::paused_rate:
    case core::Refusal::paused_quota:
      return with_time_left("paused", answer.retry_after);
    case core::Refusal::breaker_open:
      break;
  }
  return known.phase == core::Phase::half_open ? "half-open" : with_time_left("open", answer.retry_after);
}

}  // namespace

std::vector<ProviderView> view_providers(const FallbackChain& chain) {
  std::vector<ProviderView> views;
  for (const ChainLink& link : chain.links())
    views.push_back({link.name, state_of(link.stack->breaker()), link.stack->counts(),
                     link.stack->breaker().counts(), link.stack->last_trouble()});
  return views;
}

}  // namespace geobreaker
