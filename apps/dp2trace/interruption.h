// SIGINT, SIGTERM and SIGHUP: what is under construction goes away, and the program ends with 128 and the number of the signal.
#pragma once

#include <functional>
#include <string>

namespace dp2trace::app {

// Starts the thread that waits for them. Signals that are ignored (nohup) stay ignored.
void WatchSignals();

// Ends the thread, does the work, and starts the thread anew, so that it inherits what the work has changed for this one.
void RestartWatch(const std::function<void()>& work);

// What an interrupted program says of the work that was done. Called once, by the thread that waits, beside all others.
class InterruptionNote {
 public:
  explicit InterruptionNote(std::function<std::string()> note);
  ~InterruptionNote();
  InterruptionNote(const InterruptionNote&) = delete;
  InterruptionNote& operator=(const InterruptionNote&) = delete;
};

}  // namespace dp2trace::app
