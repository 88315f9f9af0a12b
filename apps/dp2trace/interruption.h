// What happens where the program is asked to end (os/interruption.h): what is under construction goes away, and a verb says how far it came.
#pragma once

#include <functional>
#include <string>

namespace dp2trace::app {

// Once, at the start.
void CleanUpWhenInterrupted();

// What an interrupted program says of the work that was done. Called once, by the thread that waits, beside all others.
class InterruptionNote {
 public:
  explicit InterruptionNote(std::function<std::string()> note);
  ~InterruptionNote();
  InterruptionNote(const InterruptionNote&) = delete;
  InterruptionNote& operator=(const InterruptionNote&) = delete;
};

}  // namespace dp2trace::app
