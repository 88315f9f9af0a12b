// Draws everything with two renderers and compares, draw by draw: which of them is right, the reference decides.
// Source: lib/design.md 6.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "raster/renderer.h"

namespace dp2trace::play {

// Each draw starts from the same surfaces and queries for both, and what the first one made of them stays: a difference is that of one
// draw, and later draws do not repeat it.
class CheckingRenderer final : public raster::Renderer {
 public:
  static constexpr const char* kName = "check";

  // Findings of the first renderer go to the list, and what differs: REPLAY-CHECK-001 the first pixel of a draw, -002 the rest. The
  // list outlives the renderer.
  CheckingRenderer(const raster::RendererType& expected, const raster::RendererType& actual,
                   const raster::Options& options, DiagnosticList& findings);

  void SetClipsTransformedZ(bool clips) override;
  void SetContext(device::Context& context) override;
  void StartDraw(uint64_t number) override { number_ = number; }
  void Finish() override;
  raster::PixelRect TakeTouched() override;
  // Those of the renderer that is checked.
  raster::RendererStatistics statistics() const override { return actual_.renderer->statistics(); }
  void SetMeasuring(bool measures) override { actual_.renderer->SetMeasuring(measures); }
  // The first renderer reports it.
  void SetProbe(raster::Probe* probe) override { expected_.renderer->SetProbe(probe); }

  void OnDraw(const device::Draw& draw) override;
  void OnPatch(const device::PatchDraw& patch) override;
  void OnClear(const device::ClearDraw& clear) override;
  uint64_t steps() const override { return steps_; }
  void SetStepsLeft(uint64_t steps) override {
    left_ = steps;
    expected_.renderer->SetStepsLeft(steps);
    actual_.renderer->SetStepsLeft(steps);
  }

 private:
  struct Contestant {
    std::string name;
    DiagnosticList findings;
    std::unique_ptr<raster::Renderer> renderer;
  };
  // What a draw may change: a bound surface, and its bytes.
  struct Bytes {
    std::string name;  // "render target 0"
    device::SurfaceRef surface;
    std::vector<uint8_t> bytes;
  };
  struct Results {
    std::vector<Bytes> surfaces;
    std::map<uint32_t, device::Query> queries;
  };
  struct Place {
    uint64_t event = 0;
    uint64_t offset = 0;
  };
  using Drawing = std::function<void(raster::Renderer&)>;

  Results Take() const;
  void Restore(const Results& results) const;
  void Check(const Place& place, const Drawing& draw);
  void Report(const Place& place, bool is_pixel, const std::string& message,
              const std::string& actual, const std::string& expected);
  // True where a pixel differs, which is reported.
  bool ComparePixels(const Place& place, const Results& expected);
  void CompareQueries(const Place& place, const Results& expected);
  void CompareFindings(const Place& place);

  DiagnosticList* findings_;
  device::Context* context_ = nullptr;
  uint64_t number_ = 0;         // of the draw
  uint64_t steps_ = 0;          // for each draw those of the renderer that took more
  uint64_t left_ = UINT64_MAX;  // SetStepsLeft()
  Contestant expected_, actual_;
};

}  // namespace dp2trace::play
