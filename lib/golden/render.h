// What a worker of `golden check` does: replays one trace, and looks for the cause of a difference.
#pragma once

#include <cstdint>
#include <string>

#include "golden/manifest.h"
#include "golden/render_record.h"
#include "golden/result.h"
#include "golden/store.h"
#include "raster/renderer.h"

namespace dp2trace::golden {

// How traces are drawn.
struct DrawingOptions {
  std::string renderer;  // a row of play::Renderers(); empty: the first
  raster::Options raster;
};

// Which pictures of a replay are kept, and where.
struct PictureKeeping {
  const PictureStore* store = nullptr;   // has those that were accepted
  const PictureStore* actual = nullptr;  // takes the others; null: none are kept
  bool keeps_all = false;                // also those that match and are not in the store
};

// Whether a picture that the replay gives is one to keep and not kept yet.
bool MustKeep(const PictureKeeping& keeping, const ManifestTrace* expected,
              const GoldenImage& image);

// Replays the trace at `path`. `expected` may be null.
RenderRecord RenderTrace(const std::string& path, uint64_t max_memory,
                         const ManifestTrace* expected, const PictureKeeping& keeping,
                         const DrawingOptions& drawing);

// Compares the first picture of the result that differs with the one in the store, finds the draw after the first pixel that differs,
// and says so in the message. A result without such a picture stays as it is.
void ExplainDifference(const std::string& path, uint64_t max_memory, const PictureStore& store,
                       const DrawingOptions& drawing, TraceResult& result);
// Whether there is something to explain.
bool IsExplicable(const PictureStore& store, const TraceResult& result);

}  // namespace dp2trace::golden
