#include "device/legal_states.h"

#include <algorithm>
#include <bit>

#include "d3d/legacy_states.h"
#include "d3d/vendor_codes.h"

namespace dp2trace::device {
namespace {

using d3d::RenderState;
using d3d::TextureStageState;

bool IsTessellationLevel(const d3d::StateInfo& info) {
  return info.state_class == d3d::StateClass::kRender &&
         (info.code == d3d::Value(RenderState::MinTessellationLevel) ||
          info.code == d3d::Value(RenderState::MaxTessellationLevel));
}

// True where an illegal value is an error; for the other types it is a warning and keeps its bits.
bool IsStrict(const d3d::StateInfo& info) {
  return info.type == d3d::ValueType::kEnum || info.type == d3d::ValueType::kU16Pair;
}

bool IsPlain(const d3d::StateInfo& info) {
  if (info.type == d3d::ValueType::kHandle || info.has_side_effect) return false;
  if (info.state_class != d3d::StateClass::kRender)
    return info.code != d3d::Value(TextureStageState::Address) &&
           info.code != d3d::Value(TextureStageState::TextureColorKeyVal);
  if (d3d::HasVendorCodes(info)) return false;
  // The legacy states write others; they are numbers of old interfaces.
  const bool is_legacy_texture_state =
      d3d::LegacyWrapBit(info.code) != 0 ||
      !d3d::LegacyStageWrites(info.code, 1, 0, false).items().empty();
  return !is_legacy_texture_state;
}

}  // namespace

LegalStates::LegalStates(uint32_t level, bool d3d9ex, uint32_t runtime_version)
    : level_(level), d3d9ex_(d3d9ex), runtime_version_(runtime_version) {
  for (const d3d::StateInfo& info : d3d::AllRenderStates())
    render_[info.code] = MakeRow(info);
  for (const d3d::StateInfo& info : d3d::AllTextureStageStates()) {
    Row& row = stage_[info.code];
    row = MakeRow(info);
    while (row.stages < d3d::kPixelSamplerCount && d3d::IsLegalStage(info, row.stages, level))
      ++row.stages;
  }
}

LegalStates::Row LegalStates::MakeRow(const d3d::StateInfo& info) const {
  Row row;
  row.is_plain = IsPlain(info);
  row.takes_any = !IsStrict(info) && !IsTessellationLevel(info);
  for (uint32_t value = 0; value < 32 && !row.takes_any; ++value) {
    if (IsLegal(info, value)) row.values |= uint32_t{1} << value;
  }
  return row;
}

bool LegalStates::IsLegal(const d3d::StateInfo& info, uint32_t value) const {
  if (IsTessellationLevel(info)) return !(std::bit_cast<float>(value) < 1.0F);
  if (!IsStrict(info)) return true;
  // A state above the driver level is a warning of its own: its values are checked by the level that has them.
  const uint32_t level = std::max<uint32_t>(level_, info.first_level);
  return d3d::IsLegalValue(info, value, level, d3d9ex_, runtime_version_);
}

}  // namespace dp2trace::device
