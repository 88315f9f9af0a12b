// The pixel of a frame that a verb is asked about.
#pragma once

#include <cstdint>
#include <string>

#include "exit_code.h"
#include "history/frame_finder.h"

namespace dp2trace::app {

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
