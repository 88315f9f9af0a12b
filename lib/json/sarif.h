// What all that is written as SARIF 2.1.0 has in common.
// Source: Static Analysis Results Interchange Format 2.1.0 (OASIS).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/text.h"

namespace dp2trace::json {

// The log and its run up to the rules, without the version of the program; "]" of the rules up to the results.
void BeginSarif(Text& out);
void EndSarifRules(Text& out);
// A message, or a multiformatMessageString.
void AppendSarifMessage(Text& out, std::string_view key, std::string_view text,
                        std::string_view markdown = {});

// Results of a run that GitHub takes; what is beyond them is counted. Source: GitHub documentation, "SARIF support for code scanning".
inline constexpr uint64_t kMaxSarifResults = 25000;

// Where a file lies: relative to the folder in which the program was run, as far as it can be.
struct ArtifactUri {
  std::string uri;
  bool is_relative = true;
};
ArtifactUri UriOf(const std::string& file);

}  // namespace dp2trace::json
