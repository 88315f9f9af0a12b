// Handlers of draws and vertex buffers of Direct3D 7.
// Source: Microsoft's Direct3D 7 API reference.
#include <algorithm>

#include "d3d/fvf.h"
#include "import/bind/ddraw.h"

namespace dp2trace::import {

using d3d::PrimitiveType;
using runtime::ddraw::VertexBuffer;
using runtime::ddraw::Vertices;

Outcome DirectDrawBinding::OnDrawPrimitive(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto type = PrimitiveTypeAt(call, 1);
  if (device == nullptr || !type) return Outcome::kUnsupported;
  session_.Mark(call);
  return Done(device->Draw(*type, {NumberAt(call, 2), NumberAt(call, 4), BlobAt(call, 3)}));
}

Outcome DirectDrawBinding::OnDrawIndexedPrimitive(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto type = PrimitiveTypeAt(call, 1);
  if (device == nullptr || !type) return Outcome::kUnsupported;
  const std::vector<uint16_t> recorded = IndicesAt(call, 5);
  const std::span<const uint16_t> indices =
      std::span(recorded).first(std::min<size_t>(recorded.size(), NumberAt(call, 6)));
  session_.Mark(call);
  const bool is_done =
      device->DrawIndexed(*type, {NumberAt(call, 2), NumberAt(call, 4), BlobAt(call, 3)}, indices);
  // Observed: recorders that take the count of indices for a count of bytes keep half of them; these are drawn.
  return Done(is_done && indices.size() == NumberAt(call, 6));
}

Outcome DirectDrawBinding::OnDrawStrided(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto type = PrimitiveTypeAt(call, 1);
  const uint32_t fvf = NumberAt(call, 2);
  const uint32_t count = NumberAt(call, 4);
  const std::vector<uint8_t> bytes = StridedVerticesAt(call, 3, fvf, count);
  if (device == nullptr || !type || bytes.empty()) return Outcome::kUnsupported;
  session_.Mark(call);
  if (!call.function->name.ends_with("DrawIndexedPrimitiveStrided"))
    return Done(device->Draw(*type, {fvf, count, bytes}));
  const std::vector<uint16_t> recorded = IndicesAt(call, 5);
  const uint32_t index_count = NumberAt(call, 6);
  if (recorded.size() < index_count) return Outcome::kUnsupported;
  return Done(
      device->DrawIndexed(*type, {fvf, count, bytes}, std::span(recorded).first(index_count)));
}

Outcome DirectDrawBinding::OnDrawPrimitiveBuffer(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto type = PrimitiveTypeAt(call, 1);
  const VertexBuffer* const buffer = model_.FindVertexBuffer(ObjectAt(call, 2));
  if (device == nullptr || !type || buffer == nullptr) return Outcome::kUnsupported;
  session_.Mark(call);
  return Done(device->Draw(*type, buffer->Part(NumberAt(call, 3), NumberAt(call, 4))));
}

Outcome DirectDrawBinding::OnDrawIndexedPrimitiveBuffer(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto type = PrimitiveTypeAt(call, 1);
  const VertexBuffer* const buffer = model_.FindVertexBuffer(ObjectAt(call, 2));
  const std::vector<uint16_t> recorded = IndicesAt(call, 5);
  const uint32_t count = NumberAt(call, 6);
  if (device == nullptr || !type || buffer == nullptr || recorded.size() < count)
    return Outcome::kUnsupported;
  session_.Mark(call);
  return Done(device->DrawIndexed(*type, buffer->Part(NumberAt(call, 3), NumberAt(call, 4)),
                                  std::span(recorded).first(count)));
}

Outcome DirectDrawBinding::OnCreateVertexBuffer(const Call& call) {
  const Value* const description = Pointee(ArgumentAt(call, 1));
  const auto number = [&](std::string_view name) {
    const Value* const member = description == nullptr ? nullptr : Member(*description, name);
    return member == nullptr ? 0 : static_cast<uint32_t>(AsNumber(*member));
  };
  model_.CreateVertexBuffer(ReturnedAt(call, 2), number("dwFVF"), number("dwNumVertices"));
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnLockVertexBuffer(const Call& call) {
  const VertexBuffer* const buffer = model_.FindVertexBuffer(ObjectAt(call, 0));
  const uint64_t pointer = ReturnedAt(call, 2);
  if (buffer == nullptr || pointer == 0) return Outcome::kUnsupported;
  session_.locks.OpenNested(ObjectAt(call, 0), pointer, buffer->bytes.size());
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnUnlockVertexBuffer(const Call& call) {
  VertexBuffer* const buffer = model_.FindVertexBuffer(ObjectAt(call, 0));
  const std::vector<LockTable::PartWrite> taken = session_.locks.CloseNested(ObjectAt(call, 0));
  if (buffer == nullptr || taken.empty()) return Outcome::kNoEffect;
  for (const LockTable::PartWrite& part : taken) {
    const LockWrite& write = part.write;
    if (write.offset > buffer->bytes.size() ||
        write.bytes.size() > buffer->bytes.size() - write.offset)
      continue;
    std::ranges::copy(write.bytes,
                      buffer->bytes.begin() + static_cast<std::ptrdiff_t>(write.offset));
  }
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnProcessVertices(const Call& call) {
  return Done(model_.ProcessVertices({.device = ObjectAt(call, 6),
                                      .dest = ObjectAt(call, 0),
                                      .source = ObjectAt(call, 4),
                                      .operation = NumberAt(call, 1),
                                      .dest_index = NumberAt(call, 2),
                                      .source_index = NumberAt(call, 5),
                                      .count = NumberAt(call, 3),
                                      .flags = NumberAt(call, 7)}));
}

}  // namespace dp2trace::import
