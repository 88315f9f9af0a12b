#include "state/draw_finder.h"

#include <algorithm>
#include <utility>

#include "text/command.h"

namespace dp2trace::state {

// Vertex shaders may sample textures.
play::Detail DrawFinder::detail() const {
  if (options_.draws_pixels) return play::Detail::kPictures;
  return options_.wants_meshes ? play::Detail::kContents : play::Detail::kStates;
}

Status DrawFinder::BeforeEvent(const trace::Event& /*event*/) {
  visited_ = 0;
  return OkStatus();
}

Status DrawFinder::AfterEvent(const trace::Event& /*event*/) {
  DP2TRACE_RETURN_IF_ERROR(status_);
  uint64_t chosen = 0;
  for (const trace::DrawToken& draw : player().draws().draws())
    chosen += options_.draws.Contains(draw.number) ? 1U : 0U;
  skipped_ += chosen - std::min(chosen, visited_);
  return OkStatus();
}

void DrawFinder::BeforeApply(const device::Context& context, const stream::Command& command) {
  const trace::DrawToken* const draw = player().position().token;
  if (draw != nullptr && options_.draws.Contains(draw->number)) Visit(context, command, *draw);
}

void DrawFinder::Visit(const device::Context& context, const stream::Command& command,
                       const trace::DrawToken& draw) {
  ++visited_;
  current_ = draw.number;
  next_primitive_ = 1;
  limits_left_ = options_.mesh_limits;
  if (!status_.ok()) return;
  player().FinishDrawing();
  FoundDraw found;
  found.token = draw;
  found.event = player().position().event;
  found.frame = player().position().frame;
  text::AppendCommand(found.command, command, player().environment(), context.runtime_version);
  found.marker = player().marker();
  status_ = visitor_->OnDraw(found, player().device(), context);
}

Status DrawFinder::OnApplied(device::Context& /*context*/, const stream::Command& /*command*/) {
  current_ = 0;
  return status_;
}

void DrawFinder::AddMesh(Mesh&& mesh) {
  mesh.first_primitive = next_primitive_;
  next_primitive_ += mesh.primitives.size();
  limits_left_.primitives -=
      std::min(limits_left_.primitives, static_cast<uint32_t>(mesh.primitives.size()));
  limits_left_.steps -= std::min(limits_left_.steps, mesh.steps);
  visitor_->OnMesh(std::move(mesh));
}

bool DrawFinder::IsLookedAt() const {
  return current_ == 0 || !options_.draws.IsPast(current_ + 1);
}

bool DrawFinder::MakesMesh() const {
  return current_ != 0 && options_.wants_meshes && makes_meshes_;
}

bool DrawFinder::OnDraw(const device::Draw& draw) {
  if (MakesMesh()) AddMesh(MakeMesh(*player().context(), draw, current_, limits_left_));
  return IsLookedAt();
}

bool DrawFinder::OnPatch(const device::PatchDraw& patch) {
  if (MakesMesh()) {
    AddMesh(MakeMesh(*player().context(), patch, player().options().raster.max_patch_segments,
                     current_, limits_left_));
  }
  return IsLookedAt();
}

bool DrawFinder::OnClear(const device::ClearDraw& /*clear*/) {
  return IsLookedAt();
}

}  // namespace dp2trace::state
