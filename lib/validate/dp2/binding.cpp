#include "validate/dp2/binding.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "d3d/interface.h"
#include "device/layout.h"
#include "device/patch_record.h"
#include "device/vertex_program.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/draw_format.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using d3d::RenderState;
using device::Absence;
using device::Context;
using device::Resource;
using device::SurfaceRef;
using opcode::Op;

// What a binding demands of its surface.
struct Demand {
  bool (*holds)(const Resource& resource);
  Rule rule;  // of a surface that is something else by now
  const char* expected;
};
bool IsBuffer(const Resource& resource) {
  return resource.is_buffer();
}
constexpr Demand kBufferDemand = {IsBuffer, Rule::kDp2Bind003, "a buffer"};
constexpr Demand kTextureDemand = {device::CanBeTexture, Rule::kDp2Tss006, "a texture"};
constexpr Demand kTargetDemand = {device::CanBeTarget, Rule::kDp2Rt002,
                                  "3DDEVICE and a colour format"};
constexpr Demand kDepthDemand = {device::CanBeDepth, Rule::kDp2Rt003, "ZBUFFER and a depth format"};

// A binding in words, put together when they are needed.
struct Called {
  std::string_view noun;
  std::optional<uint32_t> number;  // of several
  std::string text() const {
    return number ? fmt::format("{} {}", noun, *number) : std::string(noun);
  }
};

// The bindings of one draw.
class Search {
 public:
  explicit Search(const CommandView& view) : view_(view), context_(view.context) {}

  // A surface that is bound under `handle`; 0 is not a binding.
  void Surface(uint32_t binding, uint32_t handle, const Demand& demand, const Called& what) {
    if (handle == 0) return;
    const SurfaceRef surface = context_.space->Find(handle);
    if (surface && demand.holds(*surface.resource)) return;
    if (surface) {
      const std::string found = Describe(*surface.resource);
      Report(binding, demand.rule,
             fmt::format("{} is surface {}, which is {} by now", what.text(), handle, found), found,
             demand.expected);
    } else if (context_.space->history().Find(handle) == Absence::kDestroyed) {
      Report(binding, Rule::kDp2Surf003,
             fmt::format("{} is surface {}, which was destroyed", what.text(), handle),
             fmt::format("{}", handle), "a live surface");
    }
  }

  // DP2-VSH-021: a shader or declaration that is bound under `handle`.
  void Object(uint32_t binding, uint32_t handle,
              const std::map<uint32_t, device::ShaderObject>& table,
              const device::HandleHistory& history, std::string_view noun) {
    if (table.contains(handle) || history.Find(handle) != Absence::kDestroyed) return;
    if (!IsNews(binding)) return;
    const device::StateKind kind =
        binding == device::kPixelShaderBinding      ? device::StateKind::kPixelShader
        : binding == device::kVertexFunctionBinding ? device::StateKind::kVertexFunction
                                                    : device::StateKind::kVertexDeclaration;
    view_.ReportState(Rule::kDp2Vsh021, static_cast<uint32_t>(kind),
                      fmt::format("{} {} is set, and was deleted", noun, handle),
                      fmt::format("{}", handle), fmt::format("a live {}", noun));
  }

 private:
  // True once for each value of the binding, where it is known.
  bool IsNews(uint32_t binding) {
    uint32_t& reported = view_.memory.binding.reported[binding];
    const uint32_t version = context_.bindings.versions[binding] + 1;
    if (reported == version || context_.bindings.is_unknown[binding]) return false;
    reported = version;
    return true;
  }
  void Report(uint32_t binding, Rule rule, const std::string& message, std::string actual,
              std::string expected) {
    if (IsNews(binding)) view_.Report(rule, message, std::move(actual), std::move(expected));
  }

  const CommandView& view_;
  const Context& context_;
};

// A patch that is drawn from the cache reads no stream; one token may hold both kinds.
bool ReadsStreams(const CommandView& view) {
  const Op op = view.command.op->op;
  const bool is_patch = op == Op::kDrawRectPatch || op == Op::kDrawTriPatch;
  if (!is_patch) return view.command.op->level >= d3d::kFirstStreamLevel;
  for (const stream::Record& record : view.Records()) {
    if (device::ReadPatch(view.context.state, record, op == Op::kDrawTriPatch).info) return true;
  }
  return false;
}

