// What only real processes on a real Redis show: rows F5, F6 and F7.
#include "redis/fleet.hpp"
#include "redis/redis_fixture.hpp"
#include "redis/resp.hpp"
#include "redis/script_call.hpp"
#include "redis/stored_state.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <random>

namespace geobreaker::testing {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

class RedisFleet : public ::testing::Test {
 protected:
  /// Opens the breaker and ends its cool-down, on the server's own time: the next to ask is the probe.
  void make_a_probe_due() {
    caller.reply(core::Operate{core::Action::open, hours{1}});
    caller.reply(core::Operate{core::Action::automatic, {}});
  }
  /// Closed, with an empty window. Answers the epoch.
  std::int64_t reset() {
    caller.reply(core::Operate{core::Action::close, hours{1}});
    return caller.reply(core::Operate{core::Action::automatic, {}}).decision.epoch;
  }
  core::BreakerState state() {
    std::array<std::optional<std::string>, 5> texts;
    for (std::size_t i = 0; i < 5; ++i) texts[i] = client.get(keys.names[i]);
    return state_of(texts);
  }

  RedisServer server;
  RedisClient client{server.port()};
  std::unique_ptr<RedisStore> store = open_store(server.url());
  Caller caller{*store};
  const redis::ProviderKeys keys = redis::keys_of("cb", "nominatim");
};

TEST_F(RedisFleet, F7TwentyProcessesAtOnceGetExactlyOneProbeInAThousandRounds) {
  Fleet fleet(20, Fleet::Task::ask_and_fail, Fleet::Script::shipped, server.url());
  int with_one_probe = 0;
  int counted_once = 0;
  for (int round = 0; round < 1000; ++round) {
    make_a_probe_due();
    fleet.round();
    ASSERT_EQ(fleet.board().errors, 0);
    with_one_probe += fleet.board().probes == 1;
    const core::Decision after = caller.reply(core::Evaluate{}).decision;
    counted_once += after.failed_probes == 1 && after.cooldown == 2 * caller.config.base_cooldown;
  }
  EXPECT_EQ(with_one_probe, 1000);
  EXPECT_EQ(counted_once, 1000);
}

TEST_F(RedisFleet, F17TheSameRoundsFindTheMutantWithoutTheLeaseGuard) {
  Fleet fleet(20, Fleet::Task::ask_and_fail, Fleet::Script::without_lease_guard, server.url());
  int with_more_probes = 0;
  for (int round = 0; round < 1000 && with_more_probes == 0; ++round) {
    make_a_probe_due();
    fleet.round();
    with_more_probes += fleet.board().probes > 1;
  }
  EXPECT_GT(with_more_probes, 0);
}

TEST_F(RedisFleet, F5FiveProcessesThatFailAtOneInstantAreFiveFailures) {
  client.set(test_clock_key, "1700000000000000");
  Fleet fleet(5, Fleet::Task::fail, Fleet::Script::on_test_clock, server.url());
  fleet.round();
  EXPECT_EQ(fleet.board().accepted, 5);
  EXPECT_EQ(fleet.board().changes, 1);
  const core::BreakerState after = state();
  EXPECT_EQ(after.decision.phase, core::Phase::open);
  EXPECT_EQ(after.decision.open_until,
            SharedTime{Micros{1'700'000'000'000'000} + caller.config.base_cooldown});
  ASSERT_EQ(after.window.buckets.size(), 1U);
  EXPECT_EQ(after.window.buckets[0].failures, 5);
}

TEST_F(RedisFleet, F6TheFifthFailureOfTwoAtOnceIsOneTripInAThousandRounds) {
  Fleet fleet(2, Fleet::Task::fail, Fleet::Script::shipped, server.url());
  int right = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::int64_t epoch = reset();
    for (int i = 0; i < 4; ++i) caller.reply(report(epoch, core::Verb::failure));
    fleet.board().epoch = epoch;
    fleet.round();
    const StoreReply after = caller.reply(core::Evaluate{});
    right += fleet.board().accepted == 1 && fleet.board().late == 1 && fleet.board().changes == 1 &&
             after.decision.phase == core::Phase::open &&
             after.decision.cooldown == caller.config.base_cooldown && after.decision.failed_probes == 0;
  }
  EXPECT_EQ(right, 1000);
}

void send_and_hang_up(int port, std::string_view bytes) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  ASSERT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  close(fd);
}

TEST_F(RedisFleet, F6AReporterThatDiesAnywhereLeavesTheStateWhollyBeforeOrWhollyAfter) {
  const std::int64_t epoch = reset();
  for (int i = 0; i < 4; ++i) caller.reply(report(epoch, core::Verb::failure));
  const core::BreakerState before = state();
  const core::Event fifth = report(epoch, core::Verb::failure);
  std::vector<std::string> words{"EVAL", std::string(redis::transition_script()), "5"};
  for (std::string& word : redis::script_arguments("cb", {"nominatim", fifth, caller.config, {}}))
    words.push_back(std::move(word));
  std::string bytes;
  redis::append_command(bytes, words);
  // A transition is one command: until its last byte has arrived nothing happens.
  for (std::size_t cut = 0; cut < bytes.size(); cut += cut + 600 < bytes.size() ? 997 : 1)
    send_and_hang_up(server.port(), std::string_view(bytes).substr(0, cut));
  ASSERT_FALSE(client.command({"PING"}).is_error());
  EXPECT_EQ(state(), before);
  send_and_hang_up(server.port(), bytes);
  ASSERT_TRUE(eventually([&] { return !(state() == before); }));
  const core::BreakerState after = state();
  EXPECT_EQ(after.decision.phase, core::Phase::open);
  EXPECT_EQ(after.decision.cooldown, caller.config.base_cooldown);
  EXPECT_EQ(after.window.run, 0);
}

TEST_F(RedisFleet, F6ProcessesKilledWhileTheyReportLeaveNothingHalfDone) {
  std::mt19937 random(std::random_device{}());
  for (int round = 0; round < 30; ++round) {
    const std::int64_t epoch = reset();
    {
      Fleet fleet(2, Fleet::Task::fail_forever, Fleet::Script::shipped, server.url());
      fleet.board().epoch = epoch;
      // Let them get going, then kill at whatever moment it is.
      ASSERT_TRUE(eventually(
          [&] { return fleet.board().accepted > static_cast<int>(random() % 5) || fleet.board().late > 0; }));
      fleet.kill_all();
    }
    ASSERT_FALSE(client.command({"PING"}).is_error());
    const core::BreakerState after = state();
    std::int64_t failures = 0;
    for (const core::Bucket& bucket : after.window.buckets) failures += bucket.failures;
    if (after.decision.phase == core::Phase::open) {
      EXPECT_GE(failures, 5);
      EXPECT_EQ(after.decision.cooldown, caller.config.base_cooldown);
      EXPECT_GT(after.decision.epoch, epoch);
      EXPECT_EQ(after.window.run, 0);
    } else {
      EXPECT_LT(failures, 5);
      EXPECT_EQ(after.decision.epoch, epoch);
      EXPECT_EQ(after.window.run, failures);
    }
  }
}

TEST_F(RedisFleet, F8AProberThatNeverReportsIsReplacedWhenItsLeaseEnds) {
  client.set(test_clock_key, "1700000000000000");
  const auto timed = open_store_with(server.url(), script_on_test_clock());
  Caller its(*timed);
  for (int i = 0; i < 5; ++i) its.reply(report(0, core::Verb::failure));
  client.set(test_clock_key, "1700000030000000");
  {
    Fleet prober(1, Fleet::Task::ask_and_fail, Fleet::Script::on_test_clock, server.url());
    const StoreReply granted = its.reply(core::Acquire{{7, 7}});  // as if a worker had asked and died at once
    ASSERT_EQ(granted.reply.ruling, core::Ruling::probe_granted);
    client.set(test_clock_key, "1700000039999999");
    prober.round();
    EXPECT_EQ(prober.board().probes, 0);
    client.set(test_clock_key, "1700000040000000");
    prober.round();
    EXPECT_EQ(prober.board().probes, 1);
    // The first owner's outcome belongs to the past.
    EXPECT_EQ(its.reply(report(granted.decision.epoch, core::Verb::success, {7, 7})).reply.ruling,
              core::Ruling::late);
  }
  EXPECT_EQ(state().tally.abandoned, 1);
  EXPECT_EQ(state().decision.failed_probes, 1);
}

}  // namespace

}  // namespace geobreaker::testing
