#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace geobreaker {

/// What became of one record after the whole chain.
enum class RecordStatus : std::uint8_t {
  ok,               ///< an answer as precise as wanted
  below_threshold,  ///< the best answer there was is coarser than wanted
  no_match,         ///< every provider was asked and answered, and none found anything
  bad_request,      ///< no provider can make anything of it
  failed,           ///< no answer, and not everybody could be asked
  pending,          ///< not finished
};
inline constexpr std::size_t record_status_count = 6;

/// What a record does while the providers able to give the wanted precision are skipped or failing.
enum class OnSkip : std::uint8_t {
  wait,  ///< it is parked until one of them may be asked again: an outage must not quietly cost quality
  next,  ///< it goes on to the next provider at once
};

/// The words of output, configuration and command line; each is written in one place only.
[[nodiscard]] std::string_view to_string(RecordStatus status) noexcept;
[[nodiscard]] std::optional<RecordStatus> record_status_from(std::string_view word) noexcept;
[[nodiscard]] std::string_view to_string(OnSkip on_skip) noexcept;
[[nodiscard]] std::optional<OnSkip> on_skip_from(std::string_view word) noexcept;

}  // namespace geobreaker
