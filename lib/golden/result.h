// What a check says about one trace, and the line of a results file that says so.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "golden/golden.h"
#include "image/compare.h"
#include "json/document.h"
#include "replay/last_writer_finder.h"

namespace dp2trace::golden {

using replay::CausingDraw;

struct ImageResult {
  ImageKey key;
  GoldenStatus status = GoldenStatus::kMatch;  // match, differ, new or missing
  // Where the manifest has it; of a match the same as `actual`.
  std::optional<GoldenImage> expected = {};
  std::optional<GoldenImage> actual = {};  // where the replay made it
  uint64_t event = 0;                      // that made it
  // Of the first picture that differs, where both pictures were at hand.
  std::optional<image::Comparison> comparison = {};
  // Of the first pixel that differs; none where something else than a draw wrote it last.
  std::optional<CausingDraw> draw = {};
  // Of a picture of another renderer whose edges lie elsewhere: whose edge is the first of them.
  std::optional<CausingDraw> edge_draw = {};
};

struct TraceResult {
  uint64_t index = 0;  // in the list of the run
  std::string path;
  std::string hash;           // of the file as it is; empty where there is none
  std::string expected_hash;  // of the manifest; empty where the manifest lacks the trace
  GoldenStatus status = GoldenStatus::kMatch;
  std::optional<GoldenStatus> actual_status;  // after expected-fail: what happened
  std::string message;                        // one sentence for people; empty for a match
  std::string output = {};  // without a match: the last lines of the command of another renderer
  std::vector<ImageResult> images;
  FindingCounts findings;
  FindingCounts expected_findings;
  std::vector<Diagnostic> listed_findings;  // the first ones
};

// One line, without its end. The same result gives the same line.
std::string ResultLine(const TraceResult& result);
// The counterpart; `document` is memory for use again and again, `line` counts from 1.
Result<TraceResult> ParseResultLine(json::Document& document, std::string text, uint64_t line);
// "frame 1: 12 pixels differ, ...; in the replay last written by draw 3 (event 5, TRIANGLELIST)": what is wrong with a picture.
std::string Describe(const ImageResult& image);

}  // namespace dp2trace::golden
