#include "fast/tile/painter.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "image/depth.h"

namespace dp2trace::fast {

using raster::Stage;

namespace {

// Blocks with at most so many covered quads are packed with others.
constexpr int kMaxPackedQuads = 8;

// Bits of the four lanes of the quad whose first lane is 0.
constexpr uint64_t kQuadLanes = 0x303;

// Bit 8 * 2 * row + 2 * column of each quad that has a lane in the mask.
constexpr uint64_t QuadBits(uint64_t mask) {
  const uint64_t pairs = mask | mask >> 1;
  return (pairs | pairs >> 8) & 0x0055005500550055;
}
// All lanes of the quads with bits.
constexpr uint64_t LanesOfQuads(uint64_t quads) {
  const uint64_t pairs = quads | quads << 1;
  return pairs | pairs << 8;
}
constexpr size_t FirstLane(uint32_t quad) {
  return 16 * (quad / 4) + 2 * (quad % 4);
}
constexpr uint32_t LanesOfQuad(uint64_t mask, size_t first) {
  const uint64_t m = mask >> first;
  return static_cast<uint32_t>((m & 3U) | (m >> 6 & 12U));
}
constexpr uint64_t SpreadQuad(uint32_t lanes, size_t first) {
  return (uint64_t{lanes & 3U} | uint64_t{lanes & 12U} << 6) << first;
}

// Pixels [low, high) of a row of 8 from `start` on, as bits.
uint32_t RowBits(int32_t low, int32_t high, int32_t start) {
  const int32_t from = std::clamp(low - start, 0, 8);
  const int32_t to = std::clamp(high - start, 0, 8);
  return ((1U << to) - 1) & ~((1U << from) - 1);
}

uint64_t RectangleMask(const Triangle& t, int32_t x, int32_t y) {
  if (t.left <= x && t.right >= x + kBlockSize && t.top <= y && t.bottom >= y + kBlockSize)
    return kAllLanes;
  constexpr uint64_t kEveryRow = 0x0101010101010101;
  // Pixels of the rows before this one.
  const auto before = [y](int32_t row) {
    const int32_t count = std::clamp(row - y, 0, kBlockSize);
    return count == kBlockSize ? kAllLanes : (uint64_t{1} << (8 * count)) - 1;
  };
  const uint64_t columns = RowBits(t.left, t.right, x) * kEveryRow;
  return columns & before(t.bottom) & ~before(t.top);
}

// Every pixel of the tile with this corner is inside of all edges.
bool CoversTile(const Triangle& t, int64_t x, int64_t y) {
  for (size_t i = 0; i < 3; ++i) {
    if (RangeOfEdge(t, i, x, y, kTileSize).least < 0) return false;
  }
  return true;
}

uint64_t CountOf(uint64_t mask) {
  return mask == kAllLanes ? kLanes : static_cast<uint64_t>(std::popcount(mask));
}

// The pixels of a packed quad that a mask names, row by row, between a surface and the lanes of a pack.
template <size_t kSize, class Bytes, class Copy>
void MoveQuad(uint32_t covered, Bytes* surface, uint64_t pitch, Copy* lanes) {
  const auto move = [](Bytes* from_or_to, Copy* other, size_t size) {
    if constexpr (std::is_const_v<Copy>) {
      std::memcpy(from_or_to, other, size);
    } else {
      std::memcpy(other, from_or_to, size);
    }
  };
  for (uint32_t row = 0; row < 2; ++row, surface += pitch, lanes += 8 * kSize) {
    const uint32_t columns = covered >> (2 * row) & 3U;
    if (columns == 3) move(surface, lanes, 2 * kSize);
    if (columns == 1) move(surface, lanes, kSize);
    if (columns == 2) move(surface + kSize, lanes + kSize, kSize);
  }
}
template <class Bytes, class Copy>
void MoveQuad(size_t size, uint32_t covered, Bytes* surface, uint64_t pitch, Copy* lanes) {
  if (size == 4) return MoveQuad<4>(covered, surface, pitch, lanes);
  MoveQuad<2>(covered, surface, pitch, lanes);
}

}  // namespace

Painter::Painter(const Isa& isa) : operations_(&KernelsOf(isa)), kernels_(&RasterKernelsOf(isa)) {}

void Painter::Paint(DrawQueue& queue, uint32_t tile) {
  const std::vector<uint32_t>& bin = queue.bin(tile);
  tile_x_ = static_cast<int32_t>(tile % queue.columns()) * kTileSize;
  tile_y_ = static_cast<int32_t>(tile / queue.columns()) * kTileSize;
  clock_.Enter(Stage::kCover);
  for (const uint32_t entry : bin) {
    if ((entry & DrawQueue::kRunBit) != 0) {
      EndRun();
      StartRun(queue.run(entry & ~DrawQueue::kRunBit));
    } else {
      DrawTriangle(queue.triangle(entry));
    }
  }
  EndRun();
  clock_.Enter(Stage::kNone);
}

void Painter::StartRun(DrawQueue::Run& run) {
  run_ = &run;
  draw_ = run.draw.get();
  const PixelCode& code = *draw_->code;
  if (registers_.size() < code.program.register_count)
    registers_.resize(code.program.register_count);
  samplers_.clear();
  for (const auto& sampler : code.samplers)
    samplers_.push_back(sampler.get());
  frame_.registers = registers_.data();
  frame_.constants = code.program.constants.data();
  frame_.samplers = samplers_.data();
  passed_ = 0;
}

void Painter::EndRun() {
  if (run_ == nullptr) return;
  FlushPack();
  run_->passed.fetch_add(passed_, std::memory_order_relaxed);
  run_ = nullptr;
}

void Painter::DrawTriangle(const Triangle& t) {
  const int32_t left = std::max(t.left, tile_x_) & ~(kBlockSize - 1);
  const int32_t top = std::max(t.top, tile_y_) & ~(kBlockSize - 1);
  const int32_t right = std::min(t.right, tile_x_ + kTileSize);
  const int32_t bottom = std::min(t.bottom, tile_y_ + kTileSize);
  const bool is_inside = right - left > 2 * kBlockSize && CoversTile(t, tile_x_, tile_y_);
  for (int32_t y = top; y < bottom; y += kBlockSize) {
    for (int32_t x = left; x < right; x += kBlockSize) {
      uint64_t mask = RectangleMask(t, x, y);
      if (!is_inside) mask &= kernels_->cover(t, x, y);
      if (mask != 0) DrawBlock(t, x, y, mask);
    }
  }
}

void Painter::DrawBlock(const Triangle& t, int32_t x, int32_t y, uint64_t mask) {
  const uint64_t block_bit = uint64_t{1} << ((y - tile_y_) + (x - tile_x_) / kBlockSize);
  if (draw_->quantizes) {
    mask = kernels_->quantize(draw_->depth, t, x, y, mask, depth_);
    if (mask == 0) return;
  }
  if (draw_->is_early) {
    is_pack_ = false;
    block_x_ = x;
    block_y_ = y;
    is_front_ = t.is_front != 0;
    mask = TestDepth(mask, depth_);
    if (mask == 0) return;
    passed_ += CountOf(mask);
  }
  kernels_->find_bases(t, draw_->padded, x, y, bases_.data());
  if (mask != kAllLanes && std::popcount(QuadBits(mask)) <= kMaxPackedQuads) {
    packed_blocks_ |= block_bit;
    return Pack(t, x, y, mask);
  }
  if ((packed_blocks_ & block_bit) != 0) FlushPack();
  ShadeBlock(t, x, y, mask);
}

void Painter::ShadeBlock(const Triangle& t, int32_t x, int32_t y, uint64_t mask) {
  is_pack_ = false;
  block_x_ = x;
  block_y_ = y;
  is_front_ = t.is_front != 0;
  clock_.Enter(Stage::kShade);
  LoadBlockComponents(t);
  mask = RunProgram(LanesOfQuads(QuadBits(mask)), mask);
  clock_.Enter(Stage::kCover);
  if (mask == 0) return;
  if (!draw_->is_early) {
    if (draw_->code->depth) SetShaderDepth(depth_);
    mask = TestDepth(mask, depth_);
    passed_ += CountOf(mask);
  }
  if (mask != 0) StoreColors(mask);
}

void Painter::Pack(const Triangle& t, int32_t x, int32_t y, uint64_t mask) {
  for (uint64_t quads = QuadBits(mask); quads != 0; quads &= quads - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(quads));
    const PackedQuad quad = {.x = x + static_cast<int32_t>(lane % 8),
                             .y = y + static_cast<int32_t>(lane / 8),
                             .covered = LanesOfQuad(mask, lane),
                             .is_front = t.is_front != 0};
    AddQuad(t, quad, lane);
  }
}

