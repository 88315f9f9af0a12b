#include "validate/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include "d3d/states.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "validate/dp2/legacy_draw.h"

namespace dp2trace::validate {
namespace {

using d3d::RenderState;
using device::StateKey;
using device::StateKind;

// A value that rules check. What has a number takes it from the detail of the finding, unless it is fixed.
enum class Kind : uint8_t {
  kNone,
  kRender,        // code: render state
  kStage,         // code: state; of the stage that the detail names
  kOperation,     // COLOROP of stage detail / 2, or ALPHAOP where the detail is odd
  kRenderTarget,  // of the slot that the detail names
  kTarget0,
  kDepthStencil,
  kStreamSource,  // that the detail names
  kAnyStream,     // those that are bound
  kDivider,       // of the stream that the detail names
  kClipPlane,     // that the detail names
  kSingle,        // code: StateKind, of which there is one, or one setter for all
  kStateKind,     // the StateKind that the detail is
  kDetail,  // the state that DetailOf() put into the detail; nothing where another detail is there
};

struct Value {
  Kind kind = Kind::kNone;
  uint32_t code = 0;
};

constexpr Value Of(RenderState state) {
  return {Kind::kRender, d3d::Value(state)};
}
constexpr Value Of(d3d::TextureStageState state) {
  return {Kind::kStage, d3d::Value(state)};
}
constexpr Value Of(StateKind kind) {
  return {Kind::kSingle, static_cast<uint32_t>(kind)};
}

constexpr size_t kMaxValues = 3;
struct CauseRow {
  Rule rule = {};
  std::array<Value, kMaxValues> values = {};
};

using TS = d3d::TextureStageState;
constexpr Value kDeclaration = Of(StateKind::kVertexDeclaration);
constexpr Value kStageTexture = Of(TS::TextureMap);
constexpr Value kRenderTarget = {Kind::kRenderTarget, 0};
constexpr Value kTarget0 = {Kind::kTarget0, 0};
constexpr Value kDepthStencil = {Kind::kDepthStencil, 0};
constexpr Value kStreamSource = {Kind::kStreamSource, 0};
constexpr Value kAnyStream = {Kind::kAnyStream, 0};
constexpr Value kOfDetail = {Kind::kDetail, 0};
constexpr Value kStateOfDetail = {Kind::kStateKind, 0};

// clang-format off
constexpr CauseRow kCauseRows[] = {
    {Rule::kDp2Rs012, {Of(RenderState::StencilRef), kDepthStencil}},
    {Rule::kDp2Rs015, {Of(RenderState::FogStart), Of(RenderState::FogEnd)}},
    {Rule::kDp2Rs045, {Of(RenderState::FogEnable), Of(RenderState::FogTableMode), kDeclaration}},
    {Rule::kDp2Rs046, {Of(RenderState::FogTableMode), Of(RenderState::FogStart), Of(RenderState::FogEnd)}},
    {Rule::kDp2Rs018, {Of(RenderState::ClipPlaneEnable), Value{Kind::kClipPlane, 0}}},
    {Rule::kDp2Rs022, {Of(RenderState::VertexBlend), kDeclaration}},
    {Rule::kDp2Rs023, {Of(RenderState::PointSizeMin), Of(RenderState::PointSizeMax)}},
    {Rule::kDp2Rs024, {Of(RenderState::PointSizeMax)}},
    {Rule::kDp2Rs028, {Of(RenderState::SceneCapture)}},
    {Rule::kDp2Rs033, {Of(RenderState::MinTessellationLevel), Of(RenderState::MaxTessellationLevel)}},
    {Rule::kDp2Rs036, {Of(RenderState::ZEnable), Of(StateKind::kWInfo)}},
    {Rule::kDp2Rs037, {Of(RenderState::StencilEnable), kDepthStencil}},
    {Rule::kDp2Rs038, {Of(RenderState::TwoSidedStencilMode), Of(RenderState::CullMode)}},
    {Rule::kDp2View003, {Of(StateKind::kViewport), kTarget0}},
    {Rule::kDp2View010, {Value{Kind::kClipPlane, 0}, Of(RenderState::ClipPlaneEnable)}},
    {Rule::kDp2View012, {Of(StateKind::kScissor), kTarget0}},
    {Rule::kDp2Rt005, {kDepthStencil, kTarget0}},
    {Rule::kDp2Rt006, {kDepthStencil, kTarget0}},
    {Rule::kDp2Rt007, {kRenderTarget}},
    {Rule::kDp2Rt008, {kRenderTarget}},
    {Rule::kDp2Rt010, {kTarget0}},
    {Rule::kDp2Rt011, {Of(RenderState::ZEnable), kDepthStencil}},
    {Rule::kDp2Clear005, {kDepthStencil}},
    {Rule::kDp2Clear006, {kDepthStencil}},
    {Rule::kDp2Clear008, {kDepthStencil}},
    {Rule::kDp2Clear012, {Of(StateKind::kViewport)}},
    {Rule::kDp2Prim006, {Of(RenderState::FillMode)}},
    {Rule::kDp2Prim007, {Of(StateKind::kVertexFunction)}},
    {Rule::kDp2Vsh017, {kDeclaration, kAnyStream}},
    {Rule::kDp2Vsh020, {kDeclaration}},
    {Rule::kDp2Vsh021, {kStateOfDetail}},
    {Rule::kDp2Caps009, {kOfDetail}},
    {Rule::kDp2Caps010, {kOfDetail}},
    {Rule::kDp2Caps011, {Value{Kind::kOperation, 0}}},
    {Rule::kDp2Caps012, {Of(TS::MaxAnisotropy)}},
    {Rule::kDp2Caps013, {kOfDetail}},
    {Rule::kDp2Caps014, {kOfDetail}},
    {Rule::kDp2Caps015, {kOfDetail}},
    {Rule::kDp2Caps016, {kOfDetail}},
    {Rule::kDp2Caps017, {kOfDetail}},
    {Rule::kDp2Caps018, {kOfDetail}},
    {Rule::kDp2Caps019, {kOfDetail}},
    {Rule::kDp2Caps020, {kOfDetail}},
    {Rule::kDp2Caps021, {kOfDetail}},
    {Rule::kDp2Caps022, {kDeclaration}},
    {Rule::kDp2Caps023, {kOfDetail}},
    {Rule::kDp2Caps024, {Of(RenderState::VertexBlend), Of(RenderState::IndexedVertexBlendEnable)}},
    {Rule::kDp2Caps025, {kOfDetail}},
    {Rule::kDp2Caps030, {kOfDetail}},
    {Rule::kDp2Xform005, {Of(StateKind::kTransform), Of(TS::TextureTransformFlags)}},
    {Rule::kDp2Pal009, {kStageTexture}},
    {Rule::kDp2Pal010, {kStageTexture}},
    {Rule::kDp2Pal011, {kStageTexture}},
    {Rule::kDp2Const005, {Of(StateKind::kPixelFloat)}},
    {Rule::kDp2Bind013, {Value{Kind::kDivider, 0}, Of(StateKind::kVertexFunction)}},
    {Rule::kDp2Draw004, {kDeclaration}},
    {Rule::kDp2Draw005, {kStreamSource, kDeclaration}},
    {Rule::kDp2Draw006, {kAnyStream}},
    {Rule::kDp2Draw007, {kAnyStream}},
    {Rule::kDp2Draw008, {kAnyStream}},
    {Rule::kDp2Draw009, {Of(StateKind::kIndices)}},
    {Rule::kDp2Draw010, {Of(StateKind::kIndices)}},
    {Rule::kDp2Draw012, {Of(StateKind::kIndices), kAnyStream}},
    {Rule::kDp2Draw015, {kAnyStream}},
    {Rule::kDp2Draw016, {kAnyStream}},
    {Rule::kDp2Draw017, {kDeclaration}},
    {Rule::kDp2Draw018, {kDeclaration}},
    {Rule::kDp2Draw022, {kAnyStream}},
    {Rule::kDp2Light010, {Of(StateKind::kLightEnable)}},
    {Rule::kDp2Tss009, {Of(TS::AlphaOp), Of(TS::ColorOp)}},
    {Rule::kDp2Tss012, {Of(TS::ResultArg)}},
    {Rule::kDp2Tss014, {Of(TS::TexcoordIndex), kDeclaration}},
    {Rule::kDp2Tss015, {Of(TS::TexcoordIndex), Of(StateKind::kVertexFunction)}},
    {Rule::kDp2Tss021, {Of(TS::MipFilter), kStageTexture}},
    {Rule::kDp2Tss023, {Of(TS::MaxMipLevel), kStageTexture}},
    {Rule::kDp2Tss026, {Of(TS::ColorOp), kStageTexture}},
    {Rule::kDp2Tss027, {Of(TS::ColorOp)}},
    {Rule::kDp2Tss028, {kStageTexture}},
    {Rule::kDp2Tss029, {kOfDetail}},
    {Rule::kDp2Tss030, {kOfDetail}},
    {Rule::kDp2Tss035, {kOfDetail}},
    {Rule::kDp2Patch010, {Of(RenderState::PatchEdgeStyle)}},
    {Rule::kDp2Patch011, {Of(RenderState::PatchSegments)}},
    {Rule::kDp2Patch021, {kStreamSource}},
    {Rule::kDp2Patch027, {kDeclaration}},
    {Rule::kDp2Fvf001, {kDeclaration}},
    {Rule::kDp2Fvf002, {kDeclaration}},
    {Rule::kDp2Fvf003, {kDeclaration}},
    {Rule::kDp2Fvf004, {kDeclaration}},
    {Rule::kDp2Fvf005, {kDeclaration}},
    {Rule::kDp2Fvf006, {kDeclaration}},
    {Rule::kDp2Fvf007, {kDeclaration}},
    {Rule::kDp2Fvf008, {kDeclaration}},
    {Rule::kDp2Fvf009, {kDeclaration}},
    {Rule::kDp2Fvf010, {kDeclaration}},
    {Rule::kDp2Fvf011, {kDeclaration, kAnyStream}},
    {Rule::kDp2Fvf012, {kDeclaration, kAnyStream}},
    {Rule::kDp2Fvf013, {kDeclaration}},
    {Rule::kDp2Fvf014, {kDeclaration}},
    {Rule::kDp2Fvf015, {kDeclaration}},
    {Rule::kDp2Shader070, {Of(StateKind::kVertexFunction), Of(StateKind::kPixelShader), kDeclaration}},
    {Rule::kDp2Shader071, {Of(StateKind::kVertexFunction), Of(StateKind::kPixelShader), kDeclaration}},
    {Rule::kDp2Shader072, {Of(StateKind::kVertexFunction), Of(StateKind::kPixelShader), kDeclaration}},
    {Rule::kDp2Shader073, {Of(StateKind::kVertexFunction), Of(StateKind::kPixelShader), kDeclaration}},
};

struct SingleName {
  StateKind kind;
  std::string_view name;
};
constexpr SingleName kSingleNames[] = {
    {StateKind::kTransform, "texture matrices"},
    {StateKind::kViewport, "viewport"},
    {StateKind::kWInfo, "range of w"},
    {StateKind::kLightEnable, "enabled lights"},
    {StateKind::kScissor, "scissor rectangle"},
    {StateKind::kVertexDeclaration, "vertex format"},
    {StateKind::kVertexFunction, "vertex shader"},
    {StateKind::kPixelShader, "pixel shader"},
    {StateKind::kIndices, "index buffer"},
    {StateKind::kPixelFloat, "constants of the pixel shader"},
};
// clang-format on

const CauseRow* FindCauseRow(Rule rule) {
  const auto* const row = std::ranges::find(kCauseRows, rule, &CauseRow::rule);
  return row == std::end(kCauseRows) ? nullptr : row;
}

bool IsFormat(const Value& value) {
  return value.kind == kDeclaration.kind && value.code == kDeclaration.code;
}

// The values of a finding with their setters.
class SetterList {
 public:
  SetterList(const device::Context& context, Detail detail, std::vector<StateSetter>& out)
      : context_(&context), detail_(detail), out_(&out) {}

