// Targets, clears, draws and copies.
#include <utility>

#include "import/bind/direct3d.h"

namespace dp2trace::import {
namespace {

using runtime::Device;
using runtime::SurfaceRef;

d3d::Rect RectFrom(const std::vector<uint32_t>& words, size_t at) {
  const auto edge = [&](size_t i) { return static_cast<int32_t>(words[at + i]); };
  return {edge(0), edge(1), edge(2), edge(3)};
}

}  // namespace

Outcome Direct3DBinding::SetRenderTarget(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  if (level_ >= 9) {
    device->SetTarget(args.U32(1), SurfaceAt(args.U64(2)));
  } else {
    device->SetTargetAndDepth(SurfaceAt(args.U64(1)), SurfaceAt(args.U64(2)));
  }
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetDepthStencil(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetDepth(SurfaceAt(args.U64(1)));
  return Outcome::kDone;
}

Outcome Direct3DBinding::Scene(const CallArgs& args, bool begins) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->Scene(begins);
  return Outcome::kDone;
}

Outcome Direct3DBinding::Clear(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  std::optional<std::vector<d3d::Rect>> rects;
  // A count of 0 with a pointer clears nothing.
  if (args.At(2) != nullptr) {
    rects.emplace();
    const std::vector<uint32_t> words = args.Words(2);
    for (size_t at = 0; at + 4 <= words.size(); at += 4)
      rects->push_back(RectFrom(words, at));
  }
  device->Clear(rects, args.U32(3), args.U32(4), args.Bits32(5), args.U32(6));
  return Outcome::kDone;
}

Outcome Direct3DBinding::Draw(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->Draw(args.U32(1), args.U32(2), args.U32(3));
  return Outcome::kDone;
}

Outcome Direct3DBinding::DrawIndexed(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  if (level_ >= 9) {
    device->DrawIndexed(args.U32(1), static_cast<int32_t>(args.U32(2)), args.U32(3), args.U32(4),
                        args.U32(5), args.U32(6));
  } else {
    // Level 8 keeps the base with the indices.
    const uint32_t base = device->Current({runtime::StateKind::kIndices, 0, 0}).word;
    device->DrawIndexed(args.U32(1), static_cast<int32_t>(base), args.U32(2), args.U32(3),
                        args.U32(4), args.U32(5));
  }
  return Outcome::kDone;
}

Outcome Direct3DBinding::DrawUser(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->DrawUser(args.U32(1), args.U32(2), {args.Blob(3), args.U32(4)});
  return Outcome::kDone;
}

Outcome Direct3DBinding::DrawIndexedUser(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->DrawIndexedUser(args.U32(1), args.U32(2), args.U32(3), args.U32(4), args.Blob(5),
                          args.U32(6), {args.Blob(7), args.U32(8)});
  return Outcome::kDone;
}

Outcome Direct3DBinding::DrawRectPatch(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->DrawPatch(false, args.U32(1), args.Words(2), args.Words(3));
  return Outcome::kDone;
}

Outcome Direct3DBinding::DrawTriPatch(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->DrawPatch(true, args.U32(1), args.Words(2), args.Words(3));
  return Outcome::kDone;
}

Outcome Direct3DBinding::DeletePatch(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->DeletePatch(args.U32(1));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetPatchMode(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetPatchMode(args.Bits32(1));
  return Outcome::kDone;
}

Outcome Direct3DBinding::StretchRect(const CallArgs& args) {
  Device* device = DeviceOf(args);
  const SurfaceRef source = SurfaceAt(args.U64(1));
  const SurfaceRef destination = SurfaceAt(args.U64(3));
  if (device == nullptr || !source || !destination) return Outcome::kUnsupported;
  device->Stretch(source, RectAt(args, 2), destination, RectAt(args, 4), args.U32(5));
  return Outcome::kDone;
}

Outcome Direct3DBinding::ColorFill(const CallArgs& args) {
  Device* device = DeviceOf(args);
  const SurfaceRef surface = SurfaceAt(args.U64(1));
  if (device == nullptr || !surface) return Outcome::kUnsupported;
  device->Fill(surface, RectAt(args, 2), args.U32(3));
  return Outcome::kDone;
}

Outcome Direct3DBinding::UpdateSurface(const CallArgs& args) {
  Device* device = DeviceOf(args);
  const SurfaceRef source = SurfaceAt(args.U64(1));
  const SurfaceRef destination = SurfaceAt(args.U64(3));
  if (device == nullptr || !source || !destination) return Outcome::kUnsupported;
  const std::vector<uint32_t> point = args.Words(4);
  const int32_t x = point.size() == 2 ? static_cast<int32_t>(point[0]) : 0;
  const int32_t y = point.size() == 2 ? static_cast<int32_t>(point[1]) : 0;
  device->UpdateSurface(source, RectAt(args, 2), destination, x, y);
  return Outcome::kDone;
}

Outcome Direct3DBinding::UpdateTexture(const CallArgs& args) {
  Device* device = DeviceOf(args);
  const std::shared_ptr<runtime::Resource> source = ResourceAt(args.U64(1));
  const std::shared_ptr<runtime::Resource> destination = ResourceAt(args.U64(2));
  if (device == nullptr || source == nullptr || destination == nullptr)
    return Outcome::kUnsupported;
  device->UpdateTexture(*source, *destination);
  return Outcome::kDone;
}

Outcome Direct3DBinding::CopyRects(const CallArgs& args) {
  Device* device = DeviceOf(args);
  const SurfaceRef source = SurfaceAt(args.U64(1));
  const SurfaceRef destination = SurfaceAt(args.U64(4));
  if (device == nullptr || !source || !destination) return Outcome::kUnsupported;
  const std::vector<uint32_t> rects = args.Words(2);
  const std::vector<uint32_t> points = args.Words(5);
  if (rects.size() < 4) device->CopyRect(source, std::nullopt, destination, 0, 0);
  for (size_t i = 0; i * 4 + 4 <= rects.size(); ++i) {
    const d3d::Rect rect = RectFrom(rects, i * 4);
    // Without points the rectangles keep their places.
    const bool has_point = i * 2 + 2 <= points.size();
    device->CopyRect(source, rect, destination,
                     has_point ? static_cast<int32_t>(points[i * 2]) : rect.left,
                     has_point ? static_cast<int32_t>(points[i * 2 + 1]) : rect.top);
  }
  return Outcome::kDone;
}

Outcome Direct3DBinding::ReadTarget(const CallArgs& args) {
  Device* device = DeviceOf(args);
  const SurfaceRef source = SurfaceAt(args.U64(1));
  const SurfaceRef destination = SurfaceAt(args.U64(2));
  if (device == nullptr || !source || !destination) return Outcome::kUnsupported;
  device->ReadTarget(source, destination);
  return Outcome::kDone;
}

Outcome Direct3DBinding::ProcessVertices(const CallArgs& args) {
  constexpr uint32_t kDoNotCopyData = 1;  // D3DPV_DONOTCOPYDATA
  Device* device = DeviceOf(args);
  const std::shared_ptr<runtime::Resource> dest = ResourceAt(args.U64(4));
  if (device == nullptr || dest == nullptr) return Outcome::kUnsupported;
  // Level 9 may describe the output by a declaration in place of the buffer's own format.
  const ObjectEntry* declaration = level_ >= 9 ? Find(args.U64(5)) : nullptr;
  const uint32_t flags = args.U32(level_ >= 9 ? 6 : 5);
  const bool is_done = device->ProcessVertices(
      {.source_index = args.U32(1),
       .dest_index = args.U32(2),
       .count = args.U32(3),
       .do_not_copy = (flags & kDoNotCopyData) != 0},
      *dest,
      declaration == nullptr ? nullptr
                             : dynamic_cast<const runtime::Shader*>(declaration->object.get()));
  return is_done ? Outcome::kDone : Outcome::kUnsupported;
}

Outcome Direct3DBinding::ComposeRects(const CallArgs& args) {
  Device* device = DeviceOf(args);
  const SurfaceRef source = SurfaceAt(args.U64(1));
  const SurfaceRef destination = SurfaceAt(args.U64(2));
  const std::shared_ptr<runtime::Resource> source_rects = ResourceAt(args.U64(3));
  const std::shared_ptr<runtime::Resource> destination_rects = ResourceAt(args.U64(5));
  if (device == nullptr || !source || !destination || source_rects == nullptr ||
      destination_rects == nullptr)
    return Outcome::kUnsupported;
  device->ComposeRects(source, destination, *source_rects, args.U32(4), *destination_rects,
                       args.U32(6), static_cast<int32_t>(args.U32(7)),
                       static_cast<int32_t>(args.U32(8)));
  return Outcome::kDone;
}

// Of a device (level 9: and the number of a chain) or of a chain.
Outcome Direct3DBinding::ReadFrontBuffer(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  auto chain = std::dynamic_pointer_cast<runtime::SwapChain>(entry->object);
  const bool has_number = chain == nullptr && level_ >= 9;
  if (has_number && args.U32(1) != 0) return Outcome::kUnsupported;
  const SurfaceRef destination = SurfaceAt(args.U64(has_number ? 2 : 1));
  if (!destination) return Outcome::kUnsupported;
  if (chain == nullptr) chain = entry->device->swap_chain();
  entry->device->ReadTarget(chain->FrontBuffer(), destination);
  return Outcome::kDone;
}

}  // namespace dp2trace::import
