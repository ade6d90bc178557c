#include <geobreaker/store/memory_store.hpp>

namespace geobreaker {

void MemoryStore::read(std::string_view provider, ReadHandler done) {
  Reading reading;
  {
    const std::lock_guard lock(mutex_);
    reading.now = clock_.shared_now();
    if (const auto found = states_.find(provider); found != states_.end()) reading.decision = found->second.decision;
  }
  done(std::move(reading));
}

std::optional<StoreReply> MemoryStore::apply_at_once(const StoreCall& call) {
  StoreReply answer;
  const std::lock_guard lock(mutex_);
  answer.now = clock_.shared_now();
  auto found = states_.find(call.provider);
  if (found == states_.end()) found = states_.emplace(std::string(call.provider), core::BreakerState{}).first;
  core::Transition made =
      core::transition(std::move(found->second), call.event, call.config, answer.now, call.carried);
  found->second = std::move(made.next);
  answer.decision = found->second.decision;
  answer.reply = std::move(made.reply);
  return answer;
}

void MemoryStore::apply(const StoreCall& call, ApplyHandler done) { done(*apply_at_once(call)); }

core::BreakerState MemoryStore::state(std::string_view provider) const {
  const std::lock_guard lock(mutex_);
  const auto found = states_.find(provider);
  return found == states_.end() ? core::BreakerState{} : found->second;
}

void MemoryStore::clear() {
  const std::lock_guard lock(mutex_);
  states_.clear();
}

}  // namespace geobreaker
