// A process that writes the journal is killed at random points; every row that it saw committed must be
// there.
#include "batch/journal.hpp"
#include "batch/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <random>

namespace geobreaker {
namespace {

constexpr int rounds = 30;
const JournalIdentity identity = {{"input", "10 bytes"}};

std::string cells_of(std::uint64_t row) { return std::string(20 + row % 200, 'c') + std::to_string(row); }

/// Appends for ever from `row` on, in groups of changing size, and tells after each commit how far it got.
[[noreturn]] void write_for_ever(const std::string& path, std::uint64_t row, int tell) {
  auto journal = Journal::open(path, identity);
  if (!journal) ::_exit(1);
  for (std::uint64_t group = 1;; group = group * 5 % 311 + 1) {
    for (std::uint64_t i = 0; i < group; ++i, ++row) {
      if (!journal->append(row, row % 3 == 0 ? "failed" : "ok", cells_of(row))) ::_exit(2);
    }
    if (!journal->commit()) ::_exit(3);
    if (::write(tell, &row, sizeof row) != sizeof row) ::_exit(4);
  }
}

/// The last number that comes out of `end` until it is closed, after at least `least` of them.
bool read_numbers(int end, int least, std::uint64_t& last) {
  for (int i = 0; i < least; ++i) {
    if (::read(end, &last, sizeof last) != sizeof last) return false;
  }
  return true;
}

TEST(JournalKill, EveryCommittedRowIsThereAfterSigkill) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.file("out.csv.gbj");
  const auto seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::uint64_t kept = 0;

  for (int round = 0; round < rounds; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(pipe_ends[0]);
      write_for_ever(path, kept, pipe_ends[1]);
    }
    ::close(pipe_ends[1]);
    // After a random number of commits, and then at whatever instant the next one has reached.
    std::uint64_t told = kept;
    ASSERT_TRUE(read_numbers(pipe_ends[0], 1 + static_cast<int>(random() % 40), told)) << "round " << round;
    random.discard(random() % 200'000);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed with " << WEXITSTATUS(status);
    while (read_numbers(pipe_ends[0], 1, told)) {
    }
    ::close(pipe_ends[0]);

    auto journal = Journal::open(path, identity);
    ASSERT_TRUE(journal) << journal.error().detail;
    kept = journal->rows();
    ASSERT_GE(kept, told) << "a committed row is lost in round " << round;
    FinishedRows finished = journal->finished();
    for (std::uint64_t row = 0; row < kept; ++row) {
      const auto found = finished.next_from(row);
      ASSERT_TRUE(found && *found != nullptr) << row;
      ASSERT_EQ((*found)->row, row);
      ASSERT_EQ((*found)->cells, cells_of(row));
    }
    ASSERT_EQ(*finished.next_from(kept), nullptr);
  }
}

}  // namespace
}  // namespace geobreaker
