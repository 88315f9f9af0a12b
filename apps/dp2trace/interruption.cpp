#include "interruption.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#include "base/temporaries.h"
#include "console.h"

namespace dp2trace::app {
namespace {

constexpr int kExitSignal = 128;  // and the number of the signal, as shells say it

constexpr uint8_t kNoSignal = 0;  // ends the thread alone

int signal_pipe[2] = {-1, -1};

// Never destroyed: the thread that waits outlives main().
std::thread& Watcher() {
  static auto* const watcher = new std::thread;
  return *watcher;
}

struct Note {
  std::mutex mutex;
  std::function<std::string()> make;
};
// Never destroyed, as Watcher().
Note& TheNote() {
  static auto* const note = new Note;
  return *note;
}

// Only what a handler may do: the rest is the thread's.
void Notice(int signal) {
  const auto number = static_cast<uint8_t>(signal);
  (void)!write(signal_pipe[1], &number, 1);
}

void Wait() {
  uint8_t signal = 0;
  if (read(signal_pipe[0], &signal, 1) != 1 || signal == kNoSignal) return;
  RemoveTemporaries();
  Note& note = TheNote();
  const std::lock_guard lock(note.mutex);
  if (note.make) PrintNote("interrupted: " + note.make());
  _exit(kExitSignal + signal);
}

}  // namespace

void WatchSignals() {
  if (pipe2(signal_pipe, O_CLOEXEC) != 0) return;  // signals end the program as they do any other
  bool is_watching = false;
  for (const int signal : std::array{SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, Notice) == SIG_IGN) {
      (void)std::signal(signal, SIG_IGN);
    } else {
      is_watching = true;
    }
  }
  if (is_watching) Watcher() = std::thread(Wait);
}

void RestartWatch(const std::function<void()>& work) {
  const bool is_watching = Watcher().joinable();
  if (is_watching && write(signal_pipe[1], &kNoSignal, 1) == 1) Watcher().join();
  work();
  if (is_watching && !Watcher().joinable()) Watcher() = std::thread(Wait);
}

InterruptionNote::InterruptionNote(std::function<std::string()> note) {
  const std::lock_guard lock(TheNote().mutex);
  TheNote().make = std::move(note);
}

InterruptionNote::~InterruptionNote() {
  const std::lock_guard lock(TheNote().mutex);
  TheNote().make = nullptr;
}

}  // namespace dp2trace::app
