// The device as data: spaces, surfaces, contexts; tokens change them. It draws nothing: what a token draws goes to a DrawSink.
// The validator reads it before a command is applied, the renderer after.
// Source: lib/design.md 3 and 4; lib/opcode/dp2.md 1 to 22.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/work_budget.h"
#include "device/context.h"
#include "device/defect.h"
#include "device/draw.h"
#include "device/state_observer.h"
#include "device/trace_work.h"
#include "rules/rule.h"
#include "stream/stream.h"
#include "trace/events.h"

namespace dp2trace::device {

struct Options {
  image::SurfaceLimits surfaces;  // keeps_pixels is false where nothing is drawn or read
  uint64_t max_surface_bytes = SurfaceBytesFor({});  // of all surfaces together
  uint64_t max_context_bytes = uint64_t{1} << 28;    // of the states of all contexts together
  uint64_t max_object_bytes = uint64_t{3} << 28;  // of shaders, state blocks, lights, ... together
  uint32_t max_primitives = 1U << 24;             // of one draw, all instances together
  uint32_t max_control_points = 1U << 16;         // of one patch
  uint64_t max_steps = StepsFor({});              // of all work of the trace
  StateObserver* observer = nullptr;              // outlives the device; null: none
};

// Whether the memory that a call names holds the vertices that it announces. Source: lib/opcode/dp2.md 1.1 to 1.3.
enum class VertexMemory : uint8_t {
  kPresent,   // as far as the trace tells
  kNone,      // neither a pointer nor a surface
  kNotLive,   // the surface is not a live buffer
  kTooSmall,  // the announced vertices reach past its end
};

// What a D3dDrawPrimitives2 call (or a packet) gives its tokens beside their bytes.
struct Call {
  uint64_t event = 0;
  uint32_t vertex_type = 0;  // FVF
  uint32_t vertex_size = 0;
  Bytes vertices;  // from dwVertexOffset on; of user memory, or of the vertex buffer's surface
  uint32_t vertex_count = 0;        // dwVertexLength; where it was not recorded, what is stored
  bool is_count_announced = false;  // dwVertexLength was recorded
  bool has_user_memory = false;     // USERMEMVERTICES, and there are vertices
  uint32_t vertex_buffer = 0;       // surface handle of lpDDVertex
  VertexMemory memory = VertexMemory::kPresent;
  // Bytes from the start of the vertex memory to the end of the announced vertices.
  uint64_t memory_needed = 0;
  uint64_t memory_size = 0;  // bytes of the vertex memory, where it is kTooSmall
  stream::Environment environment;
};

// True for a recorded HRESULT that is a failure; what was not recorded has not failed.
constexpr bool HasFailed(const std::optional<uint32_t>& result) {
  return result && (*result >> 31) != 0;
}

// The rule that an operation breaks in a context of this level, or nothing. Source: lib/opcode/dp2.md 2.6 and 2.4.
inline std::optional<Rule> FindLevelDefect(const opcode::OpInfo& op, uint32_t level,
                                           bool is_d3d9ex) {
  const bool is_ex =
      op.op == opcode::Op::kSetConvolutionKernelMono || op.op == opcode::Op::kComposeRects;
  if (op.level <= level)
    return is_ex && !is_d3d9ex ? std::optional(Rule::kDp2Level004) : std::nullopt;
  // SETPALETTE, UPDATEPALETTE, SETRENDERTARGET and CLEAR are not gated by the header: DP2-LEVEL-003.
  return op.gate_level < op.level ? std::nullopt : std::optional(Rule::kDp2Level001);
}

class Device {
 public:
  explicit Device(const Options& options);
  // A copy that shares the bytes of surfaces, which neither may write until TakeOwnBytes().
  explicit Device(const Device& other);
  ~Device();

