// What the painter does with pixels: the program, tests, stores. Source: lib/raster/rendering.md 0.6; lib/raster/rendering-output.md 5.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "base/bytes.h"
#include "fast/tile/painter.h"
#include "fast/tile/quads.h"
#include "image/depth.h"
#include "raster/pixel/compare.h"

namespace dp2trace::fast {

using raster::Stage;

namespace {

// The pixels of a packed quad that `covered` names, from and to a surface. Rows are moved as wholes where the surface has both columns.
struct QuadPlace {
  uint8_t* at;  // first pixel of the quad
  size_t pitch;
  bool is_whole;
};

QuadPlace PlaceOf(const image::Level& level, const PackedQuad& quad) {
  const auto x = static_cast<uint32_t>(quad.x);
  const auto y = static_cast<uint32_t>(quad.y);
  return {level.bytes + y * level.pitch + uint64_t{x} * level.info->block_size,
          static_cast<size_t>(level.pitch), x + 2 <= level.width && y + 2 <= level.height};
}

template <size_t kSize>
using Pair =
    std::conditional_t<kSize == 4, uint64_t, std::conditional_t<kSize == 2, uint32_t, uint16_t>>;

// What is not covered and not whole stays as it is.
template <size_t kSize>
void LoadQuad(uint32_t covered, const QuadPlace& place, uint8_t* lanes) {
  for (uint32_t row = 0; row < 2; ++row) {
    const uint8_t* from = place.at + size_t{row} * place.pitch;
    uint8_t* to = lanes + row * 8 * kSize;
    const uint32_t columns = covered >> (2 * row) & 3U;
    if (place.is_whole || columns == 3) {
      std::memcpy(to, from, 2 * kSize);
    } else if (columns != 0) {
      const size_t offset = columns == 2 ? kSize : 0;
      std::memcpy(to + offset, from + offset, kSize);
    }
  }
}

template <size_t kSize>
void StoreQuad(uint32_t covered, const QuadPlace& place, const uint8_t* lanes) {
  using Word = Pair<kSize>;
  constexpr auto kFirst = static_cast<Word>((uint64_t{1} << (8 * kSize)) - 1);
  constexpr std::array<Word, 4> kMasks = {0, kFirst, static_cast<Word>(~kFirst),
                                          static_cast<Word>(~Word{0})};
  for (uint32_t row = 0; row < 2; ++row) {
    uint8_t* to = place.at + size_t{row} * place.pitch;
    const uint8_t* from = lanes + row * 8 * kSize;
    const uint32_t columns = covered >> (2 * row) & 3U;
    if (place.is_whole) {
      const Word old = Load<Word>(to);
      const auto made = static_cast<Word>(old ^ ((old ^ Load<Word>(from)) & kMasks[columns]));
      std::memcpy(to, &made, sizeof made);
    } else if (columns != 0) {
      const size_t offset = columns == 2 ? kSize : 0;
      std::memcpy(to + offset, from + offset, columns == 3 ? 2 * kSize : kSize);
    }
  }
}

// The level whose first slice is this sample.
image::Level SliceOf(image::Level level, uint32_t sample) {
  level.bytes += sample * level.slice_pitch;
  return level;
}

// Calls function(size of a pixel) with a constant.
template <class Function>
void WithSize(size_t size, const Function& function) {
  if (size == 4) return function(std::integral_constant<size_t, 4>());
  if (size == 2) return function(std::integral_constant<size_t, 2>());
  function(std::integral_constant<size_t, 1>());
}

template <class Function>
void WithPixelSize(uint32_t size, const Function& function) {
  switch (size) {
    case 3:
      return function(std::integral_constant<size_t, 3>());
    case 8:
      return function(std::integral_constant<size_t, 8>());
    case 16:
      return function(std::integral_constant<size_t, 16>());
    default:
      return WithSize(size, function);
  }
}

template <size_t kSize>
void LoadPixel(const uint8_t* from, size_t lane, PixelWords& pixels) {
  for (size_t w = 0; w < (kSize + 3) / 4; ++w) {
    uint32_t word = 0;
    std::memcpy(&word, from + 4 * w, std::min<size_t>(kSize, 4));
    pixels.words[w][lane] = word;
  }
}

template <size_t kSize>
void StorePixel(uint8_t* to, size_t lane, const PixelWords& pixels) {
  for (size_t w = 0; w < (kSize + 3) / 4; ++w)
    std::memcpy(to + 4 * w, &pixels.words[w][lane], std::min<size_t>(kSize, 4));
}

}  // namespace

Painter::LanePixel Painter::PixelOf(size_t lane) const {
  if (!is_pack_) {
    return {static_cast<uint32_t>(block_x_) + static_cast<uint32_t>(lane % 8),
            static_cast<uint32_t>(block_y_) + static_cast<uint32_t>(lane / 8), is_front_};
  }
  const PackedQuad& quad = quads_[lane / 16 * 4 + lane % 8 / 2];
  return {static_cast<uint32_t>(quad.x) + static_cast<uint32_t>(lane % 2),
          static_cast<uint32_t>(quad.y) + static_cast<uint32_t>(lane / 8 % 2), quad.is_front};
}

uint64_t Painter::RunProgram(uint64_t active, uint64_t mask) {
  const PixelCode& code = *draw_->code;
  for (const PixelInput& input : code.inputs) {
    if (input.slot == kFogSlot && input.component == 1) registers_[input.to] = reciprocal_;
  }
  const auto fill = [&](std::optional<uint16_t> to, auto value) {
    if (!to) return;
    for (size_t lane = 0; lane < kLanes; ++lane)
      registers_[*to].lanes[lane] = value(PixelOf(lane));
  };
  fill(code.position_x, [](const LanePixel& p) { return static_cast<float>(p.x); });
  fill(code.position_y, [](const LanePixel& p) { return static_cast<float>(p.y); });
  fill(code.face, [](const LanePixel& p) { return p.is_front ? 1.0F : -1.0F; });
  frame_.active = active;
  frame_.killed = 0;
  operations_->Run(code.program, frame_);
  first_colors_ = code.colors[0];
  if (pack_is_lines_ && draw_->plan.raster.has_antialiased_lines) ScaleAlpha();
  mask &= ~frame_.killed;
  const raster::AlphaTestPlan& alpha = draw_->plan.output.alpha_test;
  if (alpha.is_enabled && mask != 0)
    mask &= kernels_->test_alpha(first_colors_[3], frame_, alpha.function, alpha.reference);
  const raster::StipplePlan& stipple = draw_->plan.output.stipple;
  return stipple.has_pattern || stipple.uses_alpha ? TestStipple(mask) : mask;
}

uint64_t Painter::TestStipple(uint64_t mask) const {
  uint64_t passed = 0;
  for (uint64_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(left));
    const LanePixel pixel = PixelOf(lane);
    const float alpha = LaneOf(first_colors_[3], frame_, lane);
    if (raster::PassesStipple(draw_->plan.output.stipple, pixel.x, pixel.y, alpha))
      passed |= uint64_t{1} << lane;
  }
  return passed;
}

