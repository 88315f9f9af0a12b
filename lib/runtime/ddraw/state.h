// The state that a Direct3D 7 program sets, as it stands or as a state block holds it.
// Source: lib/opcode/dp2.md 11 (contents of state blocks).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "runtime/ddraw/types.h"

namespace dp2trace::runtime::ddraw {

struct Surface;

// What was set; what is absent has its default.
struct StateSet {
  std::map<uint32_t, uint32_t> render_states;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t>
      stage_states;                       // by stage and state, without textures
  std::map<uint32_t, Surface*> textures;  // by stage; null: none
  std::map<uint32_t, Matrix> transforms;
  std::optional<Viewport> viewport;
  std::optional<Material> material;
  std::map<uint32_t, Light> lights;
  std::map<uint32_t, bool> enabled_lights;
  std::map<uint32_t, Plane> clip_planes;
};

enum class StateBlockType : uint8_t { kAll = 1, kPixelState = 2, kVertexState = 3 };

// The numbers that a block of this type holds. Source: lib/opcode/dp2.md 11, "CREATE contents", as far as level 7 has them.
bool HoldsRenderState(StateBlockType type, uint32_t state);
bool HoldsStageState(StateBlockType type, uint32_t state);

// The matrix of a transform that was never set.
Matrix IdentityMatrix();
// left * right, row vectors, binary32.
Matrix Multiply(const Matrix& left, const Matrix& right);

}  // namespace dp2trace::runtime::ddraw
