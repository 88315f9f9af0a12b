// The pixel of a frame that a verb is asked about.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "exit_code.h"
#include "history/frame_finder.h"

namespace dp2trace::app {

// --frame N|last into `frame`: a number from 1, or kLastFrame.
inline constexpr uint64_t kLastFrame = UINT64_MAX;
CLI::Option* AddFrame(CLI::App& command, uint64_t& frame, const std::string& what);
// Finds the number of the last frame where it is asked for; kNothingToDo where there is none.
ExitCode ResolveFrame(const std::string& trace, uint64_t max_memory, uint64_t& frame);

// Says that the trace, which has `presents` frames, lacks the frame. kNothingToDo.
ExitCode ReportAbsence(uint64_t frame, uint64_t presents);

// Reads the trace up to the end of the frame; kNothingToDo, after a line that says why, where the trace lacks it. `limits` are those of
// the replay.
ExitCode FindFrame(const std::string& trace, uint64_t frame, uint64_t max_memory,
                   const replay::RunnerOptions& limits, history::FrameSpan& span);

// The same, but what an unfinished frame shows is guessed and costs no replay (history::TargetGuess).
ExitCode GuessFrame(const std::string& trace, uint64_t frame, uint64_t max_memory,
                    history::FrameSpan& span);

// "20,30" into the pixel; false where the text is none.
bool ParsePixel(const std::string& text, uint32_t& x, uint32_t& y);

}  // namespace dp2trace::app
