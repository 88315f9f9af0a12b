// What the reference reports of one pixel while it draws: the numbers that it computes with, in the order in which they arise.
// Source: lib/raster/rendering.md 0.6; lib/raster/rendering-texture.md 3 and 4; lib/raster/rendering-output.md 5.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "raster/lanes.h"
#include "raster/pixel/blend.h"
#include "raster/pixel/combine.h"
#include "raster/pixel/fog.h"
#include "raster/texture/sampler.h"
#include "raster/vertex/processor.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::raster {

// A texel of a sample, as the filter gets it.
struct ProbedTexel {
  uint32_t level = 0;
  uint32_t x = 0, y = 0, z = 0;  // 0 where is_border
  bool is_border = false;        // the border colour, or that of a face that is missing
  float weight = 0;              // in the colour of the sample
  Float4 color = {};             // of depth formats the result of the comparison
};

struct ProbedSample {
  uint32_t sampler = 0;  // stage of fixed function and pixel shaders 1.x, else the sampler register
  uint32_t texture = 0;  // root handle; 0: none is bound
  uint32_t width = 0, height = 0, depth = 1;  // texels of level 0
  Float4 coordinates = {};                    // as the sampler gets them
  uint32_t face = 0;
  Filter filter = Filter::kPoint;
  uint32_t level = 0;         // the more detailed one
  uint32_t second_level = 0;  // equal where one level is sampled
  float level_fraction = 0;   // weight of the second one
  uint32_t sample_count = 1;  // of ANISOTROPIC
  std::vector<ProbedTexel> texels;
  Float4 color = {};
  bool is_killed = false;  // by the colour key
};

// A texture stage at work.
struct ProbedStage {
  uint32_t stage = 0;
  bool is_bump = false;  // it changes the coordinates of the next stage and no register
  Equation color, alpha;
  bool color_passes = false, alpha_passes = false;  // CURRENT stays: TEXTURE is read, none is bound
  StageRegisters registers;                         // what it reads
  bool writes_temp = false;
  Float4 result = {};
};

// An instruction of a shader, executed.
struct ProbedStep {
  uint32_t instruction = 0;  // index in shader::Program::instructions
  // false: flow or the predicate of the lane skips it, as its quad goes through.
  bool is_active = true;
  std::vector<Float4> sources;   // of arithmetic
  std::optional<Float4> result;  // the destination register after it
};

// What one run of stages or of a shader reports of one lane.
struct ProbedShading {
  uint32_t lane = 0;
  bool wants_steps = false;
  uint64_t* budget = nullptr;  // things that may still be kept; those beyond are left out
  std::vector<ProbedSample> samples = {};
  std::vector<ProbedStage> stages = {};
  std::vector<ProbedStep> steps = {};

  // True where one more thing may be kept.
  bool Spend() const {
    if (*budget == 0) return false;
    --*budget;
    return true;
  }
};

struct ProbedVertex {
  int64_t number = 0;  // of the vertex in its streams, base vertex added
  VertexInput input;
  Vertex processed;
  ScreenVertex screen;  // before clipping; no numbers where w is 0 or less
  std::vector<ProbedStep> steps;
};

// A clear that covers the pixel.
struct ProbedClear {
  bool clears_color = false;
  bool clears_depth = false;  // the watched surface, or the depth surface that is bound with it
  bool clears_stencil = false;
  uint32_t color = 0;  // ARGB
  float depth = 0;
  uint32_t stencil = 0;
};

// How far a fragment comes.
enum class Fate : uint8_t {
  kStored,
  kCulled,
  kOutsideViewport,
  kOutsideScissor,
  kOutsideSurface,  // another bound surface is smaller
  kOutsideDepth,    // transformed vertices with a depth outside of [0, 1]
  kColorKey,
  kTexKill,
  kAlphaTest,
  kStipple,
  kSampleMask,
  kStencilTest,
  kDepthTest,
  kWriteMask,  // COLORWRITEENABLE of all targets is 0; depth may be stored
};
// "stored", "culled", "alpha_test", ...
std::string_view Name(Fate fate);
// "failed the alpha test": what a fragment did.
std::string_view Words(Fate fate);

struct ProbedAlphaTest {
  bool is_enabled = false;
  uint32_t function = 0, reference = 0, value = 0;  // 8 bits
  bool passes = true;
};

struct ProbedDepthStencil {
  uint32_t sample = 0;
  bool tests_stencil = false, tests_depth = false, writes_depth = false;
  uint32_t stencil_function = 0, stencil_reference = 0, stencil_stored = 0;  // both masked
  uint32_t stencil_before = 0, stencil_after = 0, stencil_operation = 0;
  bool stencil_passes = true;
  uint32_t depth_function = 0, depth = 0, depth_stored = 0;  // as stored
  bool depth_passes = true;
};

struct ProbedFog {
  FogPlan plan;
  float value = 0;   // FogValue
  float factor = 1;  // 1: no fog
  Float4 before = {}, after = {};
};

// A colour on its way into a target.
struct ProbedWrite {
  uint32_t slot = 0;
  uint32_t sample = 0;
  Float4 source = {};  // clamped to what the target holds
  bool blends = false;
  BlendPlan blend;  // where it blends
  Float4 second = {}, destination = {};
  Float4 result = {};  // as it is encoded: after blending and SRGBWRITEENABLE
  uint32_t write_mask = 0;
  bool is_srgb = false, dithers = false, has_logic = false;
  uint32_t size = 0;  // bytes of a pixel
  std::array<uint8_t, 16> before = {}, after = {};
};

struct ProbedFragment {
  uint64_t primitive = 0;  // of the token, from 1: M of N.M
  uint32_t instance = 0;
  Fate fate = Fate::kStored;
  bool is_front = true;
  uint32_t samples = 0;  // that are covered: bit s
  std::vector<ProbedVertex> vertices;
  uint32_t varying_mask = 0;
  std::array<Float4, kVaryingCount> varyings = {};
  ProbedShading shading;
  std::array<Float4, device::kTargetCount> colors = {};  // shaded
  uint32_t written_targets = 0;
  ProbedAlphaTest alpha_test;
  std::optional<ProbedFog> fog;
  std::vector<ProbedDepthStencil> depth_stencil;
  std::vector<ProbedWrite> writes;
};

}  // namespace dp2trace::raster