  // See image::Surface::TakeOwnBytes(), for all surfaces; `earlier` may have others.
  void TakeOwnBytes(const Device* earlier = nullptr);
  // What the device takes beside another one with which it may share bytes.
  uint64_t BytesBeside(const Device* earlier) const;
  // In place of that of the options; outlives the device.
  void SetObserver(StateObserver* observer) { options_.observer = observer; }

  const trace::Header& header() const { return header_; }
  uint32_t level() const { return level_; }
  // Counts what the trace makes the device, its rules and its renderer do: once it is spent, the device does nothing that costs much.
  WorkBudget& work() const { return work_; }
  // Everything goes but the work that was done: a second header starts another session.
  void Reset();
  void OnHeader(const trace::Header& header, std::optional<uint32_t> level_override = std::nullopt);

  // Events that change objects. Each hands back what it refuses.
  // `event`: its number, which is the setter of the targets; 0: not known.
  Defects OnContextCreate(const trace::ContextCreate& create, uint64_t event = 0);
  Defects OnContextDestroy(const trace::ContextDestroy& destroy);
  Defects OnSurfaceCreate(const trace::SurfaceCreate& create);
  Defects OnSurfaceDestroy(const trace::SurfaceDestroy& destroy);
  Defects OnSurfaceUpdate(const trace::SurfaceUpdate& update);
  Defects OnBlt(const trace::Blt& blt);
  // An event that shows or reads a surface: DP2-SURF-001 to -003.
  Defects OnSurfaceUse(uint32_t space, uint32_t handle, std::string path);
  // Events of the trace are lost, or could not be read.
  void OnLoss();
  // The response buffer of a call: its queries have been answered.
  void OnResponse(Context& context, Bytes response);

  Space& space(uint32_t id);
  // Null where it does not exist.
  Space* FindSpace(uint32_t id);
  Context* FindContext(uint32_t space, uint64_t id);
  const Space* FindSpace(uint32_t id) const;
  const Context* FindContext(uint32_t space, uint64_t id) const;
  // True for an id that named a context once and does not now.
  bool WasContextDestroyed(uint32_t space, uint64_t id) const {
    return destroyed_contexts_.contains({space, id});
  }
  const std::map<uint32_t, std::unique_ptr<Space>>& spaces() const { return spaces_; }
  // By space and id.
  using Contexts = std::map<std::pair<uint32_t, uint64_t>, std::unique_ptr<Context>>;
  const Contexts& contexts() const { return contexts_; }
  // A part of them; std::ranges::subrange over a map does not compile with Clang 14.
  struct ContextRange {
    Contexts::const_iterator first, last;
    Contexts::const_iterator begin() const { return first; }
    Contexts::const_iterator end() const { return last; }
  };
  // In the order of their ids.
  ContextRange ContextsOf(uint32_t space) const {
    return {contexts_.lower_bound({space, 0}), contexts_.upper_bound({space, UINT64_MAX})};
  }
  // The palette of the first context of the space that has one for the surface, or nothing.
  std::optional<image::Palette> PaletteOf(uint32_t space, const Resource& resource) const;

  // The call's data for its tokens; vertex buffers are looked up in the context's space.
  Call MakeCall(uint64_t event, const Context& context, const trace::Dp2& dp2);

  // Applies one framed command to the context. Illegal records are handed back and skipped, the others take effect in order.
  Defects Apply(Context& context, const Call& call, const stream::Command& command, DrawSink& sink);

 private:
  // The face and level that an event names, or nothing and why.
  SurfaceRef FindArea(uint32_t space, uint32_t handle, uint32_t face, uint32_t level,
                      std::string path, Defects& defects);
  Options options_;
  mutable WorkBudget work_;
  trace::Header header_;
  uint32_t level_ = 9;
  uint64_t surface_bytes_ = 0;  // of all spaces, which keep it
  std::map<uint32_t, std::unique_ptr<Space>> spaces_;
  Contexts contexts_;
  uint64_t object_bytes_ = 0;  // of the objects of all contexts
  std::set<std::pair<uint32_t, uint64_t>> destroyed_contexts_;
};

}  // namespace dp2trace::device
