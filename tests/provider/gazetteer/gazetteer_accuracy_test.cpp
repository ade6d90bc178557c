#include "provider/gazetteer/scoring.hpp"

#include <geobreaker/provider/gazetteer.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// How often the right town is found in files of real addresses whose true position is known.
namespace geobreaker {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

/// Rows without doubled quotes or newlines in cells, which these files have none of.
std::vector<Row> read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const auto header = cells_of(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const auto cells = cells_of(line);
    Row row;
    for (std::size_t i = 0; i < header.size() && i < cells.size(); ++i) row[header[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<std::filesystem::path> shared_data() {
  const char* given = std::getenv("GEOBREAKER_SHARED_DATA");
  const std::filesystem::path folder = given != nullptr ? given : GEOBREAKER_SIBLING_DATA;
  if (!std::filesystem::exists(folder / "addresses-us.csv")) return std::nullopt;
  return folder;
}

std::string joined(const Row& row, const std::string& separator) {
  std::string text;
  for (const char* column : {"street", "unit", "address", "city", "state", "postcode", "country"}) {
    const auto cell = row.find(column);
    if (cell == row.end() || cell->second.empty()) continue;
    text += (text.empty() ? "" : separator) + cell->second;
  }
  return text;
}

AddressQuery by_columns(const Row& row) {
  const auto cell = [&](const char* column) { return row.contains(column) ? row.at(column) : std::string(); };
  AddressQuery query;
  query.text = joined(row, ", ");
  query.street = cell("street");
  query.city = cell("city");
  query.state = cell("state");
  query.postcode = cell("postcode");
  query.country = cell("country");
  return query;
}

AddressQuery by_text(const Row& row, const std::string& separator) {
  AddressQuery query;
  query.text = joined(row, separator);
  return query;
}

struct Tally {
  double rows = 0;
  double answered = 0;
  double near = 0;
};

template <class MakeQuery>
Tally tally(const std::vector<Row>& rows, double near_km, MakeQuery make_query) {
  Tally out;
  for (const Row& row : rows) {
    ++out.rows;
    const AddressQuery query = make_query(row);
    const auto hit = Gazetteer::embedded().find(query);
    if (!hit) continue;
    ++out.answered;
    const double km = gazetteer::distance_km(hit->at.lat_deg, hit->at.lon_deg, std::stod(row.at("true_lat")),
                                             std::stod(row.at("true_lon")));
    if (km <= near_km) ++out.near;
  }
  return out;
}

const std::vector<Row>& examples() {
  static const auto rows = read(std::filesystem::path(GEOBREAKER_EXAMPLES) / "addresses.csv");
  return rows;
}

TEST(GazetteerAccuracy, TheExampleFileIsLargeAndWide) {
  EXPECT_GE(examples().size(), 160U);
  std::set<std::string> countries;
  for (const Row& row : examples()) {
    const auto hit = Gazetteer::embedded().find(by_columns(row));
    if (hit) countries.insert(hit->country_code);
  }
  EXPECT_GE(countries.size(), 45U);
}

TEST(GazetteerAccuracy, PutsTheExamplesIntoTheirTowns) {
  for (const std::string separator : {", ", " "}) {
    const Tally text = tally(examples(), 25, [&](const Row& row) { return by_text(row, separator); });
    EXPECT_GE(text.near / text.rows, 0.97) << "joined with '" << separator << "'";
    EXPECT_GE(text.near / text.answered, 0.99);
  }
  const Tally columns = tally(examples(), 25, by_columns);
  EXPECT_GE(columns.near / columns.rows, 0.97);
}

TEST(GazetteerAccuracy, IsNoWorseThanALookUpOfCityAndStateInTheUnitedStates) {
  const auto folder = shared_data();
  if (!folder) GTEST_SKIP() << "addresses-us.csv is not here; set GEOBREAKER_SHARED_DATA to its folder";
  const auto rows = read(*folder / "addresses-us.csv");
  const auto hold = [](const Tally& tally, const char* how) {
    EXPECT_GE(tally.answered / tally.rows, 0.957) << how;
    EXPECT_GE(tally.near / tally.answered, 0.998) << how;
  };
  hold(tally(rows, 40, by_columns), "by columns");
  hold(tally(rows, 40, [](const Row& row) { return by_text(row, ", "); }), "in one cell, with commas");
  hold(tally(rows, 40, [](const Row& row) { return by_text(row, " "); }), "in one cell, with spaces");
}

/// Half of the file's addresses name a town (and expect a postcode), half have only a postcode (and expect a
/// town).
TEST(GazetteerAccuracy, FindsFrenchTownsAndDoesNotMakeThemUp) {
  const auto folder = shared_data();
  if (!folder) GTEST_SKIP() << "addresses-fr.csv is not here; set GEOBREAKER_SHARED_DATA to its folder";
  double with_town = 0;
  double found = 0;
  double foreign = 0;
  double without_town = 0;
  double made_up = 0;
  for (const Row& row : read(*folder / "addresses-fr.csv")) {
    const auto hit = Gazetteer::embedded().find(by_text(row, ", "));
    if (row.at("expected_city").empty()) {
      ++with_town;
      if (hit) ++found;
      if (hit && hit->country_code != "fr") ++foreign;
    } else {
      ++without_town;
      if (hit && hit->name != row.at("expected_city")) ++made_up;
    }
  }
  EXPECT_GE(found / with_town, 0.75);
  EXPECT_LE(foreign / found, 0.005);
  EXPECT_LE(made_up / without_town, 0.01);
}

}  // namespace
}  // namespace geobreaker
