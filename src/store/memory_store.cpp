#include <geobreaker/store/memory_store.hpp>

#include <algorithm>

namespace geobreaker {

namespace {

/// Below so many providers nobody looks for old ones; above, whenever their number has doubled.
constexpr std::size_t first_sweep = 1024;

SharedTime meant_until(const core::Decision& d, const BreakerConfig& config, SharedTime now) noexcept {
  return std::max({now, d.open_until, d.lease_end, d.pause_until, d.forced_until}) + config.window +
         config.max_cooldown + config.flap_guard;
}

}  // namespace

MemoryStore::MemoryStore(Clock& clock)
    : clock_(clock),
      shared_start_(clock.shared_now()),
      steady_start_(clock.steady_now()),
      sweep_at_(first_sweep) {}

SharedTime MemoryStore::now() const noexcept {
  return shared_start_ + std::chrono::duration_cast<Micros>(clock_.steady_now() - steady_start_);
}

void MemoryStore::read(std::string_view provider, ReadHandler done) {
  Reading reading;
  {
    const std::lock_guard lock(mutex_);
    reading.now = now();
    if (const auto found = providers_.find(provider); found != providers_.end())
      reading.decision = found->second.state.decision;
  }
  done(std::move(reading));
}

std::optional<StoreReply> MemoryStore::apply_at_once(const StoreCall& call) {
  StoreReply answer;
  const std::lock_guard lock(mutex_);
  answer.now = now();
  Kept& entry = kept(call.provider, answer.now);
  core::Transition made =
      core::transition(std::move(entry.state), call.event, call.config, answer.now, call.carried);
  entry.state = std::move(made.next);
  entry.meant_until = meant_until(entry.state.decision, call.config, answer.now);
  answer.decision = entry.state.decision;
  answer.reply = std::move(made.reply);
  return answer;
}

MemoryStore::Kept& MemoryStore::kept(std::string_view provider, SharedTime now) {
  if (const auto found = providers_.find(provider); found != providers_.end()) return found->second;
  if (providers_.size() >= sweep_at_) {
    std::erase_if(providers_, [now](const auto& entry) { return entry.second.meant_until <= now; });
    sweep_at_ = std::max(first_sweep, 2 * providers_.size());
  }
  return providers_.emplace(std::string(provider), Kept{}).first->second;
}

void MemoryStore::apply(const StoreCall& call, ApplyHandler done) { done(*apply_at_once(call)); }

core::BreakerState MemoryStore::state(std::string_view provider) const {
  const std::lock_guard lock(mutex_);
  const auto found = providers_.find(provider);
  return found == providers_.end() ? core::BreakerState{} : found->second.state;
}

void MemoryStore::clear() {
  const std::lock_guard lock(mutex_);
  providers_.clear();
}

std::size_t MemoryStore::size() const {
  const std::lock_guard lock(mutex_);
  return providers_.size();
}

}  // namespace geobreaker
