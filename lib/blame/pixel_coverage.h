// Draws into a surface and tells pixel by pixel what that did there. What the surface holds afterwards is what only the renderer would
// have made of it: everything else is tried on surfaces of its own.
// Source: lib/raster/rendering.md 0.6 to 0.10; lib/raster/rendering-geometry.md 1, 2 and 6; lib/raster/rendering-texture.md 3 and 4; lib/raster/rendering-output.md 5.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "device/device.h"
#include "raster/renderer.h"

namespace dp2trace::blame {

// What something did to a pixel.
class CoverageSink {
 public:
  virtual ~CoverageSink() = default;
  // `hides_others`: the value does not depend on the one that was there.
  virtual void OnWritten(uint32_t x, uint32_t y, bool hides_others) = 0;
  // Primitives of the draw cover the pixel, whichever way they face and whatever tests say, and it is as it was.
  virtual void OnHeldBack(uint32_t x, uint32_t y) = 0;
};

class PixelCoverage {
 public:
  using Drawing = std::function<void(raster::Renderer&)>;

  // `renderer` draws what the trace draws and outlives the object.
  PixelCoverage(raster::Renderer& renderer, const raster::Options& options);

  void SetClipsTransformedZ(bool clips) { trial_->SetClipsTransformedZ(clips); }

  // What the surface holds is what it held before all that follows. Forgets another one.
  void Start(const device::SurfaceRef& watched);
  // Draws; the context's targets hold the watched surface.
  void Draw(device::Context& context, const device::SurfaceRef& watched, const Drawing& draw,
            CoverageSink& sink);
  // The same for a clear.
  void Clear(device::Context& context, const device::SurfaceRef& watched, const Drawing& clear,
             CoverageSink& sink);
  // Something else may have changed the surface: what it changed hides what was there.
  void Compare(const device::SurfaceRef& watched, CoverageSink& sink);

 private:
  // Part of the surface in pixels; right and bottom are exclusive.
  struct Box {
    uint32_t left = 0, top = 0, right = 0, bottom = 0;
    bool is_empty() const { return top >= bottom; }
  };
  // A surface that takes the place of another one while something is tried.
  struct Spare {
    std::optional<image::Surface> surface;
    // The same bytes in the rows of the box as in `original`, or their complement.
    void Fill(const device::SurfaceRef& original, const Box& box, uint8_t flips);
  };

  Spare* MakeSpare(Spare& spare, const device::SurfaceRef& original);
  Box FindCovered(device::Context& context, const device::SurfaceRef& watched, const Drawing& draw);
  void Try(device::Context& context, const device::SurfaceRef& watched, const Box& box,
           const Drawing& draw);
  void Report(const device::SurfaceRef& watched, const Box& box, bool was_tried,
              CoverageSink& sink);
  void NoteGeneration(const device::SurfaceRef& watched);

  raster::Renderer* renderer_;
  DiagnosticList trial_findings_;  // the renderer's own are the ones that count
  std::unique_ptr<raster::Renderer> trial_;
  std::vector<uint8_t> before_;   // all bytes of the watched level
  uint64_t generation_ = 0;       // of the surface whose bytes those are
  std::vector<uint8_t> covered_;  // by pixel of the level, 0 or 1
  Spare footprint_;               // of the watched surface: zero between draws
  Spare trial_target_, trial_depth_;
  std::vector<Spare> trial_others_;
};

}  // namespace dp2trace::blame
