// A text of hex dumps, as one gets them out of a debug log, becomes a trace. traces/README.md describes the text.
#pragma once

#include <functional>
#include <string_view>

#include "base/status.h"
#include "trace/events.h"

namespace dp2trace::import {

// Takes the events one by one; they live for the call.
using HexEventSink = std::function<Status(const trace::Event&)>;

// Fails (HEX-001, with the line) where the text is not understood; the events before have been handed out. Or as the sink does.
Status ReadHexTrace(std::string_view text, const HexEventSink& sink);

}  // namespace dp2trace::import
