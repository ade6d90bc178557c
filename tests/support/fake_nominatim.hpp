#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace geobreaker::test {

/// A server that answers like Nominatim and does what a test tells it to. It runs on a thread of its own;
/// every member may be called from any thread. fake_nominatim_main.cpp makes a program of it.
///
/// Geocoding port: `/search?q=` and `/reverse?lat=&lon=`. Control port, which stays open in every mode:
///   /_control?mode=MODE   switches; answers the new mode, or 400 naming the modes
///   /_log                 one JSON object a line:
///   {"ms":12,"path":"/search","q":"...","mode":"ok","answer":"200"}
///   /_stats               {"requests":..,"in_flight":..,"max_in_flight":..,"connections":..,"mode":".."}
///   /_reset               forgets the log and the counts
/// The geocoding port answers these too while it is open.
///
/// Modes (as text):
///   ok           the place that place_of() gives for q, as a house; `[]` if q contains "nowhere", a city
///                (place_rank 16) if it contains "cityonly"
///   refuse       the port is closed, and so is every connection: connections are refused
///   reset        takes the request, then breaks the connection off (RST)
///   http500      500
///   hang         takes the request, never answers
///   html200      200 with a web page
///   garbage      200 with bytes that are no JSON
///   empty        200 `[]`
///   truncate     promises more body than it sends, then closes
///   slow:MS      ok, after MS milliseconds
///   429:SECONDS  429 with that Retry-After (`429` alone: without the header)
class FakeNominatim {
 public:
  struct Options {
    std::uint16_t port = 0;          // 0: a free one; kept when the port is opened again
    std::uint16_t control_port = 0;  // 0: a free one
    std::string mode = "ok";
    std::chrono::milliseconds latency{0};  // of mode ok
    std::string log_file;                  // each request is appended before it is answered: outlives SIGKILL
  };
  struct Seen {
    std::chrono::milliseconds at;  // since the server's start
    std::string path;
    std::string q;       // decoded; for /reverse "lat,lon" as sent
    std::string target;  // as it came over the wire
    std::string user_agent;
    std::string mode;
    std::string answer;  // the status, or "none" where no answer is given
  };
  struct Stats {
    std::size_t requests = 0;
    std::size_t in_flight = 0;
    std::size_t max_in_flight = 0;
    std::size_t connections = 0;  // accepted so far
    std::string mode;
  };
  struct Place {
    double lat_deg;
    double lon_deg;
  };

  /// Throws std::runtime_error if a port cannot be opened or the mode is unknown.
  explicit FakeNominatim(Options options);
  FakeNominatim();
  ~FakeNominatim();
  FakeNominatim(const FakeNominatim&) = delete;
  FakeNominatim& operator=(const FakeNominatim&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::uint16_t control_port() const;
  [[nodiscard]] std::string url() const;  // http://127.0.0.1:PORT
  /// In force for every request that arrives after the return. False: no such mode.
  bool set_mode(const std::string& mode);
  [[nodiscard]] Stats stats() const;
  [[nodiscard]] std::vector<Seen> log() const;
  void reset();
  /// Waits until at least `count` requests have arrived; false if they did not within `limit`.
  [[nodiscard]] bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const;
  /// Waits until no request is being answered; false if some still is after `limit`.
  [[nodiscard]] bool wait_until_quiet(std::chrono::milliseconds limit) const;

  /// Where mode ok finds `q`: FNV-1a (64 bit) of its bytes; the low half gives the latitude in [-80, 80), the
  /// high half the longitude in [-179, 179), both cut to seven decimals.
  [[nodiscard]] static Place place_of(std::string_view q);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace geobreaker::test