void Painter::SetShaderDepth(DepthBlock& depth) const {
  const raster::DepthStencilPlan& plan = draw_->plan.output.depth_stencil;
  if (plan.format == nullptr) return;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    depth.depth[lane] =
        image::QuantizeDepth(*plan.format, double{LaneOf(*draw_->code->depth, frame_, lane)});
  }
}

uint64_t Painter::FrontLanes() const {
  if (!is_pack_) return is_front_ ? kAllLanes : 0;
  uint64_t lanes = 0;
  for (uint32_t i = 0; i < quad_count_; ++i) {
    if (quads_[i].is_front) lanes |= kQuadLanes << FirstLane(i);
  }
  return lanes;
}

uint64_t Painter::TestDepth(uint64_t mask, const DepthBlock& depth, uint32_t sample) {
  const raster::DepthStencilPlan& plan = draw_->plan.output.depth_stencil;
  if (!plan.is_used()) return mask;
  const image::Level level = SliceOf(plan.level, sample);
  std::array<uint8_t, 256> copy;
  const BlockBytes bytes = Open(level, mask, true, copy);
  if (!draw_->tests_stencil) {
    const uint64_t passed = kernels_->test_depth(draw_->depth, depth, mask, bytes);
    if (draw_->depth.writes) Close(level, passed, copy, bytes);
    return passed;
  }
  uint64_t passed = 0;
  const uint64_t front = FrontLanes();
  for (const bool is_front : {false, true}) {
    const uint64_t lanes = mask & (is_front ? front : ~front);
    if (lanes == 0) continue;
    passed |=
        kernels_->test_stencil(draw_->stencil[is_front ? 1 : 0], draw_->depth, depth, lanes, bytes);
  }
  Close(level, mask, copy, bytes);
  return passed;
}

