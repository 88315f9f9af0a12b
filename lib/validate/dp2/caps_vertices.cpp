// The values of drawn vertices against what the device can hold: DP2-CAPS-029.
// Source: D3DCAPS9, members MaxTextureRepeat, MaxVertexW and MaxVertexBlendMatrixIndex; D3DPTEXTURECAPS_TEXREPEATNOTSCALEDBYSIZE.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include "d3d/caps.h"
#include "d3d/stream_source.h"
#include "device/vertex_program.h"
#include "rules/rule.h"
#include "validate/dp2/caps.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using d3d::Cap;
using d3d::DeclUsage;
using d3d::TextureAddress;
using d3d::TextureStageState;
using device::VertexElement;

constexpr uint32_t kSets = 8;
// Of what was shown: w and matrix indices; below them the coordinate sets.
constexpr uint32_t kFarBit = 1U << kSets, kIndexBit = 1U << (kSets + 1);

// `size` bytes of an element of one vertex; null outside of the stream, and where they are instance data.
const uint8_t* BytesOf(const device::Draw& draw, const VertexElement& element, int64_t vertex,
                       uint64_t size) {
  if (element.stream >= device::kStreamCount || vertex < 0) return nullptr;
  const device::VertexStream& stream = draw.streams[element.stream];
  if ((stream.divider & d3d::kInstanceData) != 0) return nullptr;
  const uint64_t at =
      stream.origin + static_cast<uint64_t>(vertex) * stream.stride + element.offset;
  if (at > stream.bytes.size() || size > stream.bytes.size() - at) return nullptr;
  return stream.bytes.data() + at;
}

// The floats of an element of one vertex.
std::optional<std::array<float, 4>> ValuesOf(const device::Draw& draw, const VertexElement& element,
                                             int64_t vertex) {
  constexpr uint32_t kLastFloat = d3d::Value(d3d::DeclType::Float4);
  if (element.type > kLastFloat) return std::nullopt;
  const uint8_t* const bytes = BytesOf(draw, element, vertex, (element.type + 1U) * sizeof(float));
  if (bytes == nullptr) return std::nullopt;
  std::array<float, 4> values = {};
  for (uint32_t i = 0; i <= element.type; ++i)
    values[i] = std::bit_cast<float>(LoadU32(bytes + i * sizeof(float)));
  return values;
}

// How many matrices the vertices of a draw choose by their indices; 0: none.
uint32_t IndexedMatrices(const device::Context& context) {
  const uint32_t blend = context.state.value(d3d::RenderState::VertexBlend);
  if (context.state.value(d3d::RenderState::IndexedVertexBlendEnable) == 0 ||
      device::FindBoundProgram(context).is_programmable)
    return 0;
  if (blend == d3d::Value(d3d::VertexBlend::Weights0)) return 1;
  return blend <= d3d::Value(d3d::VertexBlend::Weights3) && blend != 0 ? blend + 1 : 0;
}

// How often a texture may repeat along each side, by coordinate set; infinity where nothing reads the set or it does not repeat.
using Repeats = std::array<std::array<float, 2>, kSets>;

Repeats FindRepeats(const CommandView& view) {
  constexpr uint32_t kNotScaled = 0x40;  // D3DPTEXTURECAPS_TEXREPEATNOTSCALEDBYSIZE
  Repeats repeats;
  for (auto& sides : repeats)
    sides.fill(INFINITY);
  const auto most = view.caps.Find(Cap::MaxTextureRepeat);
  if (!most || *most == 0) return repeats;
  const auto claimed = view.caps.Find(Cap::TextureCaps);
  const bool is_scaled = claimed && (*claimed & kNotScaled) == 0;
  const device::State& state = view.context.state;
  const uint32_t textures = UseOf(view, view.memory.texture_stage.samplers).textures;
  for (uint32_t stage = 0; stage < kSets; ++stage) {
    const device::Resource* const texture =
        (textures >> stage & 1) != 0 ? view.context.Texture(stage) : nullptr;
    const uint32_t set = state.stage(stage, TextureStageState::TexcoordIndex);
    if (texture == nullptr || set >= kSets) continue;
    const auto limit = [&](TextureStageState address, uint32_t size) {
      const uint32_t mode = state.stage(stage, address);
      const bool repeats_texels =
          mode == d3d::Value(TextureAddress::Wrap) || mode == d3d::Value(TextureAddress::Mirror);
      if (!repeats_texels) return INFINITY;
      return static_cast<float>(*most) / (is_scaled ? static_cast<float>(size) : 1.0F);
    };
    const image::SurfaceDescription& size = texture->surface.description();
    repeats[set][0] = std::min(repeats[set][0], limit(TextureStageState::AddressU, size.width));
    repeats[set][1] = std::min(repeats[set][1], limit(TextureStageState::AddressV, size.height));
  }
  return repeats;
}

