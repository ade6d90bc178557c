#pragma once

#include <geobreaker/core/transition.hpp>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace geobreaker {
std::ostream& operator<<(std::ostream& out, const BreakerConfig& config);
}

namespace geobreaker::testing {

/// One event in terms that shrink well: what depends on the state is named here and filled in when the step
/// is made.
struct Step {
  enum class Kind { acquire, report, evaluate, pause, operate };
  enum class Which { current, previous, wrong };  ///< epoch and token of a report
  enum class Clock { advance, to_open_until, to_lease_end, to_pause_end, to_forced_end, to_settling };
  enum class Carried { none, latest, older, ahead };
  Kind kind = Kind::acquire;
  Clock clock = Clock::advance;
  std::int64_t microseconds = 0;  ///< added to the clock's target; may be negative
  Carried carried = Carried::none;
  bool loses_store = false;    ///< all keys vanish before it
  bool second_config = false;  ///< a worker that is configured differently
  int token = 0;               ///< acquire: which of a few
  Which epoch = Which::current;
  bool of_a_probe = false;  ///< report: under the token of the latest grant (if `which_token` is current)
  Which which_token = Which::current;
  core::Verb verb = core::Verb::success;
  std::int64_t successes_before = 0;
  Micros age{};
  Micros flush{};
  int reporter = 0;
  std::optional<core::PauseRequest> pause;
  core::Action action = core::Action::automatic;
  Micros duration{};
};

struct History {
  BreakerConfig first;
  BreakerConfig second;
  std::vector<Step> steps;
};

std::ostream& operator<<(std::ostream& out, const Step& step);

/// A readable listing, for the message of a failure.
[[nodiscard]] std::string described(const core::BreakerState& state);
[[nodiscard]] std::string described(const core::Reply& reply);

}  // namespace geobreaker::testing
