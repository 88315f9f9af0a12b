// What dp2trace_options ask for, in the words of the library.
#pragma once

#include <optional>

#include "api/dp2trace.h"
#include "play/player.h"

namespace dp2trace::api {

dp2trace_options DefaultOptions();
// What is checked and drawn, and how; as much work as it takes. Nothing where a name or number has no meaning.
std::optional<play::Options> PlayOptionsOf(const dp2trace_options& options);

}  // namespace dp2trace::api
