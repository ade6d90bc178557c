#pragma once

#include "batch/csv_writer.hpp"
#include "batch/job_tally.hpp"
#include "batch/journal.hpp"
#include "batch/parking_lot.hpp"
#include "batch/row_source.hpp"
#include "batch/row_window.hpp"
#include "batch/stream_gate.hpp"

#include <geobreaker/chain/fallback_chain.hpp>
#include <geobreaker/clock.hpp>
#include <geobreaker/result.hpp>
#include <geobreaker/stack/waiter.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace geobreaker {

struct JobOptions {
  std::size_t concurrency = 32;    ///< rows on their way through the chain at once
  std::size_t window_rows = 4096;  ///< rows held in memory at most, parked ones included
  std::size_t window_bytes = std::size_t{64} << 20;
};

/// A batch: takes rows from the table through the chain, keeps each result in the journal, and writes them in
/// their order. Threads: one executor.
class Job {
 public:
  /// `journal` may be null: then nothing can be continued. All references must outlive the job.
  /// `gate` is that of the reader's source if it is a stream, else null.
  Job(CsvReader& reader, const TableShape& shape, FallbackChain& chain, Journal* journal, CsvWriter& writer,
      JobOptions options, Clock& clock, Waiter& waiter, StreamGate* gate = nullptr);

  /// Geocodes all rows. After an interrupt the rest of the table is written as `pending`.
  /// Errors: the input, the journal or the output cannot be used any more; what was finished is in the
  /// journal.
  [[nodiscard]] boost::asio::awaitable<Status> run();

  /// Finishes what is in flight and begins nothing new.
  void interrupt();

  [[nodiscard]] const JobTally& tally() const noexcept { return tally_; }
  [[nodiscard]] bool interrupted() const noexcept { return stopping_; }

 private:
  [[nodiscard]] boost::asio::awaitable<void> work();
  [[nodiscard]] boost::asio::awaitable<Row*> next_row();
  [[nodiscard]] Row* take_fresh();
  [[nodiscard]] bool input_ready();
  [[nodiscard]] boost::asio::awaitable<void> feed();
  [[nodiscard]] boost::asio::awaitable<void> idle();
  [[nodiscard]] boost::asio::awaitable<void> until_woken();
  void sleep_until_due();
  [[nodiscard]] boost::asio::awaitable<void> ring_at(SteadyTime due);
  void wake_idle();

  void settle(Row& row, const ChainStep& step);
  void finish(Row& row, RecordStatus status);
  void save();
  void count(const Row& row);
  void write_finished();
  void write_row(const Row& row);
  [[nodiscard]] boost::asio::awaitable<void> write_rest();
  void fail(const Error& error);

  FallbackChain& chain_;
  Journal* journal_;
  CsvWriter& writer_;
  const char delimiter_;
  const std::size_t columns_;
  const JobOptions options_;
  Clock& clock_;
  Waiter& waiter_;
  CsvReader& reader_;
  StreamGate* gate_;
  boost::asio::any_io_executor executor_;

  JobTally tally_;
  RowSource source_;
  RowWindow window_;
  ParkingLot lot_;
  std::vector<Row*> unsaved_;  // finished, not yet in the journal
  bool save_posted_ = false;
  std::size_t unfinished_ = 0;  // rows in the window without a result
  bool source_ended_ = false;
  bool stopping_ = false;
  std::optional<Error> error_;
  std::vector<boost::asio::steady_timer*> idlers_;
  std::optional<SteadyTime> alarm_;
  bool feeding_ = false;  // the stream is being waited for
  std::size_t steps_ = 0;
};

}  // namespace geobreaker
