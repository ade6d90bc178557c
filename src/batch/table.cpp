#include "batch/table.hpp"

#include "batch/csv_cells.hpp"
#include "batch/input_fingerprint.hpp"
#include "batch/result_columns.hpp"
#include "config/fingerprint.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace geobreaker {

namespace {

const char* const part_suffix = ".gbpart";
const char* const journal_suffix = ".gbj";

Result<std::optional<char>> delimiter_of(const std::string& text) {
  if (text.empty()) return std::optional<char>{};
  if (text == "tab" || text == "\\t") return std::optional<char>{'\t'};
  if (text.size() == 1) return std::optional<char>{text[0]};
  return Error{Errc::invalid_config,
               "--delimiter: \"" + text + "\" is not allowed: give one character, or tab"};
}

std::optional<std::size_t> index_of(const std::vector<std::string>& names, std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  return std::nullopt;
}

Result<TableShape> shape_of_header(const CsvRecord& header, const GeocodeOptions& options) {
  const std::vector<std::string> names = header_names(header);
  if (const Status free = check_result_columns(names, options.prefix); !free) return free.error();
  auto address = options.address.empty() ? recognise_address_columns(names)
                                         : name_address_columns(names, options.address);
  if (!address) return address.error();
  TableShape shape;
  shape.columns = names.size();
  shape.address = std::move(*address);
  const auto lat = index_of(names, "true_lat"), lon = index_of(names, "true_lon");
  if (lat && lon) shape.truth = {{*lat, *lon}};
  return shape;
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) && !error;
}

/// Behind all symbolic links: the file that one points to is replaced, not the link.
std::string resolved(const std::string& path) {
  std::error_code error;
  const auto target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

std::string describe(std::optional<char> delimiter) {
  return delimiter == '\t' ? std::string("tab") : std::string(1, delimiter.value_or(','));
}

}  // namespace

Result<InputTable> open_input(const GeocodeOptions& options) {
  const auto delimiter = delimiter_of(options.delimiter);
  if (!delimiter) return delimiter.error();
  InputTable input;
  struct stat about {};
  if (options.input != "-" && stat(options.input.c_str(), &about) == 0) {
    if (S_ISDIR(about.st_mode))
      return Error{Errc::unreadable, "cannot read " + options.input + ": it is a directory"};
    input.is_file = S_ISREG(about.st_mode);
    if (input.is_file) input.bytes = static_cast<std::uint64_t>(about.st_size);
  }
  auto source = open_source(options.input);
  if (!source) return source.error();
  auto reader = CsvReader::open(std::move(*source), {.delimiter = *delimiter});
  if (!reader) return reader.error();
  input.reader = std::make_unique<CsvReader>(std::move(*reader));
  const auto header = input.reader->next();
  if (!header) return header.error();
  if (*header == nullptr || (*header)->blank())
    return Error{Errc::unreadable,
                 input.reader->name() + " has no header line: the first line must name the columns"};
  if ((*header)->raw().find('\0') != std::string_view::npos)
    return Error{Errc::unreadable, input.reader->name() +
                                       ", line 1: holds a NUL byte, so it is no text in UTF-8; UTF-16 is " +
                                       "converted with: iconv -f UTF-16LE -t UTF-8"};
  auto shape = shape_of_header(**header, options);
  if (!shape) return shape.error();
  input.shape = std::move(*shape);
  input.header = (*header)->raw();
  input.header_line_end = (*header)->line_end();
  return input;
}

std::string output_path(const GeocodeOptions& options) {
  if (options.output == "-") return "";
  if (!options.output.empty()) return options.output;
  if (options.input == "-") return "";
  std::filesystem::path path(options.input);
  path.replace_extension(".geocoded.csv");
  return path.string();
}

bool output_is_file(const GeocodeOptions& options) {
  const std::string path = output_path(options);
  std::error_code error;
  return !path.empty() &&
         (!std::filesystem::exists(path, error) || std::filesystem::is_regular_file(path, error));
}

Status check_output(const GeocodeOptions& options) {
  const std::string path = output_path(options);
  if (path.empty()) return Done{};
  for (const std::string& written : {path, resolved(path) + part_suffix, path + journal_suffix})
    if (is_same_file(written, options.input))
      return Error{Errc::invalid_config,
                   "-o: " + written + ", which would be written, is the input itself: give another name"};
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return Error{Errc::unreadable, "cannot write " + path + ": it is a directory"};
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error))
    return Error{Errc::unreadable, "cannot write " + path + ": " + folder.string() + " is no directory"};
  if (output_is_file(options)) {
    const std::string place = std::filesystem::path(resolved(path)).parent_path().string();
    if (::access(place.empty() ? "." : place.c_str(), W_OK | X_OK) != 0)
      return Error{Errc::unreadable,
                   "cannot write " + path + ": its folder: " + std::generic_category().message(errno)};
  }
  return Done{};
}

Result<OutputTable> open_output(const GeocodeOptions& options, const InputTable& input) {
  OutputTable output;
  output.path = output_path(options);
  if (output_is_file(options)) output.file = resolved(output.path);
  // What an earlier run left is taken away, not written through: it may be a link to something else by now.
  if (!output.file.empty()) ::unlink((output.file + part_suffix).c_str());
  auto sink = open_sink(!output.file.empty()  ? output.file + part_suffix
                        : output.path.empty() ? "-"
                                              : output.path);
  if (!sink) return sink.error();
  output.writer = std::make_unique<CsvWriter>(std::move(*sink), input.reader->delimiter());
  if (const Status bom = output.writer->write(input.reader->bom()); !bom) return bom.error();

  std::string names;
  const auto columns = result_columns(options.prefix);
  const std::vector<std::string_view> cells(columns.begin(), columns.end());
  append_csv_cells(names, cells, input.reader->delimiter());
  const Status written = output.writer->append(input.header, input.shape.columns, input.header_line_end,
                                               input.shape.columns, names);
  if (!written) return written.error();
  return output;
}

Status close_output(OutputTable& output) {
  if (const Status closed = output.writer->close(); !closed) return closed;
  if (output.file.empty() || std::rename((output.file + part_suffix).c_str(), output.file.c_str()) == 0)
    return Done{};
  return Error{Errc::unreadable, "cannot give " + output.file + part_suffix + " its name " + output.file +
                                     ": " + std::generic_category().message(errno)};
}

void discard_output(const OutputTable& output) noexcept {
  if (!output.file.empty()) ::unlink((output.file + part_suffix).c_str());
}

Result<Journal> open_journal(const GeocodeOptions& options, const InputTable& input,
                             const config::Settings& settings) {
  auto content = fingerprint_file(options.input);
  if (!content) return content.error();
  JournalIdentity identity{{"the input file", *content},
                           {"the header", input.header},
                           {"the address columns", input.shape.address.fingerprint()},
                           {"the delimiter", describe(input.reader->delimiter())},
                           {"--prefix", options.prefix}};
  for (const config::NamedValue& value : config::fingerprint(settings))
    if (value.decides_answer) identity.push_back({value.name, value.value});
  return Journal::open(output_path(options) + journal_suffix, identity);
}

}  // namespace geobreaker
