// Options that several verbs have: the same flag means the same everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "base/rule.h"
#include "base/selection.h"
#include "exit_code.h"
#include "tables/list.h"

namespace dp2trace::app {

inline constexpr uint64_t kDefaultMaxMemory = uint64_t{1} << 30;

// --NAME SIZE: bytes, or with a suffix K, M, G (1024 each).
void AddSize(Verb& command, const std::string& name, uint64_t& bytes, const std::string& what);
void AddSize(Verb& command, const std::string& name, std::optional<uint64_t>& bytes,
             const std::string& what);
// --max-memory SIZE
void AddMaxMemory(Verb& command, uint64_t& bytes);
// --NAME SEL
Argument& AddSelection(Verb& command, const std::string& name, Selection& selection,
                       const std::string& what);
// --force; `what` it replaces.
void AddForce(Verb& command, bool& is_forced, const std::string& what);
// A trace that a verb writes.
struct TraceOutput {
  std::string path;
  bool is_forced = false;
};
// OUT and --force
void AddTraceOutput(Verb& command, TraceOutput& output,
                    const std::string& what = "Trace to write, .dp2t or .json");
// kUsage, after a line, where the name does not say a form (`takes_stream`: "-" is one), or where a file is there and may not be replaced.
ExitCode CheckOutput(const TraceOutput& output, bool takes_stream = false);
// Only the second of these, for each of the files that a verb writes; one without a name is none.
ExitCode CheckPlaces(const std::vector<std::string>& paths, bool is_forced);
// --fail-on error|warning|advice|never; none = never.
void AddFailOn(Verb& command, std::optional<Severity>& severity);
// TRACE...: traces, folders and patterns of them.
Argument& AddTraces(Verb& command, std::vector<std::string>& traces);
// -j,--jobs N: traces at a time, at least 1 once the command line is read.
void AddJobs(Verb& command, uint32_t& jobs);
// --allow-ci: what only people should do is done although the environment says CI=true.
void AddAllowCi(Verb& command, bool& is_allowed);
// True, after a line, where the environment says so and it is not allowed; of "pictures" that are accepted.
bool IsRefusedInCi(bool is_allowed, std::string_view what);
// --format text|json into `json`.
void AddFormat(Verb& command, bool& json);
// --format text|json|markdown
void AddTableFormat(Verb& command, tables::ListFormat& format);
// --today YYYY-MM-DD: the day that entries with an expiry count by; the clock's (UTC) unless it is given.
void AddToday(Verb& command, std::string& day);

}  // namespace dp2trace::app
