// What the rules remember: the part of each topic, of one context and of the whole trace.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "validate/dp2/binding.h"
#include "validate/dp2/call.h"
#include "validate/dp2/caps.h"
#include "validate/dp2/constant.h"
#include "validate/dp2/level.h"
#include "validate/dp2/light.h"
#include "validate/dp2/patch.h"
#include "validate/dp2/query.h"
#include "validate/dp2/render_state.h"
#include "validate/dp2/shader_link.h"
#include "validate/dp2/surface.h"
#include "validate/dp2/target.h"
#include "validate/dp2/texture_stage.h"
#include "validate/dp2/transform.h"
#include "validate/dp2/vertex.h"
#include "validate/follow_ups.h"
#include "validate/recurring.h"

namespace dp2trace::validate {

struct ContextMemory {
  Recurring& RecurringOf(const opcode::OpInfo& op) {
    return op.op == opcode::Op::kClear ? recurring_clears : recurring;
  }
  // What draws combine, and what clears do: reported once while nothing changes.
  Recurring recurring, recurring_clears;
  // A token or event since the last draw may have changed what a draw combines.
  bool has_changed = true;
  const opcode::OpInfo* last_draw = nullptr;
  bool is_sharing_reported = false;  // DP2-TEXBLT-022
  LevelMemory level;
  VertexDataMemory vertex_data;
  CapsMemory caps;
  PatchMemory patch;
  BindingMemory binding;
  FollowUpMemory follow_ups;
  CallMemory call;
  ConstantMemory constant;
  RenderStateMemory render_state;
  TextureStageMemory texture_stage;
  TransformMemory transform;
  LightMemory light;
  SurfaceMemory surface;
  TargetMemory target;
};

// By space and id.
using ContextMemories = std::map<std::pair<uint32_t, uint64_t>, ContextMemory>;

struct TraceMemory {
  ShaderLinkCheck shader_links;
  ContextMemories contexts;
  SurfaceTraceMemory surface;
  QueryTraceMemory query;
};

}  // namespace dp2trace::validate
