// A text of hex dumps, as one gets them out of a debug log, becomes a trace. traces/README.md describes the text.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/allowance.h"
#include "base/status.h"
#include "trace/events.h"

namespace dp2trace::import {

// Takes the events one by one; they live for the call.
using HexEventSink = std::function<Status(const trace::Event&)>;

// Fails (HEX-001, with the line) where the text is not understood, or asks for more than the allowance; the events before have been handed
// out. Or as the sink does.
// What logs put in front of their lines is passed over. `prefix`: a regular expression (ECMAScript) of one that is not known, or empty; fails
// where it is none.
Status ReadHexTrace(std::string_view text, const HexEventSink& sink,
                    std::shared_ptr<Allowance> allowance = std::make_shared<Allowance>(),
                    const std::string& prefix = {});

}  // namespace dp2trace::import
