// The script must equal core::transition: random histories go through both, on an injected clock, and after
// every step the answers, the decision and the complete state must be the same.
//   Replay:  RC_PARAMS="reproduce=..." as rapidcheck prints it, or RC_PARAMS="seed=..." for the whole run.
//   Longer:  GEOBREAKER_DIFFERENTIAL_HISTORIES=20000 (default 500).
#include "redis/decision_text.hpp"
#include "redis/differential_history.hpp"
#include "redis/keys.hpp"
#include "redis/script_call.hpp"
#include "redis/script_variants.hpp"
#include "redis/stored_state.hpp"
#include "support/redis/redis_client.hpp"
#include "support/redis/redis_server.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace geobreaker::testing {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

rc::Gen<Micros> span(std::vector<Micros> values) { return rc::gen::elementOf(std::move(values)); }

BreakerConfig make_config() {
  BreakerConfig c;
  c.window = *span({milliseconds{1}, milliseconds{300}, seconds{1}, Micros{7'777'777}, seconds{60}});
  c.threshold = *rc::gen::inRange(1, 6);
  c.failure_rate = *rc::gen::element(0.0, 0.2, 0.333333, 0.5, 1.0);
  if (*rc::gen::arbitrary<bool>())
    c.short_window = std::max(Micros{1000}, c.window / *rc::gen::inRange(1, 8));
  c.run_threshold = *rc::gen::inRange(1, 8);
  c.base_cooldown = *span({milliseconds{1}, Micros{1'234'567}, seconds{30}});
  c.max_cooldown = c.base_cooldown * *rc::gen::element(1, 3, 20) + Micros{*rc::gen::inRange(0, 2)};
  if (*rc::gen::arbitrary<bool>()) c.probe_lease = *span({milliseconds{2}, seconds{3}});
  c.min_reporters = *rc::gen::element(1, 1, 2, 3);
  c.flap_guard = *span({Micros{0}, Micros{0}, seconds{5}, seconds{100}});
  c.max_pause_rate = *span({milliseconds{500}, hours{1}});
  RC_ASSERT(faults(c).empty());
  return c;
}

core::PauseRequest make_pause() {
  return {*span({Micros{0}, milliseconds{400}, seconds{10}, hours{2}}),
          *rc::gen::element(core::PauseReason::none, core::PauseReason::rate, core::PauseReason::quota)};
}

