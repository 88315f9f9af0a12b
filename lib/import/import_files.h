// Imports of files: a capture becomes a trace beside what there is to say about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "import/importer.h"

namespace dp2trace::import {

struct FileOptions {
  runtime::Transport transport = runtime::Transport::kDp2;
  std::string generator;    // of the traces
  std::string caps;         // file that takes what the program was told of the device; empty: none
  uint64_t max_memory = 0;  // bytes that the import of a file may take
  // Work on a file, in steps (Allowance); none: as much as its size allows.
  std::optional<uint64_t> max_steps;
};

// One capture, and what became of it. Imports run in threads; the caller reports what they have to say, in their order.
struct FileImport {
  std::string input;
  std::string output;  // by its name container or JSON; anything else is a container
  std::vector<std::string> notes = {};
  std::string summary = {};                                    // one line, where all was imported
  std::string error = {};                                      // one line, or
  std::optional<std::pair<std::string, Status>> failure = {};  // of a file

  // Not everything was imported.
  bool has_failed() const { return failure.has_value() || !error.empty(); }
};

void ImportFile(const FileOptions& options, FileImport& file, const Progress& progress);
// The same for a text of hex dumps (hex/hex_trace.h), of which `prefix` stands in front of the lines; its output may be "-", JSON. `progress` gets the bytes
// of the trace.
void ImportHexFile(const FileOptions& options, const std::string& prefix, FileImport& file,
                   const Progress& progress);
// Imports all, so many at a time.
void ImportFiles(const FileOptions& options, std::vector<FileImport>& files, size_t threads);

// The captures that names stand for, sorted: files, and folders for the captures (.trace) below them. Their traces lie below
// `destination` as they do below the folder; where two of them would be one file, as they do below the folder that all of them are in.
std::vector<FileImport> ListCaptures(const std::vector<std::string>& names,
                                     const std::string& destination);
// Makes the folders of the outputs. What is wrong where two captures would become one trace; empty: nothing.
std::string MakePlaces(const std::vector<FileImport>& files);

}  // namespace dp2trace::import
