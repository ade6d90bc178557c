#include "batch/journal.hpp"

#include "batch/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>

namespace geobreaker {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using testing::TemporaryFolder;

const JournalIdentity identity = {{"input", "1,000 bytes, SHA-256 aa"}, {"address columns", "#1 street"}};

std::string cells_of(std::uint64_t row) { return "ok,1.5,2.5,\"label, " + std::to_string(row) + "\""; }

class JournalTest : public ::testing::Test {
 protected:
  [[nodiscard]] Journal opened(const JournalIdentity& facts = identity) const {
    auto journal = Journal::open(path, facts);
    EXPECT_TRUE(journal) << journal.error().detail;
    return std::move(*journal);
  }
  [[nodiscard]] Error refused(const JournalIdentity& facts = identity) const {
    const auto journal = Journal::open(path, facts);
    EXPECT_FALSE(journal);
    return journal ? Error{} : journal.error();
  }

  TemporaryFolder folder;
  std::string path = folder.file("out.csv.gbj");
};

std::vector<std::uint64_t> finished_rows(Journal& journal, std::uint64_t from = 0) {
  std::vector<std::uint64_t> rows;
  FinishedRows finished = journal.finished();
  for (auto found = finished.next_from(from); *found != nullptr;
       found = finished.next_from(rows.back() + 1)) {
    rows.push_back((*found)->row);
    EXPECT_EQ((*found)->cells, cells_of((*found)->row));
  }
  return rows;
}

void append(Journal& journal, std::uint64_t row, std::string_view status = "ok") {
  const Status appended = journal.append(row, status, cells_of(row));
  ASSERT_TRUE(appended) << appended.error().detail;
}

TEST_F(JournalTest, ANewOneIsEmpty) {
  Journal journal = opened();
  EXPECT_EQ(journal.rows(), 0U);
  EXPECT_FALSE(journal.complete());
  EXPECT_THAT(finished_rows(journal), ElementsAre());
  EXPECT_EQ(journal.path(), path);
}

TEST_F(JournalTest, KeepsRowsInTheirOrderHoweverTheyCame) {
  {
    Journal journal = opened();
    for (const std::uint64_t row : {7, 2, 9, 0}) append(journal, row, row == 9 ? "failed" : "ok");
    ASSERT_TRUE(journal.commit());
    EXPECT_THAT(*journal.counts(), ElementsAre(Pair("failed", 1), Pair("ok", 3)));
    ASSERT_TRUE(journal.close());
  }
  Journal journal = opened();
  EXPECT_EQ(journal.rows(), 4U);
  EXPECT_THAT(*journal.counts(), ElementsAre(Pair("failed", 1), Pair("ok", 3)));
  EXPECT_THAT(finished_rows(journal), ElementsAre(0, 2, 7, 9));
  EXPECT_THAT(finished_rows(journal, 3), ElementsAre(7, 9));
  FinishedRows finished = journal.finished();
  EXPECT_EQ((*finished.next_from(8))->status, "failed");
}

TEST_F(JournalTest, ARowIsGivenAgainUntilTheCallerIsPastIt) {
  Journal journal = opened();
  append(journal, 5);
  FinishedRows finished = journal.finished();
  for (const std::uint64_t from : {0, 4, 5}) EXPECT_EQ((*finished.next_from(from))->row, 5U);
  EXPECT_EQ(*finished.next_from(6), nullptr);
}

TEST_F(JournalTest, TheCursorGoesThroughManyRowsWhileOthersAreAppended) {
  {
    Journal journal = opened();
    for (std::uint64_t row = 0; row < 5000; row += 2) append(journal, row);
    ASSERT_TRUE(journal.close());
  }
  Journal journal = opened();
  FinishedRows finished = journal.finished();
  for (std::uint64_t row = 0; row < 5000; ++row) {
    const auto found = finished.next_from(row);
    ASSERT_TRUE(found);
    const bool known = *found != nullptr && (*found)->row == row;
    ASSERT_EQ(known, row % 2 == 0) << row;
    if (!known) append(journal, row);
    if (row % 100 == 0) {
      ASSERT_TRUE(journal.commit());
    }
  }
  ASSERT_TRUE(journal.commit());
  EXPECT_EQ(journal.rows(), 5000U);
  EXPECT_EQ(finished_rows(journal).size(), 5000U);
}

TEST_F(JournalTest, BytesOfAnyKindComeBack) {
  Journal journal = opened();
  const std::string bytes("\0\xFF,\"\r\n", 6);
  ASSERT_TRUE(journal.append(0, "ok", bytes));
  ASSERT_TRUE(journal.append(1, "ok", std::string_view()));
  ASSERT_TRUE(journal.append(2, "ok", std::string(1'000'000, 'x')));
  FinishedRows finished = journal.finished();
  EXPECT_EQ((*finished.next_from(0))->cells, bytes);
  EXPECT_EQ((*finished.next_from(1))->cells, "");
  EXPECT_EQ((*finished.next_from(2))->cells.size(), 1'000'000U);
}

TEST_F(JournalTest, ARowIsTakenOnce) {
  Journal journal = opened();
  append(journal, 3);
  const Status again = journal.append(3, "ok", "");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Errc::conflict);
  EXPECT_THAT(again.error().detail, HasSubstr("has row 3 already"));
}