  void Add(Value value) {
    switch (value.kind) {
      case Kind::kNone:
        return;
      case Kind::kRender:
        return Add(std::string(d3d::FindRenderState(value.code)->name),
                   {StateKind::kRender, value.code});
      case Kind::kStage:
        return AddStage(detail_, value.code);
      case Kind::kOperation:
        return AddStage(detail_ / 2, d3d::Value(detail_ % 2 == 0 ? TS::ColorOp : TS::AlphaOp));
      case Kind::kRenderTarget:
        return AddTarget(detail_);
      case Kind::kTarget0:
        return AddTarget(0);
      case Kind::kDepthStencil:
        return AddTarget(device::kTargetCount);
      case Kind::kStreamSource:
        return AddStream(detail_);
      case Kind::kAnyStream:
        return AddBoundStreams();
      case Kind::kDivider:
        if (detail_ < device::kStreamCount)
          Add(fmt::format("divider of stream {}", detail_), {StateKind::kStreamDivider, detail_});
        return;
      case Kind::kClipPlane:
        if (detail_ < device::kClipPlaneCount)
          Add(fmt::format("clip plane {}", detail_), {StateKind::kClipPlane, detail_});
        return;
      case Kind::kSingle:
        return AddSingle(static_cast<StateKind>(value.code));
      case Kind::kStateKind:
        return AddSingle(static_cast<StateKind>(detail_));
      case Kind::kDetail:
        return AddOfDetail(detail_ >> kDetailNumbers);
    }
  }

