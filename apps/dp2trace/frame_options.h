// The frame, the read and the pixel that a verb is asked about.
#pragma once

#include <cstdint>
#include <string>

#include "arguments.h"
#include "exit_code.h"

namespace dp2trace::app {

// --frame N|last into `frame`: a number from 1, or kLastFrame.
inline constexpr uint64_t kLastFrame = UINT64_MAX;
Argument& AddFrame(Verb& command, uint64_t& frame, const std::string& what);
// Finds the number of the last frame where it is asked for; kUsage where there is none.
ExitCode ResolveFrame(const std::string& trace, uint64_t max_memory, uint64_t& frame);

// --read N into `read`: in place of the frame, what the CPU reads there.
Argument& AddRead(Verb& command, uint64_t& read, const std::string& what);

// "20,30" into the pixel; what is wrong with the text otherwise.
std::string TakePixel(const std::string& text, uint32_t& x, uint32_t& y);

}  // namespace dp2trace::app
