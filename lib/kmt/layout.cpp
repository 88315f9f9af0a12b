#include "kmt/layout.h"

namespace dp2trace::kmt {
namespace {

// clang-format off
constexpr LayoutField kRenderFields[] = {
#define DP2TRACE_RENDER_FIELD(member, Name, type, direction, count, w64, w32, since) \
    {#Name, FieldType::k##type, Direction::k##direction, w64, w32, count, since},
#include "kmt/render_layout.def"
#undef DP2TRACE_RENDER_FIELD
};

// clang-format on

}  // namespace

constexpr Layout kRenderLayout = {"D3DKMT_RENDER", kRenderFields};

namespace {

static_assert(IsNaturallyLaidOut(kRenderLayout));

// sizeof in a 64-bit and a 32-bit process, as documented.
constexpr bool HasSizes(const Layout& layout, uint32_t size64, uint32_t size32,
                        OsProfile profile = OsProfile::kWin10) {
  return layout.Size(PointerWidth::k64, profile) == size64 &&
         layout.Size(PointerWidth::k32, profile) == size32;
}
static_assert(HasSizes(kRenderLayout, 368, 336) &&
              HasSizes(kRenderLayout, 368, 336, OsProfile::kWin7));
static_assert(HasSizes(kRenderLayout, 344, 320, OsProfile::kVista));

}  // namespace

uint64_t ReadField(Bytes raw, const LayoutField& field, PointerWidth width, uint32_t index) {
  const uint32_t size = SizeOf(field.type, width);
  const uint8_t* at = raw.data() + field.Offset(width) + size_t{index} * size;
  return size == 8 ? LoadU64(at) : LoadU32(at);
}

void WriteField(std::span<uint8_t> raw, const LayoutField& field, PointerWidth width,
                uint32_t index, uint64_t value) {
  const uint32_t size = SizeOf(field.type, width);
  uint8_t* at = raw.data() + field.Offset(width) + size_t{index} * size;
  if (size == 8) {
    Store(at, value);
  } else {
    Store(at, static_cast<uint32_t>(value));
  }
}

bool HasNonZeroPadding(Bytes raw, const Layout& layout, PointerWidth width) {
  size_t end = 0;  // of the field before
  const auto is_set = [](uint8_t byte) { return byte != 0; };
  for (const LayoutField& field : layout.fields) {
    if (field.End(width) > raw.size()) break;
    if (std::ranges::any_of(raw.subspan(end, field.Offset(width) - end), is_set)) return true;
    end = field.End(width);
  }
  return std::ranges::any_of(raw.subspan(end), is_set);
}

}  // namespace dp2trace::kmt
