// A trace with changes, as a trace. Draws keep the numbers of the input while it is changed: changes do not move each other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "edit/patch.h"
#include "edit/shader_edit.h"
#include "play/player.h"
#include "trace/reader.h"
#include "trace_model/model.h"
#include "trace_model/render_options.h"
#include "trace_model/walk.h"

namespace dp2trace::edit {

struct EditResult {
  uint64_t events = 0;            // written
  uint64_t draws = 0;             // of the input
  std::vector<uint64_t> matches;  // of each change: draws, or writes into the surface
};

// Applies all changes. The trace is held in memory: fails (TRACE-010) where that is more than `max_bytes`. Fails (REPLAY-SURFACE-001) where a picture does
// not fit its surface. `source` has the results of its calls (trace_file::WithResults). `output` appears whole or not at all, and not where a change matches nothing.
Result<EditResult> EditTrace(trace_file::Source& source, const Patch& patch,
                             const std::string& output, uint64_t max_bytes,
                             const trace_model::WorkBounds& bounds, const trace_model::Walk& walk);

// The passes of EditTrace(), for a trace that comes event by event.
class Editor final : private play::Listener {
 public:
  // The patch outlives the editor.
  Editor(const Patch& patch, const trace_model::WorkBounds& bounds);

  Status Add(const trace::EventRecord& record);
  uint64_t size_bytes() const { return loader_.size_bytes(); }
  uint64_t draws() const { return player_.draws().count(); }
  // Of each change.
  const std::vector<uint64_t>& matches() const { return matches_; }
  // Fails once the trace took more work than it may.
  Status CheckWork() const { return player_.CheckWork(); }
  // The changed trace; once.
  trace_model::Model Take();

 private:
  // What becomes of a token.
  struct TokenChange {
    std::vector<uint8_t> before, after;  // tokens
    std::vector<EditedShader> shaders;   // that are set around these
    bool is_dropped = false;
    bool is_moved = false;   // with what is before and after it
    std::set<size_t> moved;  // changes whose draws come in front of it
  };
  // A draw, and what it is drawn with.
  struct DrawPlace {
    uint64_t number = 0;
    uint64_t event = 0;  // place in the model
    uint32_t token = 0;
    uint32_t space = 0;
    uint64_t context = 0;
    bool has_own_vertices = false;  // of its call
    device::State state;
    device::Targets targets;
  };
  // A draw that is moved in front of another one.
  struct Move {
    std::optional<DrawPlace> from, to;
    std::vector<uint8_t> before, after;  // tokens around it at its new place
  };

  play::Detail detail() const override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  bool OnDraw(const device::Draw& draw) override;
  Result<bool> ChangeVertex(const Change& change, const device::Draw& draw);
  bool Has(ChangeKind kind) const;
  // Instructions of what the draw runs are others.
  void ChangeShaders(const device::Context& context, const stream::Command& command);
  // Adds the tokens that set changed shaders, once all handles are known.
  void AddShaders();
  // The draw is one of both of a move; where both are known it is prepared.
  Status NoteMove(size_t change, const device::Context& context, const stream::Command& command);
  Status Prepare(size_t change, const device::Context& context);
  Status AddPictures(const trace::SurfaceUpdate& update);
  trace_model::ModelEvent Changed(const trace_model::Model& model,
                                  const trace_model::ModelEvent& event,
                                  const std::map<uint32_t, TokenChange>& changes);

  // Bytes of a buffer that are changed during the event.
  struct BufferChange {
    uint32_t space = 0, handle = 0, offset = 0;
    std::vector<uint8_t> before;
    const uint8_t* place = nullptr;
  };

  const Patch* patch_;
  std::vector<uint64_t> matches_;
  trace_model::ModelLoader loader_;
  uint64_t events_ = 0;  // that the loader has
  std::map<uint64_t, std::map<uint32_t, TokenChange>>
      tokens_;  // by place in the model, then of the token in its call
  std::multimap<uint64_t, trace_model::ModelEvent> less_,
      more_;  // events that come before and after the one at this place
  std::map<uint64_t, std::map<size_t, std::vector<uint8_t>>>
      vertices_;                  // by place in the model, then of the bytes in its vertices
  std::map<size_t, Move> moves_;  // by change
  ShaderHandles handles_;
  std::vector<BufferChange> buffers_;         // of the event
  const trace::Event* event_ = nullptr;       // that is played
  const device::Context* context_ = nullptr;  // of the token
  Status status_;
  uint64_t next_id_ = uint64_t{1} << 62;  // apart from those of the loader
  play::Player player_;
};

}  // namespace dp2trace::edit