void Painter::AddQuad(const Triangle& t, const PackedQuad& quad, size_t lane) {
  const auto place =
      static_cast<size_t>((quad.y - tile_y_) / 2 * kTileQuads + (quad.x - tile_x_) / 2);
  // A pixel twice in a pack could not see what it stored the first time.
  if (quad_count_ == kPackSize || (packed_lanes_[place] & quad.covered) != 0) {
    const uint64_t blocks = packed_blocks_;
    FlushPack();
    packed_blocks_ = blocks;
  }
  packed_lanes_[place] = static_cast<uint8_t>(packed_lanes_[place] | quad.covered);
  const uint32_t number = quad_count_++;
  quads_[number] = quad;
  quads_[number].perspective = t.perspective;
  const auto pair = [number](QuadPlanes::Row& row, float value) {
    const auto bits = uint64_t{std::bit_cast<uint32_t>(value)};
    const uint64_t both = bits << 32 | bits;
    std::memcpy(&row[2 * number], &both, sizeof both);
  };
  pair(planes_->x, static_cast<float>(lane % 8));
  pair(planes_->y, static_cast<float>(lane / 8));
  const ConstPlanes steps = PlanesOf(t, draw_->padded);
  const auto count = static_cast<uint32_t>(draw_->components.size()) + 1;
  for (uint32_t i = 0; i < count; ++i) {
    pair(planes_->base[i], bases_[i]);
    pair(planes_->step_x[i], steps.step_x[i]);
    pair(planes_->step_y[i], steps.step_y[i]);
  }
  if (!draw_->quantizes || draw_->is_early) return;
  const size_t to = FirstLane(number);
  for (const size_t offset : {size_t{0}, size_t{1}, size_t{8}, size_t{9}})
    pack_depth_.depth[to + offset] = depth_.depth[lane + offset];
}

