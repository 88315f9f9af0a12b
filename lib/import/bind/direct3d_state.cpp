// States, streams, state blocks and palettes.
#include <utility>

#include "import/bind/direct3d.h"

namespace dp2trace::import {
namespace {

using runtime::Device;
using runtime::StateKind;

}  // namespace

Outcome Direct3DBinding::SetRenderState(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetWord(StateKind::kRenderState, args.U32(1), 0, args.Bits32(2));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetTextureStageState(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetWord(StateKind::kTextureStage, args.U32(1), args.U32(2), args.Bits32(3));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetSamplerState(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetSampler(args.U32(1), args.U32(2), args.Bits32(3));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetTexture(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetObject(StateKind::kTexture, args.U32(1), ResourceAt(args.U64(2)));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetTransform(const CallArgs& args) {
  Device* device = DeviceOf(args);
  std::vector<uint32_t> matrix = args.Words(2);
  if (device == nullptr || matrix.size() != 16) return Outcome::kUnsupported;
  device->SetWords(StateKind::kTransform, args.U32(1), std::move(matrix));
  return Outcome::kDone;
}

Outcome Direct3DBinding::MultiplyTransform(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->MultiplyTransform(args.U32(1), args.Words(2));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetViewport(const CallArgs& args) {
  Device* device = DeviceOf(args);
  std::vector<uint32_t> words = args.Words(1);
  if (device == nullptr || words.size() != 6) return Outcome::kUnsupported;
  device->SetWords(StateKind::kViewport, 0, std::move(words));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetScissorRect(const CallArgs& args) {
  Device* device = DeviceOf(args);
  std::vector<uint32_t> words = args.Words(1);
  if (device == nullptr || words.size() != 4) return Outcome::kUnsupported;
  device->SetWords(StateKind::kScissor, 0, std::move(words));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetClipPlane(const CallArgs& args) {
  Device* device = DeviceOf(args);
  std::vector<uint32_t> words = args.Words(2);
  if (device == nullptr || words.size() != 4) return Outcome::kUnsupported;
  device->SetWords(StateKind::kClipPlane, args.U32(1), std::move(words));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetMaterial(const CallArgs& args) {
  Device* device = DeviceOf(args);
  std::vector<uint32_t> words = args.Words(1);
  if (device == nullptr || words.size() != 17) return Outcome::kUnsupported;
  device->SetWords(StateKind::kMaterial, 0, std::move(words));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetLight(const CallArgs& args) {
  Device* device = DeviceOf(args);
  std::vector<uint32_t> words = args.Words(2);
  if (device == nullptr || words.size() != 26) return Outcome::kUnsupported;
  device->SetWords(StateKind::kLight, args.U32(1), std::move(words));
  return Outcome::kDone;
}

Outcome Direct3DBinding::LightEnable(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetWord(StateKind::kLightEnable, args.U32(1), 0, args.U32(2) != 0 ? 1 : 0);
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetStreamSource(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  runtime::StateValue value;
  value.object = ResourceAt(args.U64(2));
  value.words = level_ >= 9 ? std::vector<uint32_t>{args.U32(3), args.U32(4)}
                            : std::vector<uint32_t>{0, args.U32(3)};
  device->Set({StateKind::kStream, args.U32(1), 0}, std::move(value));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetStreamFrequency(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetWord(StateKind::kStreamFrequency, args.U32(1), 0, args.U32(2));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetIndices(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  runtime::StateValue value;
  value.object = ResourceAt(args.U64(1));
  if (level_ < 9) value.word = args.U32(2);  // BaseVertexIndex
  device->Set({StateKind::kIndices, 0, 0}, std::move(value));
  return Outcome::kDone;
}

Outcome Direct3DBinding::BeginStateBlock(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->BeginStateBlock();
  return Outcome::kDone;
}

Outcome Direct3DBinding::AddStateBlock(const CallArgs& args, runtime::StateBlock block,
                                       size_t out) {
  const ObjectEntry* entry = Find(args.U64(0));
  const std::shared_ptr<Device> device = entry->device;
  // The block, with the memory that it counts for.
  auto owned = std::make_shared<std::pair<MemoryShare, runtime::StateBlock>>(
      session_.recorder.HoldShare((block.size() + 1) * runtime::kStateSize), std::move(block));
  const std::shared_ptr<runtime::StateBlock> shared(owned, &owned->second);
  if (level_ >= 9) {
    Put(args.Out(out), {.device = device, .object = nullptr, .block = shared});
  } else {
    session_.recorder.At(blocks_, {device.get(), static_cast<uint32_t>(args.Out(out))}) = shared;
  }
  return Outcome::kDone;
}

Outcome Direct3DBinding::EndStateBlock(const CallArgs& args) {
  Device* device = DeviceOf(args);
  return device != nullptr ? AddStateBlock(args, device->EndStateBlock(), 1)
                           : Outcome::kUnsupported;
}

Outcome Direct3DBinding::CreateStateBlock(const CallArgs& args) {
  Device* device = DeviceOf(args);
  const uint32_t type = args.U32(1);
  if (device == nullptr || type < 1 || type > 3) return Outcome::kUnsupported;
  return AddStateBlock(args, device->CreateStateBlock(static_cast<runtime::StateBlockType>(type)),
                       2);
}

std::shared_ptr<runtime::StateBlock> Direct3DBinding::BlockOf(const CallArgs& args) const {
  if (level_ >= 9) {
    const ObjectEntry* entry = Find(args.U64(0));
    return entry != nullptr ? entry->block : nullptr;
  }
  const auto found = blocks_.find({DeviceOf(args), args.U32(1)});
  return found != blocks_.end() ? found->second : nullptr;
}

Outcome Direct3DBinding::ApplyStateBlock(const CallArgs& args) {
  const std::shared_ptr<runtime::StateBlock> block = BlockOf(args);
  if (block == nullptr) return Outcome::kUnsupported;
  DeviceOf(args)->Apply(*block);
  return Outcome::kDone;
}

Outcome Direct3DBinding::CaptureStateBlock(const CallArgs& args) {
  const std::shared_ptr<runtime::StateBlock> block = BlockOf(args);
  if (block == nullptr) return Outcome::kUnsupported;
  DeviceOf(args)->Capture(*block);
  return Outcome::kDone;
}

Outcome Direct3DBinding::DeleteStateBlock(const CallArgs& args) {
  session_.recorder.Erase(blocks_, {DeviceOf(args), args.U32(1)});
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetPaletteEntries(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  // PALETTEENTRY is red, green, blue, flags (alpha).
  const std::vector<uint32_t> words = args.Words(2);
  std::vector<uint32_t> colors;
  for (size_t at = 0; at + 4 <= words.size(); at += 4) {
    colors.push_back((words[at + 3] & 0xFF) << 24 | (words[at] & 0xFF) << 16 |
                     (words[at + 1] & 0xFF) << 8 | (words[at + 2] & 0xFF));
  }
  device->SetPaletteEntries(args.U32(1), colors);
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetCurrentPalette(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetCurrentPalette(args.U32(1));
  return Outcome::kDone;
}

}  // namespace dp2trace::import
