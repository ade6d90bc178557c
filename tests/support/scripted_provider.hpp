#pragma once

#include <geobreaker/provider/provider.hpp>
#include <geobreaker/stack/waiter.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace geobreaker::test {

inline ProviderReply answered(Precision precision, Coordinates at = {48.1, 11.5}) {
  return {Outcome::ok, Answer{at, "there", precision, std::nullopt, "de"}, std::nullopt, ""};
}
inline ProviderReply replied(Outcome outcome) { return {outcome, std::nullopt, std::nullopt, "scripted"}; }

/// A provider of the test's: asks a function what to reply, after a time that passes on the test's clock.
class ScriptedProvider final : public Provider {
 public:
  using Script = std::function<ProviderReply(const AddressQuery&)>;

  ScriptedProvider(Precision best, Clock& clock, Waiter& waiter, Script script)
      : traits_{best, false}, clock_(clock), waiter_(waiter), script_(std::move(script)) {}

  const ProviderTraits& traits() const noexcept override { return traits_; }

  boost::asio::awaitable<ProviderReply> forward(const AddressQuery& query) override {
    calls.push_back({query.text, clock_.steady_now()});
    most_at_once = std::max(most_at_once, ++in_flight_);
    const Leave leave{in_flight_};
    if (latency > SteadyClock::duration{0}) co_await waiter_.wait_until(clock_.steady_now() + latency);
    co_return script_(query);
  }

  boost::asio::awaitable<ProviderReply> reverse(Coordinates) override {
    co_return replied(Outcome::no_match);
  }

  struct Call {
    std::string text;
    SteadyTime at;
  };
  std::vector<Call> calls;
  int most_at_once = 0;
  SteadyClock::duration latency = std::chrono::milliseconds{50};

 private:
  struct Leave {
    int& count;
    ~Leave() { --count; }
  };
  ProviderTraits traits_;
  Clock& clock_;
  Waiter& waiter_;
  Script script_;
  int in_flight_ = 0;
};

}  // namespace geobreaker::test
