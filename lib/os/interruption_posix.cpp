#include "os/interruption.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <thread>
#include <utility>

namespace dp2trace {
namespace {

constexpr int kExitSignal = 128;
constexpr uint8_t kNoSignal = 0;  // ends only the thread

int signal_pipe[2] = {-1, -1};

struct Watch {
  std::thread thread;
  std::function<void()> leave;
};
// Never destroyed: the thread that waits outlives main().
Watch& TheWatch() {
  static auto* const watch = new Watch;
  return *watch;
}

// Only what a handler may do: the rest is the thread's.
void Notice(int signal) {
  const auto number = static_cast<uint8_t>(signal);
  (void)!write(signal_pipe[1], &number, 1);
}

void Wait() {
  uint8_t signal = 0;
  ssize_t count = 0;
  do {
    count = read(signal_pipe[0], &signal, 1);
  } while (count < 0 && errno == EINTR);
  if (count != 1 || signal == kNoSignal) return;
  TheWatch().leave();
  _exit(kExitSignal + signal);
}

using Handler = void (*)(int);
volatile std::sig_atomic_t is_interrupted = 0;
Handler handler_before = SIG_DFL;

void Hold(int signal) {
  is_interrupted = 1;
  (void)std::signal(signal, handler_before);
}

}  // namespace

void WatchInterruption(std::function<void()> leave) {
  TheWatch().leave = std::move(leave);
  if (pipe2(signal_pipe, O_CLOEXEC) != 0) return;  // signals end the program as they do any other
  bool is_watching = false;
  for (const int signal : std::array{SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, Notice) == SIG_IGN) {
      (void)std::signal(signal, SIG_IGN);
    } else {
      is_watching = true;
    }
  }
  if (is_watching) TheWatch().thread = std::thread(Wait);
}

void RestartWatch(const std::function<void()>& work) {
  std::thread& thread = TheWatch().thread;
  const bool is_watching = thread.joinable();
  if (is_watching && write(signal_pipe[1], &kNoSignal, 1) == 1) thread.join();
  work();
  if (is_watching && !thread.joinable()) thread = std::thread(Wait);
}

void HoldFirstInterruption() {
  handler_before = std::signal(SIGINT, Hold);
  (void)std::signal(SIGTERM, Hold);
}

bool WasInterrupted() {
  return is_interrupted != 0;
}

}  // namespace dp2trace
