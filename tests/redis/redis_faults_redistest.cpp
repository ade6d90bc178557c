// F9: whatever befalls the store, a caller waits for it at most once, and at most for its time-out.
#include "redis/redis_fixture.hpp"
#include "support/redis/strange_server.hpp"

#include <geobreaker/redis/redis_store.hpp>

#include <atomic>
#include <map>

namespace geobreaker::testing {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds timeout{50};
/// How late this machine may run a thread that is due: other jobs share it.
constexpr milliseconds scheduling{400};

RedisStoreOptions quick() {
  RedisStoreOptions options;
  options.timeout = timeout;
  return options;
}

/// One call may wait for the time-out; a thousand after it cost next to nothing, and say so.
void expect_that_it_costs_one_timeout_at_most(Caller& caller) {
  const auto first = caller.apply(core::Acquire{{1, 1}});
  EXPECT_FALSE(first.answer);
  EXPECT_LE(first.waited, timeout + scheduling);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 500; ++i) {
    const auto applied = caller.apply(report(0, core::Verb::failure));
    ASSERT_FALSE(applied.answer);
    EXPECT_EQ(applied.answer.error().code, Errc::store_unavailable) << applied.answer.error().detail;
    const auto read = caller.read();
    ASSERT_FALSE(read.answer);
    EXPECT_EQ(read.answer.error().code, Errc::store_unavailable) << read.answer.error().detail;
  }
  EXPECT_LE(std::chrono::steady_clock::now() - start, scheduling);
}

bool works_again(Caller& caller) {
  return eventually([&] { return static_cast<bool>(caller.apply(core::Evaluate{}).answer); });
}

TEST(F9, RefusedAndLaterThere) {
  RedisServer server;
  server.stop();
  const auto store = open_store(server.url(), quick());
  Caller caller(*store);
  expect_that_it_costs_one_timeout_at_most(caller);
  EXPECT_FALSE(store->stats().connected);
  server.start();
  EXPECT_TRUE(works_again(caller));
}

TEST(F9, FrozenWithCallsOnTheWayAndThawed) {
  RedisServer server;
  const auto store = open_store(server.url(), quick());
  Caller caller(*store);
  ASSERT_TRUE(works_again(caller));
  server.freeze();
  const auto first = caller.apply(core::Acquire{{1, 1}});
  ASSERT_FALSE(first.answer);
  EXPECT_EQ(first.answer.error().code, Errc::store_timeout);
  EXPECT_GE(first.waited, timeout - milliseconds{1});
  expect_that_it_costs_one_timeout_at_most(caller);
  server.thaw();
  EXPECT_TRUE(works_again(caller));
  EXPECT_GE(store->stats().timeouts, 1);
  EXPECT_GE(store->stats().reconnects, 1);
}

TEST(F9, FrozenBeforeTheFirstConnection) {
  RedisServer server;
  server.freeze();
  const auto store = open_store(server.url(), quick());
  Caller caller(*store);
  expect_that_it_costs_one_timeout_at_most(caller);
  server.thaw();
  EXPECT_TRUE(works_again(caller));
}

TEST(F9, EverySynDropped) {
  const StrangeServer hole(StrangeServer::Manner::swallows);
  const auto store = open_store(hole.url(), quick());
  Caller caller(*store);
  expect_that_it_costs_one_timeout_at_most(caller);
}

TEST(F9, AcceptedAndNeverAnswered) {
  const StrangeServer silent(StrangeServer::Manner::silent);
  const auto store = open_store(silent.url(), quick());
  Caller caller(*store);
  expect_that_it_costs_one_timeout_at_most(caller);
}

TEST(F9, TalkingGarbage) {
  for (const char* words : {"HTTP/1.1 400 Bad Request\r\n\r\n", "+PONG\r\n$3\r\nabc\r\n", "*-5\r\n",
                            ":1\r\n:2\r\n:3\r\n", "*2\r\n$-7\r\n", "$99999999999999999999\r\n"}) {
    const StrangeServer babbler(StrangeServer::Manner::babbles, words);
    const auto store = open_store(babbler.url(), quick());
    Caller caller(*store);
    expect_that_it_costs_one_timeout_at_most(caller);
  }
}

TEST(F9, AHostThatHasNoAddress) {
  const auto store = open_store("redis://no-such-host.invalid", quick());
  Caller caller(*store);
  expect_that_it_costs_one_timeout_at_most(caller);
}

