// What happens to the pixels of a block before and after its program: coverage, depth, interpolation, tests, stores.
// Masks have bit 8 * y + x for the pixel (x, y) of the block.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "fast/machine/kernels.h"
#include "fast/pixel/pixel_code.h"
#include "fast/tile/corners.h"
#include "fast/tile/triangle.h"
#include "raster/pixel/blend.h"
#include "raster/primitive/fixed_point.h"

namespace dp2trace::fast {

// Part of a surface: 8 rows of at least 8 pixels each.
struct BlockBytes {
  uint8_t* bytes = nullptr;
  size_t pitch = 0;
};

// Depth in words of 2 or 4 bytes.
struct DepthFormat {
  uint32_t word_size = 0;
  uint32_t shift = 0;
  uint32_t mask = 0;  // after the shift
  uint32_t keep = 0;  // stencil bits of the word
};

// What passes a D3DCMPFUNC.
struct Comparison {
  bool less = true, equal = true, greater = true;
};

enum class DepthKind : uint8_t { kInteger, kFloat32, kFloat24 };

struct DepthTest {
  DepthFormat format;
  DepthKind kind = DepthKind::kInteger;
  bool is_plain = true;  // z as an integer of at most 24 bits
  bool uses_w = false;
  double w_near = 0, w_far = 1;
  double scale = 1;  // 2^n - 1 of integers, else 1
  bool clips_z = false;
  Comparison passing;
  bool writes = false;
};

// The stencil test of one face. The operations are D3DSTENCILOP.
struct StencilTest {
  uint32_t shift = 0;
  uint32_t largest = 0;  // 2^bits - 1
  uint32_t reference = 0, read_mask = 0, write_mask = 0;
  Comparison passing;
  uint32_t fail = 0, depth_fail = 0, pass = 0;
  bool tests_depth = false;
};

// Quantised depth of the pixels of a block.
struct DepthBlock {
  alignas(64) uint32_t depth[kLanes];
};

// Pixels of a surface level in words of 2 or 4 bytes.
struct SurfaceBytes {
  uint8_t* bytes = nullptr;
  size_t pitch = 0;
  int32_t width = 0, height = 0;
  uint8_t* at(int32_t x, int32_t y, size_t size) const {
    return bytes + static_cast<size_t>(y) * pitch + static_cast<size_t>(x) * size;
  }
};

// A quad that waits for others of the draw, which are shaded together with it.
struct PackedQuad {
  int32_t x = 0, y = 0;  // of its first pixel, target
  uint32_t covered = 0;  // bits 0 to 3
  bool is_front = true;
  const Triangle* triangle = nullptr;
};
inline constexpr uint32_t kPackSize = 16;  // quads

// Where the components of pixels go.
struct PixelComponents {
  std::span<const PixelInput> inputs;  // of component 1 and on
  uint32_t padded = 0;
  // 1 / rhw of all lanes is wanted, and not only where something is perspective.
  bool needs_rhw = false;
  Block* registers = nullptr;
  Block* reciprocal = nullptr;  // 1 / rhw
};

// Triangles of a draw that are set up together.
struct alignas(64) TriangleBatch {
  static constexpr size_t kSize = 8;
  template <class T>
  using Row = std::array<T, kSize>;

  // Corners: in.
  std::array<Row<int32_t>, 3> x = {}, y = {};
  std::array<Row<float>, 3> z = {};
  // Pixels that may be covered.
  Row<int32_t> left = {}, top = {}, right = {}, bottom = {};
  // Not 0: everything that may be covered lies in the 8x8 pixels from (left & ~1, top & ~1) on; their mask.
  Row<int32_t> is_small = {};
  Row<uint64_t> mask = {};
  Row<double> x0 = {}, y0 = {}, dx1 = {}, dy1 = {}, dx2 = {}, dy2 = {}, det = {}, rdet = {};
  Row<double> zx = {}, zy = {}, bias = {}, scaled_x = {}, scaled_y = {};
};

// What the triangles of a draw in a tile share.
struct BatchRule {
  PixelBounds bounds;  // of the tile, in the clip rectangle
  double depth_bias = 0, slope_bias = 0, z_bias = 0, scale = 1;
};

// A channel of a pixel word.
struct ChannelFormat {
  uint32_t shift = 0;
  uint32_t bits = 0;  // 0: missing
  float largest = 0;  // 2^bits - 1
  float scale = 0;    // 1 / largest
};

// kAlpha: SRCALPHA, INVSRCALPHA, ADD; kAdd: ONE, ONE, ADD.
enum class BlendKind : uint8_t { kNone, kAlpha, kAdd, kAny };

// Storing colours in words of 2 or 4 bytes with unsigned channels.
struct ColorStore {
  uint32_t word_size = 4;
  std::array<ChannelFormat, 4> channels;  // R, G, B, A
  uint32_t keep = 0;                      // bits of channels that are not written
  uint32_t write_mask = 15;
  BlendKind kind = BlendKind::kNone;
  raster::BlendPlan blend;
  bool is_unit = false;  // colours need no clamp
  bool is_argb = false;  // all of A8R8G8B8 or X8R8G8B8 is written
};

// The corners of a triangle, relative to the first, and how its components vary.
struct PlaneSetup {
  double dx1 = 0, dy1 = 0, dx2 = 0, dy2 = 0, rdet = 0;  // of 1.3
  float rhw[3] = {};
  uint64_t perspective = 0;  // components that are multiplied by rhw where they vary
  uint64_t flat = 0;         // components that are those of the first corner
};

// Pixels that all become the same: `value` again and again, where `keep` has no bits.
struct FillPattern {
  static constexpr size_t kSize = 192;  // bytes: as many pixels of each size as fit exactly

