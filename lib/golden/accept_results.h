// The work of `golden accept`: what a check found goes into the manifest and the store.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/file_update.h"
#include "base/status.h"
#include "golden/accept.h"
#include "golden/result.h"
#include "golden/store.h"
#include "golden/trace_list.h"

namespace dp2trace::golden {

struct AcceptOptions {
  std::vector<std::string> traces;  // IsMeant() finds them; none: all
  std::string manifest = "manifest.json";
  std::string results;              // file
  std::string store;                // folder; empty: no pictures are kept
  std::vector<std::string> actual;  // folders with the pictures that the checks left
};

// TakeResults(), then Write() where nothing is unknown.
class ResultsAcceptance {
 public:
  explicit ResultsAcceptance(const AcceptOptions& options);

  // Reads manifest and results, after other programs that change the manifest. Writes nothing.
  Status TakeResults();
  // Choices that no result is of.
  const std::set<std::string>& unknown() const { return chosen_; }
  // The pictures first, then the manifest: it never names one that is not there.
  Status Write();

  const Acceptance& acceptance() const { return acceptance_; }
  uint64_t stored() const { return stored_; }  // pictures
  // The file or folder that a failure is about.
  const std::string& failed_at() const { return failed_at_; }

 private:
  // A picture that the store should have.
  struct Wanted {
    GoldenImage image;
    std::string trace;
    // It is accepted now; otherwise it was before, and may be absent here.
    bool is_required = false;
  };
  bool IsChosen(const std::string& path);
  void Take(const TraceResult& result);
  Status FillStore();
  Status Fetch(const Wanted& wanted);
  Status WriteManifest();

  const AcceptOptions& options_;
  std::optional<FileUpdate> update_;  // of the manifest
  PictureStore store_;
  std::vector<PictureStore> sources_;
  std::set<std::string> chosen_;  // by the user, and not found yet
  ManifestFile file_;
  Acceptance acceptance_;
  std::vector<Wanted> wanted_;
  uint64_t stored_ = 0;
  std::string failed_at_;
};

}  // namespace dp2trace::golden
