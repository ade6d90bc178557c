// How fast rows are read and copied with cells appended. Bytes per second of input; one core.
#include "batch/csv_reader.hpp"
#include "batch/csv_writer.hpp"

#include <benchmark/benchmark.h>

#include <istream>
#include <memory>
#include <ostream>
#include <string>

namespace geobreaker {
namespace {

constexpr int rows = 200'000;

std::string plain_rows() {
  std::string text = "id,street,unit,city,state,postcode,country,true_lat,true_lon\n";
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(i) + "," + std::to_string(i % 9000) +
            " Applegate Lane,,Louisville,KY,40219,US,38.1343013,-85.6498512\n";
  }
  return text;
}

std::string quoted_rows() {
  std::string text = "\"id\",\"address\",\"city\"\n";
  for (int i = 0; i < rows; ++i) {
    text += "\"" + std::to_string(i) + "\",\"" + std::to_string(i % 9000) +
            " \"\"Old\"\" Lane,\nrear house\",\"Louisville, KY\"\n";
  }
  return text;
}

class TextSource final : public ByteSource {
 public:
  explicit TextSource(const std::string& text) : ByteSource("bench"), text_(text) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> room) override {
    const std::size_t size = text_.copy(room.data(), room.size(), at_);
    at_ += size;
    return size;
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

class NoSink final : public ByteSink {
 public:
  NoSink() : ByteSink("bench") {}
  [[nodiscard]] Status write(std::string_view bytes) override {
    benchmark::DoNotOptimize(bytes.data());
    return Done{};
  }
  [[nodiscard]] Status close() override { return Done{}; }
};

void read(benchmark::State& state, const std::string& text) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    auto reader = CsvReader::open(std::make_unique<TextSource>(text));
    for (auto record = reader->next(); *record != nullptr; record = reader->next()) {
      for (std::size_t i = 0; i < (*record)->size(); ++i) bytes += (*record)->cell(i).size();
    }
  }
  benchmark::DoNotOptimize(bytes);
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
  state.SetItemsProcessed(std::int64_t{rows} * state.iterations());
}

void copy(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    auto reader = CsvReader::open(std::make_unique<TextSource>(text));
    CsvWriter writer(std::make_unique<NoSink>(), reader->delimiter());
    for (auto record = reader->next(); *record != nullptr; record = reader->next()) {
      if (!writer.append(**record, 9, "ok,38.1,-85.6,\"Louisville, KY\",locality,0.9,gazetteer,gazetteer:ok"))
        return;
    }
    if (!writer.close()) return;
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
  state.SetItemsProcessed(std::int64_t{rows} * state.iterations());
}

BENCHMARK_CAPTURE(read, plain, plain_rows());
BENCHMARK_CAPTURE(read, quoted, quoted_rows());
BENCHMARK_CAPTURE(copy, plain, plain_rows());
BENCHMARK_CAPTURE(copy, quoted, quoted_rows());

}  // namespace
}  // namespace geobreaker
