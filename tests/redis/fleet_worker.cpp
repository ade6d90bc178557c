// One process of a fleet: fleet_worker URL BOARD-DESCRIPTOR INDEX TASK SCRIPT (see fleet.hpp).
#include "redis/fleet.hpp"
#include "redis/redis_fixture.hpp"

#include <cstdlib>

namespace geobreaker::testing {

namespace {

std::string script_of(Fleet::Script which) {
  switch (which) {
    case Fleet::Script::shipped:
      return std::string(redis::transition_script());
    case Fleet::Script::without_lease_guard:
      return script_without_lease_guard();
    case Fleet::Script::on_test_clock:
      return script_on_test_clock();
  }
  return {};
}

class Worker {
 public:
  Worker(const char* url, FleetBoard& board, std::uint64_t index, Fleet::Script script)
      : store_(open_store_with(url, script_of(script))), caller_(*store_), board_(board), index_(index) {
    caller_.apply(core::Evaluate{}, {}, "warm-up");  // the connection stands before the first round
  }

  void ask_and_fail() {
    const core::LeaseToken token{++asked_, index_ + 1};
    const auto asked = caller_.apply(core::Acquire{token});
    if (!asked.answer) {
      ++board_.errors;
    } else if (asked.answer->reply.ruling == core::Ruling::probe_granted) {
      ++board_.probes;
      count(caller_.apply(report(asked.answer->decision.epoch, core::Verb::failure, token)));
    }
  }

  void fail() { count(caller_.apply(report(board_.epoch, core::Verb::failure))); }

 private:
  void count(const Timed<StoreReply>& reply) {
    if (!reply.answer) {
      ++board_.errors;
      return;
    }
    ++(reply.answer->reply.ruling == core::Ruling::late ? board_.late : board_.accepted);
    board_.changes += static_cast<int>(reply.answer->reply.changes.size());
  }

  std::unique_ptr<RedisStore> store_;
  Caller caller_;
  FleetBoard& board_;
  std::uint64_t index_;
  std::uint64_t asked_ = 0;
};

}  // namespace

}  // namespace geobreaker::testing

int main(int argc, char** argv) {
  using namespace geobreaker::testing;
  if (argc != 6) return 2;
  FleetBoard* const board = map_board(std::atoi(argv[2]));
  if (board == nullptr) return 2;
  const auto task = static_cast<Fleet::Task>(std::atoi(argv[4]));
  Worker worker(argv[1], *board, std::strtoull(argv[3], nullptr, 10),
                static_cast<Fleet::Script>(std::atoi(argv[5])));
  while (task == Fleet::Task::fail_forever) worker.fail();
  for (;;) {
    board->meet();
    if (board->over) return 0;
    task == Fleet::Task::ask_and_fail ? worker.ask_and_fail() : worker.fail();
    board->meet();
  }
}
