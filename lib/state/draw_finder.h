// Stops at chosen draws of a trace that plays: the device as the draw finds it, and what the draw consists of.
// Source: lib/design.md 3, 4 and 6.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/selection.h"
#include "play/player.h"
#include "state/mesh.h"
#include "trace/draw_counter.h"
#include "trace/marker_text.h"

namespace dp2trace::state {

struct FinderOptions {
  Selection draws;              // `last` resolved
  bool draws_pixels = false;    // surfaces hold what was drawn into them
  bool wants_meshes = false;    // OnMesh is called
  MeshLimits mesh_limits = {};  // of all meshes of a draw together
  play::Options play;           // of the player
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

class DrawFinder final : public play::Listener {
 public:
  // The visitor outlives the finder.
  DrawFinder(const FinderOptions& options, DrawVisitor& visitor)
      : options_(options), visitor_(&visitor) {}

  // Whether meshes are made of the draws that follow; only where the options want them.
  void SetMaking(bool makes_meshes) { makes_meshes_ = makes_meshes; }
  // No draw that follows is chosen.
  bool is_done() const override { return options_.draws.IsPast(player().draws().count() + 1); }
  // Chosen draws that were met but not executed: of calls that failed, or without a context.
  uint64_t skipped() const { return skipped_; }

 private:
  play::Detail detail() const override;
  Status BeforeEvent(const trace::Event& event) override;
  Status AfterEvent(const trace::Event& event) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  bool OnDraw(const device::Draw& draw) override;
  bool OnPatch(const device::PatchDraw& patch) override;
  bool OnClear(const device::ClearDraw& clear) override;

  void Visit(const device::Context& context, const stream::Command& command,
             const trace::DrawToken& draw);
  bool MakesMesh() const;
  void AddMesh(Mesh&& mesh);
  // False for the last chosen draw: nobody looks at what it draws.
  bool IsLookedAt() const;

  FinderOptions options_;
  DrawVisitor* visitor_;
  uint64_t visited_ = 0;  // chosen draws of this event
  uint64_t skipped_ = 0;
  // Number of the draw whose token is being applied, where it is chosen; else 0.
  uint64_t current_ = 0;
  uint64_t next_primitive_ = 1;
  MeshLimits limits_left_;  // of the current draw
  bool makes_meshes_ = true;
  Status status_;  // of the visitor
};

}  // namespace dp2trace::state