TEST_F(JournalTest, CompletenessIsKept) {
  {
    Journal journal = opened();
    append(journal, 0);
    ASSERT_TRUE(journal.mark_complete());
    EXPECT_TRUE(journal.complete());
  }
  Journal journal = opened();
  EXPECT_TRUE(journal.complete());
  EXPECT_EQ(journal.rows(), 1U);
}

TEST_F(JournalTest, ClosingLeavesOneFile) {
  Journal journal = opened();
  append(journal, 0);
  ASSERT_TRUE(journal.commit());
  EXPECT_TRUE(std::filesystem::exists(path + "-wal"));
  ASSERT_TRUE(journal.close());
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + "-wal"));
  EXPECT_FALSE(std::filesystem::exists(path + "-shm"));
  EXPECT_FALSE(journal.append(1, "ok", ""));
  EXPECT_TRUE(journal.close());
}

TEST_F(JournalTest, WhatWasAppendedIsCommittedWhenItIsClosedOrDestroyed) {
  {
    Journal journal = opened();
    append(journal, 0);
  }
  Journal journal = opened();
  EXPECT_EQ(journal.rows(), 1U);
}

TEST_F(JournalTest, AnotherRunsJournalIsRefusedWithEveryChange) {
  {
    Journal journal =
        opened({{"input", "10 bytes"}, {"providers", "nominatim,gazetteer"}, {"prefix", "geo_"}});
  }
  const Error error = refused({{"input", "12 bytes"}, {"providers", "gazetteer"}, {"delimiter", ";"}});
  EXPECT_EQ(error.code, Errc::conflict);
  EXPECT_EQ(
      error.detail,
      path +
          " belongs to another run: input was \"10 bytes\" and is \"12 bytes\"; providers was "
          "\"nominatim,gazetteer\" and is \"gazetteer\"; delimiter was not known and is \";\"; prefix was "
          "\"geo_\" and is gone. Delete it to start anew, or give another output with -o");
  EXPECT_EQ(opened({{"input", "10 bytes"}, {"providers", "nominatim,gazetteer"}, {"prefix", "geo_"}}).rows(),
            0U);
}

TEST_F(JournalTest, TheOrderOfTheFactsDoesNotMatter) {
  { Journal journal = opened({{"b", "2"}, {"a", "1"}}); }
  (void)opened({{"a", "1"}, {"b", "2"}});
}

