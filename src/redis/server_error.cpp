#include "redis/server_error.hpp"

#include <array>

namespace geobreaker::redis {

Reaction reaction_to(std::string_view error) noexcept {
  if (error.substr(0, 8) == "NOSCRIPT") return Reaction::reload;
  // NOAUTH appears if the server was given a password while we were connected.
  constexpr std::array<std::string_view, 8> useless{"LOADING", "BUSY",     "READONLY",    "MASTERDOWN",
                                                    "NOAUTH",  "TRYAGAIN", "CLUSTERDOWN", "NOREPLICAS"};
  for (const std::string_view word : useless)
    if (error.substr(0, word.size()) == word) return Reaction::retest;
  // Servers before 7 wrap a script's error: "ERR Error running script (...): @user_script: 9: -READONLY You
  // can't ..."
  if (error.find("-READONLY ") != std::string_view::npos) return Reaction::retest;
  return Reaction::refuse;
}

}  // namespace geobreaker::redis
