// What a draw makes of its states: capabilities are asked for only where the state that needs them takes effect.
// Source: D3DCAPS9 (d3d9caps.h).
#pragma once

#include <cstdint>

#include "validate/dp2/draw_format.h"
#include "validate/dp2/stage_use.h"

namespace dp2trace::validate {

// Parts of the pipeline that a draw goes through.
enum UsedPart : uint32_t {
  kDepthTest = 1U << 0,  // ZENABLE is on, and there is a depth surface
  kStencilTest = 1U << 1,
  kBothStencils = 1U << 2,  // TWOSIDEDSTENCILMODE
  kAlphaTest = 1U << 3,
  kBlending = 1U << 4,
  kAlphaBlending = 1U << 5,  // with factors of its own: SEPARATEALPHABLENDENABLE
  kFog = 1U << 6,
  kVertexFog = 1U << 7,      // by the vertices, not by a table
  kFixedVertices = 1U << 8,  // the fixed function transforms them
  kLighting = 1U << 9,
  kSpecularLight = 1U << 10,
  kLines = 1U << 11,
  kTriangles = 1U << 12,
  kLargePoints = 1U << 13,
  kTarget1 = 1U << 14,
  kTarget2 = 1U << 15,
  kTarget3 = 1U << 16,
  kMultisampled = 1U << 17,
  kVertexColor = 1U << 18,  // the cascade sees colours of vertices
  kVertexSpecular = 1U << 19,
  kTexture = 1U << 20,
  kVertexMaterial = 1U << 21,  // lit, and the material may come from the vertex
  kPatches = 1U << 22,
  kNPatches = 1U << 23,
  kUntransformed = 1U << 24,
  kBelowLevel8 = 1U << 25,
  kBelowLevel9 = 1U << 26,
  kSeveralTargets = 1U << 27,
  kWFog = 1U << 28,  // table fog by w
  kZFog = 1U << 29,
};

struct CapsUse {
  uint32_t parts = 0;  // UsedPart
  StageUse stages;
  DrawFormat format;

  bool Has(uint32_t all) const { return (parts & all) == all; }
};
// Of a token for which DrawsGeometry() holds.
CapsUse CapsUseOf(const CommandView& view);

// DP2-CAPS-013 to -021, -023 and -025: values of states that bits of members stand for.
void CheckCapsOfStates(const CommandView& view, const CapsUse& use);
// The same of texture stage states.
void CheckCapsOfStages(const CommandView& view, const CapsUse& use);

}  // namespace dp2trace::validate
