#include "batch/number_text.hpp"
#include "batch/printable.hpp"
#include "batch/progress.hpp"
#include "batch/result_cells.hpp"
#include "batch/row_window.hpp"
#include "batch/summary.hpp"
#include "batch/truth_check.hpp"

#include <gtest/gtest.h>

namespace geobreaker {
namespace {

std::string encoded(const RowResult& result, char delimiter = ',') {
  std::string out = "what was there before";
  encode_result(result, delimiter, out);
  return out;
}

TEST(ResultCells, StandInTheirFixedOrder) {
  const Answer answer{{48.1371, -11.57538}, "Marienplatz, \"M\"", Precision::rooftop, 0.5, "de"};
  EXPECT_EQ(encoded({RecordStatus::ok, &answer, "nominatim", "nominatim:ok"}),
            "ok,48.1371,-11.57538,\"Marienplatz, \"\"M\"\"\",rooftop,0.5,nominatim,nominatim:ok");
  EXPECT_EQ(encoded({RecordStatus::ok, &answer, "n", "n:ok"}, ';'),
            "ok;48.1371;-11.57538;\"Marienplatz, \"\"M\"\"\";rooftop;0.5;n;n:ok");
}

TEST(ResultCells, ARowWithoutAnAnswerHasEmptyCoordinates) {
  EXPECT_EQ(encoded({RecordStatus::failed, nullptr, "", "a:timeout|b:breaker-open"}),
            "failed,,,,,,,a:timeout|b:breaker-open");
  EXPECT_EQ(encoded({}), "pending,,,,,,,");
}

TEST(ResultCells, KeepWholeNumbersAndSmallOnes) {
  const Answer answer{{50, -0.00000004}, "x", Precision::locality, 1.0, ""};
  EXPECT_EQ(encoded({RecordStatus::ok, &answer, "g", "g:ok"}), "ok,50,-0,x,locality,1,g,g:ok");
}

TEST(ResultCells, AreReadBackFromTheJournal) {
  const Answer answer{{-33.9, 151.2}, "Sydney, \"NSW\", Australia", Precision::locality, 0.25, "au"};
  const KeptResult kept = decode_result(encoded({RecordStatus::below_threshold, &answer, "g", "g:ok"}), ',');
  EXPECT_EQ(kept.status, RecordStatus::below_threshold);
  EXPECT_EQ(kept.at, answer.at);
  EXPECT_EQ(kept.precision, Precision::locality);
  EXPECT_EQ(kept.label, answer.label);
  const KeptResult none = decode_result(encoded({RecordStatus::no_match, nullptr, "", "g:no-match"}), ',');
  EXPECT_EQ(none.status, RecordStatus::no_match);
  EXPECT_FALSE(none.at);
  EXPECT_FALSE(none.precision);
}

TEST(TruthCheck, MeasuresGreatCircles) {
  EXPECT_NEAR(distance_km({52.5, 13.4}, {52.5, 13.4}), 0, 1e-9);
  EXPECT_NEAR(distance_km({0, 179.5}, {0, -179.5}), 111.195, 0.01);  // one degree, across the date line
  EXPECT_NEAR(distance_km({90, 0}, {-90, 0}), 20015.1, 0.1);
}

TEST(TruthCheck, CountsByDistance) {
  TruthCheck check;
  check.add({10, 10}, Coordinates{10, 10.001});
  check.add({10, 10}, Coordinates{10, 10.2});
  check.add({10, 10}, Coordinates{10, 10.3});
  check.add({10, 10}, Coordinates{12, 10});
  check.add({10, 10}, std::nullopt);
  EXPECT_EQ(check.rows(), 5U);
  EXPECT_EQ(check.answered(), 4U);
  EXPECT_EQ(check.within_25_km(), 2U);
  EXPECT_EQ(check.within_40_km(), 3U);
}

TEST(TruthCheck, TakesOnlyDegreesThatExist) {
  EXPECT_EQ(coordinates_from("38.8", "-76.9"), (Coordinates{38.8, -76.9}));
  for (const auto& [lat, lon] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {"91", "0"}, {"0", "181"}, {"nan", "0"}, {"1,5", "2"}, {"north", "2"}, {"1 ", "2"}})
    EXPECT_FALSE(coordinates_from(lat, lon)) << lat << " " << lon;
}

TEST(Printable, LeavesNothingThatMovesTheCursorOrForgesALine) {
  EXPECT_EQ(printable("Berlin \x1b[2J\a\n|\xC2\x9B|"), "Berlin \uFFFD[2J\uFFFD\uFFFD|\uFFFD|");
  EXPECT_EQ(printable("a\u202Eb\u2028c"), "a\uFFFDb\uFFFDc");
  EXPECT_EQ(printable("Stra\xDF"
                      "e"),
            "Stra\uFFFDe");
  EXPECT_EQ(printable("東京都, Köln, القاهرة"), "東京都, Köln, القاهرة");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("東京都千代田区", 3), "東京都...");
  EXPECT_EQ(printable("abc", 3), "abc");
}

