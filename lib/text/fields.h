// The fields of an event as text, by its Fields() list.
#pragma once

#include <string>

#include "trace/events.h"

namespace dp2trace::text {

// Appends " name=value" for every field that differs from its default. Lists that dump writes line by line (commands, allocation
// list, patch list) are given by their size.
void AppendFields(std::string& out, const trace::Event& event);

}  // namespace dp2trace::text
