// One event as one JSON object.
#pragma once

#include "base/status.h"
#include "json/builder.h"
#include "json/side_files.h"
#include "json/vertices.h"
#include "trace/events.h"

namespace dp2trace::json {

// Appends the event. `side_files` may be null: all bytes are written inline. Fails only where a side file cannot be written.
Status WriteEvent(const trace::Event& event, SideFileWriter* side_files, Vertices vertices,
                  Builder& out, const std::string* words = nullptr);

}  // namespace dp2trace::json
