#include "batch/geocode_run.hpp"

#include "assembly/geocoder.hpp"
#include "batch/job.hpp"
#include "batch/number_text.hpp"
#include "batch/progress.hpp"
#include "batch/run_log.hpp"
#include "batch/run_settings.hpp"
#include "batch/stream_gate.hpp"
#include "batch/summary.hpp"
#include "batch/table.hpp"
#include "config/check.hpp"

#include <geobreaker/clock.hpp>
#include <geobreaker/random.hpp>
#include <geobreaker/stack/waiter.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <ostream>

namespace geobreaker {

namespace asio = boost::asio;

namespace {

ExitCode exit_code_of(const Error& error) {
  return error.code == Errc::invalid_config ? ExitCode::usage : ExitCode::unusable;
}

ExitCode refuse(std::ostream& messages, const Error& error) {
  messages << "geobreaker: " << error.detail << '\n' << std::flush;
  return exit_code_of(error);
}

/// A job while it runs, with its progress and its signals.
class Run {
 public:
  Run(const GeocodeOptions& options, const config::Settings& settings, InputTable& input,
      std::ostream& messages)
      : options_(options),
        settings_(settings),
        input_(input),
        messages_(messages),
        waiter_(clock_),
        log_(context_.get_executor(), [this](const std::string& line) { print(line); }),
        signals_(context_, SIGINT, SIGTERM),
        started_(clock_.steady_now()) {}

  [[nodiscard]] ExitCode operator()();

 private:
  [[nodiscard]] Status prepare();
  void print(const std::string& line);
  void show_progress();
  [[nodiscard]] asio::awaitable<void> keep_showing();
  [[nodiscard]] asio::awaitable<void> heed_signals();
  [[nodiscard]] asio::awaitable<void> run_job(Status& ran);
  [[nodiscard]] Status end();
  void describe_end();
  [[nodiscard]] ExitCode verdict() const;

  const GeocodeOptions& options_;
  const config::Settings& settings_;
  InputTable& input_;
  std::ostream& messages_;
  asio::io_context context_{1};
  SystemClock clock_;
  SystemRandom random_;
  TimerWaiter waiter_;
  ProgressPrinter progress_{STDERR_FILENO};
  RunLog log_;
  asio::signal_set signals_;
  SteadyTime started_;

  std::unique_ptr<Geocoder> geocoder_;
  std::optional<Journal> journal_;
  OutputTable output_;
  std::unique_ptr<StreamGate> gate_;
  std::optional<Job> job_;
};

Status Run::prepare() {
  auto geocoder = Geocoder::assemble(settings_, context_.get_executor(), clock_, waiter_, random_, &log_);
  if (!geocoder) return geocoder.error();
  geocoder_ = std::move(*geocoder);
  if (const Status possible = check_output(options_); !possible) return possible;
  if (input_.is_file && output_is_file(options_)) {
    auto journal = open_journal(options_, input_, settings_);
    if (!journal) return journal.error();
    journal_.emplace(std::move(*journal));
  }
  auto output = open_output(options_, input_);
  if (!output) return output.error();
  output_ = std::move(*output);
  if (!input_.is_file) gate_ = StreamGate::open(context_.get_executor(), input_.reader->descriptor());
  JobOptions job;
  job.concurrency = static_cast<std::size_t>(settings_.batch.concurrency);
  job_.emplace(*input_.reader, input_.shape, geocoder_->chain(), journal_ ? &*journal_ : nullptr,
               *output_.writer, job, clock_, waiter_, gate_.get());
  return Done{};
}

ExitCode Run::operator()() {
  if (const Status ready = prepare(); !ready) return refuse(messages_, ready.error());
  if (!options_.quiet) print(input_.shape.address.sentence);
  if (!options_.quiet && journal_ && journal_->rows() > 0)
    print("continuing: " + journal_->path() + " holds " + counted(journal_->rows(), "row", "rows"));
  asio::co_spawn(context_, heed_signals(), asio::detached);
  if (!options_.quiet) asio::co_spawn(context_, keep_showing(), asio::detached);
  Status ran = Done{};
  asio::co_spawn(context_, run_job(ran), asio::detached);
  context_.run();
  progress_.clear();
  if (ran) ran = end();
  if (!ran) {
    discard_output(output_);  // what is finished is in the journal
    return refuse(messages_, ran.error());
  }
  describe_end();
  return verdict();
}

asio::awaitable<void> Run::run_job(Status& ran) {
  ran = co_await job_->run();
  context_.stop();  // alarms of rows that were parked once may still be set
}

Status Run::end() {
  if (const Status closed = close_output(output_); !closed) return closed;
  if (!journal_) return Done{};
  if (!job_->interrupted())
    if (const Status marked = journal_->mark_complete(); !marked) return marked;
  return journal_->close();
}

void Run::describe_end() {
  if (!options_.quiet)
    messages_ << summary(job_->tally(), view_providers(geocoder_->chain()), clock_.steady_now() - started_);
  if (!options_.quiet && !output_.path.empty()) messages_ << "output     " << output_.path << '\n';
  if (job_->interrupted())
    messages_ << (journal_
                      ? "interrupted: the same command continues where this one stopped\n"
                      : "interrupted: between streams there is no journal, so this cannot be continued\n");
  messages_ << std::flush;
}

ExitCode Run::verdict() const {
  const JobTally& tally = job_->tally();
  const auto rows = [&](RecordStatus status) { return tally.by_status[static_cast<std::size_t>(status)]; };
  if (job_->interrupted() && tally.rows_finished < tally.rows_read) return ExitCode::interrupted;
  return rows(RecordStatus::ok) + rows(RecordStatus::no_match) == tally.rows_read ? ExitCode::all_done
                                                                                  : ExitCode::some_failed;
}

void Run::print(const std::string& line) {
  progress_.clear();
  messages_ << line << '\n' << std::flush;
}

void Run::show_progress() {
  progress_.tick(
      {job_->tally(), input_.bytes, clock_.steady_now() - started_, view_providers(geocoder_->chain())});
}

asio::awaitable<void> Run::keep_showing() {
  asio::steady_timer timer(context_);
  for (;;) {
    timer.expires_after(progress_.interval());
    co_await timer.async_wait(asio::use_awaitable);
    show_progress();
  }
}

asio::awaitable<void> Run::heed_signals() {
  co_await signals_.async_wait(asio::use_awaitable);
  print("finishing what is in flight; once more to stop at once");
  job_->interrupt();
  co_await signals_.async_wait(asio::use_awaitable);
  _exit(static_cast<int>(ExitCode::interrupted));  // rows that are finished are in the journal
}

}  // namespace

ExitCode run_geocode(const GeocodeOptions& options, std::ostream& messages) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no more is an error of the output, too
  std::signal(SIGPIPE,
              SIG_IGN);  // a reader that goes away is an error of the output, not the end of the journal
  const auto settings = settings_of(options);
  if (!settings) {
    refuse(messages, settings.error());
    return ExitCode::usage;  // a configuration that cannot be read, too
  }
  for (const std::string& warning : config::warnings(*settings)) messages << "warning: " << warning << '\n';
  auto input = open_input(options);
  if (!input) return refuse(messages, input.error());
  Run run(options, *settings, *input, messages);
  return run();
}

}  // namespace geobreaker
