#include <geobreaker/chain/fallback_chain.hpp>

#include <algorithm>
#include <utility>

namespace geobreaker {

namespace {

/// A record that makes a provider fail must not loop.
constexpr int most_failed_rounds = 3;

Precision wanted_by(const std::vector<ChainLink>& links, const ChainPolicy& policy) {
  if (policy.accept) return *policy.accept;
  Precision best = Precision::unknown;
  for (const ChainLink& link : links) best = std::max(best, link.stack->traits().best);
  return std::min(best, Precision::street);
}

bool is_word(const LinkProgress& link, Outcome outcome) { return link.word == to_string(outcome); }

}  // namespace

void RecordProgress::clear() noexcept {
  links.clear();
  best.reset();
  best_link = 0;
  first_parked.reset();
  called_out = false;
}

/// What one walk has found out so far.
struct FallbackChain::Round {
  SteadyTime now{};
  SteadyTime give_up{};        // the end of the record's patience
  bool may_wait = false;       // the record's patience is not used up
  std::optional<Parked> wait;  // the earliest time at which a capable provider is worth asking again

  void wait_for(std::size_t link, Micros span, bool skipped) {
    const SteadyTime until = now + span;
    if (!wait || until < wait->until) wait = Parked{until, give_up, link, skipped};
  }
};

FallbackChain::FallbackChain(std::vector<ChainLink> links, ChainPolicy policy, Clock& clock)
    : links_(std::move(links)), policy_(policy), clock_(clock), wanted_(wanted_by(links_, policy_)) {}

bool FallbackChain::is_capable(std::size_t link) const noexcept {
  return links_[link].stack->traits().best >= wanted_;
}

Precision FallbackChain::accept(std::size_t link) const noexcept {
  return links_[link].accept.value_or(wanted_);
}

boost::asio::awaitable<ChainStep> FallbackChain::walk(const AddressQuery& query, RecordProgress& progress) {
  progress.links.resize(links_.size());
  for (LinkProgress& link : progress.links) link.answered = false;
  Round round;
  round.now = clock_.steady_now();
  const bool waits = policy_.on_skip == OnSkip::wait;
  round.give_up = progress.first_parked.value_or(round.now) + policy_.max_wait;
  round.may_wait = waits && round.now < round.give_up;
  for (std::size_t link = 0; link < links_.size(); ++link) {
    if (progress.links[link].settled) continue;
    // A coarser provider has its turn only when nothing better can be hoped for.
    if (round.may_wait && round.wait && !is_capable(link)) continue;
    if (co_await ask(link, query, progress, round)) co_return Finished{RecordStatus::ok};
    if (is_word(progress.links[link], Outcome::cancelled)) co_return Finished{RecordStatus::pending};
  }
  if (!round.may_wait || !round.wait) co_return Finished{verdict(progress)};
  if (!progress.first_parked) progress.first_parked = round.now;
  round.wait->until = std::min(round.wait->until, round.give_up);
  co_return *round.wait;
}

/// True if the answer is good enough.
boost::asio::awaitable<bool> FallbackChain::ask(std::size_t link, const AddressQuery& query,
                                                RecordProgress& progress, Round& round) {
  const Attempt attempt = co_await links_[link].stack->call(query);
  if (const auto* skipped = std::get_if<Skipped>(&attempt)) {
    note_skip(link, *skipped, progress, round);
    co_return false;
  }
  const auto& reply = std::get<ProviderReply>(attempt);
  note_reply(link, reply, progress, round);
  co_return reply.answer&& keep_best(link, *reply.answer, progress);
}

void FallbackChain::note_skip(std::size_t link, const Skipped& skipped, RecordProgress& progress,
                              Round& round) {
  progress.links[link].word = to_string(skipped.reason);
  const bool pause = skipped.reason == SkipReason::paused_rate || skipped.reason == SkipReason::paused_quota;
  // Nobody waits for a key to be put right, nor for a pause that outlasts the record's patience.
  const bool in_vain = skipped.reason == SkipReason::auth_disabled ||
                       skipped.reason == SkipReason::not_routed ||
                       (pause && skipped.retry_after > policy_.max_wait);
  if (!in_vain && is_capable(link)) round.wait_for(link, skipped.retry_after, true);
}

void FallbackChain::note_reply(std::size_t link, const ProviderReply& reply, RecordProgress& progress,
                               Round& round) {
  LinkProgress& here = progress.links[link];
  here.word = to_string(reply.outcome);
  here.answered = reply.outcome == Outcome::ok || reply.outcome == Outcome::no_match;
  progress.called_out |= !links_[link].stack->traits().in_process;
  const BreakerConfig& config = links_[link].stack->breaker().config();
  if (is_failure(reply.outcome)) {
    here.settled = ++here.failed_rounds >= most_failed_rounds;
    // As long as the breaker would wait after so many failures in a row.
    if (!here.settled && is_capable(link))
      round.wait_for(link, core::cooldown(config, here.failed_rounds - 1), false);
    return;
  }
  if (reply.outcome == Outcome::rate_limited || reply.outcome == Outcome::quota_exhausted) {
    const Micros span{reply.pause.value_or(std::chrono::milliseconds{0})};
    if (is_capable(link) && span <= policy_.max_wait) round.wait_for(link, span, true);
    return;
  }
  here.settled = true;
}

/// Of two answers the more precise one is kept; of equal ones the earlier. True if it is good enough to stop.
bool FallbackChain::keep_best(std::size_t link, const Answer& answer, RecordProgress& progress) const {
  if (!progress.best || answer.precision > progress.best->precision) {
    progress.best = answer;
    progress.best_link = link;
  }
  return answer.precision >= accept(link);
}

RecordStatus FallbackChain::verdict(const RecordProgress& progress) const {
  if (progress.best) return RecordStatus::below_threshold;
  const auto& links = progress.links;
  const auto all = [&](auto test) { return std::all_of(links.begin(), links.end(), test); };
  if (all([](const LinkProgress& l) { return is_word(l, Outcome::bad_request); }))
    return RecordStatus::bad_request;
  if (all([](const LinkProgress& l) {
        return is_word(l, Outcome::bad_request) || is_word(l, Outcome::no_match);
      }))
    return RecordStatus::no_match;
  return RecordStatus::failed;
}

std::string FallbackChain::tried(const RecordProgress& progress) const {
  std::string words;
  for (std::size_t link = 0; link < progress.links.size(); ++link) {
    if (progress.links[link].word.empty()) continue;
    if (!words.empty()) words += '|';
    words.append(links_[link].name).append(":").append(progress.links[link].word);
  }
  return words;
}

}  // namespace geobreaker
