// Vertex formats, shaders and their constants; queries.
#include <algorithm>
#include <utility>

#include "d3d/fvf.h"
#include "import/bind/direct3d.h"
#include "opcode/layouts.h"
#include "runtime/core/token.h"

namespace dp2trace::import {
namespace {

using runtime::Device;
using runtime::Shader;
using runtime::ShaderKind;
using runtime::StateKind;

std::vector<uint8_t> BytesOf(const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  for (const uint32_t word : words)
    writer.Write(word);
  return bytes;
}

// Elements as the driver gets them, without the end marker.
std::vector<uint8_t> ElementsOf(const std::vector<uint32_t>& words) {
  constexpr size_t kMembers = 6;
  constexpr uint32_t kEndStream = 0xFF;
  std::vector<uint8_t> bytes;
  for (size_t at = 0; at + kMembers <= words.size() && words[at] != kEndStream; at += kMembers) {
    runtime::AppendStructure(opcode::layout::kVertexElement9,
                             std::span(words).subspan(at, kMembers), bytes);
  }
  return bytes;
}

}  // namespace

Outcome Direct3DBinding::SetFvf(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  // The runtime ignores an FVF of 0. With the reserved bit 0 the driver would take the code for the handle of a declaration.
  constexpr uint32_t kHandleBit = d3d::fvf::kReserved0;
  if (args.U32(1) != 0) device->SetWord(StateKind::kVertexFormat, 0, 0, args.U32(1) & ~kHandleBit);
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetDeclaration(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  const ObjectEntry* entry = Find(args.U64(1));
  device->SetObject(StateKind::kVertexFormat, 0, entry != nullptr ? entry->object : nullptr);
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetVertexShader(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  if (level_ >= 9) {
    const ObjectEntry* entry = Find(args.U64(1));
    device->SetObject(StateKind::kVertexShader, 0, entry != nullptr ? entry->object : nullptr);
    return Outcome::kDone;
  }
  const auto shader = vertex_shaders_.find({device, args.U32(1)});
  if (shader != vertex_shaders_.end()) {
    device->SetObject(StateKind::kVertexFormat, 0, shader->second);
  } else {
    device->SetWord(StateKind::kVertexFormat, 0, 0, args.U32(1));
  }
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetPixelShader(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  std::shared_ptr<runtime::Object> object;
  if (level_ >= 9) {
    const ObjectEntry* entry = Find(args.U64(1));
    if (entry != nullptr) object = entry->object;
  } else if (const auto shader = pixel_shaders_.find({device, args.U32(1)});
             shader != pixel_shaders_.end()) {
    object = shader->second;
  }
  device->SetObject(StateKind::kPixelShader, 0, std::move(object));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetConstants(const CallArgs& args, StateKind kind) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  const std::vector<uint32_t> words = args.Words(2);
  const bool is_bool = kind == StateKind::kVertexBool || kind == StateKind::kPixelBool;
  const uint64_t wanted = uint64_t{args.U32(3)} * (is_bool ? 1 : 4);
  device->SetConstants(
      kind, args.U32(1),
      std::span(words).first(static_cast<size_t>(std::min<uint64_t>(wanted, words.size()))));
  return Outcome::kDone;
}

Outcome Direct3DBinding::CreateDeclaration(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  const std::shared_ptr<Device> device = entry->device;
  const std::vector<uint8_t> elements = ElementsOf(args.Words(1));
  Put(args.Out(2), {.device = device,
                    .object = std::make_shared<Shader>(device->link(), ShaderKind::kDeclaration,
                                                       elements, Bytes()),
                    .block = nullptr});
  return Outcome::kDone;
}

Outcome Direct3DBinding::CreateVertexShader(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  const std::shared_ptr<Device> device = entry->device;
  if (level_ >= 9) {
    auto shader = std::make_shared<Shader>(device->link(), ShaderKind::kVertexFunction, Bytes(),
                                           args.Blob(1));
    Put(args.Out(2), {.device = device, .object = std::move(shader), .block = nullptr});
  } else {
    const std::vector<uint8_t> declaration = BytesOf(args.Words(1));
    session_.recorder.At(vertex_shaders_, {device.get(), static_cast<uint32_t>(args.Out(3))}) =
        std::make_shared<Shader>(device->link(), ShaderKind::kVertexShader8, declaration,
                                 args.Blob(2));
  }
  return Outcome::kDone;
}

Outcome Direct3DBinding::CreatePixelShader(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  const std::shared_ptr<Device> device = entry->device;
  auto shader =
      std::make_shared<Shader>(device->link(), ShaderKind::kPixelShader, Bytes(), args.Blob(1));
  if (level_ >= 9) {
    Put(args.Out(2), {.device = device, .object = std::move(shader), .block = nullptr});
  } else {
    session_.recorder.At(pixel_shaders_, {device.get(), static_cast<uint32_t>(args.Out(2))}) =
        std::move(shader);
  }
  return Outcome::kDone;
}

Outcome Direct3DBinding::DeleteVertexShader(const CallArgs& args) {
  session_.recorder.Erase(vertex_shaders_, {DeviceOf(args), args.U32(1)});
  return Outcome::kDone;
}

Outcome Direct3DBinding::DeletePixelShader(const CallArgs& args) {
  session_.recorder.Erase(pixel_shaders_, {DeviceOf(args), args.U32(1)});
  return Outcome::kDone;
}

Outcome Direct3DBinding::CreateQuery(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  // Without a place for the object the call asks whether the type is there.
  if (args.Out(2) == 0) return Outcome::kNoEffect;
  const std::shared_ptr<Device> device = entry->device;
  Put(args.Out(2), {.device = device,
                    .object = std::make_shared<runtime::Query>(device->link(), args.U32(1)),
                    .block = nullptr});
  return Outcome::kDone;
}

Outcome Direct3DBinding::IssueQuery(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  const auto query =
      entry == nullptr ? nullptr : std::dynamic_pointer_cast<runtime::Query>(entry->object);
  if (query == nullptr) return Outcome::kUnsupported;
  query->Issue(args.U32(1));
  return Outcome::kDone;
}

}  // namespace dp2trace::import
