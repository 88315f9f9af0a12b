#include "raster/shader/linkage.h"

#include <algorithm>
#include <array>

#include "shader/limits.h"

namespace dp2trace::raster {
namespace {

using d3d::DeclUsage;
using shader::Semantic;

constexpr uint32_t kTexcoordCount = 8;

std::optional<uint32_t> FixedSlot(const Semantic& semantic) {
  if (semantic.usage == DeclUsage::Color && semantic.index < shader::kColorCount)
    return kDiffuseSlot + semantic.index;
  if (semantic.usage == DeclUsage::Texcoord && semantic.index < kTexcoordCount)
    return kTexcoordSlot + semantic.index;
  return std::nullopt;
}

}  // namespace

VaryingSlots::VaryingSlots(const shader::Program* pixel)
    : has_entries_(pixel != nullptr && pixel->version.code() >= 0x30) {
  if (!has_entries_) return;
  const std::vector<shader::LinkedRegister> inputs = shader::InputsOf(*pixel);
  for (const shader::LinkedRegister& input : inputs) {
    const std::optional<uint32_t> slot = FixedSlot(input.semantic);
    if (slot) entries_.push_back({input.semantic, *slot, shader::kFullMask});
  }
  for (const shader::LinkedRegister& input : inputs) {
    if (!FixedSlot(input.semantic)) Add(input);
  }
}

// The last slots first: fixed function does not use them. Semantics with different components may share one.
// Unspecified: more inputs than slots; chosen: the rest is not linked.
void VaryingSlots::Add(const shader::LinkedRegister& input) {
  for (Entry& entry : entries_) {
    if (entry.semantic == input.semantic)
      entry.mask = static_cast<uint8_t>(entry.mask | input.mask);
    if (entry.semantic == input.semantic) return;
  }
  for (uint32_t slot = kVaryingCount; slot-- > 0;) {
    const bool is_free =
        std::ranges::none_of(entries_, [&](const Entry& entry) { return entry.slot == slot; });
    if (!is_free) continue;
    entries_.push_back({input.semantic, slot, input.mask});
    return;
  }
  for (const Entry& entry : entries_) {
    const bool fits = std::ranges::none_of(entries_, [&](const Entry& other) {
      return other.slot == entry.slot && (other.mask & input.mask) != 0;
    });
    if (!fits) continue;
    entries_.push_back({input.semantic, entry.slot, input.mask});
    return;
  }
}

std::optional<uint32_t> VaryingSlots::Find(const Semantic& semantic) const {
  if (!has_entries_) return FixedSlot(semantic);
  const auto found = std::ranges::find(entries_, semantic, &Entry::semantic);
  return found == entries_.end() ? std::nullopt : std::optional(found->slot);
}

uint32_t CentroidSlots(const shader::Program& pixel) {
  const bool is_below_3 = pixel.version.code() < 0x30;
  const VaryingSlots slots(&pixel);
  uint32_t mask = 0;
  for (const shader::Declaration& declaration : pixel.declarations) {
    if (!declaration.is_centroid) continue;
    Semantic semantic = {static_cast<DeclUsage>(declaration.usage), declaration.usage_index};
    if (is_below_3) {
      const bool is_color = declaration.type == shader::RegisterType::kInput;
      semantic = {is_color ? DeclUsage::Color : DeclUsage::Texcoord, declaration.number};
    }
    const std::optional<uint32_t> slot = slots.Find(semantic);
    if (slot) mask |= 1U << *slot;
  }
  return mask;
}

// Facts V23 and V24. Unspecified: alpha of an unwritten COLOR1; chosen: 0, as a vertex without specular colour has.
Float4 UnwrittenVarying(const Semantic& semantic) {
  if (semantic == Semantic{DeclUsage::Color, 0}) return {1, 1, 1, 1};
  if (semantic == Semantic{DeclUsage::Color, 1}) return {0, 0, 0, 0};
  return {0, 0, 0, 1};
}

}  // namespace dp2trace::raster
