// Runs a trace and stops at chosen draws: the device as the draw finds it, and what the draw consists of.
// Source: DESIGN sections 3, 4 and 6.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/selection.h"
#include "debug/mesh.h"
#include "debug/state_writes.h"
#include "raster/renderer.h"
#include "replay/runner.h"
#include "trace/command_stream.h"
#include "trace/draw_counter.h"
#include "trace/marker_text.h"

namespace dp2trace::debug {

struct FinderOptions {
  Selection draws;                   // `last` resolved
  bool draws_pixels = false;         // surfaces hold what was drawn into them
  bool wants_meshes = false;         // OnMesh is called
  MeshLimits mesh_limits = {};       // of all meshes of a draw together
  bool wants_writes = false;         // writes() knows who set the values
  replay::RunnerOptions validation;  // rules, limits of the device
  std::string renderer = {};         // a row of replay::Renderers(); empty: the first
  raster::Options raster;
};

// Where a draw stands.
struct FoundDraw {
  trace::DrawToken token;
  uint64_t event = 0;
  uint64_t frame = 1;
  std::string command;  // the token as a line of text
  // The last marker before the event, unless an earlier draw stands between: an import puts the API call there.
  std::optional<trace::MarkerText> marker;
};

class DrawVisitor {
 public:
  virtual ~DrawVisitor() = default;
  // In front of the draw. The views live during the call.
  virtual Status OnDraw(const FoundDraw& draw, const device::Device& device,
                        const device::Context& context) = 0;
  // What it draws: one for each record that is legal, in order; none for a CLEAR.
  virtual void OnMesh(Mesh&& /*mesh*/) {}
};

class DrawFinder final : private replay::Observer, private device::DrawSink {
 public:
  // Findings and visitor outlive the finder.
  DrawFinder(const FinderOptions& options, DiagnosticList& findings, DrawVisitor& visitor);
  ~DrawFinder() override;

  // Event `number` of the trace, in order.
  Status OnEvent(uint64_t number, const trace::Event& event);
  // Whether meshes are made of the draws that follow; only where the options want them.
  void SetMaking(bool makes_meshes) { makes_meshes_ = makes_meshes; }
  // No draw that follows is chosen.
  bool is_done() const { return options_.draws.IsPast(draws_.count() + 1); }
  // Draws of the trace so far.
  uint64_t draw_count() const { return draws_.count(); }
  // Chosen draws that were met but not executed: of calls that failed, or without a context.
  uint64_t skipped() const { return skipped_; }
  const StateWrites& writes() const { return writes_; }

 private:
  void OnHeader(const trace::Header& header) override;
  Status OnSessionEnd() override;
  void OnCall(device::Context& context) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  Status OnPresent(const trace::Present& present) override;
  void OnDraw(const device::Draw& draw) override;
  void OnPatch(const device::PatchDraw& patch) override;
  void OnClear(const device::ClearDraw& clear) override;
  uint64_t steps() const override { return renderer_ == nullptr ? 0 : renderer_->steps(); }

  void Visit(const device::Context& context, const stream::Command& command,
             const trace::DrawToken& draw);
  bool MakesMesh() const;
  void AddMesh(Mesh&& mesh);
  // False for the last chosen draw: nobody looks at what it draws.
  bool DrawsPixels() const;

  FinderOptions options_;
  DrawVisitor* visitor_;
  StateWrites writes_;
  replay::Runner runner_;
  std::unique_ptr<raster::Renderer> renderer_;  // null: nothing is drawn
  trace::DrawCounter draws_;
  trace::NamingContext naming_;
  stream::Environment environment_;  // of the current call
  std::optional<trace::MarkerText> marker_;
  const device::Context* context_ = nullptr;  // of the current call
  uint64_t event_ = 0;
  uint64_t frame_ = 1;
  uint64_t visited_ = 0;  // chosen draws of this event
  uint64_t skipped_ = 0;
  uint64_t current_ =
      0;  // number of the draw whose token is being applied, where it is chosen; else 0
  uint64_t next_primitive_ = 1;
  MeshLimits limits_left_;  // of the current draw
  bool makes_meshes_ = true;
  Status status_;  // of the visitor
};

}  // namespace dp2trace::debug
