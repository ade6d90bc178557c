#include "batch/job.hpp"

#include "support/stack_fixture.hpp"

#include <boost/asio/detached.hpp>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <sstream>

namespace geobreaker {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::answered;
using test::Layered;
using test::replied;
using test::World;

/// A job over a table in memory, in virtual time.
struct JobWorld {
  World world;
  std::deque<Layered> layers;
  ChainPolicy policy;
  JobOptions options{.concurrency = 4, .window_rows = 64};
  std::ostringstream out;
  JobTally tally;

  Layered& add(std::string name, Precision best, test::ScriptedProvider::Script script, int attempts = 1) {
    CallStackOptions stack;
    stack.retry.attempts = attempts;
    return layers.emplace_back(world, std::move(name), best, std::move(script), BreakerConfig{}, stack);
  }
  Layered& add_gazetteer() {
    return add("gazetteer", Precision::locality,
               [](const AddressQuery&) { return answered(Precision::locality); });
  }

  static std::string table(int rows) {
    std::string text = "address\n";
    for (int i = 0; i < rows; ++i) text += "street " + std::to_string(i) + "\n";
    return text;
  }

  Status run(const std::string& csv, const std::function<void(Job&)>& meanwhile = {}) {
    std::istringstream in(csv);
    auto reader = CsvReader::open(std::make_unique<StreamSource>(in, "in"));
    EXPECT_TRUE(reader);
    const auto header = reader->next();
    TableShape shape;
    shape.columns = (*header)->size();
    shape.address = *recognise_address_columns(header_names(**header));
    std::vector<ChainLink> links;
    for (Layered& l : layers) links.push_back({l.breaker.provider(), &l.stack, std::nullopt});
    FallbackChain chain(std::move(links), policy, world.time);
    CsvWriter writer(std::make_unique<StreamSink>(out, "out"), reader->delimiter());
    Job job(*reader, shape, chain, nullptr, writer, options, world.time, world.time);
    if (meanwhile) meanwhile(job);
    const bool fine = world.time.run(world.context, [&]() -> boost::asio::awaitable<bool> {
      const Status status = co_await job.run();
      co_return status.has_value();
    }());
    tally = job.tally();
    return fine ? Status(Done{}) : Status(Error{Errc::unreadable, "failed"});
  }
  std::uint64_t rows(RecordStatus status) const { return tally.by_status[static_cast<std::size_t>(status)]; }
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::istringstream text(out.str());
    for (std::string line; std::getline(text, line);) all.push_back(line);
    return all;
  }
  SteadyClock::duration since_start() { return world.time.steady_now() - SteadyTime{std::chrono::hours{1}}; }
};

struct JobTest : testing::Test, JobWorld {};

TEST_F(JobTest, WritesEveryRowInItsOrder) {
  Layered& p =
      add("p", Precision::rooftop, [&](const AddressQuery&) { return answered(Precision::rooftop); });
  p.provider.latency = milliseconds{20};
  ASSERT_TRUE(run(table(500)));
  const auto written = lines();
  ASSERT_EQ(written.size(), 500U);
  for (std::size_t i = 0; i < written.size(); ++i)
    EXPECT_TRUE(written[i].starts_with("street " + std::to_string(i) + ",ok,48.1,11.5,there,rooftop,,p,p:ok"))
        << written[i];
  EXPECT_EQ(rows(RecordStatus::ok), 500U);
}

TEST_F(JobTest, ABlankRowIsABadRequestAndAsksNobody) {
  Layered& p = add("p", Precision::rooftop, [](const AddressQuery&) { return answered(Precision::rooftop); });
  ASSERT_TRUE(run("address\nfirst 1\n\nthird 3\n"));
  EXPECT_EQ(lines()[1], ",bad-request,,,,,,,");
  EXPECT_EQ(p.provider.calls.size(), 2U);
}

TEST_F(JobTest, AnOutageOfAMinuteNeitherLosesNorDowngradesARow) {
  for (const int concurrency : {1, 4, 32}) {
    for (const int table_rows : {1, 40, 2000}) {
      for (const auto latency : {milliseconds{1}, milliseconds{50}, milliseconds{9000}}) {
        SCOPED_TRACE(testing::Message() << concurrency << " at once, " << table_rows
                                        << " rows, failing after " << latency.count() << " ms");
        JobWorld one;
        one.options.concurrency = static_cast<std::size_t>(concurrency);
        const SteadyTime dies = one.world.time.steady_now() + milliseconds{100};
        Layered* p = nullptr;
        p = &one.add("p", Precision::rooftop, [&](const AddressQuery&) {
          const SteadyTime now = one.world.time.steady_now();
          const bool dead = now >= dies && now < dies + seconds{60};
          p->provider.latency = dead ? latency : milliseconds{20};
          return dead ? replied(Outcome::timeout) : answered(Precision::rooftop);
        });
        one.add_gazetteer();
        ASSERT_TRUE(one.run(table(table_rows)));
        EXPECT_EQ(one.rows(RecordStatus::ok), static_cast<std::uint64_t>(table_rows));
        EXPECT_EQ(one.lines().size(), static_cast<std::size_t>(table_rows));
      }
    }
  }
}

