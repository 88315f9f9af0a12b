// One Direct3D context: its state, what is bound, and the objects that it owns.
// Source: lib/opcode/dp2.md 11 to 20.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "device/binding.h"
#include "device/draw.h"
#include "device/handle_history.h"
#include "device/legal_states.h"
#include "device/resource.h"
#include "device/setters.h"
#include "device/state.h"
#include "image/texel.h"
#include "shader/program.h"

namespace dp2trace::device {

class StateBlock;

struct Targets {
  std::array<uint32_t, kTargetCount> colors = {};  // surface handles; 0: none
  uint32_t depth = 0;
  bool operator==(const Targets&) const = default;
};

// 256 entries as UPDATEPALETTE gave them, in RGBA bytes; before any update a grey ramp.
struct PaletteEntries {
  std::array<std::array<uint8_t, 4>, 256> rgba{};
  std::bitset<256> written;
};

struct PaletteBinding {
  uint32_t palette = 0;
  uint32_t flags = 0;  // DDRAWIPAL_*
};

enum class QueryState : uint8_t { kSignaled, kBuilding, kIssued };

struct Query {
  uint32_t type = 0;  // D3DQUERYTYPE
  QueryState state = QueryState::kSignaled;
  uint64_t result = 0;  // of occlusion: pixels that passed; the renderer adds while kBuilding
};

// Token arrays and declarations as they were created.
struct ShaderObject {
  std::vector<uint8_t> code;  // tokens; empty: declaration only
  // Of the code, decoded once; never null. Renderers keep it while they draw with it.
  std::shared_ptr<const shader::Program> program = std::make_shared<shader::Program>();
  std::vector<uint8_t> declaration;  // level 8: declaration tokens, level 9: elements
  VertexLayout layout;               // of the declaration
  uint64_t number = 0;  // counts what the context has created, so that no two objects have the same
};

// A cached patch: info and a copy of the control points.
struct Patch {
  PatchInfo info;
  VertexLayout layout;
  std::array<std::vector<uint8_t>, kStreamCount> bytes;  // control points only, renumbered from 0
  std::array<uint32_t, kStreamCount> strides = {};
  VertexProgram program;                                  // of the definition
  std::array<StreamBinding, kStreamCount> bindings = {};  // of the definition
  uint64_t cost = 0;  // bytes that Context::object_bytes counts for it
};

// Ids of contexts that packets own, not D3dContextCreate: the highest bit is set.
inline constexpr uint64_t kPacketContext = uint64_t{1} << 63;

struct Context {
  uint32_t space_id = 0;
  uint64_t id = 0;
  uint32_t level = 9;            // driver level
  uint32_t runtime_version = 5;  // 0-5
  bool is_pure = false;          // a pure device: its runtime keeps no copy of the state
  Space* space = nullptr;
  LegalStates legal_states;
  State state;
  Targets targets;
  Setters setters;  // of both
  std::map<uint32_t, PaletteEntries> palettes;
  std::map<uint32_t, PaletteBinding> palette_bindings;  // by root surface handle
  std::map<uint32_t, ShaderObject> vertex_shaders;      // level 8
  std::map<uint32_t, ShaderObject> declarations;
  std::map<uint32_t, ShaderObject> vertex_functions;
  std::map<uint32_t, ShaderObject> pixel_shaders;
  std::map<uint32_t, std::shared_ptr<StateBlock>> state_blocks;
  std::map<uint32_t, Query> queries;
  std::vector<uint32_t> counting_queries;  // occlusion queries that are kBuilding, by id
  std::map<uint32_t, Patch> patches;
  // Of the handles that name none of these.
  struct Histories {
    HandleHistory vertex_shaders, declarations, vertex_functions, pixel_shaders, state_blocks,
        queries, patches;

    // Part of the stream could not be read.
    void NoteLoss() {
      for (HandleHistory* const history : {&vertex_shaders, &declarations, &vertex_functions,
                                           &pixel_shaders, &state_blocks, &queries, &patches})
        history->NoteLoss();
    }
  };
  Histories histories;
  Bindings bindings;
  bool has_loss = false;                  // part of the stream could not be read
  std::shared_ptr<StateBlock> recording;  // STATESET BEGIN without END
  std::bitset<d3d::kRenderStateCount>
      overridden;  // D3DSTATE_OVERRIDE: writes to these render states are ignored
  // TEXTUREMAPBLEND MODULATE made the alpha operation of stage 0: it depends on the texture that is bound. Source: rendering 4.6.
  bool has_legacy_modulate = false;
  uint64_t shader_count = 0;  // shaders and declarations that were created
  uint64_t object_bytes = 0;  // of the objects above, its part of Options::max_object_bytes

  Context(uint32_t driver_level, bool d3d9ex, const trace::ContextCreate& event, Space& owner);
  // A copy in a copy of its space.
  Context(const Context& other, Space& owner);

  // Part of the stream could not be read: what was made and bound there is not known.
  void NoteLoss() {
    has_loss = true;
    histories.NoteLoss();
    bindings.NoteLoss();
  }

  // A query was made, changed or destroyed.
  void NoteQuery(uint32_t query_id);
  // Pixels have passed.
  void CountOcclusion(uint64_t pixels);

  // Empty where slot or handle is 0 or the handle is dead.
  SurfaceRef Target(uint32_t slot) const;
  SurfaceRef Depth() const;
  // What the rectangles of a clear with these flags may cover: the render targets, as far as the largest goes; the depth surface where
  // only depth and stencil are cleared, or no target has pixels.
  std::optional<image::Area> ClearableArea(uint32_t flags) const;
  // The texture bound to a stage slot, or null. The handle of a sub-level gives its root.
  Resource* Texture(uint32_t slot) const;
  // The shaders with code that are bound, or null: fixed function. Vertices that are transformed already bypass the first.
  const ShaderObject* VertexShader() const;
  const ShaderObject* PixelShader() const;
  // The level 8 shader or declaration whose layout vertices have, or null: an FVF, or nothing that exists.
  const ShaderObject* VertexDeclaration() const;
  // The palette in force for a surface, or nothing.
  std::optional<image::Palette> PaletteOf(const Resource& resource) const;
};

}  // namespace dp2trace::device