TEST(F9, KilledWithCallsOnTheWayAndStartedAgain) {
  RedisServer server;
  const auto store = open_store(server.url(), quick());
  Caller caller(*store);
  ASSERT_TRUE(works_again(caller));
  server.stop();
  expect_that_it_costs_one_timeout_at_most(caller);
  server.start();
  EXPECT_TRUE(works_again(caller));
}

TEST(F9, LoadingItsData) {
  RedisServer server;
  {
    RedisClient client(server.port());
    std::vector<std::vector<std::string>> commands;
    for (int i = 0; i < 3000; ++i)
      commands.push_back({"SET", "k" + std::to_string(i), std::string(100, 'x')});
    client.pipeline(commands);
    ASSERT_EQ(client.command({"SAVE"}).text, "OK");
  }
  // A server's own means for such tests: it waits so many microseconds for each key, and answers LOADING
  // meanwhile.
  server.start({"--key-load-delay", "500", "--loading-process-events-interval-bytes", "1024"});
  RedisClient client(server.port());
  ASSERT_EQ(client.command({"PING"}).text.substr(0, 7), "LOADING");
  const auto store = open_store(server.url(), quick());
  Caller caller(*store);
  const auto first = caller.apply(core::Acquire{{1, 1}});
  ASSERT_FALSE(first.answer);
  EXPECT_LE(first.waited, timeout + scheduling);
  EXPECT_TRUE(works_again(caller));
}

TEST(F9, BusyWithSomebodysScript) {
  RedisServer server({"--busy-reply-threshold", "10"});
  const auto store = open_store(server.url(), quick());
  Caller caller(*store);
  ASSERT_TRUE(works_again(caller));
  std::thread endless([&] { RedisClient(server.port()).command({"EVAL", "while true do end", "0"}); });
  RedisClient client(server.port());
  ASSERT_TRUE(eventually([&] { return client.command({"PING"}).text.substr(0, 4) == "BUSY"; }));
  expect_that_it_costs_one_timeout_at_most(caller);
  client.command({"SCRIPT", "KILL"});
  endless.join();
  EXPECT_TRUE(works_again(caller));
}

TEST(F9, AReadOnlyReplicaAnswersWhatItCanAndTakesOverWhenPromoted) {
  RedisServer primary;
  RedisServer replica({"--replicaof", "127.0.0.1", std::to_string(primary.port())});
  RedisClient client(replica.port());
  ASSERT_TRUE(eventually([&] {
    return client.command({"INFO", "replication"}).text.find("master_link_status:up") != std::string::npos;
  }));
  const auto store = open_store(replica.url());
  Caller caller(*store);
  EXPECT_EQ(caller.reply(core::Acquire{{1, 1}}).reply.ruling, core::Ruling::admitted);
  const auto refused = caller.apply(report(0, core::Verb::failure));
  ASSERT_FALSE(refused.answer);
  EXPECT_EQ(refused.answer.error().code, Errc::store_refused);
  EXPECT_NE(refused.answer.error().detail.find("READONLY"), std::string::npos);
  const auto next = caller.apply(report(0, core::Verb::failure));
  ASSERT_FALSE(next.answer);
  EXPECT_TRUE(client.keys("*").empty());

  client.command({"REPLICAOF", "NO", "ONE"});
  const auto promoted = std::chrono::steady_clock::now();
  ASSERT_TRUE(
      eventually([&] { return static_cast<bool>(caller.apply(report(0, core::Verb::failure)).answer); }));
  EXPECT_LE(std::chrono::steady_clock::now() - promoted, seconds{2} + scheduling);
}

TEST(F9, FullMemoryRefusesWritesWholeAndLetsReadsThrough) {
  RedisServer server;
  RedisClient client(server.port());
  const auto store = open_store(server.url());
  Caller caller(*store);
  for (int i = 0; i < 4; ++i) caller.reply(report(0, core::Verb::failure));
  const auto before = client.get(redis::keys_of("cb", "nominatim").window());
  client.command({"CONFIG", "SET", "maxmemory-policy", "noeviction"});
  client.command({"CONFIG", "SET", "maxmemory", "1"});
  const auto refused = caller.apply(report(0, core::Verb::failure));
  ASSERT_FALSE(refused.answer);
  EXPECT_EQ(refused.answer.error().code, Errc::store_refused);
  EXPECT_NE(refused.answer.error().detail.find("OOM"), std::string::npos);
  EXPECT_EQ(client.get(redis::keys_of("cb", "nominatim").window()), before);
  EXPECT_EQ(caller.reply(core::Acquire{{1, 1}}).reply.ruling, core::Ruling::admitted);
  EXPECT_TRUE(caller.read().answer);
  client.command({"CONFIG", "SET", "maxmemory", "0"});
  EXPECT_EQ(caller.reply(report(0, core::Verb::failure)).decision.phase, core::Phase::open);
}

