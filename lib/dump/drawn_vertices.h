// What the draws of an event consist of, beside a dump of it.
#pragma once

#include <string>
#include <vector>

#include "state/draw_finder.h"
#include "trace/reader.h"

namespace dp2trace::dump {

// Runs the trace beside the dump: formats, buffers and indices are those that the draws find.
class DrawnVertices final : private state::DrawVisitor {
 public:
  explicit DrawnVertices(const Selection& draws);

  // The next event of the trace. `is_shown`: it may be; the others change the device and no more.
  Status OnEvent(const trace::EventRecord& record, bool is_shown);
  // Of the last event.
  const std::vector<state::Mesh>& meshes() const { return meshes_; }
  // Those of a draw of the last event, as indented lines.
  void AppendTo(std::string& out, const trace::DrawToken& draw) const;

 private:
  Status OnDraw(const state::FoundDraw& /*draw*/, const device::Device& /*device*/,
                const device::Context& /*context*/) override {
    return OkStatus();
  }
  void OnMesh(state::Mesh&& mesh) override { meshes_.push_back(std::move(mesh)); }

  std::vector<state::Mesh> meshes_;
  state::DrawFinder finder_;
  play::Player player_;
};

}  // namespace dp2trace::dump