TEST(Printable, KnowsUtf8) {
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("Köln 東京 🙂"));
  EXPECT_FALSE(is_utf8("K\xF6ln"));
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));
}

TEST(NumberText, GroupsDigitsAndCounts) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(clock_text(7), "0:07");
  EXPECT_EQ(clock_text(754), "12:34");
  EXPECT_EQ(clock_text(10931), "3:02:11");
  EXPECT_EQ(counted(1, "row", "rows"), "1 row");
  EXPECT_EQ(counted(2000, "row", "rows"), "2,000 rows");
}

TEST(RowWindow, IsBoundedInRowsAndBytesAndReusesItsRows) {
  RowWindow window(2, 100);
  Row& first = window.push(10);
  first.raw = std::string(10, 'x');
  first.progress.links.resize(3);
  Row& second = window.push(10);
  second.raw = std::string(10, 'x');
  EXPECT_TRUE(window.full());
  EXPECT_EQ(&window.front(), &first);
  window.pop();
  EXPECT_FALSE(window.full());
  Row& third = window.push(95);
  EXPECT_EQ(&third, &first);
  EXPECT_TRUE(third.progress.links.empty());
  EXPECT_TRUE(window.full());
}

struct ProgressTest : testing::Test {
  JobTally tally;
  std::vector<ProviderView> providers{{"nominatim", "open 12s", {}, {}, ""},
                                      {"gazetteer", "closed", {}, {}, ""}};
  ProgressTest() {
    tally.rows_read = 600;
    tally.rows_finished = 500;
    tally.bytes_read = 60'000;
    tally.rows_parked = 100;
  }
  ProgressView view() { return {tally, 100'000, std::chrono::seconds{10}, providers}; }
};

TEST_F(ProgressTest, TheBarSaysRowsRateTimeLeftStatesAndParkedRows) {
  EXPECT_EQ(progress_bar(view(), 120),
            "[######------] 50% 500 rows 50/s 0:10 left  nominatim open 12s  gazetteer closed  100 parked");
}

TEST_F(ProgressTest, TheBarKeepsToTheWidthOfTheTerminal) {
  for (const std::size_t width : {40U, 60U, 80U}) EXPECT_LT(progress_bar(view(), width).size(), width);
}

TEST_F(ProgressTest, WithoutAKnownSizeThereIsNoBarAndNoTimeLeft) {
  EXPECT_EQ(progress_line({tally, 0, std::chrono::seconds{10}, providers}),
            "progress: 500 rows 50/s  nominatim open 12s  gazetteer closed  100 parked");
}

TEST(Summary, SaysLoudlyWhenStreetsGotOnlyCities) {
  JobTally tally;
  tally.rows_read = tally.rows_finished = 3;
  tally.by_status[static_cast<std::size_t>(RecordStatus::ok)] = 3;
  tally.by_precision[static_cast<std::size_t>(Precision::locality)] = 3;
  tally.coarse_streets = 3;
  const std::string text = summary(tally, {}, std::chrono::seconds{2});
  EXPECT_NE(text.find("ATTENTION  3 street addresses got only a point of the city"), std::string::npos)
      << text;
  tally.coarse_streets = 0;
  EXPECT_EQ(summary(tally, {}, std::chrono::seconds{2}).find("ATTENTION"), std::string::npos);
}

TEST(Summary, CountsCallsSkipsTripsAndProbesPerProvider) {
  ProviderView provider{"nominatim", "closed", {}, {}, "HTTP 503"};
  provider.calls.calls = 1204;
  provider.calls.outcomes[static_cast<std::size_t>(Outcome::ok)] = 1200;
  provider.calls.outcomes[static_cast<std::size_t>(Outcome::timeout)] = 4;
  provider.calls.skips[static_cast<std::size_t>(SkipReason::breaker_open)] = 17;
  provider.breaker.trips_seen = 1;
  provider.breaker.probes_granted = 3;
  provider.breaker.probes_failed = 2;
  provider.breaker.probes_succeeded = 1;
  const std::string text = summary({}, {provider}, std::chrono::seconds{2});
  EXPECT_NE(text.find("provider   nominatim: 1,204 calls: 1,200 ok, 4 timeout; skipped: 17 breaker-open\n"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find(
          "breaker    nominatim: 1 trip, 3 probes by this process (1 succeeded, 2 failed, 0 neutral)\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("nominatim last said: HTTP 503"), std::string::npos);
}

}  // namespace
}  // namespace geobreaker
