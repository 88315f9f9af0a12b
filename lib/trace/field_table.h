// The fields of every event as Markdown: the generated section of traces/README.md.
#pragma once

#include <string>

namespace dp2trace::trace {

// One table per event and per nested structure: bit of the presence mask, name, type in the container, default.
std::string EventFieldTable();

}  // namespace dp2trace::trace