void Painter::FlushPack() {
  if (quad_count_ == 0) return;
  is_pack_ = true;
  uint64_t active = 0;
  uint64_t mask = 0;
  for (uint32_t i = 0; i < quad_count_; ++i) {
    active |= kQuadLanes << FirstLane(i);
    mask |= SpreadQuad(quads_[i].covered, FirstLane(i));
    const PackedQuad& quad = quads_[i];
    packed_lanes_[static_cast<size_t>((quad.y - tile_y_) / 2 * kTileQuads +
                                      (quad.x - tile_x_) / 2)] = 0;
  }
  clock_.Enter(Stage::kShade);
  LoadPackComponents();
  mask = RunProgram(active, mask);
  clock_.Enter(Stage::kCover);
  if (mask != 0 && !draw_->is_early) {
    if (draw_->code->depth) SetShaderDepth(pack_depth_);
    mask = TestDepth(mask, pack_depth_);
    passed_ += CountOf(mask);
  }
  if (mask != 0) StoreColors(mask);
  quad_count_ = 0;
  packed_blocks_ = 0;
}

void Painter::LoadBlockComponents(const Triangle& t) {
  const ConstPlanes steps = PlanesOf(t, draw_->padded);
  const bool has_reciprocal = t.has_perspective != 0 || draw_->needs_rhw;
  if (has_reciprocal) {
    kernels_->interpolate_block(bases_[0], steps.step_x[0], steps.step_y[0], nullptr, false,
                                reciprocal_);
    kernels_->invert(reciprocal_);
  }
  uint32_t i = 1;
  for (const PixelInput& component : draw_->components) {
    const bool is_perspective = (t.perspective >> i & 1U) != 0;
    kernels_->interpolate_block(bases_[i], steps.step_x[i], steps.step_y[i],
                                is_perspective ? &reciprocal_ : nullptr, component.is_clamped,
                                registers_[component.to]);
    ++i;
  }
}

// Which quads have which component in perspective: mostly all or none.
uint64_t Painter::LoadPackPerspective() {
  uint64_t any = 0;
  uint64_t all = ~uint64_t{0};
  for (uint32_t quad = 0; quad < quad_count_; ++quad) {
    any |= quads_[quad].perspective;
    all &= quads_[quad].perspective;
  }
  for (uint32_t i = 1; i <= draw_->components.size(); ++i) {
    uint32_t quads = (all >> i & 1U) != 0 ? 0xFFFFU : 0;
    for (uint32_t quad = 0; (any & ~all) >> i & 1U && quad < quad_count_; ++quad)
      quads |= static_cast<uint32_t>(quads_[quad].perspective >> i & 1U) << quad;
    planes_->perspective[i] = static_cast<uint16_t>(quads);
  }
  return any;
}

