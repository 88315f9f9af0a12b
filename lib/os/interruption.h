// Requests to end: SIGINT, SIGTERM and SIGHUP; on Windows Ctrl-C, Ctrl-Break, and the closing of the window. The program then ends with 128
// and the number of the signal, as shells say it: 130 for an interrupt.
#pragma once

#include <functional>

namespace dp2trace {

// Starts the thread that waits for them; `leave` is called by it, beside all others, before the program ends. What is ignored (nohup) stays
// ignored.
void WatchInterruption(std::function<void()> leave);

// Ends the thread, does the work, and starts the thread anew, so that it inherits what the work has changed for this one.
void RestartWatch(const std::function<void()>& work);

// The first request from now on only makes WasInterrupted() true; a second one ends the program.
void HoldFirstInterruption();
bool WasInterrupted();

}  // namespace dp2trace
