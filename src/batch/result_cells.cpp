#include "batch/result_cells.hpp"

#include "batch/csv_cells.hpp"

#include <array>
#include <charconv>
#include <vector>

namespace geobreaker {

namespace {

/// Seven decimals of a degree are a centimetre; trailing zeros say nothing.
constexpr int coordinate_decimals = 7;
constexpr int confidence_decimals = 3;

struct NumberText {
  std::array<char, 32> bytes{};
  std::size_t size = 0;

  NumberText() = default;
  NumberText(double value, int decimals) {
    const auto written =
        std::to_chars(bytes.data(), bytes.data() + bytes.size(), value, std::chars_format::fixed, decimals);
    size = static_cast<std::size_t>(written.ptr - bytes.data());
    while (size > 1 && bytes[size - 1] == '0') --size;
    if (bytes[size - 1] == '.') --size;
  }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes.data(), size}; }
};

/// Cuts one cell off the front of `rest`; enough for cells that append_csv_cell wrote, without the text of
/// quoted ones.
std::string_view take_cell(std::string_view& rest, char delimiter) {
  std::size_t end = 0;
  for (bool quoted = false; end < rest.size() && (quoted || rest[end] != delimiter); ++end)
    if (rest[end] == '"') quoted = !quoted;
  const std::string_view cell = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return cell;
}

/// The text of a cell that append_csv_cell wrote.
std::string text_of(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"') return std::string(cell);
  std::string text;
  for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
    text += cell[i];
    if (cell[i] == '"') ++i;  // a quote within is written twice
  }
  return text;
}

std::optional<double> number_from(std::string_view text) noexcept {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

void encode_result(const RowResult& result, char delimiter, std::string& out) {
  NumberText lat, lon, confidence;
  std::string_view label, precision;
  if (const Answer* a = result.answer) {
    lat = NumberText(a->at.lat_deg, coordinate_decimals);
    lon = NumberText(a->at.lon_deg, coordinate_decimals);
    if (a->confidence) confidence = NumberText(*a->confidence, confidence_decimals);
    label = a->label;
    precision = to_string(a->precision);
  }
  const std::array<std::string_view, 8> cells{
      to_string(result.status), lat.view(),    lon.view(),  label, precision,
      confidence.view(),        result.source, result.tried};
  out.clear();
  append_csv_cells(out, cells, delimiter);
}

KeptResult decode_result(std::string_view cells, char delimiter) {
  KeptResult kept;
  kept.status = record_status_from(take_cell(cells, delimiter)).value_or(RecordStatus::failed);
  const auto lat = number_from(take_cell(cells, delimiter));
  const auto lon = number_from(take_cell(cells, delimiter));
  const std::string_view label = take_cell(cells, delimiter);
  if (!lat || !lon) return kept;
  kept.label = text_of(label);
  kept.at = Coordinates{*lat, *lon};
  kept.precision = precision_from(take_cell(cells, delimiter));
  return kept;
}

}  // namespace geobreaker
