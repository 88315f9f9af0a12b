// What adds each verb of verbs.def, with its options, to the program or to `golden`.
#pragma once

#include "arguments.h"

namespace dp2trace::app {

#define DP2TRACE_VERB(Name) void Add##Name(Verb& program);
#define DP2TRACE_GOLDEN_VERB(Name) void Add##Name(Verb& golden);
#include "verbs.def"

}  // namespace dp2trace::app