void Painter::LoadPackComponents() {
  const bool has_reciprocal = LoadPackPerspective() != 0 || draw_->needs_rhw;
  if (has_reciprocal) {
    kernels_->interpolate_quads(*planes_, 0, nullptr, false, reciprocal_);
    kernels_->invert(reciprocal_);
  }
  uint32_t i = 1;
  for (const PixelInput& component : draw_->components) {
    kernels_->interpolate_quads(*planes_, i, has_reciprocal ? &reciprocal_ : nullptr,
                                component.is_clamped, registers_[component.to]);
    ++i;
  }
}

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
  mask &= ~frame_.killed;
  const raster::AlphaTestPlan& alpha = draw_->plan.output.alpha_test;
  if (alpha.is_enabled && mask != 0)
    mask &= kernels_->test_alpha(code.colors[0][3], frame_, alpha.function, alpha.reference);
  const raster::StipplePlan& stipple = draw_->plan.output.stipple;
  return stipple.has_pattern || stipple.uses_alpha ? TestStipple(mask) : mask;
}

namespace {

float LaneOf(Operand operand, const Frame& frame, size_t lane) {
  return operand.is_constant() ? frame.constants[operand.number()].lanes[0]
                               : frame.registers[operand.number()].lanes[lane];
}

}  // namespace

uint64_t Painter::TestStipple(uint64_t mask) const {
  uint64_t passed = 0;
  for (uint64_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(left));
    const LanePixel pixel = PixelOf(lane);
    const float alpha = LaneOf(draw_->code->colors[0][3], frame_, lane);
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

uint64_t Painter::TestDepth(uint64_t mask, const DepthBlock& depth) {
  const raster::DepthStencilPlan& plan = draw_->plan.output.depth_stencil;
  if (!plan.is_used()) return mask;
  if (draw_->is_stencil) {
    uint64_t passed = 0;
    for (uint64_t left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(left));
      const LanePixel pixel = PixelOf(lane);
      const uint32_t value = draw_->quantizes || draw_->code->depth ? depth.depth[lane] : 0;
      if (raster::TestDepthStencil(plan, pixel.is_front, pixel.x, pixel.y, 0, value))
        passed |= uint64_t{1} << lane;
    }
    return passed;
  }
  std::array<uint8_t, 256> copy;
  const BlockBytes bytes = Open(plan.level, mask, true, copy);
  const uint64_t passed = kernels_->test_depth(draw_->depth, depth, mask, bytes);
  if (draw_->depth.writes) Close(plan.level, passed, copy, bytes);
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
            level.pitch};
  }
  copy.fill(0);
  if (!reads) return {copy.data(), 8 * size};
  if (is_pack_) {
    for (uint32_t i = 0; i < quad_count_; ++i) {
      const size_t first = FirstLane(i);
      const uint8_t* at = level.bytes + static_cast<uint64_t>(quads_[i].y) * level.pitch +
                          static_cast<uint64_t>(quads_[i].x) * size;
      MoveQuad(size, LanesOfQuad(mask, first), at, level.pitch, copy.data() + first * size);
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
      uint8_t* at = level.bytes + static_cast<uint64_t>(quads_[i].y) * level.pitch +
                    static_cast<uint64_t>(quads_[i].x) * size;
      const uint8_t* from = copy.data() + first * size;
      MoveQuad(size, LanesOfQuad(mask, first), at, level.pitch, from);
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

void Painter::StoreSlowly(const QueuedTarget& target, uint64_t mask) {
  const std::array<Operand, 4>& colors = draw_->code->colors[target.writer->slot()];
  const std::array<Operand, 4>& second = draw_->code->colors[1];
  const bool has_second = (draw_->code->written_targets >> 1 & 1U) != 0;
  for (uint64_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(left));
    const LanePixel pixel = PixelOf(lane);
    raster::Float4 color = {};
    raster::Float4 other = {};
    for (size_t i = 0; i < 4; ++i) {
      color[i] = LaneOf(colors[i], frame_, lane);
      if (has_second) other[i] = LaneOf(second[i], frame_, lane);
    }
    target.writer->Write(pixel.x, pixel.y, 0, color, other);
  }
}

void Painter::StoreColors(uint64_t mask) {
  clock_.Enter(Stage::kOutput);
  const PixelCode& code = *draw_->code;
  for (const QueuedTarget& target : draw_->targets) {
    const uint32_t slot = target.writer->slot();
    if ((code.written_targets >> slot & 1U) == 0) continue;
    if (!target.is_fast) {
      StoreSlowly(target, mask);
      continue;
    }
    const image::Level& level = target.writer->level();
    std::array<uint8_t, 256> copy;
    // What is not stored as a whole is the rest of the word, or is blended.
    const bool reads = target.store.kind != BlendKind::kNone || target.store.keep != 0;
    const BlockBytes bytes = Open(level, mask, reads, copy);
    kernels_->store(target.store, code.colors[slot], code.colors[1], frame_, mask, bytes);
    Close(level, mask, copy, bytes);
  }
  clock_.Enter(Stage::kCover);
}

}  // namespace dp2trace::fast