TEST(F9, GarbageUnderAnyKeyIsAnErrorThatWritesNothing) {
  RedisServer server;
  RedisClient client(server.port());
  const auto store = open_store(server.url());
  Caller caller(*store);
  const redis::ProviderKeys keys = redis::keys_of("cb", "nominatim");
  const auto dump = [&] {
    std::map<std::string, std::string> all;
    for (const std::string& name : client.keys("*")) all[name] = client.command({"DUMP", name}).text;
    return all;
  };
  const std::vector<std::string> garbage{"garbage",
                                         "",
                                         "1",
                                         "2 1 1 1",
                                         "1 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                                         "1 99999999999999999999 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                                         "1 1e15 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                                         std::string(100'000, '7')};
  for (const std::string& name : keys.names) {
    for (std::size_t i = 0; i <= garbage.size(); ++i) {
      client.command({"FLUSHALL"});
      // A state with something under every key, then one of them spoilt.
      caller.reply(core::Operate{core::Action::open, seconds{9}});
      const core::Decision d = caller.reply(core::Operate{core::Action::automatic, {}}).decision;
      caller.reply(core::Acquire{{1, 1}});
      caller.reply(report(d.epoch, core::Verb::neutral, {1, 1}));
      caller.reply(core::Acquire{{1, 2}});
      caller.reply(report(1, core::Verb::failure));
      client.command({"DEL", name});
      if (i < garbage.size())
        client.set(name, garbage[i]);
      else
        client.command({"RPUSH", name, "a", "list"});
      const auto before = dump();
      const auto answer = caller.apply(report(d.epoch, core::Verb::success, {1, 2}));
      ASSERT_FALSE(answer.answer) << name << " " << i;
      EXPECT_EQ(answer.answer.error().code, Errc::store_refused);
      EXPECT_EQ(dump(), before);
      EXPECT_EQ(static_cast<bool>(caller.read().answer), name != keys.decision());
    }
  }
  EXPECT_TRUE(store->stats().connected);  // the server is well: other providers are not affected
  EXPECT_EQ(store->stats().reconnects, 0);
}

TEST(F9, ScriptFlushUnderLoadCostsOneReloadAndNoAnswer) {
  RedisServer server;
  RedisClient client(server.port());
  const auto store = open_store(server.url());
  std::atomic<bool> over{false};
  std::atomic<std::int64_t> reported{0};
  std::atomic<std::int64_t> failed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      Caller caller(*store);
      while (!over) ++(caller.apply(report(0, core::Verb::success)).answer ? reported : failed);
    });
  ASSERT_TRUE(eventually([&] { return store->stats().reloads == 1; }));
  constexpr int flushes = 50;
  for (int i = 1; i <= flushes; ++i) {
    client.command({"SCRIPT", "FLUSH"});
    EXPECT_TRUE(eventually([&] { return store->stats().reloads > i; }));
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
  EXPECT_LE(store->stats().reloads, flushes + 5);  // a call that meets two flushes carries the text itself
  // Every report was counted, and none twice.
  const auto window = client.get(redis::keys_of("cb", "nominatim").window());
  ASSERT_TRUE(window);
  std::int64_t counted = 0;
  for (std::size_t bar = window->find('|'), end = 0; bar != std::string::npos; bar = std::string::npos) {
    end = window->find(' ', window->find(' ', bar) + 1);
    counted += std::stoll(window->substr(window->find(' ', bar) + 1, end));
    const std::size_t older = window->find('|', window->find('|', bar + 1) + 1);
    for (std::size_t at = older + 1; (*window)[at] != '|'; at = window->find(';', at) + 1)
      counted += std::stoll(window->substr(window->find(' ', at) + 1));
  }
  EXPECT_EQ(counted, reported);
}

