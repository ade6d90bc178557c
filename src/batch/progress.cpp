#include "batch/progress.hpp"

#include "batch/number_text.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace geobreaker {

namespace {

constexpr std::size_t narrowest = 40;
constexpr std::size_t bar_width = 12;

double seconds_of(SteadyClock::duration span) { return std::chrono::duration<double>(span).count(); }

std::optional<double> share_done(const ProgressView& view) {
  if (view.bytes_total == 0 || view.tally.rows_read == 0) return std::nullopt;
  // Rows that were read but are not finished count as not read.
  const double read = static_cast<double>(view.tally.bytes_read) / static_cast<double>(view.bytes_total);
  const double finished =
      static_cast<double>(view.tally.rows_finished) / static_cast<double>(view.tally.rows_read);
  return std::clamp(read * finished, 0.0, 1.0);
}

std::uint64_t rows_per_second(const ProgressView& view) {
  const double seconds = seconds_of(view.elapsed);
  const auto rows = view.tally.rows_finished - view.tally.rows_restored;
  return seconds <= 0 ? 0 : static_cast<std::uint64_t>(static_cast<double>(rows) / seconds);
}

std::string time_left(const ProgressView& view) {
  const auto done = share_done(view);
  if (!done || *done <= 0.0 || view.tally.rows_finished == view.tally.rows_restored) return "";
  return " " + clock_text(static_cast<std::uint64_t>(seconds_of(view.elapsed) * (1 - *done) / *done)) +
         " left";
}

std::string states(const ProgressView& view) {
  std::string text;
  for (const ProviderView& provider : view.providers) text += "  " + provider.name + " " + provider.state;
  if (view.tally.rows_parked > 0) text += "  " + grouped(view.tally.rows_parked) + " parked";
  return text;
}

std::string rows_and_rate(const ProgressView& view) {
  return counted(view.tally.rows_finished, "row", "rows") + " " + grouped(rows_per_second(view)) + "/s" +
         time_left(view);
}

std::string percent(double share) { return std::to_string(static_cast<int>(share * 100)) + "%"; }

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put <= 0) return;  // nobody to show it to: the job does not depend on it
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

std::size_t width_of(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::max<std::size_t>(narrowest, size.ws_col);
}

}  // namespace

std::string progress_bar(const ProgressView& view, std::size_t width) {
  std::string text;
  if (const auto done = share_done(view)) {
    const auto full = static_cast<std::size_t>(*done * bar_width);
    text = "[" + std::string(full, '#') + std::string(bar_width - full, '-') + "] " + percent(*done) + " ";
  }
  text += rows_and_rate(view) + states(view);
  if (text.size() >= width) text.resize(width - 1);
  return text;
}

std::string progress_line(const ProgressView& view) {
  const auto done = share_done(view);
  return "progress: " + (done ? percent(*done) + ", " : std::string()) + rows_and_rate(view) + states(view);
}

ProgressPrinter::ProgressPrinter(int fd) : fd_(fd), terminal_(isatty(fd) == 1) {}

std::chrono::milliseconds ProgressPrinter::interval() const noexcept {
  return terminal_ ? std::chrono::milliseconds{200} : std::chrono::seconds{10};
}

void ProgressPrinter::tick(const ProgressView& view) {
  if (!terminal_) return write_all(fd_, progress_line(view) + "\n");
  write_all(fd_, "\r\x1b[2K" + progress_bar(view, width_of(fd_)));
  drawn_ = true;
}

void ProgressPrinter::clear() {
  if (std::exchange(drawn_, false)) write_all(fd_, "\r\x1b[2K");
}

}  // namespace geobreaker
