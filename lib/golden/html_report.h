// The report of `golden report`: a folder with one page, which works from a disk without any network, the data it loads piece by piece,
// and the pictures. lib/golden/README.md describes the folder.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/output_folder.h"
#include "base/status.h"
#include "golden/html_pictures.h"
#include "golden/results.h"

namespace dp2trace::golden {

// The folder, in that of the report, of the pages that InspectPicture makes, each a folder of its own.
inline constexpr const char* kInspectFolder = "inspect";

// Makes the page on which one sees the frame of a picture that differs being drawn, in the given folder, which stands for that of the
// report, below kInspectFolder. Returns its place below it, with what the page is to show; empty: there is none. Fails only where it cannot be written.
using InspectPicture = std::function<Result<std::string>(
    const std::string& folder, const TraceResult& result, const ImageResult& image)>;

struct HtmlOptions {
  std::vector<PictureStore> sources;        // in which pictures are looked for
  bool keeps_matches = false;               // copies pictures that match, too
  std::map<std::string, std::string> tags;  // of traces by path, as one text
  InspectPicture inspect = {};              // null: no such pages
};

// Create, Add for each result in the order of the run, Commit. Memory does not grow with the results but for the names of the pictures.
class HtmlReport {
 public:
  static Result<HtmlReport> Create(const std::string& folder, HtmlOptions options);

  Status Add(TraceResult result);
  // Writes what is left; the folder appears.
  Status Commit(const ResultsHead& head);
  uint64_t pictures() const { return pictures_.count(); }

 private:
  // Rows of the list, of one status, that wait for their file.
  struct Rows {
    std::string text;
    uint64_t files = 0;
    uint64_t waiting = 0;
    uint64_t count = 0;
  };

  HtmlReport(OutputFolder folder, HtmlOptions options)
      : folder_(std::move(folder)),
        tags_(std::move(options.tags)),
        inspect_(std::move(options.inspect)),
        pictures_(std::move(options.sources), options.keeps_matches) {}
  Status AddInspect(const TraceResult& result, const ImageResult& image, PictureFiles& files);
  Status AddRow(const TraceResult& result);
  Status WriteRows(GoldenStatus status);
  Status WritePack();
  Status WriteRun(const ResultsHead& head);

  OutputFolder folder_;
  std::map<std::string, std::string> tags_;
  InspectPicture inspect_;
  bool has_inspect_ = false;  // a folder for such pages
  HtmlPictures pictures_;
  std::array<Rows, kGoldenStatusCount> rows_;
  std::string pack_;  // results that wait for their file
  uint64_t packs_ = 0;
  uint64_t in_pack_ = 0;
};

}  // namespace dp2trace::golden
