// What a row costs in the journal, by the size of the group that is committed at once; and what it costs to
// find it again. CPU time (user and system) per row; the waiting for the disk shows in the wall time.
#include "batch/journal.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace geobreaker {
namespace {

constexpr std::uint64_t rows = 200'000;
constexpr std::string_view cells =
    "ok,38.2527,-85.7585,\"Louisville, Kentucky, US\",locality,0.9,gazetteer,gazetteer:ok";

class JournalFile {
 public:
  JournalFile() {
    std::string name = (std::filesystem::temp_directory_path() / "geobreaker_bench_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
  }
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;
  ~JournalFile() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] Journal open() const {
    auto journal = Journal::open((folder_ / "out.csv.gbj").string(), {{"input", "bench"}});
    if (!journal) std::abort();
    return std::move(*journal);
  }

 private:
  std::filesystem::path folder_;
};

void fill(Journal& journal, std::uint64_t count, std::uint64_t group) {
  for (std::uint64_t row = 0; row < count; ++row) {
    if (!journal.append(row, "ok", cells)) std::abort();
    if (row % group == group - 1 && !journal.commit()) std::abort();
  }
  if (!journal.close()) std::abort();
}

void append(benchmark::State& state) {
  for (auto _ : state) {
    const JournalFile file;
    Journal journal = file.open();
    fill(journal, rows, static_cast<std::uint64_t>(state.range(0)));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(rows) * state.iterations());
}

void read(benchmark::State& state) {
  const JournalFile file;
  {
    Journal journal = file.open();
    fill(journal, rows, 1024);
  }
  std::size_t bytes = 0;
  for (auto _ : state) {
    Journal journal = file.open();
    FinishedRows finished = journal.finished();
    for (std::uint64_t row = 0; row < rows; ++row) bytes += (*finished.next_from(row))->cells.size();
  }
  benchmark::DoNotOptimize(bytes);
  state.SetItemsProcessed(static_cast<std::int64_t>(rows) * state.iterations());
}

BENCHMARK(append)->Arg(1)->Arg(32)->Arg(1024)->Arg(8192)->MeasureProcessCPUTime()->Unit(
    benchmark::kMillisecond);
BENCHMARK(read)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace geobreaker
