// The manifest of a set of traces: what each must give. A JSON file for people to review, in git; traces/manifest.schema.json
// describes it, lib/golden/README.md explains it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "golden/golden.h"

namespace dp2trace::golden {

// Why, and until when, a trace is skipped or may fail.
struct Exemption {
  std::string reason;
  std::string expires;  // the last day that it holds, YYYY-MM-DD
  std::optional<GoldenStatus>
      status;  // of an expected failure: this one; none = any but crash and time-out
  bool operator==(const Exemption&) const = default;
};

// How far the pictures of another renderer may be off (own_pictures.h); those of the reference are compared exactly.
struct Tolerance {
  uint64_t value = 0;        // of each channel, 0 to 255
  uint64_t max_pixels = 0;   // that may be off by more
  uint64_t edge_pixels = 0;  // by which edges may lie elsewhere, 0 to 8
  Exemption until;           // without a status
  bool operator==(const Tolerance&) const = default;
};

struct ManifestTrace {
  std::string path;  // below the folder of the manifest
  std::string hash;  // XXH3-128 of the file
  std::vector<std::string> tags;
  std::optional<Exemption> skip;
  std::optional<Exemption> expected_fail;
  std::optional<Tolerance> tolerance = {};
  FindingCounts findings;
  std::vector<GoldenImage> images;  // sorted by key
  bool operator==(const ManifestTrace&) const = default;
};

inline constexpr uint64_t kMaxTimeout = 1000000;

// Limits of every trace; what is absent is the program's default, and the command line wins.
struct GoldenLimits {
  std::optional<uint64_t> timeout_s;          // 1 to kMaxTimeout
  std::optional<uint64_t> max_memory;         // bytes for reading
  std::optional<uint64_t> max_worker_memory;  // bytes of address space; 0 = no limit
  bool operator==(const GoldenLimits&) const = default;
};

struct Manifest {
  std::vector<std::string>
      include;  // folders below the manifest's, or ".", all of whose traces belong to it
  GoldenLimits limits;
  std::vector<ManifestTrace> traces;  // sorted by path

  const ManifestTrace* Find(std::string_view path) const;
};

inline constexpr uint64_t kManifestVersion = 1;

// Fails (JSON-*, GOLDEN-MANIFEST-001) with line and pointer.
Result<Manifest> ParseManifest(std::string text);
// The one form of a manifest: sorted, one picture per line. Parsing gives the same manifest.
std::string ManifestText(const Manifest& manifest);

}  // namespace dp2trace::golden
