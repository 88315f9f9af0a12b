// A finding as the members of a JSON object, and as a line: the same in every output of the program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace dp2trace::text {

// "rule":...,"severity":...,"event":...,"offset":...,"length":...,"line":...,"frame":...,"draw":...,"marker":...,"path":...,"message":...,
// "actual":...,"expected":...,"set_by":[{"state":...,"event":...,"offset":...}],"occurrences":...,"more_in_frames":[[first,last],...]
// without braces; what a finding does not have is left out. A state that no token set has neither event nor offset.
void AppendFindingMembers(std::string& out, const Diagnostic& finding);
// "file":... before these.
void AppendFindingMembers(std::string& out, std::string_view file, const Diagnostic& finding);

// "stage 1 COLOROP set by event 5, offset 0x10; depth surface never set"; empty without any.
std::string DescribeSetters(const Diagnostic& finding);
// "and in frames 2-24 (23 more)" of a cause that was first found in `frame`; empty where there are no more.
std::string DescribeMore(const Occurrences& more, uint64_t frame);
// The line of FormatDiagnostic() with these two, and the marker.
std::string FormatFinding(std::string_view file, const Diagnostic& finding);

// The findings with each cause once, as a list has them that joins causes.
std::vector<Diagnostic> JoinCauses(const std::vector<Diagnostic>& findings);

}  // namespace dp2trace::text
