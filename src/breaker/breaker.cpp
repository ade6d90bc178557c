#include "breaker/breaker_shell.hpp"

#include <geobreaker/breaker.hpp>

#include <exception>
#include <future>

namespace geobreaker {

void BreakerObserver::on_phase_change(std::string_view, const core::PhaseChange&) {}
void BreakerObserver::on_store_lost(std::string_view, const Error&) {}
void BreakerObserver::on_store_back(std::string_view) {}

Permit::Permit(std::shared_ptr<detail::BreakerShell> shell, std::int64_t epoch, core::LeaseToken token,
               bool local) noexcept
    : shell_(std::move(shell)),
      epoch_(epoch),
      token_(token),
      exceptions_at_start_(std::uncaught_exceptions()),
      local_(local) {}

Permit::Permit(Permit&& other) noexcept = default;

Permit::~Permit() {
  if (!shell_) return;
  const bool failed = sent_ && std::uncaught_exceptions() > exceptions_at_start_;
  shell_->report(
      {.epoch = epoch_, .token = token_, .verb = failed ? core::Verb::failure : core::Verb::neutral}, local_,
      failed);
}

void Permit::finish(core::Verb verb, std::optional<core::PauseRequest> pause) {
  const auto shell = std::move(shell_);
  if (!shell) return;
  shell->report({.epoch = epoch_, .token = token_, .verb = verb, .pause = pause}, local_, true);
}

void Permit::success() && { finish(core::Verb::success, std::nullopt); }
void Permit::failure() && { finish(core::Verb::failure, std::nullopt); }
void Permit::neutral() && { finish(core::Verb::neutral, std::nullopt); }
void Permit::pause(core::PauseRequest request) && { finish(core::Verb::neutral, request); }

Result<Breaker> Breaker::create(std::string provider, const BreakerConfig& config, BreakerStore& store,
                                Clock& clock, Random& random, BreakerOptions options) {
  std::string message;
  for (const std::string& fault : faults(config)) message += "\n  " + fault;
  if (provider.empty()) message += "\n  provider is empty: allowed is a name";
  if (!message.empty())
    return Error{Errc::invalid_config, "the breaker of '" + provider + "' cannot be made:" + message};
  return Breaker(std::make_shared<detail::BreakerShell>(std::move(provider), config, store, clock, random,
                                                        std::move(options)));
}

void Breaker::acquire(AdmissionHandler done) { shell_->acquire(std::move(done)); }
std::optional<Admission> Breaker::try_acquire() { return shell_->try_acquire(); }

Admission Breaker::acquire_blocking() {
  // Shared with the handler: the store's thread may still be inside set_value when the waiting one goes on.
  const auto answer = std::make_shared<std::promise<Admission>>();
  auto coming = answer->get_future();
  shell_->acquire([answer](Admission admission) { answer->set_value(std::move(admission)); });
  return coming.get();
}

core::Answer Breaker::peek() const { return shell_->peek(); }
core::Decision Breaker::known() const { return shell_->known(); }
void Breaker::check_current(const Permit& permit, std::function<void(bool)> done) {
  shell_->check_current(permit.epoch_, permit.local_, std::move(done));
}
const std::string& Breaker::provider() const noexcept { return shell_->provider(); }
const BreakerConfig& Breaker::config() const noexcept { return shell_->config(); }
BreakerCounts Breaker::counts() const { return shell_->counts(); }

}  // namespace geobreaker
