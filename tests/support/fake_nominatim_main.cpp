// The fake Nominatim as a program of its own, for tests that start processes.
//
//   fake_nominatim [--port N] [--control-port N] [--mode MODE] [--latency MS] [--log FILE]
//
// Prints two lines when it listens: the geocoding port, then the control port. Runs until SIGTERM or SIGINT,
// or until its standard input ends if --until-eof is given (so that it cannot outlive a test that crashes).

#include "support/fake_nominatim.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using geobreaker::test::FakeNominatim;

struct Arguments {
  FakeNominatim::Options options;
  bool until_eof = false;
};

Arguments read(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string_view name = words[i];
    if (name == "--until-eof") {
      arguments.until_eof = true;
      continue;
    }
    if (i + 1 == count) throw std::runtime_error(std::string(name) + ": unknown, or its value is missing");
    const std::string value = words[++i];
    if (name == "--port") {
      arguments.options.port = static_cast<std::uint16_t>(std::stoul(value));
    } else if (name == "--control-port") {
      arguments.options.control_port = static_cast<std::uint16_t>(std::stoul(value));
    } else if (name == "--mode") {
      arguments.options.mode = value;
    } else if (name == "--latency") {
      arguments.options.latency = std::chrono::milliseconds{std::stol(value)};
    } else if (name == "--log") {
      arguments.options.log_file = value;
    } else {
      throw std::runtime_error(std::string(name) + ": unknown");
    }
  }
  return arguments;
}

void wait_for_the_end(bool until_eof, const sigset_t& signals) {
  if (!until_eof) {
    int signal = 0;
    sigwait(&signals, &signal);
    return;
  }
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
}

}  // namespace

int main(int count, char** words) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  try {
    const Arguments arguments = read(count, words);
    // Blocked before the server's thread starts, which inherits it.
    if (!arguments.until_eof) sigprocmask(SIG_BLOCK, &signals, nullptr);
    const FakeNominatim server(arguments.options);
    std::printf("%u\n%u\n", static_cast<unsigned>(server.port()),
                static_cast<unsigned>(server.control_port()));
    std::fflush(stdout);
    wait_for_the_end(arguments.until_eof, signals);
    return 0;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "fake_nominatim: %s\n", fault.what());
    return 2;
  }
}
