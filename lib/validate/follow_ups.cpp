#include "validate/follow_ups.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::validate {
namespace {

using device::BindingSet;

// Bindings that rules check together.
enum Part : uint8_t {
  kStreams = 1,
  kIndices = 2,
  kProgram = 4,  // declaration, vertex format, vertex shader
  kPixelShader = 8,
  kTextures = 16,
  kTargets = 32,
  kDepthBuffer = 64,
};

// How long a defect that a draw meets is the same mistake.
enum class Lasts : uint8_t {
  kDraw,      // it lies in the draw, too
  kBindings,  // until one of the bindings changes
  kCall,      // for all draws of the call
};

struct FollowUpRow {
  Rule rule = {};
  uint8_t parts = 0;
  Lasts lasts = Lasts::kDraw;
};

// clang-format off
constexpr FollowUpRow kFollowUpRows[] = {
    {Rule::kDp2Draw004, kProgram, Lasts::kBindings},
    {Rule::kDp2Draw005, kProgram | kStreams, Lasts::kBindings},
    {Rule::kDp2Draw006, kProgram | kStreams},
    {Rule::kDp2Draw007, kStreams, Lasts::kCall},
    {Rule::kDp2Draw008, kProgram | kStreams},
    {Rule::kDp2Draw009, kIndices, Lasts::kBindings},
    {Rule::kDp2Draw010, kIndices},
    {Rule::kDp2Draw011, kIndices},
    {Rule::kDp2Draw012, kProgram | kStreams | kIndices},
    {Rule::kDp2Draw014, kIndices},
    {Rule::kDp2Draw015, kProgram | kStreams},
    {Rule::kDp2Draw016, kStreams},
    {Rule::kDp2Draw017, kProgram, Lasts::kBindings},
    {Rule::kDp2Draw018, kProgram, Lasts::kBindings},
    {Rule::kDp2Draw021, kIndices},
    {Rule::kDp2Draw022, kProgram | kStreams},
    {Rule::kDp2Bind013, kProgram | kStreams},
    {Rule::kDp2Prim007, kProgram},
    {Rule::kDp2Patch018, kProgram | kStreams},
    {Rule::kDp2Patch021, kStreams, Lasts::kBindings},
    {Rule::kDp2Patch022, kProgram},
    {Rule::kDp2Patch024, kStreams},
    {Rule::kDp2Patch027, kProgram, Lasts::kBindings},
    {Rule::kDp2Fvf001, kProgram, Lasts::kBindings},
    {Rule::kDp2Fvf002, kProgram, Lasts::kBindings},
    {Rule::kDp2Fvf003, kProgram, Lasts::kBindings},
    {Rule::kDp2Fvf004, kProgram, Lasts::kBindings},
    {Rule::kDp2Fvf005, kProgram, Lasts::kBindings},
    {Rule::kDp2Fvf006, kProgram},
    {Rule::kDp2Fvf007, kProgram, Lasts::kBindings},
    {Rule::kDp2Fvf008, kProgram, Lasts::kBindings},
    {Rule::kDp2Fvf009, kProgram},
    {Rule::kDp2Fvf010, kProgram},
    {Rule::kDp2Fvf011, kProgram | kStreams, Lasts::kBindings},
    {Rule::kDp2Fvf012, kProgram | kStreams},
    {Rule::kDp2Fvf013, kProgram, Lasts::kBindings},
    {Rule::kDp2Fvf014, kProgram, Lasts::kBindings},
    {Rule::kDp2Fvf015, kProgram},
    {Rule::kDp2Fvf016, kProgram | kStreams | kIndices},
    {Rule::kDp2Fvf017, kProgram | kStreams | kIndices},
    {Rule::kDp2Fvf018, kProgram | kStreams | kIndices},
    {Rule::kDp2Fvf019, kProgram | kStreams | kIndices},
    {Rule::kDp2Fvf020, kProgram | kStreams | kIndices},
    {Rule::kDp2Vsh017, kProgram | kStreams, Lasts::kBindings},
    {Rule::kDp2Vsh020, kProgram},
    {Rule::kDp2Rs022, kProgram},
    {Rule::kDp2Rs012, kDepthBuffer},
    {Rule::kDp2Rs037, kDepthBuffer},
    {Rule::kDp2Tss009, kPixelShader},
    {Rule::kDp2Tss012, kPixelShader},
    {Rule::kDp2Tss014, kProgram | kPixelShader | kTextures},
    {Rule::kDp2Tss015, kProgram | kPixelShader},
    {Rule::kDp2Tss021, kPixelShader | kTextures},
    {Rule::kDp2Tss023, kPixelShader | kTextures},
    {Rule::kDp2Tss026, kPixelShader | kTextures},
    {Rule::kDp2Tss027, kPixelShader},
    {Rule::kDp2Tss028, kPixelShader | kTextures | kTargets | kDepthBuffer},
    {Rule::kDp2Tss029, kPixelShader | kTextures},
    {Rule::kDp2Tss030, kPixelShader | kTextures},
    {Rule::kDp2Pal009, kPixelShader | kTextures},
    {Rule::kDp2Pal010, kPixelShader | kTextures},
    {Rule::kDp2Pal011, kPixelShader | kTextures},
    {Rule::kDp2Rt005, kTargets | kDepthBuffer},
    {Rule::kDp2Rt006, kTargets | kDepthBuffer},
    {Rule::kDp2Rt007, kTargets},
    {Rule::kDp2Rt008, kTargets},
    {Rule::kDp2Rt010, kTargets},
    {Rule::kDp2Rt011, kDepthBuffer},
    {Rule::kDp2View003, kTargets},
    {Rule::kDp2View012, kTargets},
    {Rule::kDp2Clear005, kDepthBuffer},
    {Rule::kDp2Clear006, kDepthBuffer},
    {Rule::kDp2Clear008, kDepthBuffer},
    {Rule::kDp2Clear011, kTargets | kDepthBuffer},
    {Rule::kDp2Clear012, kTargets | kDepthBuffer},
    {Rule::kKmtDp2023, kTargets},
};
// clang-format on

// Rules about what links to what: shaders, and the vertices that feed them.
bool IsAboutLinks(Rule rule) {
  return Info(rule).group() == "DP2-SHADER";
}

BindingSet Range(uint32_t first, uint32_t count) {
  BindingSet set;
  for (uint32_t i = 0; i < count; ++i)
    set.set(first + i);
  return set;
}

BindingSet BindingsOf(uint8_t parts) {
  BindingSet set;
  if ((parts & kStreams) != 0) set |= Range(device::kFirstStreamBinding, device::kStreamCount);
  if ((parts & kIndices) != 0) set.set(device::kIndexBinding);
  if ((parts & kProgram) != 0)
    set.set(device::kDeclarationBinding).set(device::kVertexFunctionBinding);
  if ((parts & kPixelShader) != 0) set.set(device::kPixelShaderBinding);
  if ((parts & kTextures) != 0) set |= Range(device::kFirstTextureBinding, device::kStageSlotCount);
  if ((parts & kTargets) != 0) set |= Range(device::kFirstTargetBinding, device::kTargetCount);
  if ((parts & kDepthBuffer) != 0) set.set(device::kDepthBinding);
  return set;
}

const FollowUpRow* FindFollowUpRow(Rule rule) {
  const auto* const row = std::ranges::find(kFollowUpRows, rule, &FollowUpRow::rule);
  return row == std::end(kFollowUpRows) ? nullptr : row;
}

}  // namespace

