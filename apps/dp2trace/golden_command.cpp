#include "options.h"
#include "verbs.h"

namespace dp2trace::app {

void AddGolden(Verb& program) {
  Verb& golden = program.AddVerb(
      "golden", "Compare pictures and findings of traces with a manifest of expected results");
#define DP2TRACE_GOLDEN_VERB(Name) Add##Name(golden);
#include "verbs.def"
  golden.SetExample(
      "dp2trace golden check --manifest traces/manifest.json --store pictures --results results.jsonl");
}

}  // namespace dp2trace::app