BlockBytes Painter::Open(const image::Level& level, uint64_t mask, bool reads,
                         std::array<uint8_t, 256>& copy) const {
  const size_t size = level.info->block_size;
  const bool is_whole = !is_pack_ && static_cast<uint32_t>(block_x_ + kBlockSize) <= level.width &&
                        static_cast<uint32_t>(block_y_ + kBlockSize) <= level.height;
  if (is_whole) {
    return {level.bytes + static_cast<uint64_t>(block_y_) * level.pitch +
                static_cast<uint64_t>(block_x_) * size,
            static_cast<size_t>(level.pitch)};
  }
  copy.fill(0);
  if (!reads) return {copy.data(), 8 * size};
  if (is_pack_) {
    for (uint32_t i = 0; i < quad_count_; ++i) {
      const size_t first = FirstLane(i);
      const uint32_t covered = LanesOfQuad(mask, first);
      uint8_t* lanes = copy.data() + first * size;
      const QuadPlace place = PlaceOf(level, quads_[i]);
      WithSize(size, [&](auto constant) { LoadQuad<constant.value>(covered, place, lanes); });
    }
    return {copy.data(), 8 * size};
  }
  for (uint64_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(left));
    const LanePixel pixel = PixelOf(lane);
    std::memcpy(copy.data() + lane * size, level.bytes + pixel.y * level.pitch + pixel.x * size,
                size);
  }
  return {copy.data(), 8 * size};
}

void Painter::Close(const image::Level& level, uint64_t mask, const std::array<uint8_t, 256>& copy,
                    const BlockBytes& opened) const {
  if (opened.bytes != copy.data()) return;
  const size_t size = level.info->block_size;
  if (is_pack_) {
    for (uint32_t i = 0; i < quad_count_; ++i) {
      const size_t first = FirstLane(i);
      const uint32_t covered = LanesOfQuad(mask, first);
      const uint8_t* lanes = copy.data() + first * size;
      const QuadPlace place = PlaceOf(level, quads_[i]);
      WithSize(size, [&](auto constant) { StoreQuad<constant.value>(covered, place, lanes); });
    }
    return;
  }
  for (uint64_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(left));
    const LanePixel pixel = PixelOf(lane);
    std::memcpy(level.bytes + pixel.y * level.pitch + pixel.x * size, copy.data() + lane * size,
                size);
  }
}

template <class Visit>
void Painter::ForPixels(const image::Level& level, uint64_t mask, const Visit& visit) const {
  const size_t size = level.info->block_size;
  if (!is_pack_ && mask == kAllLanes) {
    for (size_t row = 0; row < 8; ++row) {
      uint8_t* const bytes = level.bytes + (static_cast<size_t>(block_y_) + row) * level.pitch +
                             static_cast<size_t>(block_x_) * size;
      for (size_t column = 0; column < 8; ++column)
        visit(8 * row + column, bytes + column * size);
    }
    return;
  }
  for (uint64_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(left));
    const LanePixel pixel = PixelOf(lane);
    visit(lane, level.bytes + pixel.y * level.pitch + pixel.x * size);
  }
}

void Painter::StoreAny(const QueuedTarget& target, uint64_t mask, uint32_t sample) {
  const AnyStore& store = target.any;
  const image::Level level = SliceOf(target.writer->level(), sample);
  PixelWords pixels;
  WithPixelSize(store.pixel_size, [&](auto size) {
    if (!store.reads) return;
    ForPixels(level, mask,
              [&](size_t lane, const uint8_t* from) { LoadPixel<size.value>(from, lane, pixels); });
  });
  alignas(64) std::array<float, kLanes> thresholds;
  if (store.dithers) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const LanePixel pixel = PixelOf(lane);
      thresholds[lane] =
          static_cast<float>(2 * raster::BayerThreshold(pixel.x, pixel.y) + 1) / 32.0F;
    }
  }
  kernels_->store_any(store, ColorsOf(target.writer->slot()), draw_->code->colors[1], frame_, mask,
                      thresholds.data(), pixels);
  WithPixelSize(store.pixel_size, [&](auto size) {
    ForPixels(level, mask,
              [&](size_t lane, uint8_t* to) { StorePixel<size.value>(to, lane, pixels); });
  });
}

void Painter::StoreColors(uint64_t mask, uint32_t sample) {
  clock_.Enter(Stage::kOutput);
  const PixelCode& code = *draw_->code;
  for (const QueuedTarget& target : draw_->targets) {
    const uint32_t slot = target.writer->slot();
    if ((code.written_targets >> slot & 1U) == 0) continue;
    if (!target.is_fast) {
      StoreAny(target, mask, sample);
      continue;
    }
    const image::Level level = SliceOf(target.writer->level(), sample);
    std::array<uint8_t, 256> copy;
    // What is not stored as a whole is the rest of the word, or is blended.
    const bool reads = target.store.kind != BlendKind::kNone || target.store.keep != 0;
    const BlockBytes bytes = Open(level, mask, reads, copy);
    const uint64_t stored = is_pack_ && !reads ? kAllLanes : mask;  // the rest of a copy is dropped
    kernels_->store(target.store, ColorsOf(slot), code.colors[1], frame_, stored, bytes);
    Close(level, mask, copy, bytes);
  }
  clock_.Enter(Stage::kCover);
}

}  // namespace dp2trace::fast
