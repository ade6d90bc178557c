#include "breaker/local_breaker.hpp"

#include <utility>

namespace geobreaker::detail {

void LocalBreaker::inherit(const core::Decision& known, SharedTime now) {
  state_ = core::transition({}, core::Evaluate{}, config_, now, known).next;
}

core::Reply LocalBreaker::apply(const core::Event& event, SharedTime now) {
  core::Transition made = core::transition(std::move(state_), event, config_, now);
  state_ = std::move(made.next);
  return std::move(made.reply);
}

}  // namespace geobreaker::detail
