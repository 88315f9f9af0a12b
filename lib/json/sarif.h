// What all that is written as SARIF 2.1.0 has in common.
// Source: Static Analysis Results Interchange Format 2.1.0 (OASIS).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/builder.h"

namespace dp2trace::json {

// The log and its run up to the rules, without the version of the program; "]" of the rules up to the results. `folder`: of UriIn().
void BeginSarif(Builder& out);
void EndSarifRules(Builder& out, const std::string& folder = {});
// A message, or a multiformatMessageString.
void AppendSarifMessage(Builder& out, std::string_view key, std::string_view text,
                        std::string_view markdown = {});

// Results of a run that GitHub takes; what is beyond them is counted. Source: GitHub documentation, "SARIF support for code scanning".
inline constexpr uint64_t kMaxSarifResults = 25000;

// Where a file lies: relative to the folder in which the program was run; whole where it lies elsewhere.
struct ArtifactUri {
  std::string uri;
  std::string_view base;  // what it is relative to; empty: whole, or not a file
};
ArtifactUri UriOf(const std::string& file);
// The same of a file in a folder ("traces/"): relative to that where it lies elsewhere.
ArtifactUri UriIn(const std::string& folder, const std::string& file);
void AppendArtifactLocation(Builder& out, const ArtifactUri& uri);

}  // namespace dp2trace::json
