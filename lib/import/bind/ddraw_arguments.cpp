#include "import/bind/ddraw_arguments.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

namespace dp2trace::import {
namespace {

uint32_t MemberNumber(const Value& structure, std::string_view name) {
  const Value* const member = Member(structure, name);
  return member == nullptr ? 0 : static_cast<uint32_t>(AsNumber(*member));
}

d3d::ColorKey KeyOf(const Value* value) {
  if (value == nullptr) return {};
  return {MemberNumber(*value, "dwColorSpaceLowValue"),
          MemberNumber(*value, "dwColorSpaceHighValue")};
}

d3d::PixelFormat FormatOf(const Value& value) {
  d3d::PixelFormat format;
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

// Interfaces and device classes that the binding looks for. Source: ddraw.h and d3d.h.
struct InterfaceRow {
  std::array<uint32_t, 11> guid;
  std::string_view name;
};
constexpr InterfaceRow kInterfaces[] = {
    {{0x84E63DE0, 0x46AA, 0x11CF, 0x81, 0x6F, 0x00, 0x00, 0xC0, 0x20, 0x15, 0x6E},
     "IID_IDirect3DHALDevice"},
    {{0xA4665C60, 0x2673, 0x11CF, 0xA3, 0x1A, 0x00, 0xAA, 0x00, 0xB9, 0x33, 0x56},
     "IID_IDirect3DRGBDevice"},
    {{0x881949A1, 0xD6F3, 0x11D0, 0x89, 0xAB, 0x00, 0xA0, 0xC9, 0x05, 0x41, 0x29},
     "IID_IDirect3DMMXDevice"},
    {{0xF2086B20, 0x259F, 0x11CF, 0xA3, 0x1A, 0x00, 0xAA, 0x00, 0xB9, 0x33, 0x56},
     "IID_IDirect3DRampDevice"},
    {{0x50936643, 0x13E9, 0x11D1, 0x89, 0xAA, 0x00, 0xA0, 0xC9, 0x05, 0x41, 0x29},
     "IID_IDirect3DRefDevice"},
    {{0x8767DF22, 0xBACC, 0x11D1, 0x89, 0x69, 0x00, 0xA0, 0xC9, 0x06, 0x29, 0xA8},
     "IID_IDirect3DNullDevice"},
    {{0xF5049E78, 0x4861, 0x11D2, 0xA4, 0x07, 0x00, 0xA0, 0xC9, 0x06, 0x29, 0xA8},
     "IID_IDirect3DTnLHalDevice"},
    {{0x6C14DB81, 0xA733, 0x11CE, 0xA5, 0x21, 0x00, 0x20, 0xAF, 0x0B, 0xE5, 0x60},
     "IID_IDirectDrawSurface"},
    {{0x57805885, 0x6EEC, 0x11CF, 0x94, 0x41, 0xA8, 0x23, 0x03, 0xC1, 0x0E, 0x27},
     "IID_IDirectDrawSurface2"},
    {{0xDA044E00, 0x69B2, 0x11D0, 0xA1, 0xD5, 0x00, 0xAA, 0x00, 0xB8, 0xDF, 0xBB},
     "IID_IDirectDrawSurface3"},
    {{0x0B2B8630, 0xAD35, 0x11D0, 0x8E, 0xA6, 0x00, 0x60, 0x97, 0x97, 0xEA, 0x5B},
     "IID_IDirectDrawSurface4"},
    {{0x06675A80, 0x3B9B, 0x11D2, 0xB9, 0x2F, 0x00, 0x60, 0x97, 0x97, 0xEA, 0x5B},
     "IID_IDirectDrawSurface7"},
};

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

std::string_view InterfaceNameAt(const Call& call, size_t index) {
  const Value* value = Pointee(ArgumentAt(call, index));
  if (value != nullptr && value->kind == ValueKind::kString) return value->text;
  // A GUID: one number of 32 bits, two of 16, eight of 8.
  const std::vector<uint32_t> words = WordsAt(call, index);
  const auto* const row = std::ranges::find_if(kInterfaces, [&](const InterfaceRow& candidate) {
    return std::ranges::equal(candidate.guid, words);
  });
  return row == std::end(kInterfaces) ? std::string_view() : row->name;
}

std::vector<uint32_t> WordsAt(const Call& call, size_t index) {
  std::vector<uint32_t> words;
  if (const Value* const value = ArgumentAt(call, index)) AppendWords(*value, words);
  return words;
}

std::optional<d3d::Rect> RectAt(const Call& call, size_t index) {
  const auto words = StructureAt<4>(call, index);
  if (!words) return std::nullopt;
  const auto side = [&](size_t i) { return static_cast<int32_t>((*words)[i]); };
  return d3d::Rect{side(0), side(1), side(2), side(3)};
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
  description.dest_overlay_key = KeyOf(Member(*value, "ddckCKDestOverlay"));
  description.source_overlay_key = KeyOf(Member(*value, "ddckCKSrcOverlay"));
  if (const Value* const format = Member(*value, "ddpfPixelFormat"))
    description.format = FormatOf(*format);
  if (const Value* const caps = Member(*value, "ddsCaps")) {
    description.caps = {MemberNumber(*caps, "dwCaps"), MemberNumber(*caps, "dwCaps2"),
                        MemberNumber(*caps, "dwCaps3"), MemberNumber(*caps, "dwCaps4")};
  }
  return description;
}

std::optional<d3d::PrimitiveType> PrimitiveTypeAt(const Call& call, size_t index) {
  const uint32_t type = NumberAt(call, index);
  if (type < 1 || type > 6) return std::nullopt;
  return static_cast<d3d::PrimitiveType>(type);
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

std::optional<runtime::ddraw::OverlayEffects> OverlayEffectsAt(const Call& call, size_t index) {
  const Value* const value = StructureOf(call, index);
  if (value == nullptr) return std::nullopt;
  runtime::ddraw::OverlayEffects effects;
  effects.effects = MemberNumber(*value, "dwDDFX");
  effects.dest_key = KeyOf(Member(*value, "dckDestColorkey"));
  effects.source_key = KeyOf(Member(*value, "dckSrcColorkey"));
  return effects;
}

std::optional<d3d::ColorKey> ColorKeyAt(const Call& call, size_t index) {
  const Value* const value = StructureOf(call, index);
  return value == nullptr ? std::nullopt : std::optional(KeyOf(value));
}

}  // namespace dp2trace::import