TEST_F(JobTest, DuringAnOutageOneProbePerCoolDownAndThenTheRest) {
  const SteadyTime dies = world.time.steady_now() + seconds{1};
  const SteadyTime recovers = dies + seconds{100};
  Layered& p = add("p", Precision::rooftop, [&](const AddressQuery&) {
    const SteadyTime now = world.time.steady_now();
    return now >= dies && now < recovers ? replied(Outcome::network) : answered(Precision::rooftop);
  });
  ASSERT_TRUE(run(table(1000)));
  EXPECT_EQ(rows(RecordStatus::ok), 1000U);
  std::size_t while_open = 0;
  for (const auto& call : p.provider.calls)
    if (call.at > dies + seconds{5} && call.at < recovers) ++while_open;
  EXPECT_EQ(while_open, 2U) << "probes 30 s and 60 s after one another; the third finds it well";
  EXPECT_EQ(p.breaker.counts().probes_granted, 3U);
  EXPECT_EQ(p.breaker.counts().trips_seen, 1U);
}

TEST_F(JobTest, WithOnSkipNextTheRowsOfAnOutageComeFromTheNextProvider) {
  policy.on_skip = OnSkip::next;
  const SteadyTime dies = world.time.steady_now() + seconds{1};
  Layered& p = add("p", Precision::rooftop, [&](const AddressQuery&) {
    return world.time.steady_now() >= dies ? replied(Outcome::network) : answered(Precision::rooftop);
  });
  add_gazetteer();
  ASSERT_TRUE(run(table(1000)));
  std::map<std::string, int> tried;
  for (const std::string& line : lines()) ++tried[line.substr(line.rfind(',') + 1)];
  EXPECT_EQ(tried.size(), 3U);
  EXPECT_GT(tried["p:ok"], 0);
  EXPECT_GT(tried["p:breaker-open|gazetteer:ok"], 0);
  EXPECT_LE(tried["p:network|gazetteer:ok"], BreakerConfig{}.run_threshold + 4);
  EXPECT_EQ(rows(RecordStatus::ok) + rows(RecordStatus::below_threshold), 1000U);
  EXPECT_EQ(p.breaker.counts().probes_granted, p.breaker.counts().probes_failed);
}

TEST_F(JobTest, APoisonousRowDoesNotLoop) {
  Layered& p = add("p", Precision::rooftop, [](const AddressQuery& query) {
    return query.text == "street 3" ? replied(Outcome::provider_error) : answered(Precision::rooftop);
  });
  add_gazetteer();
  ASSERT_TRUE(run(table(20)));
  EXPECT_EQ(rows(RecordStatus::ok), 19U);
  EXPECT_TRUE(lines()[3].ends_with(",gazetteer,p:provider-error|gazetteer:ok")) << lines()[3];
  EXPECT_EQ(std::count_if(p.provider.calls.begin(), p.provider.calls.end(),
                          [](const auto& c) { return c.text == "street 3"; }),
            3);
}

TEST_F(JobTest, GivesUpAfterMaxWaitWithoutWaitingAgainForEachRow) {
  policy.max_wait = seconds{90};
  add("p", Precision::rooftop, [](const AddressQuery&) { return replied(Outcome::network); });
  add_gazetteer();
  ASSERT_TRUE(run(table(30)));
  EXPECT_EQ(rows(RecordStatus::below_threshold), 30U);
  EXPECT_LE(since_start(), seconds{100});
}

TEST_F(JobTest, TheWindowBoundsWhatIsReadAhead) {
  options.window_rows = 16;
  const SteadyTime recovers = world.time.steady_now() + seconds{40};
  std::uint64_t most_ahead = 0;
  Job* running = nullptr;
  add("p", Precision::rooftop, [&](const AddressQuery&) {
    most_ahead = std::max(most_ahead, running->tally().rows_read - running->tally().rows_finished);
    return world.time.steady_now() < recovers ? replied(Outcome::network) : answered(Precision::rooftop);
  });
  ASSERT_TRUE(run(table(400), [&](Job& job) { running = &job; }));
  EXPECT_EQ(rows(RecordStatus::ok), 400U);
  EXPECT_LE(most_ahead, 16U);
}

TEST_F(JobTest, AfterAnInterruptEveryRowIsThereAndTheRestIsPending) {
  Job* running = nullptr;
  int calls = 0;
  add("p", Precision::rooftop, [&](const AddressQuery&) {
    if (++calls == 10) running->interrupt();
    return answered(Precision::rooftop);
  });
  ASSERT_TRUE(run(table(300), [&](Job& job) { running = &job; }));
  const auto written = lines();
  ASSERT_EQ(written.size(), 300U);
  EXPECT_EQ(rows(RecordStatus::ok), 12U) << "the tenth and the two in flight beside it";
  EXPECT_EQ(written[0], "street 0,ok,48.1,11.5,there,rooftop,,p,p:ok");
  EXPECT_EQ(written[299], "street 299,pending,,,,,,,");
  EXPECT_EQ(std::count_if(written.begin(), written.end(),
                          [](const std::string& l) { return l.find(",pending,") != std::string::npos; }),
            288);
}

TEST_F(JobTest, AnInterruptWhileAllRowsAreParkedEndsAtOnce) {
  Job* running = nullptr;
  add("p", Precision::rooftop, [&](const AddressQuery&) { return replied(Outcome::network); });
  boost::asio::co_spawn(
      world.context,
      [&]() -> boost::asio::awaitable<void> {
        co_await world.time.wait_until(world.time.steady_now() + seconds{20});
        running->interrupt();
      },
      boost::asio::detached);
  ASSERT_TRUE(run(table(30), [&](Job& job) { running = &job; }));
  EXPECT_EQ(lines().size(), 30U);
  EXPECT_EQ(rows(RecordStatus::failed) + rows(RecordStatus::ok), 0U);
  EXPECT_LE(since_start(), seconds{21});
}

}  // namespace
}  // namespace geobreaker
