#pragma once

#include "batch/csv_reader.hpp"
#include "batch/csv_writer.hpp"
#include "batch/geocode_options.hpp"
#include "batch/journal.hpp"
#include "batch/row_source.hpp"
#include "config/settings.hpp"

#include <geobreaker/result.hpp>

#include <memory>
#include <string>
#include <vector>

namespace geobreaker {

/// The input, opened and understood: it stands behind its header.
struct InputTable {
  std::unique_ptr<CsvReader> reader;
  TableShape shape;
  std::string header;  ///< the bytes of the header line
  std::string header_line_end;
  std::uint64_t bytes = 0;  ///< of the file; 0 for a stream
  bool is_file = false;     ///< can be read again, so that a job on it can be continued
};

/// Errors: unreadable (the file; no header line, or none in UTF-8), invalid_config (address columns,
/// delimiter, result columns there already).
[[nodiscard]] Result<InputTable> open_input(const GeocodeOptions& options);

/// Where results go: a file that gets its name only when it is whole, or a stream (standard output, a pipe, a
/// device).
struct OutputTable {
  std::unique_ptr<CsvWriter> writer;
  std::string path;  ///< as the user knows it; empty: standard output
  std::string file;  ///< the same behind all symbolic links; empty: a stream
};

/// The output's path: the one given, or IN.geocoded.csv; empty for standard output.
[[nodiscard]] std::string output_path(const GeocodeOptions& options);
/// True if the output is a file, so that a job can be continued; false if it is a stream.
[[nodiscard]] bool output_is_file(const GeocodeOptions& options);
/// Before anything is written. Errors: unreadable (a directory, no such folder); invalid_config if it is the
/// input.
[[nodiscard]] Status check_output(const GeocodeOptions& options);
/// Opens the output and writes its header. Errors: unreadable.
[[nodiscard]] Result<OutputTable> open_output(const GeocodeOptions& options, const InputTable& input);
/// Ends the output and gives it its name. Errors: unreadable.
[[nodiscard]] Status close_output(OutputTable& output);
/// Removes what was written of a file that will not become whole.
void discard_output(const OutputTable& output) noexcept;

/// The journal of a job between two files. Errors: those of Journal::open and fingerprint_file.
[[nodiscard]] Result<Journal> open_journal(const GeocodeOptions& options, const InputTable& input,
                                           const config::Settings& settings);

}  // namespace geobreaker