void SearchProgram(const CommandView& view, Search& search) {
  const Context& context = view.context;
  const device::VertexProgram& program = context.state.vertex_program;
  const bool is_handle = (program.format & 1) != 0;
  if (program.is_level8) {
    if (is_handle) {
      search.Object(device::kDeclarationBinding, program.format, context.vertex_shaders,
                    context.histories.vertex_shaders, "vertex shader");
    }
    return;
  }
  if (is_handle) {
    search.Object(device::kDeclarationBinding, program.format, context.declarations,
                  context.histories.declarations, "declaration");
  }
  if (program.function != 0) {
    search.Object(device::kVertexFunctionBinding, program.function, context.vertex_functions,
                  context.histories.vertex_functions, "vertex shader");
  }
}

// Streams that the vertex format uses; while stream 0 is user memory the others do not count.
uint32_t UsedStreams(const Context& context) {
  if (context.state.streams[0].is_user_memory) return 0;
  const device::BoundProgram program = device::FindBoundProgram(context);
  if (program.layout != nullptr) return device::UsedStreams(*program.layout);
  return program.is_fvf ? 1 : 0;
}

void SearchStreams(const CommandView& view, Search& search) {
  const device::State& state = view.context.state;
  const Op op = view.command.op->op;
  const bool is_indexed = op == Op::kDrawIndexedPrimitive || op == Op::kDrawIndexedPrimitive2;
  for (uint32_t i = 0, used = UsedStreams(view.context); used >> i != 0; ++i) {
    if ((used >> i & 1) != 0) {
      search.Surface(device::kFirstStreamBinding + i, state.streams[i].buffer, kBufferDemand,
                     {"stream", i});
    }
  }
  if (is_indexed) {
    search.Surface(device::kIndexBinding, state.indices.buffer, kBufferDemand,
                   {"the index buffer", {}});
  }
}

// Texture handles of level 6 are numbers of the driver: nothing is known about them. Source: lib/opcode/dp2.md 12.2.
void SearchTextures(const CommandView& view, Search& search) {
  if (view.level() < 7) return;
  const uint32_t read = ReadTextures(view, view.memory.texture_stage.samplers);
  for (uint32_t slot = 0; read >> slot != 0; ++slot) {
    if ((read >> slot & 1) != 0) {
      search.Surface(device::kFirstTextureBinding + slot,
                     view.context.state.stage(slot, d3d::TextureStageState::TextureMap),
                     kTextureDemand, {"texture", slot});
    }
  }
}

void SearchFrame(const CommandView& view, bool has_color, bool has_depth, Search& search) {
  const device::Targets& targets = view.context.targets;
  for (uint32_t slot = 0; has_color && slot < device::kTargetCount; ++slot) {
    search.Surface(device::kFirstTargetBinding + slot, targets.colors[slot], kTargetDemand,
                   {"render target", slot});
  }
  if (has_depth)
    search.Surface(device::kDepthBinding, targets.depth, kDepthDemand, {"the depth surface", {}});
}

void CheckBindingsAtDraw(const CommandView& view) {
  const Op op = view.command.op->op;
  if (op == Op::kComposeRects) return;
  Search search(view);
  if (op == Op::kClear) {
    constexpr uint32_t kDepthParts =
        d3d::Value(d3d::ClearFlag::ZBuffer) | d3d::Value(d3d::ClearFlag::Stencil);
    const uint32_t flags =
        stream::FieldU32(view.command, stream::Field(opcode::layout::kClear, "flags"));
    SearchFrame(view, (flags & d3d::Value(d3d::ClearFlag::Target)) != 0, (flags & kDepthParts) != 0,
                search);
    return;
  }
  const Context& context = view.context;
  if (ReadsStreams(view)) {
    SearchProgram(view, search);
    SearchStreams(view, search);
  }
  if (context.state.pixel_shader != 0) {
    search.Object(device::kPixelShaderBinding, context.state.pixel_shader, context.pixel_shaders,
                  context.histories.pixel_shaders, "pixel shader");
  }
  SearchTextures(view, search);
  const bool uses_depth = context.state.value(RenderState::ZEnable) != 0 ||
                          context.state.value(RenderState::StencilEnable) != 0;
  SearchFrame(view, true, uses_depth, search);
}

}  // namespace

const Topic kBindingTopic = {.at_draw = CheckBindingsAtDraw};

}  // namespace dp2trace::validate
