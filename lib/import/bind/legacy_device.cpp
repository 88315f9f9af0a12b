// Handlers of IDirect3DDevice2 and IDirect3DDevice3: states and draws.
// Source: Microsoft's DirectX 5 and 6 API reference; lib/import/captures.md (what captures of these interfaces hold).
#include <algorithm>

#include "import/bind/ddraw.h"
#include "runtime/ddraw/strided_vertices.h"

namespace dp2trace::import {

using d3d::PrimitiveType;
using runtime::ddraw::LegacyDevice;
using runtime::ddraw::StridedData;
using runtime::ddraw::StridedElement;
using runtime::ddraw::Surface;
using runtime::ddraw::VertexBuffer;
using runtime::ddraw::Vertices;

namespace {

// IDirect3DDevice2 names a D3DVERTEXTYPE, IDirect3DDevice3 a flexible vertex format.
uint32_t FvfAt(const Call& call, size_t index) {
  const uint32_t number = NumberAt(call, index);
  return call.function->name.starts_with("IDirect3DDevice2") ? runtime::ddraw::FvfOf(number)
                                                             : number;
}

StridedElement ElementOf(const Value* value) {
  const Value* const structure = Pointee(value);
  if (structure == nullptr) return {};
  const Value* const bytes = Member(*structure, "lpvData");
  const Value* const stride = Member(*structure, "dwStride");
  StridedElement element;
  if (bytes != nullptr && bytes->kind == ValueKind::kBlob) element.bytes = bytes->blob;
  if (stride != nullptr) element.stride = static_cast<uint32_t>(AsNumber(*stride));
  return element;
}

}  // namespace

std::vector<uint8_t> StridedVerticesAt(const Call& call, size_t index, uint32_t fvf,
                                       uint32_t count) {
  const Value* const value = Pointee(ArgumentAt(call, index));
  if (value == nullptr) return {};
  StridedData data;
  data.position = ElementOf(Member(*value, "position"));
  data.normal = ElementOf(Member(*value, "normal"));
  data.diffuse = ElementOf(Member(*value, "diffuse"));
  data.specular = ElementOf(Member(*value, "specular"));
  if (const Value* const sets = Member(*value, "textureCoords")) {
    for (size_t i = 0; i < std::min(sets->items.size(), data.coordinates.size()); ++i)
      data.coordinates[i] = ElementOf(&sets->items[i]);
  }
  return runtime::ddraw::AssembleVertices(fvf, count, data);
}

Outcome DirectDrawBinding::OnLegacySetRenderState(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetRenderState(NumberAt(call, 1), NumberAt(call, 2));
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetLightState(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetLightState(NumberAt(call, 1), NumberAt(call, 2));
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnLegacySetTexture(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  Surface* const texture = SurfaceAt(call, 2);
  const bool is_known = texture != nullptr || ObjectAt(call, 2) == 0;
  if (device == nullptr || !is_known ||
      (texture != nullptr && texture->space != device->device().space()))
    return Outcome::kUnsupported;
  device->SetTexture(NumberAt(call, 1), texture);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnLegacySetStageState(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetStageState(NumberAt(call, 1), NumberAt(call, 2), NumberAt(call, 3));
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnLegacyTransform(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  const auto matrix = StructureAt<16>(call, 2);
  if (device == nullptr || !matrix) return Outcome::kUnsupported;
  if (call.function->name.ends_with("MultiplyTransform")) {
    device->MultiplyTransform(NumberAt(call, 1), *matrix);
  } else {
    device->SetTransform(NumberAt(call, 1), *matrix);
  }
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnLegacyDraw(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  const auto type = PrimitiveTypeAt(call, 1);
  if (device == nullptr || !type) return Outcome::kUnsupported;
  session_.Mark(call);
  return Done(
      device->Draw(*type, {FvfAt(call, 2), NumberAt(call, 4), BlobAt(call, 3)}, NumberAt(call, 5)));
}

Outcome DirectDrawBinding::OnLegacyDrawIndexed(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  const auto type = PrimitiveTypeAt(call, 1);
  if (device == nullptr || !type) return Outcome::kUnsupported;
  const std::vector<uint16_t> recorded = IndicesAt(call, 5);
  const auto indices =
      std::span(recorded).first(std::min<size_t>(recorded.size(), NumberAt(call, 6)));
  session_.Mark(call);
  const bool is_done = device->DrawIndexed(
      *type, {FvfAt(call, 2), NumberAt(call, 4), BlobAt(call, 3)}, indices, NumberAt(call, 7));
  return Done(is_done && indices.size() == NumberAt(call, 6));
}

Outcome DirectDrawBinding::OnLegacyDrawStrided(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  const auto type = PrimitiveTypeAt(call, 1);
  const uint32_t fvf = NumberAt(call, 2);
  const uint32_t count = NumberAt(call, 4);
  const std::vector<uint8_t> bytes = StridedVerticesAt(call, 3, fvf, count);
  if (device == nullptr || !type || bytes.empty()) return Outcome::kUnsupported;
  session_.Mark(call);
  if (!call.function->name.ends_with("DrawIndexedPrimitiveStrided"))
    return Done(device->Draw(*type, {fvf, count, bytes}, NumberAt(call, 5)));
  const std::vector<uint16_t> recorded = IndicesAt(call, 5);
  const uint32_t index_count = NumberAt(call, 6);
  if (recorded.size() < index_count) return Outcome::kUnsupported;
  return Done(device->DrawIndexed(*type, {fvf, count, bytes},
                                  std::span(recorded).first(index_count), NumberAt(call, 7)));
}

Outcome DirectDrawBinding::OnLegacyDrawBuffer(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  const auto type = PrimitiveTypeAt(call, 1);
  const VertexBuffer* const buffer = model_.FindVertexBuffer(ObjectAt(call, 2));
  if (device == nullptr || !type || buffer == nullptr) return Outcome::kUnsupported;
  session_.Mark(call);
  return Done(
      device->Draw(*type, buffer->Part(NumberAt(call, 3), NumberAt(call, 4)), NumberAt(call, 5)));
}

Outcome DirectDrawBinding::OnLegacyDrawIndexedBuffer(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  const auto type = PrimitiveTypeAt(call, 1);
  const VertexBuffer* const buffer = model_.FindVertexBuffer(ObjectAt(call, 2));
  const std::vector<uint16_t> recorded = IndicesAt(call, 3);
  const uint32_t count = NumberAt(call, 4);
  if (device == nullptr || !type || buffer == nullptr || recorded.size() < count)
    return Outcome::kUnsupported;
  session_.Mark(call);
  return Done(device->DrawIndexed(*type, buffer->Part(0, buffer->count()),
                                  std::span(recorded).first(count), NumberAt(call, 5)));
}

Outcome DirectDrawBinding::OnBegin(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  const auto type = PrimitiveTypeAt(call, 1);
  if (device == nullptr || !type) return Outcome::kUnsupported;
  if (call.function->name.ends_with("BeginIndexed")) {
    device->BeginIndexed(*type, {FvfAt(call, 2), NumberAt(call, 4), BlobAt(call, 3)},
                         NumberAt(call, 5));
  } else {
    device->Begin(*type, FvfAt(call, 2), NumberAt(call, 3));
  }
  return Outcome::kDone;
}

// Recorders write the address of the vertex only, as far as is known.
Outcome DirectDrawBinding::OnVertex(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  return Done(device != nullptr && device->AddVertex(BlobAt(call, 1)));
}

Outcome DirectDrawBinding::OnIndex(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  return Done(device != nullptr && device->AddIndex(static_cast<uint16_t>(NumberAt(call, 1))));
}

Outcome DirectDrawBinding::OnEnd(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  if (device == nullptr) return Outcome::kUnsupported;
  session_.Mark(call);
  return Done(device->End());
}

}  // namespace dp2trace::import