  alignas(64) std::array<uint8_t, kSize> value = {}, keep = {};
  bool keeps = false;
  size_t pixel_size = 0;  // bytes, a divisor of 192
};
struct FillRows {
  uint8_t* bytes = nullptr;
  size_t pitch = 0;
  size_t row_size = 0;  // bytes
  size_t rows = 0;
};

struct AnyStore;
struct PixelWords;

struct RasterKernels {
  // Sets the planes of a triangle, and which of them are constant or perspective, from the components of its corners.
  void (*set_planes)(const PlaneSetup& setup, const float* a0, const float* a1, const float* a2,
                     uint32_t padded, Triangle& triangle);
  uint64_t (*cover)(const Triangle& triangle, int32_t x, int32_t y);
  // All that a batch says about its corners; the same numbers as those of one triangle after the other.
  void (*set_up)(const BatchRule& rule, uint32_t count, TriangleBatch& batch);
  // Depth of the pixels of `mask`; gives those that are not clipped by z.
  uint64_t (*quantize)(const DepthTest& test, const Triangle& triangle, int32_t x, int32_t y,
                       uint64_t mask, DepthBlock& out);
  // The same for depth of any kind, at this place from the centres of the pixels.
  uint64_t (*quantize_any)(const DepthTest& test, const Triangle& triangle, int32_t x, int32_t y,
                           const raster::SampleOffset& offset, uint64_t mask, DepthBlock& out);
  // The pixels that pass; their depth is stored where the test writes.
  uint64_t (*test_depth)(const DepthTest& test, const DepthBlock& depth, uint64_t mask,
                         const BlockBytes& bytes);
  // The same with a stencil test before, whose results are stored.
  uint64_t (*test_stencil)(const StencilTest& stencil, const DepthTest& test,
                           const DepthBlock& depth, uint64_t mask, const BlockBytes& bytes);
  // Plain depth of the quads of a mask from an even pixel on: what is clipped by z or hidden is taken out of it.
  uint64_t (*test_quads)(const DepthTest& test, const Triangle& triangle, int32_t x, int32_t y,
                         uint64_t mask, const SurfaceBytes& surface);
  // Plain depth of a pack's quads; gives the pixels of `mask` that are not clipped by z.
  uint64_t (*quantize_pack)(const DepthTest& test, std::span<const PackedQuad> quads, uint64_t mask,
                            DepthBlock& out);
  // The components of a pack, and of the pixels of a block of one triangle.
  void (*load_pack)(const PixelComponents& components, std::span<const PackedQuad> quads);
  void (*load_block)(const PixelComponents& components, const Triangle& triangle, int32_t x,
                     int32_t y);
  // Lanes whose alpha passes D3DCMPFUNC.
  uint64_t (*test_alpha)(Operand alpha, const Frame& frame, uint32_t function, uint32_t reference);
  void (*store)(const ColorStore& store, const std::array<Operand, 4>& colors,
                const std::array<Operand, 4>& second, const Frame& frame, uint64_t mask,
                const BlockBytes& bytes);
  // The same for pixels of any format, which are in `pixels` before and after. `thresholds` of all lanes where the target dithers.
  void (*store_any)(const AnyStore& store, const std::array<Operand, 4>& colors,
                    const std::array<Operand, 4>& second, const Frame& frame, uint64_t mask,
                    const float* thresholds, PixelWords& pixels);
  // Writes nothing outside of the rows.
  void (*fill)(const FillPattern& pattern, const FillRows& rows);
};

const RasterKernels& RasterKernelsOf(const Isa& isa);

// Fills in what comes after the program, for the target that Highway has chosen.
void AddStoreKernels(RasterKernels& kernels);
void AddAnyKernels(RasterKernels& kernels);
// The same for batches and planes, and for quads.
void AddSetupKernels(RasterKernels& kernels);
void AddQuadKernels(RasterKernels& kernels);

}  // namespace dp2trace::fast
