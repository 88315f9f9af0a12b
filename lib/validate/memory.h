// What the rules remember: the part of each topic, of one context and of the whole trace.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "validate/recurring.h"
#include "validate/rules_call.h"
#include "validate/rules_constant.h"
#include "validate/rules_level.h"
#include "validate/rules_light.h"
#include "validate/rules_patch.h"
#include "validate/rules_query.h"
#include "validate/rules_render_state.h"
#include "validate/rules_shader_link.h"
#include "validate/rules_surface.h"
#include "validate/rules_target.h"
#include "validate/rules_texture_stage.h"
#include "validate/rules_transform.h"
#include "validate/rules_vertex.h"

namespace dp2trace::validate {

struct ContextMemory {
  Recurring recurring;
  // A token or event since the last draw may have changed what a draw combines.
  bool has_changed = true;
  const opcode::OpInfo* last_draw = nullptr;
  CallMemory call;
  LevelMemory level;
  VertexDataMemory vertex_data;
  ConstantMemory constant;
  RenderStateMemory render_state;
  TextureStageMemory texture_stage;
  TransformMemory transform;
  LightMemory light;
  SurfaceMemory surface;
  PatchMemory patch;
  TargetMemory target;
};

struct TraceMemory {
  ShaderLinkCheck shader_links;
  std::map<std::pair<uint32_t, uint64_t>, ContextMemory> contexts;  // by space and id
  SurfaceTraceMemory surface;
  QueryTraceMemory query;
};

}  // namespace dp2trace::validate
