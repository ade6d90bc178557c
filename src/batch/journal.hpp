#pragma once

#include <geobreaker/result.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace geobreaker {

/// One thing on which the results of a run depend: the input's fingerprint, the header, the address columns,
/// the configuration, the prefix, the delimiter. Name and value are shown to the user; neither may hold a
/// secret.
struct JournalFact {
  std::string name;
  std::string value;
  friend bool operator==(const JournalFact&, const JournalFact&) = default;
};
using JournalIdentity = std::vector<JournalFact>;

/// A row that the journal holds. The views hold until the next call of the cursor.
struct FinishedRow {
  std::uint64_t row;  ///< from 0, the first row below the header
  std::string_view status;
  std::string_view cells;  ///< the appended cells as they were given
};

class Journal;

/// Walks the finished rows in their order. Rows appended after it has looked past their place are not seen,
/// which does no harm to a caller who reads the input in order and appends only rows that he has read.
/// Threads: as the journal, which must outlive it and must not be moved meanwhile.
class FinishedRows {
 public:
  /// The first finished row that is not before `row`; null if there is none. `row` must not go down.
  /// Errors: unreadable.
  [[nodiscard]] Result<const FinishedRow*> next_from(std::uint64_t row);

 private:
  friend class Journal;
  struct Place {
    std::uint64_t row;
    std::size_t begin;
    std::size_t status_size;
    std::size_t cells_size;
  };
  explicit FinishedRows(Journal& journal) : journal_(&journal) {}
  [[nodiscard]] Status look_ahead(std::uint64_t row);

  Journal* journal_;
  std::vector<Place> places_;  // of the rows read ahead, in text_
  std::string text_;
  std::size_t at_ = 0;
  bool ended_ = false;
  FinishedRow current_{};
};

/// The finished rows of one job in one SQLite file (docs: OUT.csv.gbj), so that a job which was killed
/// continues. What was committed survives the death of the process at any instant. A loss of power may take
/// the latest commits, and their rows are then geocoded again, but leaves a sound file: SQLite's WAL with
/// synchronous = NORMAL syncs when it moves the log into the file, not at every commit. FULL would cost a
/// disk's flush per commit for rows that can be had again; OFF could leave a file that holds nothing any
/// more. One process at a time: SQLite's exclusive lock, which the kernel drops when the process dies.
/// Threads: one at a time.
class Journal {
 public:
  static constexpr int format = 1;

  /// Opens the journal of this run, or creates it.
  /// Errors: conflict: another process has it (its lock is named), another run's (with what changed), another
  /// program's file, another format; unreadable: damaged, or the system's reason.
  [[nodiscard]] static Result<Journal> open(const std::string& path, const JournalIdentity& identity);

  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  /// Commits what is appended if it can, and closes.
  ~Journal();

  /// Adds a finished row to the current group. It is kept only when commit() has returned.
  /// Errors: conflict if the journal has the row; unreadable: disk full and the like. Errors are final.
  [[nodiscard]] Status append(std::uint64_t row, std::string_view status, std::string_view cells);
  /// Makes everything appended so far outlive this process.
  [[nodiscard]] Status commit();

  /// How many rows are committed.
  [[nodiscard]] std::uint64_t rows() const noexcept;
  /// How many there are of each status, appended ones included. Reads the whole file, 0.1 s for a million
  /// rows: sums kept with each commit would double what a commit of one row writes. Errors: unreadable.
  [[nodiscard]] Result<std::map<std::string, std::uint64_t, std::less<>>> counts();

  /// The committed rows and those appended, in their order.
  [[nodiscard]] FinishedRows finished() { return FinishedRows(*this); }

  /// Commits, and notes that the job has ended and its output is whole.
  [[nodiscard]] Status mark_complete();
  [[nodiscard]] bool complete() const noexcept;

  /// Commits, and leaves one file: the write-ahead log is moved into it and removed. Nothing can be done
  /// afterwards.
  [[nodiscard]] Status close();

  [[nodiscard]] const std::string& path() const noexcept;

 private:
  friend class FinishedRows;
  class Database;
  explicit Journal(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

}  // namespace geobreaker