TEST(F9, AWrongPasswordIsToldWithoutRepeatingIt) {
  RedisServer server({"--requirepass", "correct-horse"});
  const std::string address = "127.0.0.1:" + std::to_string(server.port());
  for (const std::string& url : {"redis://:battery-staple@" + address,
                                 "redis://nobody:battery-staple@" + address, "redis://" + address}) {
    const auto store = open_store(url, quick());
    Caller caller(*store);
    ASSERT_TRUE(eventually([&] {
      const auto told = caller.apply(core::Evaluate{}).answer.error().detail;
      EXPECT_EQ(told.find("battery"), std::string::npos) << told;
      return told.find("WRONGPASS") != std::string::npos || told.find("NOAUTH") != std::string::npos;
    }));
  }
  const auto store = open_store("redis://:correct-horse@" + address);
  EXPECT_TRUE(Caller(*store).apply(core::Evaluate{}).answer);
}

TEST(F9, AUserOfTheServersListWithTheLeastRights) {
  RedisServer server;
  RedisClient client(server.port());
  ASSERT_EQ(client
                .command({"ACL", "SETUSER", "worker", "on", ">s3cret", "~cb:*", "-@all", "+ping", "+time",
                          "+get", "+getrange", "+set", "+del", "+pttl", "+pexpire", "+evalsha", "+eval"})
                .text,
            "OK");
  const std::string address = "127.0.0.1:" + std::to_string(server.port());
  const auto store = open_store("redis://worker:s3cret@" + address);
  Caller caller(*store);
  StoreReply last;
  for (int i = 0; i < 5; ++i) last = caller.reply(report(0, core::Verb::failure));
  EXPECT_EQ(last.decision.phase, core::Phase::open);
  client.command({"ACL", "SETUSER", "worker", "-set"});
  const auto refused = caller.apply(core::Operate{core::Action::automatic, {}});
  ASSERT_FALSE(refused.answer);
  EXPECT_EQ(refused.answer.error().code, Errc::store_refused);
}

TEST(RedisStoreEnd, TheDestructorDoesNotHangOnAnyStore) {
  RedisServer server;
  RedisServer frozen;
  const StrangeServer hole(StrangeServer::Manner::swallows);
  frozen.freeze();
  for (const std::string& url :
       {server.url(), frozen.url(), hole.url(), std::string("redis://no-such-host.invalid"),
        std::string("redis://127.0.0.1:1")}) {
    std::atomic<int> answered{0};
    RedisStoreOptions options;
    options.timeout = seconds{20};
    options.flush_timeout = milliseconds{100};
    auto store = open_store(url, options);
    const BreakerConfig config;
    for (int i = 0; i < 10; ++i)
      store->apply({"nominatim", core::Evaluate{}, config, {}},
                   [&](const Result<StoreReply>&) { ++answered; });
    const auto start = std::chrono::steady_clock::now();
    store.reset();
    EXPECT_LE(std::chrono::steady_clock::now() - start, milliseconds{100} + scheduling) << url;
    EXPECT_EQ(answered, 10) << url;
  }
}

TEST(RedisStoreEnd, EveryHandlerIsCalledOnceWhateverTheServerDoes) {
  RedisServer server;
  RedisStoreOptions options = quick();
  options.timeout = milliseconds{10};
  options.backoff_min = milliseconds{1};
  options.backoff_max = milliseconds{5};
  auto store = open_store(server.url(), options);
  const BreakerConfig config;
  std::atomic<std::int64_t> asked{0};
  std::atomic<std::int64_t> answered{0};
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (!over) {
        for (int k = 0; k < 20; ++k) {
          ++asked;
          store->apply({"nominatim", core::Evaluate{}, config, {}},
                       [&](const Result<StoreReply>&) { ++answered; });
          ++asked;
          store->read("nominatim", [&](const Result<Reading>&) { ++answered; });
        }
        const std::int64_t until = asked - 2000;
        while (answered < until) std::this_thread::yield();
      }
    });
  const auto connected = [&] { return store->stats().connected; };
  for (int round = 0; round < 5; ++round) {
    EXPECT_TRUE(eventually(connected));
    server.freeze();
    EXPECT_TRUE(eventually([&] { return !connected(); }));
    server.thaw();
    EXPECT_TRUE(eventually(connected));
    server.stop();
    EXPECT_TRUE(eventually([&] { return !connected(); }));
    server.start();
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
  store.reset();
  EXPECT_EQ(answered, asked);
}

}  // namespace

}  // namespace geobreaker::testing
