#include "os/interruption.h"

#include <atomic>
#include <utility>

#include "os/windows.h"

namespace dp2trace {
namespace {

constexpr UINT kExitSignal = 128, kHangUp = 1, kInterrupt = 2, kTerminate = 15, kBreak = 21;

std::function<void()>& Leave() {
  // Never destroyed: the handler outlives main().
  static auto* const leave = new std::function<void()>;
  return *leave;
}
std::atomic<bool> is_held = false;
std::atomic<bool> is_interrupted = false;
std::atomic<bool> is_leaving = false;

UINT SignalOf(DWORD event) {
  switch (event) {
    case CTRL_C_EVENT:
      return kInterrupt;
    case CTRL_BREAK_EVENT:
      return kBreak;
    case CTRL_CLOSE_EVENT:
      return kHangUp;
    default:
      return kTerminate;
  }
}

// The system calls it in a thread of its own.
BOOL WINAPI OnEvent(DWORD event) {
  const bool is_request = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
  if (is_request && is_held && !is_interrupted.exchange(true)) return TRUE;
  if (is_leaving.exchange(true)) return TRUE;  // a second one waits with the first
  if (Leave()) Leave()();
  // Nothing of the program is destroyed: other threads are at work.
  (void)TerminateProcess(GetCurrentProcess(), kExitSignal + SignalOf(event));
  return TRUE;
}

}  // namespace

void WatchInterruption(std::function<void()> leave) {
  Leave() = std::move(leave);
  (void)SetConsoleCtrlHandler(OnEvent, TRUE);
}

void RestartWatch(const std::function<void()>& work) {
  work();
}

void HoldFirstInterruption() {
  is_held = true;
}

bool WasInterrupted() {
  return is_interrupted;
}

}  // namespace dp2trace
