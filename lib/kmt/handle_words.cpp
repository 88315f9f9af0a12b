#include "kmt/handle_words.h"

#include <algorithm>

namespace dp2trace::kmt {
namespace {

constexpr HandleWordDesc kHandleWords[] = {
#define DP2TRACE_HANDLE_WORD(op, name, size, repeat, at, field, operand, access, slot, select, \
                             zero, when)                                                       \
  {op,                                                                                         \
   #name,                                                                                      \
   size,                                                                                       \
   WordRepeat::repeat,                                                                         \
   at,                                                                                         \
   #field,                                                                                     \
   operand,                                                                                    \
   Access::access,                                                                             \
   slot,                                                                                       \
   SlotSelect::select,                                                                         \
   ZeroHandle::zero,                                                                           \
   WordCondition::when},
#include "kmt/handle_words.def"
#undef DP2TRACE_HANDLE_WORD
};

constexpr bool IsSortedByWord(std::span<const HandleWordDesc> rows) {
  for (size_t i = 1; i < rows.size(); ++i) {
    const bool same_op = rows[i - 1].op == rows[i].op;
    if (rows[i - 1].op > rows[i].op || (same_op && rows[i - 1].at >= rows[i].at)) return false;
  }
  return true;
}
static_assert(IsSortedByWord(kHandleWords));
static_assert(std::ranges::all_of(kHandleWords, [](const HandleWordDesc& row) {
  return row.at + 4 <= row.element_size;
}));

constexpr uint32_t kTokenHeaderSize = 4;
constexpr uint32_t kTextureHandleState = 1;  // D3DRENDERSTATE_TEXTUREHANDLE
constexpr uint32_t kTextureMapState = 0;     // D3DTSS_TEXTUREMAP

bool IsHandle(const HandleWordDesc& desc, const uint8_t* element) {
  switch (desc.condition) {
    case WordCondition::kAlways:
      return true;
    case WordCondition::kTextureHandleState:
      return LoadU32(element) == kTextureHandleState;
    case WordCondition::kTextureMapState:
      return LoadU16(element + 2) == kTextureMapState;
  }
  return false;
}

// Stages 0-15 are slots 16-31, stages 256-260 (displacement and vertex textures) slots 8-12.
std::optional<uint32_t> StageSlot(uint32_t base, uint32_t stage) {
  if (stage <= 15) return base + stage;
  if (stage >= 256 && stage <= 260) return stage - 248;
  return std::nullopt;
}

std::optional<uint32_t> SlotOf(const HandleWordDesc& desc, const uint8_t* element) {
  const auto up_to = [&](uint32_t index, uint32_t last) {
    return index <= last ? std::optional<uint32_t>(desc.slot_base + index) : std::nullopt;
  };
  switch (desc.slot_select) {
    case SlotSelect::kFixed:
      return desc.slot_base;
    case SlotSelect::kStage:
      return StageSlot(desc.slot_base, LoadU16(element));
    case SlotSelect::kStream:
      return up_to(LoadU32(element), 15);
    case SlotSelect::kTarget:
      return up_to(LoadU32(element), 3);
  }
  return std::nullopt;
}

}  // namespace

std::span<const HandleWordDesc> AllHandleWords() {
  return kHandleWords;
}

std::span<const HandleWordDesc> HandleWordsOf(uint8_t op) {
  const auto* first = std::ranges::lower_bound(kHandleWords, op, {}, &HandleWordDesc::op);
  const auto* last = std::ranges::upper_bound(kHandleWords, op, {}, &HandleWordDesc::op);
  return {first, last};
}

HandleWordCursor::HandleWordCursor(Bytes token) : token_(token) {
  if (token.size() < kTokenHeaderSize) return;
  descs_ = HandleWordsOf(token[0]);
  if (descs_.empty()) return;
  const uint32_t announced =
      descs_.front().repeat == WordRepeat::kOnce ? 1 : LoadU16(token.data() + 2);
  const size_t present = (token.size() - kTokenHeaderSize) / descs_.front().element_size;
  elements_ = static_cast<uint32_t>(std::min<size_t>(announced, present));
}

bool HandleWordCursor::Next(HandleWord& word) {
  while (element_ < elements_) {
    const HandleWordDesc& desc = descs_[row_];
    const uint32_t index = element_;
    const size_t start = kTokenHeaderSize + size_t{index} * desc.element_size;
    const uint8_t* element = token_.data() + start;
    if (++row_ == descs_.size()) {
      row_ = 0;
      ++element_;
    }
    if (!IsHandle(desc, element)) continue;
    word = {.desc = &desc,
            .element = index,
            .offset = start + desc.at,
            .value = LoadU32(element + desc.at),
            .slot = SlotOf(desc, element)};
    return true;
  }
  return false;
}

}  // namespace dp2trace::kmt
