#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace geobreaker::testing {

/// What the processes of a fleet share beside Redis: a gate, and what they counted. Lives in memory that all
/// of them map.
struct FleetBoard {
  pthread_barrier_t gate;
  std::atomic<bool> over;
  std::atomic<std::int64_t> epoch;  ///< under which to report
  std::atomic<int> probes;
  std::atomic<int> accepted;
  std::atomic<int> late;
  std::atomic<int> changes;  ///< of phase, as the replies told them
  std::atomic<int> errors;

  void meet() { pthread_barrier_wait(&gate); }
  void clear_counts();
};

/// Maps the board behind an inherited descriptor; nullptr if that fails.
FleetBoard* map_board(int descriptor);

/// Real processes, each with a RedisStore of its own: fork and exec of fleet_worker.
class Fleet {
 public:
  enum class Script { shipped, without_lease_guard, on_test_clock };
  enum class Task {
    ask_and_fail,  ///< each round: asks; who becomes the probe reports its failure at once
    fail,          ///< each round: reports a failure under the board's epoch
    fail_forever,  ///< reports failures without rounds or gates, until killed
  };
  Fleet(int workers, Task task, Script script, const std::string& url);
  /// Ends the rounds and waits for all.
  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  /// Lets every worker do its task once, at the same time, and waits until all have done it.
  void round();
  /// SIGKILL, for fleets that fail for ever.
  void kill_all();
  [[nodiscard]] FleetBoard& board() { return *board_; }

 private:
  std::vector<pid_t> processes_;
  FleetBoard* board_ = nullptr;
  bool has_rounds_;
};

}  // namespace geobreaker::testing
