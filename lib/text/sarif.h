// What all that is written as SARIF 2.1.0 has in common.
// Source: Static Analysis Results Interchange Format 2.1.0 (OASIS).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dp2trace::text {

inline constexpr std::string_view kSarifSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// Results of a run that GitHub takes; what is beyond them is counted. Source: GitHub documentation, "SARIF support for code scanning".
inline constexpr uint64_t kMaxSarifResults = 25000;

// Where a file lies: relative to the folder in which the program was run, as far as it can be.
struct ArtifactUri {
  std::string uri;
  bool is_relative = true;
};
ArtifactUri UriOf(const std::string& file);

}  // namespace dp2trace::text
