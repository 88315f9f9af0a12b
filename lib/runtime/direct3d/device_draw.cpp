// Draws, patches, clears and targets of a device.
#include <algorithm>

#include "d3d/enums.h"
#include "d3d/formats.h"
#include "d3d/states.h"
#include "runtime/core/token.h"
#include "runtime/direct3d/device.h"

namespace dp2trace::runtime {
namespace {

using opcode::Op;

constexpr auto kIndex16 = static_cast<uint32_t>(d3d::Format::Index16);
constexpr auto kIndex32 = static_cast<uint32_t>(d3d::Format::Index32);
// Marks stream 0 as bound to user memory, in place of an offset.
constexpr uint32_t kUserMemory = 0xFFFFFFFF;
constexpr StateKey kStream0{StateKind::kStream, 0, 0};
constexpr StateKey kIndexKey{StateKind::kIndices, 0, 0};

std::vector<uint8_t> BytesOf(std::span<const uint32_t> first, std::span<const uint32_t> second) {
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  for (const uint32_t word : first)
    writer.Write(word);
  for (const uint32_t word : second)
    writer.Write(word);
  return bytes;
}

d3d::Rect Intersect(const d3d::Rect& a, const d3d::Rect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

bool IsEmpty(const d3d::Rect& rect) {
  return rect.left >= rect.right || rect.top >= rect.bottom;
}

// Those of the program, or the area, as far as they lie in the area.
std::vector<d3d::Rect> CutRects(const std::optional<std::vector<d3d::Rect>>& rects,
                                const d3d::Rect& area) {
  std::vector<d3d::Rect> cut;
  for (const d3d::Rect& rect : rects.value_or(std::vector<d3d::Rect>{area})) {
    // Before the cut: the edges of an inverted rectangle would cross.
    if (IsEmpty(rect)) continue;
    const d3d::Rect part = Intersect(rect, area);
    if (!IsEmpty(part)) cut.push_back(part);
  }
  return cut;
}

// The edge of an area in signed pixels, however large the program's numbers are.
int32_t Edge(uint64_t value) {
  return static_cast<int32_t>(std::min<uint64_t>(value, 0x7FFFFFFF));
}

}  // namespace

void Device::ResetViewport() {
  const Extent extent = targets_[0] ? targets_[0].extent() : depth_ ? depth_.extent() : Extent{};
  std::unique_ptr<StateBlock> recording = std::move(recording_);  // a target is not part of a block
  SetWords(StateKind::kViewport, 0, {0, 0, extent.width, extent.height, Bits(0.0f), Bits(1.0f)});
  if (level() >= 9) SetWords(StateKind::kScissor, 0, {0, 0, extent.width, extent.height});
  recording_ = std::move(recording);
}

void Device::EmitTarget(uint32_t index) {
  if (level() >= 9) return Token(Op::kSetRenderTarget2, {index, targets_[index].handle()});
  Token(Op::kSetRenderTarget, {targets_[0].handle(), depth_.handle()});
}

void Device::SetTarget(uint32_t index, const SurfaceRef& surface) {
  if (index >= targets_.size()) return;
  const SurfaceRef old = targets_[index];
  targets_[index] = surface;
  if (!(old == surface)) EmitTarget(index);
  if (index == 0 && surface) ResetViewport();
}

void Device::SetDepth(const SurfaceRef& surface) {
  const SurfaceRef old = depth_;
  depth_ = surface;
  if (!(old == surface)) Token(Op::kSetDepthStencil, {surface.handle()});
}

void Device::SetTargetAndDepth(const SurfaceRef& target, const SurfaceRef& depth) {
  const SurfaceRef old_target = targets_[0];
  const SurfaceRef old_depth = depth_;
  if (target) targets_[0] = target;
  depth_ = depth;
  if (!(old_target == targets_[0]) || !(old_depth == depth)) EmitTarget(0);
  if (target) ResetViewport();
}

// The viewport cut by the scissor rectangle and the edges of a surface of that size.
d3d::Rect Device::ClearArea(const Extent& extent) const {
  d3d::Rect area = {0, 0, Edge(extent.width), Edge(extent.height)};
  const StateValue* viewport = state_.Find({StateKind::kViewport, 0, 0});
  if (viewport != nullptr && viewport->words.size() == 6) {
    const std::vector<uint32_t>& v = viewport->words;
    area = Intersect(
        area, {Edge(v[0]), Edge(v[1]), Edge(uint64_t{v[0]} + v[2]), Edge(uint64_t{v[1]} + v[3])});
  }
  const StateValue scissor = state_.Get({StateKind::kScissor, 0, 0}, false);
  const bool has_scissor =
      state_
          .Get({StateKind::kRenderState, d3d::Value(d3d::RenderState::ScissorTestEnable), 0}, false)
          .word != 0;
  if (has_scissor && scissor.words.size() == 4) {
    const std::vector<uint32_t>& s = scissor.words;
    area = Intersect(area, {static_cast<int32_t>(s[0]), static_cast<int32_t>(s[1]),
                            static_cast<int32_t>(s[2]), static_cast<int32_t>(s[3])});
  }
  return area;
}

// What there is to clear: the runtime asks for no part that the bound surfaces lack.
uint32_t Device::ClearFlags(uint32_t flags) const {
  uint32_t present = d3d::Value(d3d::ClearFlag::Target);
  if (depth_) present |= d3d::Value(d3d::ClearFlag::ZBuffer);
  const d3d::FormatInfo* format = depth_ ? depth_.resource->format() : nullptr;
  // A format without a row may have stencil bits.
  if (depth_ && (format == nullptr || format->has_stencil()))
    present |= d3d::Value(d3d::ClearFlag::Stencil);
  return flags & present;
}

// The runtime computes the rectangles: the viewport, or those of the program inside it, cut by the scissor rectangle. Nothing is sent
// when none is left. Source: lib/opcode/dp2.md 14.2; lib/raster/rendering-output.md 7.3.
// Observed: a viewport that exceeds the target still clears all of the depth buffer below it: the two are cleared apart. Targets that are
// larger than the first are cleared whole, too.
void Device::Clear(const std::optional<std::vector<d3d::Rect>>& rects, uint32_t flags,
                   uint32_t color, uint32_t depth_bits, uint32_t stencil) {
  constexpr uint32_t kTarget = d3d::Value(d3d::ClearFlag::Target);
  flags = ClearFlags(flags);
  if (flags == 0) return;
  const bool has_target = (flags & kTarget) != 0 && targets_[0];
  const bool has_depth = (flags & ~kTarget) != 0 && depth_;
  Extent largest;
  for (const SurfaceRef& target : targets_) {
    if (!target) continue;
    largest.width = std::max(largest.width, target.extent().width);
    largest.height = std::max(largest.height, target.extent().height);
  }
  const d3d::Rect target_area = ClearArea(largest);
  const d3d::Rect depth_area = depth_ ? ClearArea(depth_.extent()) : d3d::Rect{};
  const auto send = [&](uint32_t sent_flags, const d3d::Rect& area) {
    SendClear(CutRects(rects, area), {sent_flags, color, depth_bits, stencil});
  };
  if (has_target && has_depth && target_area == depth_area) {
    send(flags, target_area);
  } else {
    if (has_target) send(kTarget, target_area);
    if (has_depth) send(flags & ~kTarget, depth_area);
  }
  MarkTargets();
}

void Device::SendClear(std::span<const d3d::Rect> rects, const std::array<uint32_t, 4>& values) {
  constexpr size_t kMaxRects = 0xFFFF;
  for (size_t at = 0; at < rects.size(); at += kMaxRects) {
    std::vector<uint32_t> words(values.begin(), values.end());
    for (const d3d::Rect& rect : rects.subspan(at, std::min(kMaxRects, rects.size() - at))) {
      for (const int32_t edge : {rect.left, rect.top, rect.right, rect.bottom})
        words.push_back(Bits(edge));
    }
    Token(Op::kClear, words);
  }
}

void Device::PrepareDraw() {
  for (uint32_t stage = 0; stage < d3d::kPixelSamplerCount; ++stage) {
    const StateValue* value = state_.Find({StateKind::kTexture, stage, 0});
    if (value == nullptr) continue;
    auto* texture = dynamic_cast<Resource*>(value->object.get());
    if (texture == nullptr) continue;
    if (texture->needs_levels) GenerateLevels(*texture);
    if (texture->description().pool == Pool::kManaged) texture->ForgetDirty();
  }
}

void Device::PreLoad(Resource& texture) {
  if (texture.description().pool != Pool::kManaged) return;
  if (texture.needs_levels) GenerateLevels(texture);
  texture.ForgetDirty();
}

void Device::MarkTargets() {
  for (const SurfaceRef& target : targets_)
    MarkWritten(target);
}

void Device::Draw(uint32_t type, uint32_t first, uint32_t count) {
  PrepareDraw();
  Token(Op::kDrawPrimitive, {type, first, count});
  MarkTargets();
}

void Device::DrawIndexed(uint32_t type, int32_t base, uint32_t min_index, uint32_t vertices,
                         uint32_t first_index, uint32_t count) {
  PrepareDraw();
  Token(Op::kDrawIndexedPrimitive, {type, Bits(base), min_index, vertices, first_index, count});
  MarkTargets();
}

// The program has no stream 0 afterwards; the driver keeps it until another is bound.
uint32_t Device::BindUser(const UserVertices& user) {
  PrepareDraw();
  const uint32_t first = link_->recorder.AddVertices(link_->context, 0, user.stride, user.vertices);
  StateValue value;
  value.words = {kUserMemory, user.stride};
  const StateValue* current = state_.Find(kStream0);
  if (current == nullptr || !(*current == value)) Token(Op::kSetStreamSourceUm, {0, user.stride});
  state_.Set(kStream0, std::move(value));
  return first;
}

void Device::DrawUser(uint32_t type, uint32_t count, const UserVertices& user) {
  const uint32_t first = BindUser(user);
  Token(Op::kDrawPrimitive, {type, first, count});
  MarkTargets();
}

void Device::DrawIndexedUser(uint32_t type, uint32_t min_index, uint32_t vertices, uint32_t count,
                             Bytes indices, uint32_t index_format, const UserVertices& user) {
  // The runtime's own index buffer, as large as was ever needed.
  const auto size = static_cast<uint32_t>(std::min<size_t>(indices.size(), 0x7FFFFFFF));
  const bool fits = user_indices_ != nullptr &&
                    user_indices_->description().format == index_format &&
                    user_indices_->description().width >= size;
  if (!fits) {
    constexpr uint32_t kSmallest = 4096;
    ResourceDescription description;
    description.type = ResourceType::kIndexBuffer;
    description.width = std::max(kSmallest, size);
    description.format = index_format == kIndex32 ? kIndex32 : kIndex16;
    const auto buffer = std::make_shared<Resource>(link_, description);
    StateValue value;
    value.object = buffer;
    Emit(kIndexKey, value);
    state_.Set(kIndexKey, std::move(value));
    user_indices_ = buffer;
  }
  StateValue value;
  value.object = user_indices_;
  const StateValue* current = state_.Find(kIndexKey);
  if (current == nullptr || current->object != user_indices_) Emit(kIndexKey, value);
  const MemoryWrite write{0, {indices.begin(), indices.end()}};
  WriteBuffer(*user_indices_, 0, 0, std::span(&write, 1));
  state_.Set(kIndexKey, std::move(value));
  const uint32_t first = BindUser(user);
  Token(Op::kDrawIndexedPrimitive, {type, first, min_index, vertices, 0, count});
  MarkTargets();
}

void Device::DrawPatch(bool is_triangle, uint32_t handle, std::span<const uint32_t> segments,
                       std::span<const uint32_t> info) {
  PrepareDraw();
  uint32_t flags = 0;
  if (!segments.empty()) flags |= d3d::Value(d3d::PatchFlag::HasSegs);
  if (!info.empty()) flags |= d3d::Value(d3d::PatchFlag::HasInfo);
  Token(is_triangle ? Op::kDrawTriPatch : Op::kDrawRectPatch, {handle, flags},
        BytesOf(segments, info));
  MarkTargets();
}

void Device::DeletePatch(uint32_t handle) {
  Token(Op::kRenderState, {d3d::Value(d3d::RenderState::DeleteRtPatch), handle});
}

// SetNPatchMode: the driver learns it from the state. Source: lib/opcode/dp2.md 17.4.
void Device::SetPatchMode(uint32_t segments_bits) {
  SetWord(StateKind::kRenderState, d3d::Value(d3d::RenderState::PatchSegments), 0, segments_bits);
}

}  // namespace dp2trace::runtime
