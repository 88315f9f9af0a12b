// A finding as the members of a JSON object: the same in every JSON output of the program.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace dp2trace::text {

// "rule":...,"severity":...,"event":...,"offset":...,"length":...,"line":...,"path":...,"message":...,"actual":...,"expected":...
// without braces; what a finding does not have is left out.
void AppendFindingMembers(std::string& out, const Diagnostic& finding);

}  // namespace dp2trace::text
