#include "fast/tile/painter.h"

#include <algorithm>
#include <bit>

#include "fast/tile/quads.h"

namespace dp2trace::fast {

using raster::Stage;

namespace {

// Blocks with at most so many covered quads are packed with others.
constexpr int kMaxPackedQuads = 8;

// Corners of a triangle so far ahead are asked for.
constexpr size_t kAhead = 12;

// Every pixel of the tile with this corner is inside of all edges.
bool CoversTile(const Triangle& t, int64_t x, int64_t y) {
  for (size_t i = 0; i < 3; ++i) {
    if (RangeOfEdge(t, i, x, y, kTileSize).least < 0) return false;
  }
  return true;
}

}  // namespace

Painter::Painter(const Isa& isa) : operations_(&KernelsOf(isa)), kernels_(&RasterKernelsOf(isa)) {}

void Painter::Paint(DrawQueue& queue, uint32_t tile) {
  const std::vector<uint32_t>& bin = queue.bin(tile);
  tile_x_ = static_cast<int32_t>(tile % queue.columns()) * kTileSize;
  tile_y_ = static_cast<int32_t>(tile / queue.columns()) * kTileSize;
  corners_ = &queue.corners();
  clock_.Enter(Stage::kSetup);
  for (size_t i = 0; i < bin.size(); ++i) {
    const uint32_t entry = bin[i];
    if (i + kAhead < bin.size()) queue.Prefetch(bin[i + kAhead]);
    if ((entry & DrawQueue::kRunBit) != 0) {
      EndRun();
      DrawQueue::Run& run = queue.run(entry & ~DrawQueue::kRunBit);
      run.clear != nullptr ? Clear(*run.clear, {.left = tile_x_,
                                                .top = tile_y_,
                                                .right = tile_x_ + kTileSize,
                                                .bottom = tile_y_ + kTileSize})
                           : StartRun(run);
    } else {
      AddTriangle(queue.triangle(entry));
    }
  }
  EndRun();
  clock_.Enter(Stage::kNone);
}

void Painter::PaintRow(const DrawQueue& queue, uint32_t row) {
  const int32_t top = static_cast<int32_t>(row) * kTileSize;
  for (const DrawQueue::Run& run : queue.runs()) {
    if (run.clear == nullptr) continue;
    const int32_t right = run.clear->bounds.right;
    Clear(*run.clear, {.left = 0, .top = top, .right = right, .bottom = top + kTileSize});
  }
  clock_.Enter(Stage::kNone);
}

void Painter::Clear(const QueuedClear& clear, const PixelBounds& limit) {
  const int32_t left = std::max(clear.bounds.left, limit.left);
  const int32_t top = std::max(clear.bounds.top, limit.top);
  const int32_t right = std::min(clear.bounds.right, limit.right);
  const int32_t bottom = std::min(clear.bounds.bottom, limit.bottom);
  if (left >= right || top >= bottom) return;
  clock_.Enter(Stage::kOutput);
  const image::Level& level = clear.level;
  const auto width = static_cast<size_t>(right - left);
  FillRows rows = {.pitch = static_cast<size_t>(level.pitch),
                   .row_size = width * clear.pattern.pixel_size,
                   .rows = static_cast<size_t>(bottom - top)};
  if (rows.row_size == rows.pitch) rows = {.row_size = rows.pitch * rows.rows, .rows = 1};
  for (uint32_t slice = 0; slice < clear.slices; ++slice) {
    rows.bytes = level.block(static_cast<uint32_t>(left), static_cast<uint32_t>(top), slice);
    kernels_->fill(clear.pattern, rows);
  }
  clock_.Enter(Stage::kSetup);
}

void Painter::StartRun(DrawQueue::Run& run) {
  run_ = &run;
  draw_ = run.draw.get();
  const PixelCode& code = *draw_->code;
  // One more for alpha that is scaled.
  if (registers_.size() <= code.program.register_count)
    registers_.resize(code.program.register_count + 1);
  first_colors_ = code.colors[0];
  samplers_.clear();
  for (const auto& sampler : code.samplers)
    samplers_.push_back(sampler.get());
  frame_.registers = registers_.data();
  frame_.constants = code.program.constants.data();
  frame_.samplers = samplers_.data();
  passed_ = 0;
  SetRule();
}

void Painter::SetRule() {
  const raster::RasterState& state = draw_->plan.raster;
  const auto limit = [](int64_t low, int64_t number, int32_t high) {
    return static_cast<int32_t>(std::clamp<int64_t>(number, low, high));
  };
  batch_rule_ = {.bounds = {.left = limit(tile_x_, state.clip.left, tile_x_ + kTileSize),
                            .top = limit(tile_y_, state.clip.top, tile_y_ + kTileSize),
                            .right = limit(tile_x_, state.clip.right, tile_x_ + kTileSize),
                            .bottom = limit(tile_y_, state.clip.bottom, tile_y_ + kTileSize)},
                 .depth_bias = state.depth.depth_bias,
                 .slope_bias = state.depth.slope_bias,
                 .z_bias = state.depth.z_bias,
                 .scale = state.depth.scale};
  if (draw_->quantizes) {
    const image::Level& level = draw_->plan.output.depth_stencil.level;
    depth_surface_ = {.bytes = level.bytes,
                      .pitch = static_cast<size_t>(level.pitch),
                      .width = static_cast<int32_t>(level.width),
                      .height = static_cast<int32_t>(level.height)};
  }
  const size_t chunks = kTrianglesKept * TriangleSize(draw_->padded) / sizeof(Chunk);
  if (triangles_.size() < chunks) triangles_.resize(chunks);
  next_triangle_ = 0;
}

Triangle& Painter::NextTriangle() {
  const size_t at = next_triangle_ * TriangleSize(draw_->padded) / sizeof(Chunk);
  return *reinterpret_cast<Triangle*>(&triangles_[at]);
}

void Painter::KeepTriangle(const Triangle& triangle) {
  if (quad_count_ == 0 || quads_[quad_count_ - 1].triangle != &triangle) return;
  next_triangle_ = next_triangle_ + 1 == kTrianglesKept ? 0 : next_triangle_ + 1;
}

void Painter::AddTriangle(const QueuedTriangle& triangle) {
  const bool is_line = (triangle.flags & QueuedTriangle::kLine) != 0;
  if (is_line != pack_is_lines_) {
    DrawBatch();
    FlushPack();
    pack_is_lines_ = is_line;
  }
  if (is_line) return DrawLine(triangle);
  if ((triangle.flags & QueuedTriangle::kIsPoint) != 0) {
    DrawBatch();
    return DrawSquare(triangle);
  }
  const uint32_t n = batch_count_++;
  batched_[n] = &triangle;
  for (size_t i = 0; i < 3; ++i) {
    const VertexRecord& corner = corners_->vertex(triangle.corners[i]);
    batch_.x[i][n] = corner.fixed_x;
    batch_.y[i][n] = corner.fixed_y;
    batch_.z[i][n] = corner.z;
  }
  if (batch_count_ == TriangleBatch::kSize) DrawBatch();
}

void Painter::DrawBatch() {
  if (batch_count_ == 0) return;
  kernels_->set_up(batch_rule_, batch_count_, batch_);
  for (size_t n = 0; n < batch_count_; ++n) {
    if (draw_->is_per_sample) WidenBounds(n);
    if (batch_.left[n] >= batch_.right[n] || batch_.top[n] >= batch_.bottom[n]) continue;
    const bool is_small = batch_.is_small[n] != 0 && !draw_->is_per_sample;
    if (is_small && batch_.mask[n] == 0) continue;
    Triangle& triangle = NextTriangle();
    SetTriangle(n, triangle);
    if (is_small && draw_->takes_quads()) {
      DrawSmall(n, triangle);
    } else {
      SetEdges(n, triangle);
      SetPlanes(n, triangle);
      clock_.Enter(Stage::kCover);
      if (draw_->samples > 1) {
        SetSamples(n, triangle);
        DrawSamples(triangle);
      } else {
        DrawTriangle(triangle);
      }
    }
    KeepTriangle(triangle);
    clock_.Enter(Stage::kSetup);
  }
  batch_count_ = 0;
}

// Pixels whose samples may be inside.
void Painter::WidenBounds(size_t n) {
  const auto [min_x, max_x] = std::minmax({batch_.x[0][n], batch_.x[1][n], batch_.x[2][n]});
  const auto [min_y, max_y] = std::minmax({batch_.y[0][n], batch_.y[1][n], batch_.y[2][n]});
  const PixelBounds bounds =
      BoundsOfCorners(min_x, min_y, max_x, max_y, kHalfPixel, batch_rule_.bounds);
  batch_.left[n] = bounds.left;
  batch_.top[n] = bounds.top;
  batch_.right[n] = bounds.right;
  batch_.bottom[n] = bounds.bottom;
}

void Painter::SetTriangle(size_t n, Triangle& t) const {
  t.is_front = batch_.det[n] > 0 ? 1 : 0;
  t.x0 = batch_.x0[n];
  t.y0 = batch_.y0[n];
  t.z0 = double{batch_.z[0][n]};
  t.zx = batch_.zx[n];
  t.zy = batch_.zy[n];
  t.bias = batch_.bias[n];
  t.scaled_x = batch_.scaled_x[n];
  t.scaled_y = batch_.scaled_y[n];
}

void Painter::SetEdges(size_t n, Triangle& t) const {
  std::array<raster::FixedPoint, 3> points;
  for (size_t i = 0; i < 3; ++i)
    points[i] = {batch_.x[i][n], batch_.y[i][n]};
  static_cast<Edges&>(t) = EdgesOf(points, t.is_front != 0);
  t.left = batch_.left[n];
  t.top = batch_.top[n];
  t.right = batch_.right[n];
  t.bottom = batch_.bottom[n];
}

void Painter::SetPlanes(size_t n, Triangle& t) const {
  const QueuedTriangle& queued = *batched_[n];
  std::array<const float*, 3> components = {};
  PlaneSetup setup = {.dx1 = batch_.dx1[n],
                      .dy1 = batch_.dy1[n],
                      .dx2 = batch_.dx2[n],
                      .dy2 = batch_.dy2[n],
                      .rdet = batch_.rdet[n]};
  for (size_t i = 0; i < 3; ++i) {
    components[i] = corners_->vertex(queued.corners[i]).components();
    setup.rhw[i] = components[i][0];
  }
  const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  const bool is_affine =
      bits(setup.rhw[0]) == bits(setup.rhw[1]) && bits(setup.rhw[0]) == bits(setup.rhw[2]);
  setup.perspective = is_affine ? 0 : draw_->perspective;
  setup.flat = (queued.flags & QueuedTriangle::kFlat) != 0 ? draw_->flat : 0;
  kernels_->set_planes(setup, components[0], components[1], components[2], draw_->padded, t);
  if (!draw_->depth.uses_w) return;
  const ConstPlanes planes = PlanesOf(std::as_const(t), draw_->padded);
  const bool is_constant = (t.constant & 1U) != 0;
  t.rhw0 = planes.origin[0];
  t.rhwx = is_constant ? 0 : planes.gradient_x[0];
  t.rhwy = is_constant ? 0 : planes.gradient_y[0];
}

// The whole triangle lies in 8x8 pixels: its quads are tested and packed without a look at blocks.
void Painter::DrawSmall(size_t n, Triangle& t) {
  const int32_t x = batch_.left[n] & ~1;
  const int32_t y = batch_.top[n] & ~1;
  uint64_t mask = batch_.mask[n];
  clock_.Enter(Stage::kCover);
  if (draw_->is_early) {
    if (draw_->quantizes) mask = kernels_->test_quads(draw_->depth, t, x, y, mask, depth_surface_);
    if (mask == 0) return;
    passed_ += CountOf(mask);
  }
  clock_.Enter(Stage::kSetup);
  SetPlanes(n, t);
  clock_.Enter(Stage::kCover);
  Pack(t, x, y, mask, {&mask, 1});
}

void Painter::DrawSquare(const QueuedTriangle& queued) {
  const SquareRecord& square = corners_->square(queued.corners[1]);
  const float* components = corners_->vertex(queued.corners[0]).components();
  Triangle& t = NextTriangle();
  // Edges that everything is inside of.
  t = {};
  t.is_front = (queued.flags & QueuedTriangle::kBack) != 0 ? 0 : 1;
  sprite_ = (queued.flags & QueuedTriangle::kSprite) != 0 ? &square : nullptr;
  t.z0 = square.z0;
  t.rhw0 = double{components[0]};
  t.bias = square.bias;
  SetSquare(square, {}, t);
  kernels_->set_planes({}, components, components, components, draw_->padded, t);
  clock_.Enter(Stage::kCover);
  if (draw_->samples > 1) {
    DrawSampledSquare(square, t);
  } else {
    DrawTriangle(t);
  }
  sprite_ = nullptr;
  KeepTriangle(t);
  clock_.Enter(Stage::kSetup);
}

// The pixels whose sample lies in the square.
void Painter::SetSquare(const SquareRecord& square, const raster::SampleOffset& offset,
                        Triangle& t) const {
  const auto first = [](int32_t at, int32_t along) { return (at - 16 * along + 255) >> 8; };
  const PixelBounds& limit = batch_rule_.bounds;
  t.left = std::max(first(square.left, offset.x), limit.left);
  t.top = std::max(first(square.top, offset.y), limit.top);
  t.right = std::min(first(square.right, offset.x), limit.right);
  t.bottom = std::min(first(square.bottom, offset.y), limit.bottom);
}

void Painter::EndRun() {
  if (run_ == nullptr) return;
  DrawBatch();
  FlushPack();
  pack_is_lines_ = false;
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
  if (draw_->quantizes) {
    mask = draw_->depth.is_plain ? kernels_->quantize(draw_->depth, t, x, y, mask, depth_)
                                 : kernels_->quantize_any(draw_->depth, t, x, y, {}, mask, depth_);
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
  if (CanPack(mask)) return Pack(t, x, y, mask, {&mask, 1});
  FlushPackOf(x, y);
  ShadeBlock(t, x, y, mask);
}

bool Painter::CanPack(uint64_t mask) const {
  return mask != kAllLanes && sprite_ == nullptr &&
         std::popcount(QuadBits(mask)) <= kMaxPackedQuads;
}

void Painter::FlushPackOf(int32_t x, int32_t y) {
  if ((packed_blocks_ >> ((y - tile_y_) + (x - tile_x_) / kBlockSize) & 1U) != 0) FlushPack();
}

void Painter::ShadeBlock(const Triangle& t, int32_t x, int32_t y, uint64_t mask) {
  is_pack_ = false;
  block_x_ = x;
  block_y_ = y;
  is_front_ = t.is_front != 0;
  clock_.Enter(Stage::kShade);
  kernels_->load_block(Components(), t, x, y);
  if (sprite_ != nullptr) SetSprite();
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

void Painter::Pack(const Triangle& t, int32_t x, int32_t y, uint64_t mask,
                   std::span<const uint64_t> masks) {
  for (uint64_t quads = QuadBits(mask); quads != 0; quads &= quads - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(quads));
    uint64_t samples = 0;
    for (size_t sample = 0; sample < masks.size(); ++sample)
      samples |= uint64_t{LanesOfQuad(masks[sample], lane)} << (4 * sample);
    AddQuad({.x = x + static_cast<int32_t>(lane % 8),
             .y = y + static_cast<int32_t>(lane / 8),
             .covered = LanesOfQuad(mask, lane),
             .is_front = t.is_front != 0,
             .triangle = &t},
            samples);
  }
}

void Painter::AddQuad(const PackedQuad& quad, uint64_t samples) {
  const auto column = static_cast<uint32_t>(quad.x - tile_x_);
  const auto row = static_cast<uint32_t>(quad.y - tile_y_);
  uint64_t& packed = packed_samples_[row / 2 * kTileQuads + column / 2];
  // A sample twice in a pack could not see what it stored the first time.
  if (quad_count_ == kPackSize || (packed & samples) != 0) FlushPack();
  packed |= samples;
  packed_blocks_ |= uint64_t{1} << (row / kBlockSize * 8 + column / kBlockSize);
  quad_samples_[quad_count_] = samples;
  quads_[quad_count_++] = quad;
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
    packed_samples_[static_cast<size_t>((quad.y - tile_y_) / 2 * int32_t{kTileQuads} +
                                        (quad.x - tile_x_) / 2)] = 0;
  }
  clock_.Enter(Stage::kShade);
  const std::span quads(quads_.data(), quad_count_);
  if (draw_->quantizes && !draw_->is_early && !pack_is_lines_) {
    mask = draw_->depth.is_plain ? kernels_->quantize_pack(draw_->depth, quads, mask, pack_depth_)
                                 : QuantizeQuads(mask);
  }
  pack_is_lines_ ? LoadLines() : kernels_->load_pack(Components(), quads);
  mask = RunProgram(active, mask);
  clock_.Enter(Stage::kCover);
  if (draw_->samples > 1) {
    pack_is_lines_ ? StoreLineSamples(mask) : StorePackedSamples(mask);
    mask = 0;
  }
  if (mask != 0 && (!draw_->is_early || pack_is_lines_)) {
    if (draw_->code->depth) SetShaderDepth(pack_depth_);
    mask = TestDepth(mask, pack_depth_);
    passed_ += CountOf(mask);
  }
  if (mask != 0) StoreColors(mask);
  quad_count_ = 0;
  packed_blocks_ = 0;
}

uint64_t Painter::QuantizeQuads(uint64_t mask) {
  uint64_t passed = 0;
  for (uint32_t i = 0; i < quad_count_; ++i) {
    const PackedQuad& quad = quads_[i];
    const int32_t x = quad.x & ~(kBlockSize - 1);
    const int32_t y = quad.y & ~(kBlockSize - 1);
    const auto in_block = static_cast<size_t>(8 * (quad.y - y) + (quad.x - x));
    const size_t first = FirstLane(i);
    const uint64_t lanes = SpreadQuad(LanesOfQuad(mask, first), in_block);
    DepthBlock block;
    const uint64_t inside =
        kernels_->quantize_any(draw_->depth, *quad.triangle, x, y, {}, lanes, block);
    passed |= SpreadQuad(LanesOfQuad(inside, in_block), first);
    for (const size_t offset : {0U, 1U, 8U, 9U})
      pack_depth_.depth[first + offset] = block.depth[in_block + offset];
  }
  return passed;
}

PixelComponents Painter::Components() {
  return {.inputs = draw_->components,
          .padded = draw_->padded,
          .needs_rhw = draw_->needs_rhw,
          .registers = registers_.data(),
          .reciprocal = &reciprocal_};
}

}  // namespace dp2trace::fast
