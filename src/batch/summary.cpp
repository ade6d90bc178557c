#include "batch/summary.hpp"

#include "batch/number_text.hpp"
#include "batch/printable.hpp"

#include <cstdio>

namespace geobreaker {

namespace {

/// "12 ok, 3 no-match": the counts that are not zero, by the word of their index.
template <class Word, class Counts>
std::string counts_by_word(const Counts& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      text += (text.empty() ? "" : ", ") + grouped(counts[i]) + " " +
              std::string(to_string(static_cast<Word>(i)));
  return text;
}

std::string elapsed_text(SteadyClock::duration elapsed) {
  char text[32];
  const double seconds = std::chrono::duration<double>(elapsed).count();
  if (seconds >= 100) return clock_text(static_cast<std::uint64_t>(seconds));
  std::snprintf(text, sizeof text, "%.1f s", seconds);
  return text;
}

std::string rows_line(const JobTally& tally, SteadyClock::duration elapsed) {
  std::string text = "rows       " + grouped(tally.rows_finished) + " finished in " + elapsed_text(elapsed);
  if (tally.rows_restored > 0) text += " (" + grouped(tally.rows_restored) + " of them by the journal)";
  if (tally.rows_read > tally.rows_finished)
    text += ", " + grouped(tally.rows_read - tally.rows_finished) + " still pending";
  return text + "\n";
}

std::string provider_lines(const ProviderView& provider) {
  std::string text = "provider   " + provider.name + ": " + counted(provider.calls.calls, "call", "calls");
  if (const std::string outcomes = counts_by_word<Outcome>(provider.calls.outcomes); !outcomes.empty())
    text += ": " + outcomes;
  if (const std::string skips = counts_by_word<SkipReason>(provider.calls.skips); !skips.empty())
    text += "; skipped: " + skips;
  text += "\n";
  const BreakerCounts& b = provider.breaker;
  if (b.trips_seen > 0 || b.probes_granted > 0) {
    text += "breaker    " + provider.name + ": " + counted(b.trips_seen, "trip", "trips") + ", " +
            counted(b.probes_granted, "probe", "probes") + " by this process";
    if (b.probes_granted > 0)
      text += " (" + grouped(b.probes_succeeded) + " succeeded, " + grouped(b.probes_failed) + " failed, " +
              grouped(b.probes_neutral) + " neutral)";
    text += "\n";
  }
  if (b.degraded > 0)
    text += "store      " + provider.name + ": " + counted(b.degraded, "call", "calls") +
            " decided by this process alone, the store being away\n";
  if (!provider.last_trouble.empty())
    text += "           " + provider.name + " last said: " + printable(provider.last_trouble, 200) + "\n";
  return text;
}

std::string sample_lines(const std::vector<Sample>& samples) {
  std::string text;
  for (const Sample& sample : samples) {
    char place[48] = "";
    if (sample.at) std::snprintf(place, sizeof place, "%.5f, %.5f", sample.at->lat_deg, sample.at->lon_deg);
    text += (text.empty() ? "first rows " : "           ") + printable(sample.address, 66) +
            "\n             -> " + std::string(to_string(sample.status)) +
            (sample.at ? "  " + std::string(place) + "  " : "") + printable(sample.label, 36) + "\n";
  }
  return text;
}

}  // namespace

std::string summary(const JobTally& tally, const std::vector<ProviderView>& providers,
                    SteadyClock::duration elapsed) {
  std::string text = sample_lines(tally.samples) + rows_line(tally, elapsed);
  if (const std::string statuses = counts_by_word<RecordStatus>(tally.by_status); !statuses.empty())
    text += "status     " + statuses + "\n";
  if (const std::string precisions = counts_by_word<Precision>(tally.by_precision); !precisions.empty())
    text += "precision  " + precisions + "\n";
  for (const ProviderView& provider : providers) text += provider_lines(provider);
  if (tally.truth.rows() > 0) text += "truth      " + tally.truth.describe() + "\n";
  if (tally.rows_ragged > 0)
    text += "note       " + counted(tally.rows_ragged, "row has", "rows have") +
            " more or fewer cells than the header, the first in line " + grouped(tally.first_ragged_line) +
            "\n";
  if (tally.rows_not_utf8 > 0)
    text += "\nATTENTION  " + counted(tally.rows_not_utf8, "address is", "addresses are") +
            " not in UTF-8, the first in line " + grouped(tally.first_not_utf8_line) +
            ": the file seems to be in another\n           encoding; convert it first, for instance: iconv "
            "-f WINDOWS-1252 -t UTF-8\n";
  if (tally.coarse_streets > 0)
    text += "\nATTENTION  " + counted(tally.coarse_streets, "street address", "street addresses") +
            " got only a point of the city, postcode or region,\n"
            "           none of its street: see the column prec. For streets add a provider\n"
            "           that knows them, for instance --provider nominatim=http://localhost:8080\n";
  return text;
}

}  // namespace geobreaker
