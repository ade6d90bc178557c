#include "geocode/words.hpp"

#include <geobreaker/geocode/record.hpp>

namespace geobreaker {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, record_status_count> status_words{
    "ok", "below-threshold", "no-match", "bad-request", "failed", "pending"};
constexpr std::array<std::string_view, 2> on_skip_words{"wait", "next"};

}  // namespace

std::string_view to_string(RecordStatus status) noexcept { return detail::word_of(status_words, status); }
std::optional<RecordStatus> record_status_from(std::string_view word) noexcept {
  return detail::enumerator_of<RecordStatus>(status_words, word);
}
std::string_view to_string(OnSkip on_skip) noexcept { return detail::word_of(on_skip_words, on_skip); }
std::optional<OnSkip> on_skip_from(std::string_view word) noexcept {
  return detail::enumerator_of<OnSkip>(on_skip_words, word);
}

}  // namespace geobreaker
