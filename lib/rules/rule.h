// The rules by name, and findings made of them: what everybody who reports includes. Texts and properties: rule_info.h.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "base/rule.h"

namespace dp2trace {

enum class Rule : uint16_t {
  kTrace001 = static_cast<uint16_t>(kCannotRead),
  kIo001 = static_cast<uint16_t>(kCannotWrite),
// The other rows of rules.def, written from it when the library is built: a changed text changes no unit that includes this file.
#include "rules/rule_names.inc"
};

// A diagnostic with the severity of the rule's table row.
Diagnostic MakeDiagnostic(Rule rule, std::string message);

// Where the finding stands: "a.json:8:14", "a.dp2t: event 7, offset 0x1c", "a.dp2t: offset 0x1c"; only the file where nothing more is
// known. FILE:N is a line, and only a line.
std::string FormatPlace(std::string_view file, const Diagnostic& diagnostic);
// One line of text, without a line end: "PLACE: severity: message [ID] (path)".
std::string FormatDiagnostic(std::string_view file, const Diagnostic& diagnostic);

}  // namespace dp2trace
