// Clears and draws of devices before Direct3D 7.
// Source: lib/opcode/dp2.md 3; Microsoft's DirectX 6 API reference (DrawPrimitive, Begin, IDirect3DViewport3::Clear2).
#include <algorithm>
#include <utility>

#include "base/rounding.h"
#include "d3d/enums.h"
#include "d3d/states.h"
#include "runtime/ddraw/legacy_device.h"

namespace dp2trace::runtime::ddraw {
namespace {

using d3d::RenderState;
using d3d::Value;

bool IsTransformed(uint32_t fvf) {
  return d3d::DecodeFvf(fvf).position == d3d::PositionKind::kXyzRhw;
}

// A channel of a material as a byte. Unspecified: rounding; chosen: to the nearest.
uint32_t ColorOf(const std::array<float, 4>& color) {
  const auto channel = [](float value) { return ToUnorm(value, 8); };
  return channel(color[3]) << 24 | channel(color[0]) << 16 | channel(color[1]) << 8 |
         channel(color[2]);
}

// Calls with the vertices of each primitive, in the order of the DP2 tokens: the first one gives the flat colour.
void AddPrimitives(PrimitiveType type, uint32_t count, auto&& at, PrimitiveClipper& clipper) {
  switch (type) {
    case PrimitiveType::PointList:
      for (uint32_t i = 0; i < count; ++i)
        clipper.AddPoint(at(i));
      return;
    case PrimitiveType::LineList:
      for (uint32_t i = 0; i + 1 < count; i += 2)
        clipper.AddLine(at(i), at(i + 1));
      return;
    case PrimitiveType::LineStrip:
      for (uint32_t i = 0; i + 1 < count; ++i)
        clipper.AddLine(at(i), at(i + 1));
      return;
    case PrimitiveType::TriangleList:
      for (uint32_t i = 0; i + 2 < count; i += 3)
        clipper.AddTriangle({at(i), at(i + 1), at(i + 2)});
      return;
    case PrimitiveType::TriangleStrip:
      for (uint32_t i = 0; i + 2 < count; ++i) {
        const bool is_odd = i % 2 != 0;
        clipper.AddTriangle({at(i), at(i + (is_odd ? 2 : 1)), at(i + (is_odd ? 1 : 2))});
      }
      return;
    case PrimitiveType::TriangleFan:
      for (uint32_t i = 0; i + 2 < count; ++i)
        clipper.AddTriangle({at(i + 1), at(i + 2), at(0)});
      return;
  }
}

}  // namespace

bool LegacyDevice::SendViewport() {
  if (viewport_ == nullptr) return false;
  const d3d::Rect area = RectOf(viewport_->area);
  const Surface& target = device_.target();
  const d3d::Rect whole = WholeOf(target);
  const int32_t right = std::min(area.right, whole.right);
  const int32_t bottom = std::min(area.bottom, whole.bottom);
  const int32_t left = std::min(area.left, right);
  const int32_t top = std::min(area.top, bottom);
  device_.SetClipRectangle({left, top, right, bottom});
  return true;
}

void LegacyDevice::Clear(const LegacyViewport& viewport, std::span<const d3d::Rect> rects,
                         uint32_t flags, uint32_t color, uint32_t depth_bits, uint32_t stencil) {
  device_.ClearInside(RectOf(viewport.area), rects, flags, color, depth_bits, stencil);
}

void LegacyDevice::ClearToBackground(const LegacyViewport& viewport,
                                     std::span<const d3d::Rect> rects, uint32_t flags) {
  const LegacyMaterial* const material = FindMaterial(viewport.background);
  const uint32_t color = material == nullptr ? 0 : ColorOf(material->material.diffuse);
  Clear(viewport, rects, flags, color, Bits(1.0F), 0);
}

bool LegacyDevice::is_flat() const {
  return StateOf(Value(RenderState::ShadeMode)) == Value(d3d::ShadeMode::Flat);
}

bool LegacyDevice::IsClipped(uint32_t flags) const {
  return (flags & d3ddp::kDoNotClip) == 0 && StateOf(Value(RenderState::Clipping)) != 0;
}

bool LegacyDevice::DrawProcessed(PrimitiveType type, const ScreenVertices& vertices,
                                 std::optional<std::span<const uint16_t>> indices, uint32_t flags) {
  const ViewportArea& area = viewport_->area;
  const ClipVolume volume{
      .mapping = vertex::ViewportMapping({area.x, area.y, area.width, area.height, 0, 1})};
  if (!IsClipped(flags) || IsInside(volume, vertices)) {
    const Vertices all{vertices.fvf, vertices.count(), vertices.bytes};
    return indices ? device_.DrawIndexed(type, all, *indices) : device_.Draw(type, all);
  }
  PrimitiveClipper clipper(recorder_, device_.context(), vertices, volume, is_flat());
  if (indices) {
    AddPrimitives(
        type, static_cast<uint32_t>(indices->size()), [&](uint32_t i) { return (*indices)[i]; },
        clipper);
  } else {
    AddPrimitives(
        type, vertices.count(), [](uint32_t i) { return i; }, clipper);
  }
  clipper.Finish();
  return true;
}

std::optional<ScreenVertices> LegacyDevice::Process(const Vertices& vertices, uint32_t flags,
                                                    MemoryShare& share) {
  const uint32_t size = std::max<uint32_t>(d3d::FvfVertexSize(vertices.fvf), 1);
  const uint64_t count = std::min<uint64_t>(vertices.count, vertices.bytes.size() / size);
  const uint64_t lights = viewport_->lights.size();
  constexpr uint64_t kVertexSteps = 300, kLightSteps = 60;
  constexpr uint64_t kProcessedSize = 192;  // of a vertex, at most
  if (!recorder_.Spend((count + 1) * (kVertexSteps + lights * kLightSteps))) return std::nullopt;
  share = recorder_.HoldShare(count * kProcessedSize);
  if (!share.is_granted()) return std::nullopt;
  const auto geometry = Geometry(IsLit(vertices.fvf, flags));
  return SoftwareGeometry(*geometry).Process(vertices.fvf, vertices.count, vertices.bytes);
}

bool LegacyDevice::Draw(PrimitiveType type, const Vertices& vertices, uint32_t flags) {
  if (!SendViewport()) return false;
  if (IsTransformed(vertices.fvf)) return device_.Draw(type, vertices);
  MemoryShare share;
  const auto processed = Process(vertices, flags, share);
  if (!processed || (processed->count() == 0 && vertices.count != 0)) return false;
  return DrawProcessed(type, *processed, std::nullopt, flags);
}

bool LegacyDevice::DrawIndexed(PrimitiveType type, const Vertices& vertices,
                               std::span<const uint16_t> indices, uint32_t flags) {
  if (!SendViewport()) return false;
  if (IsTransformed(vertices.fvf)) return device_.DrawIndexed(type, vertices, indices);
  MemoryShare share;
  const auto processed = Process(vertices, flags, share);
  if (!processed || processed->count() == 0) return false;
  return DrawProcessed(type, *processed, indices, flags);
}

// Vertices with a normal are lit. D3DRENDERSTATE_LIGHTING comes with Direct3D 7 and does not count.
bool LegacyDevice::IsLit(uint32_t fvf, uint32_t flags) {
  return (fvf & d3d::fvf::kNormal) != 0 && (flags & d3ddp::kDoNotLight) == 0;
}

void LegacyDevice::Begin(PrimitiveType type, uint32_t fvf, uint32_t flags) {
  (void)TakeImmediate();
  immediate_ = Immediate{type, fvf, flags, false, {}, {}};
}

void LegacyDevice::BeginIndexed(PrimitiveType type, const Vertices& vertices, uint32_t flags) {
  (void)TakeImmediate();
  const MemoryShare share = recorder_.KeepMemory(vertices.bytes.size());
  if (!share.is_granted()) return;
  immediate_ = Immediate{
      type, vertices.fvf, flags, true, {vertices.bytes.begin(), vertices.bytes.end()}, {}};
  HoldImmediate(vertices.bytes.size());
}

std::optional<LegacyDevice::Immediate> LegacyDevice::TakeImmediate() {
  if (immediate_) recorder_.GiveBack(immediate_->held);
  return std::exchange(immediate_, std::nullopt);
}

void LegacyDevice::HoldImmediate(uint64_t size) {
  recorder_.Hold(size);
  immediate_->held += size;
}

bool LegacyDevice::AddVertex(Bytes vertex) {
  const uint32_t size = immediate_ ? d3d::FvfVertexSize(immediate_->fvf) : 0;
  if (size == 0 || immediate_->is_indexed || vertex.size() < size) return false;
  HoldImmediate(2 * size_t{size});
  immediate_->bytes.insert(immediate_->bytes.end(), vertex.begin(), vertex.begin() + size);
  return true;
}

bool LegacyDevice::AddIndex(uint16_t index) {
  if (!immediate_ || !immediate_->is_indexed) return false;
  HoldImmediate(2 * sizeof index);
  immediate_->indices.push_back(index);
  return true;
}

bool LegacyDevice::End() {
  const std::optional<Immediate> drawn = TakeImmediate();
  const uint32_t size = drawn ? d3d::FvfVertexSize(drawn->fvf) : 0;
  if (size == 0) return false;
  const Vertices vertices{drawn->fvf, static_cast<uint32_t>(drawn->bytes.size() / size),
                          drawn->bytes};
  return drawn->is_indexed ? DrawIndexed(drawn->type, vertices, drawn->indices, drawn->flags)
                           : Draw(drawn->type, vertices, drawn->flags);
}

}  // namespace dp2trace::runtime::ddraw
