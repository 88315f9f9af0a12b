#include "import/bind/ddraw_arguments.h"

#include <bit>

namespace dp2trace::import {
namespace {

uint32_t MemberNumber(const Value& structure, std::string_view name) {
  const Value* const member = Member(structure, name);
  return member == nullptr ? 0 : static_cast<uint32_t>(AsNumber(*member));
}

trace::ColorKey KeyOf(const Value* value) {
  if (value == nullptr) return {};
  return {MemberNumber(*value, "dwColorSpaceLowValue"),
          MemberNumber(*value, "dwColorSpaceHighValue")};
}

trace::PixelFormat FormatOf(const Value& value) {
  trace::PixelFormat format;
  format.flags = MemberNumber(value, "dwFlags");
  format.four_cc = MemberNumber(value, "dwFourCC");
  format.bit_count = MemberNumber(value, "dwRGBBitCount");
  format.red_mask = MemberNumber(value, "dwRBitMask");
  format.green_mask = MemberNumber(value, "dwGBitMask");
  format.blue_mask = MemberNumber(value, "dwBBitMask");
  format.alpha_mask = MemberNumber(value, "dwRGBAlphaBitMask");
  return format;
}

const Value* StructureOf(const Call& call, size_t index) {
  const Value* const value = Pointee(ArgumentAt(call, index));
  return value != nullptr && value->kind == ValueKind::kStruct ? value : nullptr;
}

}  // namespace

const Value* ArgumentAt(const Call& call, size_t index) {
  if (index >= call.args.size() || !call.args[index] || call.args[index]->kind == ValueKind::kNull)
    return nullptr;
  return &*call.args[index];
}

uint64_t ObjectAt(const Call& call, size_t index) {
  const Value* const value = ArgumentAt(call, index);
  return value == nullptr ? 0 : AsNumber(*value);
}

uint32_t NumberAt(const Call& call, size_t index) {
  return static_cast<uint32_t>(ObjectAt(call, index));
}

uint32_t FloatBitsAt(const Call& call, size_t index) {
  const Value* const value = ArgumentAt(call, index);
  if (value == nullptr) return 0;
  if (value->kind == ValueKind::kFloat || value->kind == ValueKind::kDouble) return AsBits(*value);
  return std::bit_cast<uint32_t>(static_cast<float>(static_cast<int64_t>(AsNumber(*value))));
}

uint64_t ReturnedAt(const Call& call, size_t index) {
  const Value* const value = Pointee(ArgumentAt(call, index));
  return value == nullptr ? 0 : AsNumber(*value);
}

Bytes BlobAt(const Call& call, size_t index) {
  const Value* const value = Pointee(ArgumentAt(call, index));
  return value != nullptr && value->kind == ValueKind::kBlob ? value->blob : Bytes();
}

std::vector<uint32_t> WordsAt(const Call& call, size_t index) {
  std::vector<uint32_t> words;
  if (const Value* const value = ArgumentAt(call, index)) AppendWords(*value, words);
  return words;
}

std::optional<trace::Rect> RectAt(const Call& call, size_t index) {
  const auto words = StructureAt<4>(call, index);
  if (!words) return std::nullopt;
  const auto side = [&](size_t i) { return static_cast<int32_t>((*words)[i]); };
  return trace::Rect{side(0), side(1), side(2), side(3)};
}

std::vector<uint16_t> IndicesAt(const Call& call, size_t index) {
  std::vector<uint16_t> indices;
  const Bytes blob = BlobAt(call, index);
  for (size_t at = 0; at + 2 <= blob.size(); at += 2)
    indices.push_back(LoadU16(blob.data() + at));
  if (!blob.empty()) return indices;
  for (const uint32_t word : WordsAt(call, index))
    indices.push_back(static_cast<uint16_t>(word));
  return indices;
}

std::vector<uint32_t> PaletteEntriesAt(const Call& call, size_t index) {
  std::vector<uint32_t> words = WordsAt(call, index);
  const Value* const value = Pointee(ArgumentAt(call, index));
  if (value == nullptr || value->kind != ValueKind::kStruct) return words;
  // Members: red, green, blue, flags.
  std::vector<uint32_t> entries;
  for (size_t i = 0; i + 4 <= words.size(); i += 4) {
    entries.push_back((words[i] & 0xFF) | (words[i + 1] & 0xFF) << 8 | (words[i + 2] & 0xFF) << 16 |
                      words[i + 3] << 24);
  }
  return entries;
}

runtime::ddraw::SurfaceDescription DescriptionAt(const Call& call, size_t index) {
  runtime::ddraw::SurfaceDescription description;
  const Value* const value = StructureOf(call, index);
  if (value == nullptr) return description;
  description.flags = MemberNumber(*value, "dwFlags");
  description.width = MemberNumber(*value, "dwWidth");
  description.height = MemberNumber(*value, "dwHeight");
  description.pitch = MemberNumber(*value, "lPitch");
  description.back_buffer_count = MemberNumber(*value, "dwBackBufferCount");
  // One word with several names.
  for (const std::string_view name : {"dwMipMapCount", "dwZBufferBitDepth"}) {
    if (description.mip_map_count == 0) description.mip_map_count = MemberNumber(*value, name);
  }
  description.empty_face_color = MemberNumber(*value, "dwEmptyFaceColor");
  description.dest_key = KeyOf(Member(*value, "ddckCKDestBlt"));
  description.source_key = KeyOf(Member(*value, "ddckCKSrcBlt"));
  if (const Value* const format = Member(*value, "ddpfPixelFormat"))
    description.format = FormatOf(*format);
  if (const Value* const caps = Member(*value, "ddsCaps")) {
    description.caps = {MemberNumber(*caps, "dwCaps"), MemberNumber(*caps, "dwCaps2"),
                        MemberNumber(*caps, "dwCaps3"), MemberNumber(*caps, "dwCaps4")};
  }
  return description;
}

uint64_t SurfacePointerAt(const Call& call, size_t index) {
  const Value* const value = StructureOf(call, index);
  const Value* const pointer = value == nullptr ? nullptr : Member(*value, "lpSurface");
  return pointer == nullptr ? 0 : AsNumber(*pointer);
}

std::optional<runtime::ddraw::BltEffects> EffectsAt(const Call& call, size_t index) {
  const Value* const value = StructureOf(call, index);
  if (value == nullptr) return std::nullopt;
  runtime::ddraw::BltEffects effects;
  effects.effects = MemberNumber(*value, "dwDDFX");
  effects.rop = MemberNumber(*value, "dwROP");
  effects.fill = MemberNumber(*value, "dwFillColor");
  effects.dest_key = KeyOf(Member(*value, "ddckDestColorkey"));
  effects.source_key = KeyOf(Member(*value, "ddckSrcColorkey"));
  return effects;
}

std::optional<trace::ColorKey> ColorKeyAt(const Call& call, size_t index) {
  const Value* const value = StructureOf(call, index);
  return value == nullptr ? std::nullopt : std::optional(KeyOf(value));
}

}  // namespace dp2trace::import
