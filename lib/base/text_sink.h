// Where a form is written to.
#pragma once

#include <functional>
#include <string_view>

#include "base/status.h"

namespace dp2trace {

// Takes text in pieces.
using TextSink = std::function<Status(std::string_view)>;

}  // namespace dp2trace
