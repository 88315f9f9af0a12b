// A finding of a lint as members of a JSON object: those of text/finding.h, and what only a lint knows.
#pragma once

#include <string>

#include "lint/finding_writer.h"

namespace dp2trace::lint {

// "file":...,"rule":...,... without braces.
void AppendListedFinding(std::string& out, const std::string& file, const ListedFinding& listed);
// Lower-case hex digits without quotes.
std::string HexOf(const std::vector<uint8_t>& bytes);

}  // namespace dp2trace::lint
