// Whatever somebody drops on the page becomes a trace that can be opened: a trace in either form, a log with the lines of one, a capture of
// apitrace, a text of hex dumps. What it is says its content first, its name second.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "import/importer.h"

namespace dp2trace::live {

struct Loaded {
  std::string path;                     // of the trace: the file itself, or what was made of it
  std::vector<std::string> notes = {};  // what a capture has that the trace lacks, a sentence each
};

// `place` is where a trace is written where the file is none (.dp2t). Fails as the reader of what it seems to be, and where `progress` of an import does.
Result<Loaded> Load(const std::string& path, const std::string& place, const std::string& generator,
                    uint64_t max_memory, const import::Progress& progress = {});

// ".json" of "trace.json", for a file whose name is ours: the end of a name may say what it is. Empty: it has none, or no ordinary one.
std::string ExtensionOf(const std::string& name);

}  // namespace dp2trace::live
