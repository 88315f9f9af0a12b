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

// One line of text, without a line end: "FILE:EVENT+0xOFFSET: severity: message [ID] (path)", or "FILE:0xOFFSET: ..." without event.
std::string FormatDiagnostic(std::string_view file, const Diagnostic& diagnostic);

}  // namespace dp2trace
