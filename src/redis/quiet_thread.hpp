#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace geobreaker::redis {

/// A thread that takes no signals: they stay with the threads of the program. Throws std::system_error if
/// there is none.
template <class Work>
[[nodiscard]] std::thread quiet_thread(Work work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // a new thread inherits the mask
  struct Restore {
    const sigset_t& mask;
    ~Restore() { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
  } const restore{before};
  return std::thread(std::move(work));
}

}  // namespace geobreaker::redis
