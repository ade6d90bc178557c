#include "batch/job.hpp"

#include "batch/result_cells.hpp"
#include "batch/street_hint.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <memory>

namespace geobreaker {

namespace asio = boost::asio;

namespace {

/// Rows that called nobody outside cost microseconds: they reach the journal in groups. Any other is kept at
/// once.
constexpr std::size_t rows_per_save = 1024;
/// A provider in this process never suspends: so often the loop gets its turn (signals, progress, other
/// rows).
constexpr std::size_t steps_per_turn = 256;

}  // namespace

Job::Job(CsvReader& reader, const TableShape& shape, FallbackChain& chain, Journal* journal,
         CsvWriter& writer, JobOptions options, Clock& clock, Waiter& waiter, StreamGate* gate)
    : chain_(chain),
      journal_(journal),
      writer_(writer),
      delimiter_(reader.delimiter()),
      columns_(shape.columns),
      options_(options),
      clock_(clock),
      waiter_(waiter),
      reader_(reader),
      gate_(gate),
      source_(reader, shape, journal, tally_),
      window_(options.window_rows, options.window_bytes),
      lot_(chain.links().size()) {}

asio::awaitable<Status> Job::run() {
  executor_ = co_await asio::this_coro::executor;
  asio::steady_timer all_done(executor_, asio::steady_timer::time_point::max());
  std::size_t working = options_.concurrency;
  for (std::size_t i = 0; i < options_.concurrency; ++i)
    asio::co_spawn(executor_, work(), [&](std::exception_ptr thrown) {
      if (thrown) fail({Errc::unreadable, "out of memory"});  // nothing else is thrown on a row's way
      if (--working == 0) all_done.cancel();
    });
  co_await all_done.async_wait(asio::as_tuple(asio::use_awaitable));
  save();
  if (stopping_) co_await write_rest();
  if (!error_)
    if (const Status flushed = writer_.flush(); !flushed) fail(flushed.error());
  if (error_) co_return *error_;
  co_return Done{};
}

void Job::interrupt() {
  stopping_ = true;
  for (const ChainLink& link : chain_.links()) link.stack->stop();
  wake_idle();
}

asio::awaitable<void> Job::work() {
  while (Row* row = co_await next_row()) {
    settle(*row, co_await chain_.walk(row->query, row->progress));
    if (++steps_ % steps_per_turn == 0) co_await asio::post(asio::use_awaitable);
  }
}

/// A parked row whose time has come, else a fresh one, else waits; null when there is nothing left to do.
asio::awaitable<Row*> Job::next_row() {
  for (;;) {
    if (stopping_ || error_) co_return nullptr;
    if (lot_.size() > 0) {
      Row* due = lot_.take_due(clock_.steady_now());
      tally_.rows_parked = lot_.size();
      if (due != nullptr) co_return due;
    }
    if (Row* fresh = take_fresh()) co_return fresh;
    save();
    if (source_ended_ && unfinished_ == 0) {
      wake_idle();
      co_return nullptr;
    }
    if (!window_.full() && !source_ended_ && input_ready()) continue;  // saving has made room
    co_await idle();
  }
}

Row* Job::take_fresh() {
  while (!source_ended_ && !error_ && !window_.full() && input_ready()) {
    const Result<Row*> read = source_.read_into(window_);
    if (!read) {
      fail(read.error());
      return nullptr;
    }
    Row* row = *read;
    if (row == nullptr) {
      source_ended_ = true;
      return nullptr;
    }
    if (row->finished) {
      ++tally_.rows_restored;
      count(*row);
      write_finished();
      continue;
    }
    ++unfinished_;
    if (!row->query.text.empty()) return row;
    finish(*row, RecordStatus::bad_request);  // nothing to ask anybody
  }
  return nullptr;
}

/// False if the stream has no whole line yet: then idle() ends when more has come.
bool Job::input_ready() {
  if (gate_ == nullptr || reader_.has_line()) return true;
  if (!std::exchange(feeding_, true)) asio::co_spawn(executor_, feed(), asio::detached);
  return false;
}

asio::awaitable<void> Job::feed() {
  co_await gate_->wait();
  if (const Status read = reader_.read_more(); !read) fail(read.error());
  feeding_ = false;
  wake_idle();
}

asio::awaitable<void> Job::idle() {
  sleep_until_due();
  co_await until_woken();
}

asio::awaitable<void> Job::until_woken() {
  asio::steady_timer wake(executor_, asio::steady_timer::time_point::max());
  idlers_.push_back(&wake);
  co_await wake.async_wait(asio::as_tuple(asio::use_awaitable));
}

void Job::wake_idle() {
  for (asio::steady_timer* idler : std::exchange(idlers_, {})) idler->cancel();
}

/// One alarm for all: set when the first parked row is due, set again if another turns out to be due earlier.
void Job::sleep_until_due() {
  const std::optional<SteadyTime> due = lot_.next_due();
  if (!due || (alarm_ && *alarm_ <= *due)) return;
  alarm_ = due;
  asio::co_spawn(executor_, ring_at(*due), asio::detached);
}

asio::awaitable<void> Job::ring_at(SteadyTime due) {
  co_await waiter_.wait_until(due);
  if (alarm_ != due) co_return;
  alarm_.reset();
  wake_idle();
}

void Job::settle(Row& row, const ChainStep& step) {
  const auto& links = row.progress.links;
  if (lot_.size() > 0)
    for (std::size_t link = 0; link < links.size(); ++link)
      if (links[link].answered) {
        lot_.answered(link);
        wake_idle();
      }
  if (const auto* parked = std::get_if<Parked>(&step)) {
    lot_.park(row, *parked, clock_.steady_now());
    tally_.rows_parked = lot_.size();
    return;
  }
  const RecordStatus status = std::get<Finished>(step).status;
  if (status != RecordStatus::pending) finish(row, status);
}

void Job::finish(Row& row, RecordStatus status) {
  const RecordProgress& progress = row.progress;
  row.status = status;
  const std::string tried = chain_.tried(progress);
  const Answer* answer = progress.best ? &*progress.best : nullptr;
  const std::string_view source = answer ? std::string_view(chain_.links()[progress.best_link].name) : "";
  encode_result({status, answer, source, tried}, delimiter_, row.result);
  unsaved_.push_back(&row);
  if (progress.called_out || unsaved_.size() >= rows_per_save) return save();
  if (std::exchange(save_posted_, true)) return;
  asio::post(executor_, [this] {
    save_posted_ = false;
    save();
  });
}

/// From here on the rows are kept, whatever happens to this process; only now they count.
void Job::save() {
  if (unsaved_.empty() || error_) return;
  if (journal_ != nullptr) {
    for (const Row* row : unsaved_)
      if (const Status kept = journal_->append(row->number, to_string(row->status), row->result); !kept)
        return fail(kept.error());
    if (const Status kept = journal_->commit(); !kept) return fail(kept.error());
  }
  for (Row* row : std::exchange(unsaved_, {})) {
    row->finished = true;
    --unfinished_;
    count(*row);
  }
  write_finished();
  wake_idle();
}

void Job::count(const Row& row) {
  ++tally_.rows_finished;
  ++tally_.by_status[static_cast<std::size_t>(row.status)];
  const auto& best = row.progress.best;
  const KeptResult kept =
      best ? KeptResult{row.status, best->at, best->precision, {}} : decode_result(row.result, delimiter_);
  if (tally_.samples.size() < samples_shown)
    tally_.samples.push_back({row.query.text, row.status, kept.at, best ? best->label : kept.label});
  if (row.truth) tally_.truth.add(*row.truth, kept.at);
  if (!kept.precision) return;
  ++tally_.by_precision[static_cast<std::size_t>(*kept.precision)];
  if (*kept.precision < Precision::street && names_street(row.query)) ++tally_.coarse_streets;
}

void Job::write_finished() {
  while (!error_ && !window_.empty() && window_.front().finished) {
    write_row(window_.front());
    window_.pop();
  }
}

void Job::write_row(const Row& row) {
  if (const Status written = writer_.append(row.raw, row.cells, row.line_end, columns_, row.result); !written)
    fail(written.error());
}

/// After an interrupt: every row of the input is in the output, those without a result as `pending`.
asio::awaitable<void> Job::write_rest() {
  std::string pending;
  encode_result({}, delimiter_, pending);
  const auto write_window = [&] {
    while (!error_ && !window_.empty()) {
      Row& row = window_.front();
      if (!row.finished) row.result = pending;
      write_row(row);
      window_.pop();
    }
  };
  write_window();
  while (!error_ && !source_ended_) {
    while (!input_ready()) co_await until_woken();
    const Result<Row*> read = source_.read_into(window_);
    if (!read) co_return fail(read.error());
    source_ended_ = *read == nullptr;
    if (!source_ended_ && (*read)->finished) {
      ++tally_.rows_restored;
      count(**read);
    }
    write_window();
  }
}

void Job::fail(const Error& error) {
  if (!error_) error_ = error;
  wake_idle();
}

}  // namespace geobreaker
