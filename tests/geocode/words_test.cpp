#include <geobreaker/geocode/answer.hpp>
#include <geobreaker/geocode/outcome.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace geobreaker {
namespace {

const std::vector<std::string> outcome_words{
    "ok",   "no-match",       "bad-request", "rate-limited", "quota-exhausted",
    "auth", "provider-error", "timeout",     "network",      "cancelled"};
const std::vector<std::string> skip_words{"not-routed",    "auth-disabled", "paused-rate", "paused-quota",
                                          "bulkhead-full", "breaker-open",  "forced-open"};

TEST(Words, EveryOutcomeHasItsWordAndComesBackFromIt) {
  for (std::size_t i = 0; i < outcome_words.size(); ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(to_string(outcome), outcome_words[i]);
    EXPECT_EQ(outcome_from(outcome_words[i]), outcome);
  }
  EXPECT_EQ(to_string(static_cast<Outcome>(outcome_words.size())), "") << "an outcome without a word here";
}

TEST(Words, EverySkipReasonHasItsWordAndComesBackFromIt) {
  for (std::size_t i = 0; i < skip_words.size(); ++i) {
    const auto reason = static_cast<SkipReason>(i);
    EXPECT_EQ(to_string(reason), skip_words[i]);
    EXPECT_EQ(skip_reason_from(skip_words[i]), reason);
  }
}

TEST(Words, NoOutcomeWordIsASkipWord) {
  std::set<std::string> all(outcome_words.begin(), outcome_words.end());
  all.insert(skip_words.begin(), skip_words.end());
  EXPECT_EQ(all.size(), outcome_words.size() + skip_words.size());
  for (const auto& word : skip_words) EXPECT_FALSE(outcome_from(word)) << word;
  for (const auto& word : outcome_words) EXPECT_FALSE(skip_reason_from(word)) << word;
}

TEST(Words, UnknownOrDifferentlyWrittenWordsAreNone) {
  for (const char* word : {"", "OK", "no_match", "ok ", "timeouts"}) EXPECT_FALSE(outcome_from(word)) << word;
  EXPECT_FALSE(precision_from("Street"));
}

TEST(Words, PrecisionsRankByValue) {
  const std::vector<std::string> ranked{"unknown",  "country", "region",       "locality",
                                        "postcode", "street",  "interpolated", "rooftop"};
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    EXPECT_EQ(to_string(static_cast<Precision>(i)), ranked[i]);
    EXPECT_EQ(precision_from(ranked[i]), static_cast<Precision>(i));
  }
  EXPECT_LT(Precision::locality, Precision::street);
}

TEST(Words, OnlyTheThreeFaultsOfAProviderAreFailures) {
  for (std::size_t i = 0; i < outcome_words.size(); ++i) {
    const auto outcome = static_cast<Outcome>(i);
    const bool expected = outcome_words[i] == "provider-error" || outcome_words[i] == "timeout" ||
                          outcome_words[i] == "network";
    EXPECT_EQ(is_failure(outcome), expected) << outcome_words[i];
  }
}

}  // namespace
}  // namespace geobreaker
