#include "geocode/words.hpp"

#include <geobreaker/geocode/outcome.hpp>

namespace geobreaker {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 10> outcome_words{
    "ok",   "no-match",       "bad-request", "rate-limited", "quota-exhausted",
    "auth", "provider-error", "timeout",     "network",      "cancelled"};
constexpr std::array<std::string_view, 7> skip_words{"not-routed",   "auth-disabled", "paused-rate",
                                                     "paused-quota", "bulkhead-full", "breaker-open",
                                                     "forced-open"};
static_assert(outcome_words[static_cast<std::size_t>(Outcome::cancelled)] == "cancelled");
static_assert(skip_words[static_cast<std::size_t>(SkipReason::forced_open)] == "forced-open");

}  // namespace

std::string_view to_string(Outcome outcome) noexcept { return detail::word_of(outcome_words, outcome); }

std::string_view to_string(SkipReason reason) noexcept { return detail::word_of(skip_words, reason); }

std::optional<Outcome> outcome_from(std::string_view word) noexcept {
  return detail::enumerator_of<Outcome>(outcome_words, word);
}

std::optional<SkipReason> skip_reason_from(std::string_view word) noexcept {
  return detail::enumerator_of<SkipReason>(skip_words, word);
}

}  // namespace geobreaker
