// Turns a capture into the events that a driver would have seen.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "import/capture/apitrace.h"
#include "runtime/core/recorder.h"

namespace dp2trace::import {

struct ImportOptions {
  runtime::Transport transport = runtime::Transport::kDp2;
  std::string generator = "dp2trace";
  std::string source;  // name of the capture, for the markers
  // What the models hold and do counts against it; the capture ends where it is exceeded, as one that was cut.
  std::shared_ptr<Allowance> allowance = std::make_shared<Allowance>();
  // Of the driver under DirectDraw and Direct3D 2 to 7: 6 or 7. See FindDirectDrawLevel().
  uint32_t direct_draw_level = 7;
};

// Calls of one function that are not in the trace.
struct DroppedCalls {
  std::string function;
  uint64_t count = 0;
  std::string_view effect;  // why, and what that means
};

struct ImportReport {
  uint64_t calls = 0;
  uint64_t events = 0;
  uint64_t frames = 0;
  uint64_t draws = 0;
  // What the capture is of, where it has calls and none of them is of DirectDraw or Direct3D 2 to 9: "OpenGL", or the name of its first
  // function; empty otherwise.
  std::string foreign_api;
  bool is_empty = false;                // no call of an API that is imported
  uint64_t lost_copies = 0;             // recorded writes into memory that no open lock holds
  std::vector<DroppedCalls> dropped;    // by name
  uint64_t more_dropped = 0;            // functions after those
  std::vector<std::string_view> notes;  // what holds for the whole trace
  std::string caps_text;  // a caps file of what the program was told; empty where it did not ask
};

// Gets the position in the decompressed capture now and then; what reads it fails where it does. May be empty.
using Progress = std::function<Status(uint64_t position)>;

// The level of the driver that a capture of DirectDraw and Direct3D 2 to 7 asks for: 6 where all devices are of Direct3D 2 to 6. Reads
// the capture until that is known, at most to its end. Fails where `progress` does.
Result<uint32_t> FindDirectDrawLevel(CallParser& parser, const Progress& progress = {});

// The parser says at its end whether the capture was whole. Fails where the sink or `progress` does.
Result<ImportReport> Import(CallParser& parser, runtime::EventSink& sink,
                            const ImportOptions& options, const Progress& progress = {});

}  // namespace dp2trace::import