Step make_step() {
  using K = Step::Kind;
  using W = Step::Which;
  using C = Step::Clock;
  using D = Step::Carried;
  Step s;
  s.kind = *rc::gen::weightedElement<K>(
      {{6, K::acquire}, {14, K::report}, {2, K::evaluate}, {1, K::pause}, {1, K::operate}});
  s.clock = *rc::gen::weightedElement<C>({{12, C::advance},
                                          {3, C::to_open_until},
                                          {2, C::to_lease_end},
                                          {1, C::to_pause_end},
                                          {1, C::to_forced_end},
                                          {2, C::to_settling}});
  s.microseconds = *rc::gen::weightedOneOf<std::int64_t>(
      {{6, rc::gen::element<std::int64_t>(0, 0, 1, -1, 999, 1000, 10'000, 100'000)},
       {4, rc::gen::inRange<std::int64_t>(0, 3'000'000)},
       {2, rc::gen::element<std::int64_t>(5'000'000, 10'000'000, 60'000'000, 60'000'001, 700'000'000)},
       {1, rc::gen::inRange<std::int64_t>(-90'000'000, 0)}});
  s.carried = *rc::gen::weightedElement<D>({{8, D::none}, {8, D::latest}, {2, D::older}, {1, D::ahead}});
  s.loses_store = *rc::gen::weightedElement<bool>({{30, false}, {1, true}});
  s.second_config = *rc::gen::weightedElement<bool>({{6, false}, {1, true}});
  s.token = *rc::gen::inRange(0, 3);
  s.epoch = *rc::gen::weightedElement<W>({{12, W::current}, {2, W::previous}, {1, W::wrong}});
  s.of_a_probe = *rc::gen::arbitrary<bool>();
  s.which_token = *rc::gen::weightedElement<W>({{12, W::current}, {2, W::previous}, {1, W::wrong}});
  s.verb = *rc::gen::weightedElement<core::Verb>(
      {{2, core::Verb::success}, {6, core::Verb::failure}, {2, core::Verb::neutral}});
  s.successes_before = *rc::gen::element<std::int64_t>(0, 0, 0, 1, 7, 1000, 3'000'000'000);
  s.age = *span({Micros{0}, Micros{0}, Micros{0}, milliseconds{30}, seconds{1}, seconds{11}});
  s.flush = *span({Micros{0}, Micros{0}, milliseconds{1}, milliseconds{100}, seconds{2}});
  s.reporter = *rc::gen::inRange(0, 20);
  if (*rc::gen::weightedElement<bool>({{8, false}, {1, true}}) || s.kind == K::pause) s.pause = make_pause();
  s.action = *rc::gen::element(core::Action::open, core::Action::close, core::Action::automatic,
                               core::Action::unpause);
  s.duration = *span({milliseconds{1}, seconds{20}, hours{24}});
  return s;
}

/// Fills in what a step leaves to the state, and remembers what earlier steps knew.
class Situation {
 public:
  core::BreakerState model;
  SharedTime now{Micros{1'700'000'000'000'000}};

  void move_clock(const Step& step) {
    const core::Decision& d = model.decision;
    SharedTime target = now;
    const auto use = [&](SharedTime at) {
      target = at > SharedTime{Micros{1'600'000'000'000'000}} ? at : now;
    };
    switch (step.clock) {
      case Step::Clock::advance:
        break;
      case Step::Clock::to_open_until:
        use(d.open_until);
        break;
      case Step::Clock::to_lease_end:
        use(d.lease_end);
        break;
      case Step::Clock::to_pause_end:
        use(d.pause_until);
        break;
      case Step::Clock::to_forced_end:
        use(d.forced_until);
        break;
      case Step::Clock::to_settling:
        use(settles_at_);
        break;
    }
    now = target + Micros{step.microseconds};
  }

  [[nodiscard]] core::Event event_of(const Step& s) const {
    switch (s.kind) {
      case Step::Kind::acquire:
        return core::Acquire{token(s.token)};
      case Step::Kind::report:
        return report_of(s);
      case Step::Kind::evaluate:
        return core::Evaluate{};
      case Step::Kind::pause:
        return core::Pause{s.pause.value_or(core::PauseRequest{})};
      case Step::Kind::operate:
        return core::Operate{s.action, s.duration};
    }
    return core::Evaluate{};
  }

  [[nodiscard]] core::Decision carried_by(const Step& s) const {
    switch (s.carried) {
      case Step::Carried::none:
        return {};
      case Step::Carried::latest:
        return latest_;
      case Step::Carried::older:
        return older_;
      case Step::Carried::ahead: {
        core::Decision ahead = latest_;
        ahead.version += s.microseconds + 100'000'000;  // as after a fail-over to a replica that lags
        ahead.epoch += s.of_a_probe ? 1 : 0;
        return ahead;
      }
    }
    return {};
  }

  void made(const core::Reply& reply) {
    if (reply.settles_at != SharedTime{}) settles_at_ = reply.settles_at;
    if (model.decision.epoch != latest_.epoch) previous_epoch_ = latest_.epoch;
    if (!model.token.empty() && !(model.token == token_)) {
      previous_token_ = token_;
      token_ = model.token;
    }
    if (!(model.decision == latest_)) {
      older_ = latest_;
      latest_ = model.decision;
    }
  }

 private:
  static core::LeaseToken token(int which) {
    return {0x0123'4567'89ab'cdefU + static_cast<std::uint64_t>(which), ~std::uint64_t{0}};
  }

  [[nodiscard]] core::Report report_of(const Step& s) const {
    core::Report r;
    using W = Step::Which;
    r.epoch = s.epoch == W::current ? model.decision.epoch : s.epoch == W::previous ? previous_epoch_ : 12345;
    if (s.of_a_probe || (model.decision.phase == core::Phase::half_open && s.reporter < 14))
      r.token = s.which_token == W::current    ? model.token
                : s.which_token == W::previous ? previous_token_
                                               : token(9);
    r.verb = s.verb;
    r.successes_before = s.successes_before;
    r.age = s.age;
    r.flush_interval = s.flush;
    r.reporter = s.reporter == 0 ? "" : "host-" + std::to_string(s.reporter) + ".example";
    r.pause = s.pause;
    return r;
  }

  core::Decision latest_;
  core::Decision older_;
  core::LeaseToken token_;
  core::LeaseToken previous_token_;
  std::int64_t previous_epoch_ = 0;
  SharedTime settles_at_{};
};

class Differential : public ::testing::Test {
 protected:
  void SetUp() override { sha_ = client_.command({"SCRIPT", "LOAD", script_on_test_clock()}).text; }

  void run(const History& history) {
    const std::string provider = "p" + std::to_string(++histories_);
    const redis::ProviderKeys keys = redis::keys_of("cb", provider);
    Situation at;
    for (const Step& step : history.steps)
      make(step, step.second_config ? history.second : history.first, provider, keys, at);
    client_.command({"DEL", keys.names[0], keys.names[1], keys.names[2], keys.names[3], keys.names[4]});
  }

  void make(const Step& step, const BreakerConfig& config, const std::string& provider,
            const redis::ProviderKeys& keys, Situation& at) {
    ++steps_;
    if (step.loses_store) {
      client_.command({"DEL", keys.names[0], keys.names[1], keys.names[2], keys.names[3], keys.names[4]});
      at.model = {};
    }
    at.move_clock(step);
    const core::Event event = at.event_of(step);
    const core::Decision carried = at.carried_by(step);
    const core::BreakerState before = at.model;
    const std::vector<RedisValue> replies = ask_redis({provider, event, config, carried}, keys, at.now);
    core::Transition made = core::transition(at.model, event, config, at.now, carried);
    at.model = std::move(made.next);
    at.made(made.reply);
    ++rulings_[static_cast<std::size_t>(made.reply.ruling)];
    for (const core::PhaseChange& change : made.reply.changes)
      ++causes_[static_cast<std::size_t>(change.cause)];

    RC_LOG(described(before));
    const RedisValue& answer = replies[1];
    RC_ASSERT(answer.text == "");  // an error says why
    RC_ASSERT(answer.kind == RedisValue::Kind::array);
    std::vector<std::string> lines;
    for (const RedisValue& item : answer.items) lines.push_back(item.text);
    const auto parsed = redis::parse_script_reply(lines);
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(parsed->now == at.now);
    RC_ASSERT(described(parsed->reply) == described(made.reply));
    RC_ASSERT(parsed->reply == made.reply);
    RC_ASSERT(redis::decision_text(parsed->decision) == redis::decision_text(at.model.decision));
    std::array<std::optional<std::string>, 5> texts;
    for (std::size_t i = 0; i < 5; ++i)
      if (replies[2 + i].kind == RedisValue::Kind::text) texts[i] = replies[2 + i].text;
    const core::BreakerState state = state_of(texts);
    RC_ASSERT(described(state) == described(at.model));
    RC_ASSERT(state == at.model);
  }

  std::vector<RedisValue> ask_redis(const StoreCall& call, const redis::ProviderKeys& keys, SharedTime now) {
    std::vector<std::string> words{"EVALSHA", sha_, "5"};
    for (std::string& argument : redis::script_arguments("cb", call)) words.push_back(std::move(argument));
    std::vector<std::vector<std::string>> commands{
        {"SET", test_clock_key, std::to_string(now.time_since_epoch().count())}, std::move(words)};
    for (const std::string& key : keys.names) commands.push_back({"GET", key});
    return client_.pipeline(commands);
  }

  RedisServer server_;
  RedisClient client_{server_.port()};
  std::string sha_;
  int histories_ = 0;
  std::int64_t steps_ = 0;
  std::array<std::int64_t, 6> rulings_{};
  std::array<std::int64_t, 10> causes_{};
};

TEST_F(Differential, RandomHistoriesGiveTheSameAnswersAndStatesInRedisAsInTheModel) {
  const char* const wanted = std::getenv("GEOBREAKER_DIFFERENTIAL_HISTORIES");
  const std::string count = wanted != nullptr ? wanted : "500";
  const char* const given = std::getenv("RC_PARAMS");
  const std::string parameters = "max_success=" + count + " max_size=120 " + (given != nullptr ? given : "");
  setenv("RC_PARAMS", parameters.c_str(), 1);

  const bool equal = rc::check("the script equals the transition", [this] {
    History history;
    history.first = *rc::gen::exec(make_config).as("config");
    history.second = *rc::gen::exec(make_config).as("second config");
    history.steps = *rc::gen::container<std::vector<Step>>(rc::gen::exec(make_step)).as("steps");
    run(history);
  });
  EXPECT_TRUE(equal);
  std::printf("%lld steps in %d histories\n  rulings:", static_cast<long long>(steps_), histories_);
  for (const std::int64_t seen : rulings_) std::printf(" %lld", static_cast<long long>(seen));
  std::printf("\n  causes:");
  for (const std::int64_t seen : causes_) std::printf(" %lld", static_cast<long long>(seen));
  std::printf("\n");
  if (given != nullptr) return;  // a replay may be as short as it likes
  EXPECT_GE(steps_, 10'000);
  // The histories are worth something only if they reach everything.
  for (std::size_t i = 0; i < rulings_.size(); ++i) EXPECT_GT(rulings_[i], 0) << "ruling " << i;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(core::Cause::restored); ++i)
    EXPECT_GT(causes_[i], 0) << core::to_string(static_cast<core::Cause>(i));
}

}  // namespace

}  // namespace geobreaker::testing
