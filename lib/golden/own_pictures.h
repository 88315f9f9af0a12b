// The pictures of another renderer beside those of the reference: what `golden check --run` and `--pictures` judge.
// Source: lib/golden/README.md, "Pictures of another renderer".
#pragma once

#include <cstdint>
#include <string>

#include "golden/manifest.h"
#include "golden/render.h"
#include "golden/render_record.h"
#include "golden/result.h"

namespace dp2trace::golden {

struct OwnPictures {
  std::string command;  // with {trace} and {out}, run for each trace; empty: the pictures are there
  std::string
      folder;  // has a folder for each trace, by its path in the manifest; empty with a command
  uint64_t timeout_s = 0;   // of the command; 0: any time
  uint64_t max_memory = 0;  // that the worker has, and with it the command; 0: any
  // Of pictures of a trace without a tolerance of its own in the manifest: a channel may be off by `tolerance`, and so many pixels by more.
  uint32_t tolerance = 0;  // 0 to 255
  uint64_t max_pixels = 0;
  uint8_t edge_pixels = 0;

  bool is_used() const { return !command.empty() || !folder.empty(); }
};

// "frame-000002.png", "read-000001.png": the name of a picture in the folder of its trace.
std::string OwnPictureFile(const ImageKey& key);

// Runs the command or looks into the folder, replays the trace at `path`, and compares picture by picture. A picture within the tolerance
// is recorded as that of the reference, another one as it is, and one that is not there is left out. The findings are the expected ones:
// they say nothing of another renderer. `expected` may be null. `keeping.actual` takes both pictures where they differ.
RenderRecord CompareOwnPictures(const std::string& path, uint64_t max_memory,
                                const ManifestTrace* expected, const PictureKeeping& keeping,
                                const DrawingOptions& drawing, const OwnPictures& own);

// Of the first picture of the result that differs: compares it with that of the reference, finds the draw that gave the reference its first
// different pixel, the fault of the whole picture, the draw whose edge lies elsewhere, and draws that the replay refused. All is said in
// the message.
void ExplainOwnPicture(const std::string& path, uint64_t max_memory, const PictureStore& actual,
                       const DrawingOptions& drawing, const OwnPictures& own, TraceResult& result);

}  // namespace dp2trace::golden
