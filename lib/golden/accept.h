// Takes what happened as what is expected: results into a manifest.
#pragma once

#include <string>
#include <vector>

#include "golden/manifest.h"
#include "golden/result.h"

namespace dp2trace::golden {

// What accepting changed, or could not change.
struct Acceptance {
  std::vector<std::string> changes;  // for people, one line each: "~ a.json: frame 1: HASH -> HASH"
  std::vector<std::string> refused;  // "a.json: crash: ...": results that are nothing to accept
  uint64_t added = 0;
  uint64_t changed = 0;
  uint64_t removed = 0;
};

// Changes the entry of one result's trace. What matches, is skipped, fails as expected or has expired stays as it is; a trace that no
// longer exists leaves the manifest; one that passed unexpectedly loses its expected failure. Refused is a trace of which the manifest has
// something else than the check expected, unless that is the result itself: results may be accepted part by part.
void Accept(const TraceResult& result, Manifest& manifest, Acceptance& acceptance);

}  // namespace dp2trace::golden
