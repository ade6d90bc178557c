#include "redis/fleet.hpp"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <new>
#include <stdexcept>

extern char** environ;

namespace geobreaker::testing {

void FleetBoard::clear_counts() { probes = accepted = late = changes = errors = 0; }

FleetBoard* map_board(int descriptor) {
  void* const memory = mmap(nullptr, sizeof(FleetBoard), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<FleetBoard*>(memory);
}

Fleet::Fleet(int workers, Task task, Script script, const std::string& url)
    : has_rounds_(task != Task::fail_forever) {
  const int descriptor = memfd_create("fleet", 0);  // inherited by the workers
  if (descriptor < 0 || ftruncate(descriptor, sizeof(FleetBoard)) != 0)
    throw std::runtime_error("no shared memory");
  board_ = map_board(descriptor);
  if (board_ == nullptr) throw std::runtime_error("no shared memory");
  new (board_) FleetBoard{};
  pthread_barrierattr_t shared;
  pthread_barrierattr_init(&shared);
  pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&board_->gate, &shared, static_cast<unsigned>(workers) + 1);
  pthread_barrierattr_destroy(&shared);
  for (int i = 0; i < workers; ++i) {
    std::string words[] = {GEOBREAKER_FLEET_WORKER,
                           url,
                           std::to_string(descriptor),
                           std::to_string(i),
                           std::to_string(static_cast<int>(task)),
                           std::to_string(static_cast<int>(script))};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t process = -1;
    if (posix_spawn(&process, argv[0], nullptr, nullptr, argv.data(), environ) != 0)
      throw std::runtime_error("cannot start " + words[0]);
    processes_.push_back(process);
  }
  close(descriptor);
}

Fleet::~Fleet() {
  board_->over = true;
  if (has_rounds_)
    board_->meet();
  else
    kill_all();
  for (const pid_t process : processes_) waitpid(process, nullptr, 0);
  munmap(board_, sizeof(FleetBoard));
}

void Fleet::round() {
  board_->clear_counts();
  board_->meet();
  board_->meet();
}

void Fleet::kill_all() {
  for (const pid_t process : processes_) kill(process, SIGKILL);
  for (const pid_t process : processes_) waitpid(process, nullptr, 0);
  processes_.clear();
}

}  // namespace geobreaker::testing
