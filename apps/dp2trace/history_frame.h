// The pixel of a frame that a verb is asked about.
#pragma once

#include <cstdint>
#include <string>

#include "arguments.h"
#include "exit_code.h"
#include "history/frame_finder.h"

namespace dp2trace::app {

// --frame N|last into `frame`: a number from 1, or kLastFrame.
inline constexpr uint64_t kLastFrame = UINT64_MAX;
Argument& AddFrame(Verb& command, uint64_t& frame, const std::string& what);
// Finds the number of the last frame where it is asked for; kUsage where there is none.
ExitCode ResolveFrame(const std::string& trace, uint64_t max_memory, uint64_t& frame);

// Reads the trace up to the end of the frame; kUsage, after a line that says why, where the trace lacks it. `limits` are those of
// the replay.
ExitCode FindFrame(const std::string& trace, uint64_t frame, uint64_t max_memory,
                   const play::RunnerOptions& limits, history::FrameSpan& span);

// The same, but what an unfinished frame shows is guessed and costs no replay (history::TargetGuess).
ExitCode GuessFrame(const std::string& trace, uint64_t frame, uint64_t max_memory,
                    history::FrameSpan& span);

// --read N into `read`: in place of the frame, what the CPU reads there.
Argument& AddRead(Verb& command, uint64_t& read, const std::string& what);
// Reads the trace up to the read; kUsage, after a line that says why, where the trace lacks it, or it reads no picture.
ExitCode FindRead(const std::string& trace, uint64_t read, uint64_t max_memory,
                  history::FrameSpan& span);

// "20,30" into the pixel; what is wrong with the text otherwise.
std::string TakePixel(const std::string& text, uint32_t& x, uint32_t& y);

}  // namespace dp2trace::app