TEST_F(JournalTest, LongValuesThatDifferBehindWhatIsShownAreStillRefused) {
  const std::string header(10'000, 'x');
  { Journal journal = opened({{"header", header + "a"}}); }
  EXPECT_THAT(refused({{"header", header + "b"}}).detail, HasSubstr("header has changed"));
}

TEST_F(JournalTest, AFileThatIsNoDatabaseIsRefusedAndLeftAlone) {
  const std::string text(5000, 'x');
  (void)folder.with("out.csv.gbj", text);
  const Error error = refused();
  EXPECT_EQ(error.code, Errc::unreadable);
  EXPECT_THAT(error.detail,
              AllOf(HasSubstr(path), HasSubstr("damaged or no journal"), HasSubstr("delete it")));
  EXPECT_EQ(std::filesystem::file_size(path), text.size());
}

TEST_F(JournalTest, AnotherProgramsDatabaseIsRefused) {
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "CREATE TABLE mine (x)", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  const Error error = refused();
  EXPECT_EQ(error.code, Errc::conflict);
  EXPECT_THAT(error.detail, HasSubstr("another program's"));
}

TEST_F(JournalTest, AnotherFormatIsRefused) {
  { Journal journal = opened(); }
  sqlite3* file = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &file), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(file, "PRAGMA user_version = 99", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(file);
  EXPECT_THAT(refused().detail, HasSubstr("format 99 and this program writes 1"));
}

TEST_F(JournalTest, ADamagedFileIsAnErrorThatNamesIt) {
  {
    Journal journal = opened();
    for (std::uint64_t row = 0; row < 2000; ++row) append(journal, row);
  }
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(8192 * 4);
    file << std::string(8192 * 8, '\xFF');
  }
  std::optional<Error> error;
  auto journal = Journal::open(path, identity);
  if (!journal) {
    error = journal.error();
  } else {
    FinishedRows finished = journal->finished();
    for (std::uint64_t row = 0; row < 2000 && !error; ++row) {
      if (const auto found = finished.next_from(row); !found) error = found.error();
    }
  }
  ASSERT_TRUE(error);
  EXPECT_THAT(error->detail, AllOf(HasSubstr(path), HasSubstr("damaged")));
}

TEST_F(JournalTest, AFolderThatDoesNotExistIsNamed) {
  path = folder.file("none/out.csv.gbj");
  EXPECT_THAT(refused().detail, AllOf(HasSubstr(path), HasSubstr("No such file or directory")));
}

TEST_F(JournalTest, OddNamesAreFilesToo) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.file(""));
  for (const char* name : {":memory:", "file:x?mode=memory", "a b"}) {
    EXPECT_TRUE(Journal::open(name, identity));
    EXPECT_TRUE(std::filesystem::exists(name)) << name;
  }
  std::filesystem::current_path(before);
}

/// Runs `work` in a child and gives its exit code, or minus the signal that ended it.
template <class Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(JournalTest, AFullDiskIsAnErrorAndWhatWasCommittedStays) {
  const int code = in_child([&] {
    // Stands in for a full disk: the kernel refuses to let any file grow past this size.
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    auto journal = Journal::open(path, identity);
    if (!journal) return 2;
    for (std::uint64_t row = 0; row < 100'000; ++row) {
      Status kept = journal->append(row, "ok", cells_of(row));
      if (kept && row % 100 == 99) kept = journal->commit();
      if (kept) continue;
      if (kept.error().detail.find(path) == std::string::npos) return 3;
      if (kept.error().code != Errc::unreadable) return 4;
      // It stays failed.
      return !journal->append(row + 1, "ok", "") && !journal->commit() ? 0 : 5;
    }
    return 6;
  });
  EXPECT_EQ(code, 0);
  Journal journal = opened();
  EXPECT_GE(journal.rows(), 100U);
  EXPECT_EQ(finished_rows(journal).size(), journal.rows());
}

TEST_F(JournalTest, ASecondProcessIsRefusedUntilTheFirstDies) {
  int ready[2];
  int never[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(never), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto journal = Journal::open(path, identity);
    char byte = journal && journal->append(0, "ok", cells_of(0)) && journal->commit() ? 'y' : 'n';
    (void)!::write(ready[1], &byte, 1);
    (void)!::read(never[0], &byte, 1);
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, 'y');
  for (int i = 0; i < 2; ++i) {  // asking must not loosen the lock
    const Error error = refused();
    EXPECT_EQ(error.code, Errc::conflict);
    EXPECT_THAT(error.detail,
                AllOf(HasSubstr("holds the lock of " + path), HasSubstr("two runs cannot share")));
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  for (const int end : {ready[0], ready[1], never[0], never[1]}) ::close(end);
  Journal journal = opened();
  EXPECT_EQ(journal.rows(), 1U);
}

TEST_F(JournalTest, TheSameProcessCannotOpenItTwiceEither) {
  Journal journal = opened();
  EXPECT_EQ(refused().code, Errc::conflict);
  append(journal, 0);
  EXPECT_TRUE(journal.commit());
}

}  // namespace
}  // namespace geobreaker
