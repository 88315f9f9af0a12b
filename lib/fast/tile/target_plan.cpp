#include "fast/tile/target_plan.h"

#include <algorithm>

#include "image/depth.h"
#include "raster/pixel/output.h"

namespace dp2trace::fast {
namespace {

using d3d::BlendFactor;
using d3d::CompareFunc;

constexpr uint32_t kMaxPlainBits = 24;
constexpr std::string_view kDifferentSamples = "surfaces of different sample counts";

BlendKind KindOf(const raster::BlendPlan& blend) {
  if (!blend.is_enabled) return BlendKind::kNone;
  const auto adds = [&](BlendFactor source, BlendFactor destination) {
    return std::ranges::all_of(std::array{blend.rgb, blend.alpha}, [&](const auto& equation) {
      return equation.source == source && equation.destination == destination &&
             equation.operation == d3d::BlendOp::Add;
    });
  };
  if (adds(BlendFactor::SrcAlpha, BlendFactor::InvSrcAlpha)) return BlendKind::kAlpha;
  return adds(BlendFactor::One, BlendFactor::One) ? BlendKind::kAdd : BlendKind::kAny;
}

// Words of 2 or 4 bytes with red, green and blue of at most 8 unsigned bits each.
bool SetChannels(const d3d::FormatInfo& info, ColorStore& store) {
  if (info.kind != d3d::FormatKind::kUnorm) return false;
  if (info.block_size != 2 && info.block_size != 4) return false;
  store.word_size = info.block_size;
  const std::array<image::IntegerSlot, 4> slots = image::IntegerSlotsOf(info);
  for (size_t i = 0; i < 4; ++i) {
    const image::IntegerSlot& slot = slots[i];
    if (slot.is_signed || slot.width_bits > 8 || (slot.width_bits == 0 && i < 3)) return false;
    const uint32_t largest = (1U << slot.width_bits) - 1;
    store.channels[i] = {.shift = slot.offset_bits,
                         .bits = slot.width_bits,
                         .largest = static_cast<float>(largest),
                         .scale = slot.width_bits == 0 ? 0.0F : image::UnormScale(slot.width_bits)};
  }
  return true;
}

QueuedTarget PlanTarget(const raster::TargetWriter& writer) {
  QueuedTarget target;
  target.writer = &writer;
  const d3d::FormatInfo& info = *writer.level().info;
  target.is_fast = !writer.is_srgb() && !writer.dithers() && !writer.has_logic() &&
                   SetChannels(info, target.store);
  if (!target.is_fast) {
    target.any = AnyStoreOf(writer);
    return target;
  }
  ColorStore& store = target.store;
  store.write_mask = writer.write_mask();
  for (size_t i = 0; i < 4; ++i) {
    const ChannelFormat& channel = store.channels[i];
    if ((store.write_mask >> i & 1U) == 0)
      store.keep |= ((1U << channel.bits) - 1) << channel.shift;
  }
  const auto is_byte = [&](size_t i, uint32_t shift) {
    return store.channels[i].bits == 8 && store.channels[i].shift == shift;
  };
  store.is_argb = store.word_size == 4 && store.keep == 0 && is_byte(0, 16) && is_byte(1, 8) &&
                  is_byte(2, 0) && (store.channels[3].bits == 0 || is_byte(3, 24));
  store.blend = writer.blend();
  store.kind = KindOf(store.blend);
  return target;
}

FillPattern PatternOf(const image::PixelFill& fill) {
  FillPattern pattern;
  const size_t size = fill.pixel.size;
  pattern.pixel_size = size;
  pattern.keeps = fill.keep != 0;
  for (size_t byte = 0; byte < size; ++byte) {
    const uint64_t keep = byte < sizeof fill.keep ? fill.keep >> (8 * byte) : 0;
    for (size_t i = byte; i < FillPattern::kSize; i += size) {
      pattern.value[i] = fill.pixel.bytes[byte];
      pattern.keep[i] = static_cast<uint8_t>(keep);
    }
  }
  return pattern;
}

Comparison ComparisonOf(uint32_t function) {
  const auto is_one_of = [function](std::initializer_list<CompareFunc> functions) {
    // A number without meaning is ALWAYS, as Compare() has it.
    const bool is_defined =
        function >= d3d::Value(CompareFunc::Never) && function <= d3d::Value(CompareFunc::Always);
    return !is_defined ||
           std::ranges::find(functions, static_cast<CompareFunc>(function)) != functions.end();
  };
  return {.less = is_one_of({CompareFunc::Less, CompareFunc::LessEqual, CompareFunc::NotEqual,
                             CompareFunc::Always}),
          .equal = is_one_of({CompareFunc::Equal, CompareFunc::LessEqual, CompareFunc::GreaterEqual,
                              CompareFunc::Always}),
          .greater = is_one_of({CompareFunc::Greater, CompareFunc::NotEqual,
                                CompareFunc::GreaterEqual, CompareFunc::Always})};
}

DepthFormat FormatOf(const d3d::FormatInfo& info) {
  DepthFormat format = {.word_size = info.block_size,
                        .keep = static_cast<uint32_t>(info.Mask('S'))};
  const d3d::Channel* z = info.FindChannel('Z');
  if (z == nullptr) return format;
  format.shift = z->offset_bits;
  format.mask = static_cast<uint32_t>(info.Mask('Z') >> z->offset_bits);
  return format;
}

void SetDepthTest(const raster::RasterState& state, const raster::DepthStencilPlan& plan,
                  DepthTest& test) {
  const uint32_t bits = image::DepthBits(*plan.format);
  if (state.depth.is_float) test.kind = bits == 24 ? DepthKind::kFloat24 : DepthKind::kFloat32;
  test.uses_w = state.depth.uses_w;
  test.is_plain = !state.depth.is_float && !test.uses_w && bits <= kMaxPlainBits;
  test.w_near = state.depth.w_near;
  test.w_far = state.depth.w_far;
  test.scale = state.depth.scale;
  test.clips_z = state.depth.clips_z;
  test.writes = plan.writes_depth;
  test.passing = ComparisonOf(plan.depth_function);
}

StencilTest StencilTestOf(const raster::DepthStencilPlan& plan, const raster::StencilFace& face) {
  return {.shift = plan.format->FindChannel('S')->offset_bits,
          .largest = plan.largest,
          .reference = plan.reference,
          .read_mask = plan.read_mask,
          .write_mask = plan.write_mask,
          .passing = ComparisonOf(face.function),
          .fail = face.fail,
          .depth_fail = face.depth_fail,
          .pass = face.pass,
          .tests_depth = plan.tests_depth};
}

}  // namespace

std::string_view PlanDepth(QueuedDraw& draw) {
  const raster::RasterState& state = draw.plan.raster;
  draw.samples = state.sample_count;
  draw.is_per_sample = state.is_per_sample;
  if (draw.samples > raster::kMaxSamples) return "more than 8 samples";
  if (state.centroid_mask != 0) return "centroids";
  const raster::DepthStencilPlan& plan = draw.plan.output.depth_stencil;
  if (!plan.is_used()) return {};
  if (plan.sample_count != draw.samples) return kDifferentSamples;
  draw.depth.format = FormatOf(*plan.format);
  draw.quantizes = plan.tests_depth;
  if (plan.tests_depth) SetDepthTest(state, plan, draw.depth);
  draw.tests_stencil = plan.tests_stencil;
  if (plan.tests_stencil)
    draw.stencil = {StencilTestOf(plan, plan.back), StencilTestOf(plan, plan.front)};
  return {};
}

std::string_view PlanTargets(QueuedDraw& draw) {
  if (draw.plan.output.covers_by_alpha) return "alpha to coverage";
  for (const raster::TargetWriter& writer : draw.plan.output.targets) {
    if (writer.sample_count() != draw.samples) return kDifferentSamples;
    draw.targets.push_back(PlanTarget(writer));
  }
  return {};
}

void FinishDraw(const std::shared_ptr<const PixelCode>& code, QueuedDraw& draw) {
  const raster::OutputState& output = draw.plan.output;
  for (QueuedTarget& target : draw.targets)
    target.store.is_unit = code->is_unit || code->limits_colors;
  draw.needs_rhw = output.fog.source == raster::FogSource::kW;
  draw.is_early = !code->may_kill && !code->depth && !output.alpha_test.is_enabled &&
                  !output.stipple.has_pattern && !output.stipple.uses_alpha;
  draw.code = code;
}

std::optional<QueuedClear> PlanClear(const raster::ClearFill& fill) {
  const image::Surface& surface = fill.surface.surface();
  const d3d::FormatInfo& info = surface.info();
  const std::optional<image::PixelFill> made =
      fill.depth ? image::PixelFillOf(info, *fill.depth) : image::PixelFillOf(info, fill.argb);
  const bool is_possible =
      made && surface.has_pixels() && FillPattern::kSize % made->pixel.size == 0;
  if (!is_possible) return std::nullopt;
  return QueuedClear{.level = fill.surface.bits(),
                     .slices = surface.description().samples,
                     .bounds = {.left = static_cast<int32_t>(fill.area.left),
                                .top = static_cast<int32_t>(fill.area.top),
                                .right = static_cast<int32_t>(fill.area.right),
                                .bottom = static_cast<int32_t>(fill.area.bottom)},
                     .pattern = PatternOf(*made)};
}

void SetComponentMasks(QueuedDraw& draw) {
  draw.perspective = draw.flat = 0;
  uint64_t bit = 2;  // component 0 is rhw
  for (const PixelInput& component : draw.components) {
    const bool is_perspective =
        component.slot == kFogSlot
            ? draw.plan.raster.fog == raster::FogSource::kFactor
            : (draw.plan.outputs.perspective_mask >> component.slot & 1U) != 0;
    const bool is_color =
        component.slot == raster::kDiffuseSlot || component.slot == raster::kSpecularSlot;
    if (is_perspective) draw.perspective |= bit;
    if (is_color) draw.flat |= bit;
    bit <<= 1U;
  }
}

}  // namespace dp2trace::fast