bool FollowUps::IsRepeat(const Diagnostic& finding) const {
  const FollowUpRow* const row = FindFollowUpRow(finding.rule);
  return row != nullptr && row->lasts != Lasts::kDraw &&
         (context_->bindings.is_unknown & BindingsOf(row->parts)).none();
}

bool FollowUps::Keeps(const Diagnostic& finding) const {
  const FollowUpRow* const row = FindFollowUpRow(finding.rule);
  const device::Bindings& bindings = context_->bindings;
  if (row == nullptr) {
    return !IsAboutLinks(finding.rule) ||
           (bindings.is_unknown & BindingsOf(kProgram | kPixelShader)).none();
  }
  const BindingSet set = BindingsOf(row->parts);
  if ((bindings.is_unknown & set).any()) return false;
  if (row->lasts == Lasts::kDraw) return true;
  constexpr uint64_t kOfCall = uint64_t{1} << 63;
  uint64_t state = 1;
  if (row->lasts == Lasts::kCall || has_format_of_call_) {
    state = kOfCall | call_;
  } else {
    for (uint32_t i = 0; i < device::kBindingCount; ++i)
      state += set[i] ? bindings.versions[i] : 0;
  }
  uint64_t& reported = memory_->reported[finding.rule];
  return std::exchange(reported, state) != state;
}

}  // namespace dp2trace::validate
