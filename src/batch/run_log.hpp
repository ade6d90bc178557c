#pragma once

#include <geobreaker/breaker.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <string>

namespace geobreaker {

/// Turns what happens to breakers and store into one line each, for the people who watch a job.
class RunLog final : public BreakerObserver {
 public:
  /// `print` is called on the executor, which must outlive the log.
  RunLog(boost::asio::any_io_executor executor, std::function<void(const std::string&)> print)
      : executor_(std::move(executor)), print_(std::move(print)) {}

  void on_phase_change(std::string_view provider, const core::PhaseChange& change) override;
  void on_store_lost(std::string_view provider, const Error& why) override;
  void on_store_back(std::string_view provider) override;

 private:
  void say(std::string line);

  boost::asio::any_io_executor executor_;
  std::function<void(const std::string&)> print_;
};

}  // namespace geobreaker
