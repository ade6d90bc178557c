// The store's meaning on a real Redis: the suite that all stores share, keys and their lives, URLs, the end.
#include "redis/redis_fixture.hpp"
#include "redis/redis_url.hpp"
#include "redis/sha1.hpp"
#include "redis/store_time.hpp"
#include "store/store_contract.hpp"

#include <geobreaker/redis/redis_store.hpp>

#include <sys/wait.h>

namespace geobreaker::testing {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

RedisServer& server() {
  static RedisServer the_server;
  return the_server;
}

/// The shipped script on a clock that the test moves.
struct RedisFixture {
  RedisFixture() { client.command({"FLUSHALL"}), set_clock(); }
  BreakerStore& store() { return *redis; }
  void advance(Micros by) { time += by, set_clock(); }
  SharedTime now() { return time; }
  void lose_state() {
    for (const std::string& key : client.keys("cb:*")) client.command({"DEL", key});
  }
  void set_clock() { client.set(test_clock_key, std::to_string(time.time_since_epoch().count())); }

  SharedTime time{Micros{1'700'000'000'000'000}};
  RedisClient client{server().port()};
  std::unique_ptr<RedisStore> redis = open_store_with(server().url(), script_on_test_clock());
};

INSTANTIATE_TYPED_TEST_SUITE_P(Redis, StoreContract, RedisFixture);

class RedisStoreTest : public ::testing::Test {
 protected:
  RedisStoreTest() { client.command({"FLUSHALL"}); }
  StoreReply trip() {
    StoreReply last;
    for (int i = 0; i < caller.config.threshold; ++i) last = caller.reply(report(0, core::Verb::failure));
    return last;
  }
  RedisClient client{server().port()};
  std::unique_ptr<RedisStore> store = open_store(server().url());
  Caller caller{*store};
};

TEST_F(RedisStoreTest, F10TheTimeIsTheServersOwn) {
  const RedisValue before = client.command({"TIME"});
  const StoreReply reply = trip();
  const RedisValue after = client.command({"TIME"});
  const auto time = [](const RedisValue& value) {
    return SharedTime{seconds{std::stoll(value.items[0].text)} + Micros{std::stoll(value.items[1].text)}};
  };
  EXPECT_LE(time(before), reply.now);
  EXPECT_GE(time(after), reply.now);
  EXPECT_EQ(reply.decision.open_until, reply.now + caller.config.base_cooldown);
}

/// A clock that is wrong about the time of day, as on a worker whose clock is off.
class WrongClock final : public Clock {
 public:
  explicit WrongClock(Micros off) : off_(off) {}
  SharedTime shared_now() noexcept override { return clock_.shared_now() + off_; }
  SteadyTime steady_now() noexcept override {
    return clock_.steady_now() + std::chrono::duration_cast<std::chrono::nanoseconds>(off_);
  }

 private:
  SystemClock clock_;
  Micros off_;
};

TEST_F(RedisStoreTest, F10WorkersWithWrongClocksWriteTheSameStateAndReadTheSameTime) {
  std::int64_t epoch = 0;
  for (const seconds off : {seconds{-60}, seconds{-5}, seconds{5}, seconds{60}, seconds{-3600}}) {
    WrongClock clock(off);
    auto worker = RedisStore::open(server().url(), patient(), clock);
    ASSERT_TRUE(worker);
    Caller its(**worker);
    StoreReply last;
    for (int i = 0; i < its.config.threshold; ++i) last = its.reply(report(epoch, core::Verb::failure));
    EXPECT_EQ(last.decision.phase, core::Phase::open) << off.count();
    EXPECT_EQ(last.decision.open_until - last.now, its.config.base_cooldown);
    const auto reading = its.read();
    ASSERT_TRUE(reading.answer);
    const Micros apart = std::chrono::abs(reading.answer->now - last.now);
    EXPECT_LT(apart, seconds{5}) << off.count();  // the time between the two calls, on a busy machine
    caller.reply(core::Operate{core::Action::automatic, {}});
    epoch = caller.reply(core::Operate{core::Action::automatic, {}}).decision.epoch;
  }
}

TEST_F(RedisStoreTest, F14EveryKeyExpiresAndNoLifeIsShortened) {
  caller.config.flap_guard = seconds{100};
  trip();
  caller.reply(report(0, core::Verb::success));  // late: the tally
  caller.reply(core::Operate{core::Action::open, seconds{1}});
  const core::Decision d = caller.reply(core::Operate{core::Action::automatic, {}}).decision;
  const core::LeaseToken token{1, 2};
  ASSERT_EQ(caller.reply(core::Acquire{token}).reply.ruling, core::Ruling::probe_granted);
  caller.reply(report(d.epoch, core::Verb::success, token));
  const core::Decision closed = caller.reply(core::Evaluate{}).decision;
  caller.reply(report(closed.epoch, core::Verb::failure));
  caller.reply(core::Pause{{seconds{500}, core::PauseReason::rate}});
  const redis::ProviderKeys keys = redis::keys_of("cb", "nominatim");
  const std::int64_t meaning = (500 + 60 + 600) * 1000;  // the pause, the window, the longest cool-down
  std::vector<std::int64_t> lives;
  const auto names = client.keys("*");
  EXPECT_EQ(names.size(), 4U);  // all but the token
  for (const std::string& name : names) {
    lives.push_back(client.pttl(name));
    EXPECT_GT(lives.back(), 0) << name;
    EXPECT_LE(lives.back(), meaning + 60'000) << name;
  }
  EXPECT_GT(client.pttl(keys.decision()), meaning);

  // Another worker, with a window and cool-downs that are far shorter, takes nothing away.
  Caller hasty(*store);
  hasty.config.window = seconds{1};
  hasty.config.base_cooldown = hasty.config.max_cooldown = milliseconds{10};
  hasty.reply(report(closed.epoch, core::Verb::failure));
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_GE(client.pttl(names[i]), lives[i] - 20'000) << names[i];

  // Every report renews what is there, also what it does not change.
  for (const std::string& name : names) client.command({"PEXPIRE", name, "5000"});
  caller.reply(report(closed.epoch, core::Verb::success));
  for (const std::string& name : names) EXPECT_GT(client.pttl(name), 600'000) << name;
}

TEST_F(RedisStoreTest, AskingAClosedProviderLeavesNoKeyBehind) {
  for (int i = 0; i < 10; ++i) caller.reply(core::Acquire{{1, 1}}, {}, "p" + std::to_string(i));
  EXPECT_TRUE(client.keys("*").empty());
}

TEST_F(RedisStoreTest, ACloseIsWrittenNotDeleted) {
  const core::Decision open = trip().decision;
  caller.reply(core::Operate{core::Action::automatic, {}});
  const auto reading = caller.read();
  ASSERT_TRUE(reading.answer);
  EXPECT_EQ(reading.answer->decision.phase, core::Phase::closed);
  EXPECT_GT(reading.answer->decision.version, open.version);
}

TEST_F(RedisStoreTest, F14FlushallWhileOpenIsHealedByWhoeverKnewTheDecision) {
  const core::Decision known = trip().decision;
  client.command({"FLUSHALL"});
  const StoreReply healed = caller.reply(core::Acquire{{1, 1}}, known);
  EXPECT_EQ(healed.reply.ruling, core::Ruling::refused);
  EXPECT_EQ(healed.decision.open_until, known.open_until);
  EXPECT_TRUE(healed.decision.restored);
  EXPECT_EQ(client.get(redis::keys_of("cb", "nominatim").tally()), "1 0 0 0 1");
}

TEST_F(RedisStoreTest, KeysShareOneHashTagAndHonourThePrefix) {
  RedisStoreOptions options = patient();
  options.prefix = "team-a";
  const auto other = open_store(server().url(), options);
  Caller its(*other);
  for (int i = 0; i < 5; ++i) its.reply(report(0, core::Verb::failure), {}, "a:{b}");
  its.reply(report(0, core::Verb::failure), {}, "a:{b}");
  for (const std::string& name : client.keys("*"))
    EXPECT_EQ(name.rfind("team-a:{a%3A%7Bb%7D}:", 0), 0U) << name;
  EXPECT_EQ(client.keys("team-a:*").size(), 3U);
}

TEST_F(RedisStoreTest, TheDatabaseOfTheUrlIsUsed) {
  const auto other = open_store(server().url(3));
  Caller(*other).reply(report(0, core::Verb::failure));
  EXPECT_TRUE(client.keys("*").empty());
  client.command({"SELECT", "3"});
  EXPECT_FALSE(client.keys("*").empty());
  client.command({"SELECT", "0"});
}

TEST_F(RedisStoreTest, TheNumbersOfTheTrafficAreTold) {
  trip();
  ASSERT_TRUE(caller.read().answer);
  const RedisStoreStats stats = store->stats();
  EXPECT_EQ(stats.round_trips, stats.reloads + 6);
  EXPECT_LE(stats.reloads, 1);
  EXPECT_EQ(stats.errors, 0);
  EXPECT_EQ(stats.timeouts, 0);
  EXPECT_EQ(stats.reconnects, 0);
  EXPECT_TRUE(stats.connected);
}

TEST_F(RedisStoreTest, TheDestructorSendsWhatIsOnItsWay) {
  for (int round = 0; round < 20; ++round) {
    auto brief = open_store(server().url());
    std::atomic<int> answered{0};
    for (int i = 0; i < 50; ++i)
      brief->apply({"p" + std::to_string(round), report(0, core::Verb::success), caller.config, {}},
                   [&](const Result<StoreReply>& answer) { answered += answer ? 1 : 1000; });
    brief.reset();
    EXPECT_EQ(answered, 50);
  }
}

TEST_F(RedisStoreTest, AForkedChildIsToldSoAndHarmsNothing) {
  trip();
  const pid_t child = fork();
  if (child == 0) {
    int faults = 0;
    store->apply({"nominatim", core::Evaluate{}, caller.config, {}}, [&](const Result<StoreReply>& answer) {
      if (answer || answer.error().code != Errc::store_unavailable) ++faults;
    });
    store->read("nominatim", [&](const Result<Reading>& answer) {
      if (answer || answer.error().code != Errc::store_unavailable) ++faults;
    });
    store.reset();
    _exit(faults);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(caller.reply(core::Evaluate{}).decision.phase, core::Phase::open);
  EXPECT_EQ(store->stats().reconnects, 0);
}

TEST(RedisUrl, ReadsEveryPart) {
  const auto full = redis::parse_redis_url("redis://me:p%40ss%3A@[::1]:7000/3");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->user, "me");
  EXPECT_EQ(full->password, "p@ss:");
  EXPECT_EQ(full->host, "::1");
  EXPECT_EQ(full->port, 7000);
  EXPECT_EQ(full->database, 3);
  const auto plain = redis::parse_redis_url("redis://cache.example");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->shown(), "cache.example:6379/0");
  const auto secret = redis::parse_redis_url("redis://:secret@h");
  ASSERT_TRUE(secret);
  EXPECT_EQ(secret->user, "");
  EXPECT_EQ(secret->password, "secret");
}

TEST(RedisUrl, RefusesWhatIsMalformedWithoutRepeatingASecret) {
  for (const char* url : {"http://h", "redis://", "redis://h:0", "redis://h:99999", "redis://h:x",
                          "redis://h/x", "redis://[::1", "redis://hunter2%@h", "redis://u:@h", "rediss://h",
                          "hunter2", "", "redis://h/-1", "redis://u:hunter2@h:port"}) {
    const auto parsed = redis::parse_redis_url(url);
    ASSERT_FALSE(parsed) << url;
    EXPECT_EQ(parsed.error().code, Errc::invalid_config);
    EXPECT_EQ(parsed.error().detail.find("hunter2"), std::string::npos) << parsed.error().detail;
    EXPECT_NE(parsed.error().detail.find("allowed is"), std::string::npos);
  }
}

TEST(RedisStoreOpen, NamesEveryFaultyOption) {
  SystemClock clock;
  RedisStoreOptions options;
  options.timeout = milliseconds{0};
  options.prefix = "a{b";
  const auto store = RedisStore::open("redis://127.0.0.1", options, clock);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Errc::invalid_config);
  EXPECT_NE(store.error().detail.find("timeout is 0 ms"), std::string::npos);
  EXPECT_NE(store.error().detail.find("prefix is \"a{b\""), std::string::npos);
}

TEST(Sha1, EqualsWhatTheServerCallsAScript) {
  RedisClient client(server().port());
  for (const std::string& script : {std::string("return 1"), script_on_test_clock(), std::string(55, ' '),
                                    std::string(56, ' '), std::string(64, ' ')})
    EXPECT_EQ(client.command({"SCRIPT", "LOAD", script}).text, redis::sha1_hex(script));
}

TEST(StoreTime, KeepsTheBestMeasurementUntilItIsContradictedOrOld) {
  const auto steady = [](std::int64_t us) { return SteadyTime{Micros{us}}; };
  const auto shared = [](std::int64_t us) { return SharedTime{Micros{us}}; };
  redis::StoreTime time;
  time.measured(shared(1'000'050), steady(0), steady(100));
  EXPECT_EQ(time.at(steady(100)), shared(1'000'100));
  EXPECT_EQ(time.error_at(steady(100)), Micros{50});
  time.measured(shared(1'002'500), steady(1000), steady(3000));  // vaguer, and in agreement
  EXPECT_EQ(time.at(steady(3000)), shared(1'003'000));
  time.measured(shared(5'000'000), steady(4000), steady(6000));  // the store's clock was set
  EXPECT_EQ(time.at(steady(6000)), shared(5'001'000));
  time.measured(shared(5'001'120), steady(6000), steady(6200));  // sharper
  EXPECT_EQ(time.at(steady(6200)), shared(5'001'220));
}

}  // namespace

}  // namespace geobreaker::testing