 private:
  void Add(std::string name, const device::Setter& setter) {
    out_->push_back({std::move(name), setter.event, setter.offset});
  }
  void Add(std::string name, StateKey key) { Add(std::move(name), context_->setters.Of(key)); }
  void AddStage(uint32_t slot, uint32_t state) {
    if (slot >= device::kStageSlotCount) return;
    Add(fmt::format("stage {} {}", slot, d3d::FindTextureStageState(state)->name),
        {StateKind::kStage, device::StageIndex(slot, state)});
  }
  void AddOfDetail(uint32_t state) {
    const uint32_t number = state & (kDetailOfStage - 1);
    if ((state & kDetailOfRender) != 0) return Add({Kind::kRender, number});
    if ((state & kDetailOfStage) == 0) return;
    AddStage(number >> kDetailStageBits, number & ((1U << kDetailStageBits) - 1));
  }
  void AddTarget(uint32_t slot) {
    if (slot > device::kTargetCount) return;
    Add(slot == device::kTargetCount ? "depth surface" : fmt::format("render target {}", slot),
        context_->setters.targets[slot]);
  }
  void AddStream(uint32_t stream) {
    if (stream < device::kStreamCount)
      Add(fmt::format("stream {}", stream), {StateKind::kStream, stream});
  }
  void AddBoundStreams() {
    for (uint32_t i = 0; i < device::kStreamCount; ++i) {
      const device::StreamBinding& binding = context_->state.streams[i];
      if (binding.buffer != 0 || binding.is_user_memory) AddStream(i);
    }
  }
  void AddSingle(StateKind kind) {
    const auto* const row = std::ranges::find(kSingleNames, kind, &SingleName::kind);
    if (row != std::end(kSingleNames)) Add(std::string(row->name), {kind, 0});
  }

  const device::Context* context_;
  Detail detail_;
  std::vector<StateSetter>* out_;
};

}  // namespace

bool IsAboutState(Rule rule) {
  return FindCauseRow(rule) != nullptr;
}

void AddCause(const device::Context& context, const opcode::OpInfo& op, Detail detail,
              Diagnostic& finding) {
  const CauseRow* const row = FindCauseRow(finding.rule);
  if (row != nullptr && IsFormat(row->values[0]) && UsesCallFormat(op)) return;
  std::string_view message = finding.message;
  if (message.starts_with(op.name) && message.substr(op.name.size()).starts_with(": "))
    message.remove_prefix(op.name.size() + 2);
  if (finding.is_whole) finding.cause = StatementOf(message, finding);
  if (row == nullptr) return;
  SetterList setters(context, detail, finding.set_by);
  for (const Value& value : row->values) {
    if (!IsFormat(value) || !UsesCallFormat(op)) setters.Add(value);
  }
}

}  // namespace dp2trace::validate
