#include "raster/pixel/write.h"

#include <algorithm>

#include "raster/pixel/compare.h"
#include "raster/pixel/srgb.h"
#include "raster/probe/fragment.h"
#include "raster/texture/srgb_table.h"

namespace dp2trace::raster {
namespace {

using d3d::FormatKind;
using d3d::RenderState;

constexpr uint32_t kCopyPen = d3d::Value(d3d::Rop2::CopyPen);
constexpr uint32_t kLastRop2 = d3d::Value(d3d::Rop2::White);

uint32_t WriteMaskOf(const device::State& state, uint32_t slot) {
  constexpr RenderState kMasks[] = {RenderState::ColorWriteEnable, RenderState::ColorWriteEnable1,
                                    RenderState::ColorWriteEnable2, RenderState::ColorWriteEnable3};
  return state.value(kMasks[slot]) & image::kWriteAll;
}

// Colour channels of fewer than 8 bits are dithered. Source: lib/raster/rendering-output.md 5.8.
bool IsDithered(const image::IntegerSlot& slot) {
  return slot.width_bits != 0 && slot.width_bits < 8 && !slot.is_signed;
}

int32_t Dither(float value, uint32_t bits, uint32_t threshold) {
  const auto largest = static_cast<float>((1U << bits) - 1);
  const float offset = static_cast<float>(2 * threshold + 1) / 32.0F;
  const float scaled = Saturate(value) * largest + offset;
  return static_cast<int32_t>(Min(scaled, largest));  // not negative: truncation is floor
}

float ClampSigned(float x) {
  return x == x ? Min(Max(x, -1.0F), 1.0F) : 0.0F;
}

}  // namespace

ColorRange RangeOf(const d3d::FormatInfo& info) {
  if (info.kind == FormatKind::kFloat) return ColorRange::kUnlimited;
  return info.kind == FormatKind::kBump ? ColorRange::kSigned : ColorRange::kUnsigned;
}

Float4 ClampTo(ColorRange range, const Float4& color) {
  switch (range) {
    case ColorRange::kUnsigned:
      return Saturate(color);
    case ColorRange::kSigned:
      return {ClampSigned(color[0]), ClampSigned(color[1]), ClampSigned(color[2]),
              ClampSigned(color[3])};
    case ColorRange::kUnlimited:
      break;
  }
  return color;
}

bool CanWriteSrgb(const d3d::FormatInfo& info) {
  if (info.kind != FormatKind::kUnorm) return false;
  return std::ranges::all_of("RGB", [&info](char name) {
    if (name == 0) return true;  // the end of the literal
    const d3d::Channel* channel = info.FindChannel(name);
    if (channel == nullptr) return false;
    return channel->width_bits == 5 || channel->width_bits == 6 || channel->width_bits == 8;
  });
}

uint8_t ApplyRop2(uint32_t code, uint8_t source, uint8_t destination) {
  const uint32_t s = source;
  const uint32_t d = destination;
  uint32_t result = s;
  switch (static_cast<d3d::Rop2>(code)) {
    case d3d::Rop2::Black:
      result = 0;
      break;
    case d3d::Rop2::NotMergePen:
      result = ~(d | s);
      break;
    case d3d::Rop2::MaskNotPen:
      result = ~s & d;
      break;
    case d3d::Rop2::NotCopyPen:
      result = ~s;
      break;
    case d3d::Rop2::MaskPenNot:
      result = s & ~d;
      break;
    case d3d::Rop2::Not:
      result = ~d;
      break;
    case d3d::Rop2::XorPen:
      result = d ^ s;
      break;
    case d3d::Rop2::NotMaskPen:
      result = ~(d & s);
      break;
    case d3d::Rop2::MaskPen:
      result = d & s;
      break;
    case d3d::Rop2::NotXorPen:
      result = ~(d ^ s);
      break;
    case d3d::Rop2::Nop:
      result = d;
      break;
    case d3d::Rop2::MergeNotPen:
      result = ~s | d;
      break;
    case d3d::Rop2::CopyPen:
      break;
    case d3d::Rop2::MergePenNot:
      result = s | ~d;
      break;
    case d3d::Rop2::MergePen:
      result = d | s;
      break;
    case d3d::Rop2::White:
      result = 0xFF;
      break;
  }
  return static_cast<uint8_t>(result & 0xFFU);
}

bool TargetWriter::CanWrite(const device::SurfaceRef& target) {
  return target && target.surface().HasLevel(target.face, target.level) &&
         image::Encoder(target.surface().info()).can_encode();
}

TargetWriter::TargetWriter(const device::State& state, const BlendPlan& blend,
                           const device::SurfaceRef& target, uint32_t slot)
    : level_(target.bits()),
      encoder_(*level_.info),
      decoder_(*level_.info),
      blend_(blend),
      range_(RangeOf(*level_.info)),
      slot_(slot),
      sample_count_(target.surface().description().samples),
      write_mask_(WriteMaskOf(state, slot)),
      is_srgb_(state.value(RenderState::SrgbWriteEnable) != 0 && CanWriteSrgb(*level_.info)) {
  if (!encoder_.has_stored()) return;  // Unspecified: logic operations on floats; chosen: none
  dithers_ = state.value(RenderState::DitherEnable) != 0 &&
             std::any_of(decoder_.slots().begin(), decoder_.slots().begin() + 3, IsDithered);
  const uint32_t code = state.value(RenderState::Rop2);
  rop2_ = code >= 1 && code <= kLastRop2 ? code : kCopyPen;
  plane_mask_ = state.value(RenderState::PlaneMask);
  encoder_.EncodeStored({-1, -1, -1, -1}, written_bits_.data(), write_mask_);
  encoder_.EncodeStored({-1, -1, -1, -1}, kept_bits_.data(), ~write_mask_ & image::kWriteAll);
}

// Source: lib/raster/rendering-output.md 5.6; with sRGB the destination is decoded, blended linearly and encoded again (5.7).
Float4 TargetWriter::BlendWith(uint32_t x, uint32_t y, uint32_t sample, const Float4& color,
                               const Float4& second, ProbedWrite* probe) const {
  const image::ConstLevel level = {.info = level_.info,
                                   .width = level_.width,
                                   .height = level_.height,
                                   .slices = level_.slices,
                                   .pitch = level_.pitch,
                                   .slice_pitch = level_.slice_pitch,
                                   .bytes = level_.bytes};
  Float4 destination = decoder_.Decode(level, x, y, sample);
  if (is_srgb_) {
    const image::StoredTexel stored = decoder_.Stored(level, x, y, sample);
    for (size_t i = 0; i < 3; ++i) {
      destination[i] =
          LinearOfStored(static_cast<uint32_t>(stored[i]), decoder_.slots()[i].width_bits);
    }
  }
  if (probe != nullptr) {
    probe->blends = true;
    probe->blend = blend_;
    probe->second = ClampTo(range_, second);
    probe->destination = destination;
  }
  return Blend(blend_, color, ClampTo(range_, second), destination);
}

void TargetWriter::Store(uint32_t x, uint32_t y, const Float4& color, uint8_t* pixel,
                         uint32_t write_mask) const {
  if (!dithers_) return encoder_.Encode(color, pixel, write_mask);
  image::StoredTexel stored = encoder_.ToStored(color);
  for (size_t i = 0; i < 3; ++i) {
    const image::IntegerSlot& slot = decoder_.slots()[i];
    if (IsDithered(slot)) stored[i] = Dither(color[i], slot.width_bits, BayerThreshold(x, y));
  }
  encoder_.EncodeStored(stored, pixel, write_mask);
}

// Unspecified: logic operations together with channel masks; chosen: masked channels keep their bits, unused bits are 0.
void TargetWriter::StoreWithLogic(uint32_t x, uint32_t y, const Float4& color,
                                  uint8_t* pixel) const {
  PixelBytes bytes = {};
  Store(x, y, color, bytes.data(), image::kWriteAll);
  for (uint32_t i = 0; i < level_.info->block_size; ++i) {
    const uint8_t old = pixel[i];
    const uint32_t plane = plane_mask_ >> (i % 4 * 8) & 0xFFU;
    const uint32_t combined = ApplyRop2(rop2_, bytes[i], old);
    const uint32_t planes = (combined & plane) | (old & ~plane);
    pixel[i] = static_cast<uint8_t>((planes & written_bits_[i]) | (old & kept_bits_[i]));
  }
}

void TargetWriter::StartProbe(uint32_t sample, const Float4& source, const uint8_t* pixel,
                              ProbedWrite& probe) const {
  probe.slot = slot_;
  probe.sample = sample;
  probe.source = source;
  probe.write_mask = write_mask_;
  probe.is_srgb = is_srgb_;
  probe.dithers = dithers_;
  probe.has_logic = has_logic();
  probe.size =
      std::min<uint32_t>(level_.info->block_size, static_cast<uint32_t>(probe.before.size()));
  std::copy_n(pixel, probe.size, probe.before.begin());
}

void TargetWriter::Write(uint32_t x, uint32_t y, uint32_t sample, const Float4& color,
                         const Float4& second, ProbedWrite* probe) const {
  sample = std::min(sample, sample_count_ - 1);
  uint8_t* pixel = level_.block(x, y, sample);
  Float4 result = ClampTo(range_, color);
  if (probe != nullptr) StartProbe(sample, result, pixel, *probe);
  if (blend_.is_enabled && rop2_ == kCopyPen)
    result = BlendWith(x, y, sample, result, second, probe);
  for (size_t i = 0; is_srgb_ && i < 3; ++i) {
    result[i] = LinearToSrgb(Saturate(result[i]));
  }
  if (has_logic()) {
    StoreWithLogic(x, y, result, pixel);
  } else {
    Store(x, y, result, pixel, write_mask_);
  }
  if (probe == nullptr) return;
  probe->result = result;
  std::copy_n(pixel, probe->size, probe->after.begin());
}

}  // namespace dp2trace::raster
