#include "batch/run_log.hpp"

#include "batch/printable.hpp"

#include <boost/asio/post.hpp>

namespace geobreaker {

void RunLog::on_phase_change(std::string_view provider, const core::PhaseChange& change) {
  say("breaker " + std::string(provider) + ": " + std::string(to_string(change.from)) + " -> " +
      std::string(to_string(change.to)) + " (" + std::string(to_string(change.cause)) + ")");
}

void RunLog::on_store_lost(std::string_view provider, const Error& why) {
  say("store: lost for " + std::string(provider) + ", this process decides alone (" + why.detail + ")");
}

void RunLog::on_store_back(std::string_view provider) { say("store: back for " + std::string(provider)); }

/// The store's thread may be the one that tells: the line is printed where everything else is.
void RunLog::say(std::string line) {
  boost::asio::post(executor_, [print = print_, line = std::move(line)] { print(printable(line)); });
}

}  // namespace geobreaker
