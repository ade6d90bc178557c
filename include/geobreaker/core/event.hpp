#pragma once

#include <geobreaker/core/state.hpp>

#include <optional>
#include <string>
#include <variant>

namespace geobreaker::core {

/// May one call go ahead? The token is used only if the answer is a probe; asking again with it is
/// idempotent. An empty token never takes the probe: if only a probe may go, the answer is a refusal with
/// retry_after zero.
struct Acquire {
  LeaseToken token{};
};

struct PauseRequest {
  Micros duration{};
  PauseReason reason = PauseReason::rate;
};

enum class Verb : std::uint8_t { success = 0, failure = 1, neutral = 2 };

/// The end of one permit, together with successes that its process had not sent yet.
struct Report {
  std::int64_t epoch = 0;  ///< of the permit
  LeaseToken token{};      ///< empty: an ordinary permit
  Verb verb = Verb::success;
  std::int64_t successes_before = 0;  ///< of the same epoch, counted ahead of this outcome
  Micros age{};                       ///< how long ago the outcome was seen, on the reporter's own clock
  Micros flush_interval{};            ///< what the reporter batches by; 0: it sends everything at once
  std::string reporter{};             ///< the host, letters, digits, '.', '_' and '-' only
  std::optional<PauseRequest> pause{};
};

/// No outcome: only asks whether a rule that held has settled meanwhile.
struct Evaluate {};

/// Leave the provider alone for a while; never shortens a pause.
struct Pause {
  PauseRequest request;
};

enum class Action : std::uint8_t { open = 0, close = 1, automatic = 2, unpause = 3 };

/// An operator's act. `duration` bounds open and close.
struct Operate {
  Action action = Action::automatic;
  Micros duration{std::chrono::hours{24}};
};

using Event = std::variant<Acquire, Report, Evaluate, Pause, Operate>;

}  // namespace geobreaker::core
