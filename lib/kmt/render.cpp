#include "kmt/render.h"

namespace dp2trace::kmt {
namespace {

template <class T>
void ReadMember(Bytes raw, const LayoutField& field, PointerWidth width, T& value) {
  value = static_cast<T>(ReadField(raw, field, width));
}

template <class T, size_t kCount>
void ReadMember(Bytes raw, const LayoutField& field, PointerWidth width,
                std::array<T, kCount>& values) {
  for (uint32_t i = 0; i < kCount; ++i)
    values[i] = static_cast<T>(ReadField(raw, field, width, i));
}

template <class T>
void WriteMember(std::span<uint8_t> raw, const LayoutField& field, PointerWidth width, T value) {
  WriteField(raw, field, width, 0, value);
}

template <class T, size_t kCount>
void WriteMember(std::span<uint8_t> raw, const LayoutField& field, PointerWidth width,
                 const std::array<T, kCount>& values) {
  for (uint32_t i = 0; i < kCount; ++i)
    WriteField(raw, field, width, i, values[i]);
}

}  // namespace

std::optional<RenderStruct> DecodeRender(Bytes raw, PointerWidth width, OsProfile profile) {
  if (raw.size() != RenderSize(width, profile)) return std::nullopt;
  RenderStruct render;
#define DP2TRACE_RENDER_FIELD(member, Name, type, direction, count, w64, w32, since) \
  if ((since) <= NewestWddm(profile))                                                \
    ReadMember(raw, kRenderLayout.fields[RenderFieldIndex::member], width, render.member);
#include "kmt/render_layout.def"
#undef DP2TRACE_RENDER_FIELD
  return render;
}

std::vector<uint8_t> EncodeRender(const RenderStruct& render, PointerWidth width,
                                  OsProfile profile) {
  std::vector<uint8_t> raw(RenderSize(width, profile));
#define DP2TRACE_RENDER_FIELD(member, Name, type, direction, count, w64, w32, since) \
  if ((since) <= NewestWddm(profile))                                                \
    WriteMember(raw, kRenderLayout.fields[RenderFieldIndex::member], width, render.member);
#include "kmt/render_layout.def"
#undef DP2TRACE_RENDER_FIELD
  return raw;
}

}  // namespace dp2trace::kmt
