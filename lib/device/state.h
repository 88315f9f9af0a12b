// What a Direct3D context remembers between tokens, as data. State blocks hold parts of it.
// Values are kept as the stream gave them (u32, or f32 bits); the tables of d3d/ say what they mean.
// Source: lib/opcode/dp2.md 5, 7 to 11, 18 and 20; lib/raster/rendering.md 0.8.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "d3d/enums.h"
#include "d3d/geometry.h"
#include "d3d/light.h"
#include "d3d/states.h"

namespace dp2trace::device {

using Float4 = std::array<float, 4>;
// Row-major: element (row i, column j) is [4 * i + j], as in D3DMATRIX.
using Matrix = std::array<float, 16>;
inline constexpr Matrix kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

inline constexpr uint32_t kClipPlaneCount = 32;
inline constexpr uint32_t kStreamCount = 16;
inline constexpr uint32_t kTargetCount = 4;
// Stages 0 to 15, then 256 (displacement map) and 257 to 260 (vertex textures).
inline constexpr uint32_t kStageSlotCount = 21;

// The slot of a stage number of TEXTURESTAGESTATE, or nothing where no stage has that number.
constexpr std::optional<uint32_t> StageSlot(uint32_t stage) {
  if (stage < d3d::kPixelSamplerCount) return stage;
  if (stage >= d3d::kDisplacementMapSampler && stage <= d3d::kLastVertexSampler)
    return d3d::kPixelSamplerCount + stage - d3d::kDisplacementMapSampler;
  return std::nullopt;
}

// VIEWPORTINFO. Before any token the viewport is the whole target.
struct Viewport {
  uint32_t x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Viewport&) const = default;
};

using d3d::Material;

struct Light : d3d::Light {
  bool is_enabled = false;
  bool operator==(const Light&) const = default;
};

struct StreamBinding {
  uint32_t buffer = 0;          // surface handle; 0: none
  uint32_t offset = 0;          // bytes
  uint32_t stride = 0;          // bytes
  bool is_user_memory = false;  // the vertices of the drawing call (stream 0 only)
  bool operator==(const StreamBinding&) const = default;
};

struct IndexBinding {
  uint32_t buffer = 0;
  uint32_t stride = 0;  // 2 or 4 bytes
  bool operator==(const IndexBinding&) const = default;
};

// What decides how vertices are read and processed. The last of SETVERTEXSHADER and SETVERTEXSHADERDECL / FUNC wins.
struct VertexProgram {
  // SETVERTEXSHADER or SETVERTEXSHADERDECL: bit 0 clear: an FVF (0: nothing set); set: a handle.
  uint32_t format = 0;
  // `format` is of SETVERTEXSHADER: its handle is of a level 8 vertex shader.
  bool is_level8 = false;
  uint32_t function = 0;  // SETVERTEXSHADERFUNC; 0: fixed function
  bool operator==(const VertexProgram&) const = default;
};

// Registers that SET*SHADERCONST* write. Unwritten ones are 0; the vectors grow with the highest one written.
struct ShaderConstants {
  std::vector<Float4> floats;
  std::vector<std::array<int32_t, 4>> integers;
  std::vector<uint32_t> booleans;
};

struct State {
  std::array<uint32_t, d3d::kRenderStateCount> render = {};  // by number
  std::array<std::array<uint32_t, d3d::kTextureStageStateCount>, kStageSlotCount> stages = {};
  // By canonical number (d3d::CanonicalTransform).
  std::array<Matrix, d3d::kTransformSlotCount> transforms = {};
  std::optional<Viewport> viewport;
  float min_z = 0, max_z = 1;   // ZRANGE
  float w_near = 0, w_far = 1;  // WINFO
  std::array<Float4, kClipPlaneCount> clip_planes = {};
  Material material;
  std::map<uint32_t, Light> lights;  // created ones, by index
  std::optional<d3d::Rect> scissor;  // none: the whole target
  VertexProgram vertex_program;
  uint32_t pixel_shader = 0;  // 0: fixed function
  std::array<StreamBinding, kStreamCount> streams;
  // SETSTREAMSOURCEFREQ, 1 before any token.
  std::array<uint32_t, kStreamCount> stream_dividers = {};
  IndexBinding indices;
  ShaderConstants vertex_constants;
  ShaderConstants pixel_constants;

  // Values of 0.8 for a context of this runtime version under a driver of this level.
  State(uint32_t level, uint32_t runtime_version, bool has_depth);

  uint32_t value(d3d::RenderState state) const { return render[d3d::Value(state)]; }
  float real(d3d::RenderState state) const { return std::bit_cast<float>(value(state)); }
  uint32_t stage(uint32_t slot, d3d::TextureStageState state) const {
    return stages[slot][d3d::Value(state)];
  }
  float stage_real(uint32_t slot, d3d::TextureStageState state) const {
    return std::bit_cast<float>(stage(slot, state));
  }
  const Matrix& transform(d3d::TransformState state) const { return transforms[d3d::Value(state)]; }
};

}  // namespace dp2trace::device
