// Finds a value in the text of an event by the path of a finding.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/diagnostic.h"
#include "json/tape.h"

namespace dp2trace::json {

// The byte of `text` where the value begins that the path names, from the root value: "commands/3/states/0/value", or as a JSON pointer. Where the text does not
// have all of the path (a default that is left out, commands as bytes), the last value that it has. `tape` holds the same text.
size_t FindValue(const Tape& tape, std::string_view text, std::string_view path);
// The byte of `text` that a finding is about: its value, or the key where that is wrong (JSON-006).
size_t FindPlace(const Tape& tape, std::string_view text, const Diagnostic& finding);

}  // namespace dp2trace::json
