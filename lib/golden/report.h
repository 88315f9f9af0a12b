// The work of `golden report`: the results of a check become a page, and what a writer makes of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "golden/html_report.h"
#include "golden/result_writer.h"

namespace dp2trace::golden {

struct ReportOptions {
  std::vector<std::string> results;  // files: a whole run, or all its shards
  std::string folder;                // of the page; empty: there is none
  std::string manifest;              // file, for tags and where traces lie; may be empty
  std::string store;                 // folder of the accepted pictures; may be empty
  std::vector<std::string> actual;   // folders with the pictures that the checks left
  std::vector<std::string>
      durations;  // files of --times, for the forms that say how long traces took
  bool keeps_matches = false;
  InspectPicture inspect = {};  // of the page; null: none
};

// ReadManifest, ReadHead, Write: in order, each once.
class Report {
 public:
  using OnProgress = std::function<void(uint64_t done, uint64_t total)>;

  explicit Report(const ReportOptions& options) : options_(options) {}

  Status ReadManifest();
  // What the paths of traces come after: the folder of the manifest, with a slash at the end, or nothing.
  const std::string& folder() const { return run_.folder; }
  // Also finds out whether the results are whole: nothing is written of others.
  Status ReadHead();
  Status Write(GoldenWriter& writer, const OnProgress& on_progress);

  const StatusCounts& counts() const { return run_.counts; }
  // Of the page.
  uint64_t pictures() const { return html_ ? html_->pictures() : 0; }

 private:
  HtmlOptions MakeHtmlOptions();

  const ReportOptions& options_;
  GoldenRunInfo run_;
  std::string manifest_hash_;
  std::map<std::string, std::string> tags_;
  uint64_t count_ = 0;  // of results
  std::optional<HtmlReport> html_;
};

}  // namespace dp2trace::golden
