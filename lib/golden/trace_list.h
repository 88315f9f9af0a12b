// Which traces a run of `golden check` is about.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "golden/judge.h"
#include "golden/manifest.h"

namespace dp2trace::golden {

// A manifest as it lies on disk.
struct ManifestFile {
  std::string path;
  std::string folder;  // in which the paths of its traces are looked up, with a slash at the end
  std::string hash;    // XXH3-128 of the file
  Manifest manifest;
};
Result<ManifestFile> ReadManifest(const std::string& path);
// One without traces that will be there.
ManifestFile NewManifest(const std::string& path);
// The path below the manifest's folder of something that the user named; empty where it lies elsewhere.
std::string PathBelow(const std::string& root, const std::string& path);

// What the user asked for; nothing: everything.
struct TraceChoice {
  std::vector<std::string>
      paths;  // from the current folder, or as the manifest names them: traces, folders and patterns, which stand for what a whole run has of them
  std::vector<std::string> tags;  // traces with one of these
};

// Whether a choice stands for a trace of the manifest: its name, a folder above it or a pattern, as the manifest has it or from the current
// folder. In a pattern * stands for '/', too.
bool IsMeant(const ManifestFile& file, const std::string& choice, const std::string& path);

// The traces of the manifest, and those of its include folders (and chosen ones) that it lacks, sorted by path. What a choice means from the
// current folder goes before what it means in the manifest. Fails (TRACE-001) where a chosen path stands for no trace or lies outside the
// manifest's folder.
Result<std::vector<RunTrace>> ListTraces(const ManifestFile& file, const TraceChoice& choice);

// XXH3-128 of a file's bytes.
Result<std::string> HashOfFile(const std::string& path);
// Of all that a trace reads: of the file, and for JSON that names side files, of its hash, their names, and the hash of each.
Result<std::string> HashOfTrace(const std::string& path);

}  // namespace dp2trace::golden
