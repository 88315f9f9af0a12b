#include "options.h"
#include "verbs.h"

namespace dp2trace::app {

void AddGolden(Verb& program) {
  Verb& golden = program.AddVerb(
      "golden", "Keep the pictures and findings of a set of traces as a manifest says");
#define DP2TRACE_GOLDEN_VERB(Name) Add##Name(golden);
#include "verbs.def"
  golden.SetExample(
      "dp2trace golden check --manifest traces/manifest.json --store pictures --results results.jsonl");
}

}  // namespace dp2trace::app