class Scan {
 public:
  Scan(const CommandView& view, const device::Draw& draw)
      : view_(view),
        draw_(draw),
        repeats_(FindRepeats(view)),
        farthest_(view.caps.FindReal(Cap::MaxVertexW)),
        last_matrix_(view.caps.Find(Cap::MaxVertexBlendMatrixIndex)),
        matrices_(IndexedMatrices(view.context)) {}

  void Run() {
    const uint64_t count = device::VertexCount(draw_.type, draw_.primitive_count);
    for (uint64_t k = 0; k < count; ++k) {
      const int64_t vertex = draw_.base_vertex + device::IndexAt(draw_, k);
      for (const VertexElement& element : draw_.layout->elements)
        CheckElement(element, vertex);
    }
    view_.memory.caps.shown = found_;
  }

 private:
  void CheckElement(const VertexElement& element, int64_t vertex) {
    if (element.usage == d3d::Value(DeclUsage::PositionT)) {
      CheckPosition(element, vertex);
    } else if (element.usage == d3d::Value(DeclUsage::Texcoord) && element.usage_index < kSets) {
      CheckCoordinates(element, vertex);
    } else if (element.usage == d3d::Value(DeclUsage::BlendIndices)) {
      CheckMatrices(element, vertex);
    }
  }

  // A device without indices at all: DP2-CAPS-024.
  void CheckMatrices(const VertexElement& element, int64_t vertex) {
    if (matrices_ == 0 || last_matrix_.value_or(0) == 0) return;
    const uint8_t* const bytes = BytesOf(draw_, element, vertex, sizeof(uint32_t));
    if (bytes == nullptr) return;
    for (uint32_t i = 0; i < matrices_; ++i) {
      if (bytes[i] <= *last_matrix_ || !IsNews(kIndexBit)) continue;
      view_.Report(Rule::kDp2Caps029,
                   fmt::format("vertex {} has the matrix index {}, MaxVertexBlendMatrixIndex is {}",
                               vertex, bytes[i], *last_matrix_),
                   fmt::format("{}", bytes[i]), fmt::format("at most {}", *last_matrix_));
    }
  }

  void CheckPosition(const VertexElement& element, int64_t vertex) {
    const auto values = farthest_ ? ValuesOf(draw_, element, vertex) : std::nullopt;
    if (!values || !((*values)[3] > 0)) return;
    const float w = 1.0F / (*values)[3];
    if (!(w > *farthest_) || !IsNews(kFarBit)) return;
    view_.Report(Rule::kDp2Caps029,
                 fmt::format("vertex {} has a w of {}, MaxVertexW is {}", vertex, w, *farthest_),
                 fmt::format("{}", w), fmt::format("at most {}", *farthest_));
  }

  void CheckCoordinates(const VertexElement& element, int64_t vertex) {
    const auto& sides = repeats_[element.usage_index];
    if (std::isinf(sides[0]) && std::isinf(sides[1])) return;
    const auto values = ValuesOf(draw_, element, vertex);
    if (!values) return;
    for (uint32_t side = 0; side < 2; ++side) {
      const float value = std::abs((*values)[side]);
      if (!std::isfinite(value) || !(value > sides[side]) || !IsNews(1U << element.usage_index))
        continue;
      view_.Report(Rule::kDp2Caps029,
                   fmt::format("vertex {} has a texture coordinate of {} in set {}, and "
                               "MaxTextureRepeat lets this texture repeat {} times",
                               vertex, (*values)[side], element.usage_index, sides[side]),
                   fmt::format("{}", (*values)[side]), fmt::format("-{0} to {0}", sides[side]));
    }
  }

  // Once for each kind, until a draw does not show it.
  bool IsNews(uint32_t bit) {
    const bool is_news = ((found_ | view_.memory.caps.shown) & bit) == 0;
    found_ |= bit;
    return is_news;
  }

  const CommandView& view_;
  const device::Draw& draw_;
  Repeats repeats_;
  std::optional<float> farthest_;
  std::optional<uint32_t> last_matrix_;
  uint32_t matrices_;
  uint32_t found_ = 0;
};

}  // namespace

void CheckDrawnCaps(const CommandView& view, const device::Draw& draw) {
  if (view.caps.empty() || !view.Wants(Rule::kDp2Caps029)) return;
  const auto claims = [&](Cap cap) { return view.caps.Find(cap).has_value(); };
  if (!claims(Cap::MaxTextureRepeat) && !claims(Cap::MaxVertexW) &&
      !claims(Cap::MaxVertexBlendMatrixIndex))
    return;
  Scan(view, draw).Run();
}

}  // namespace dp2trace::validate
