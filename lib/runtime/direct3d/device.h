// A Direct3D 8 or 9 device as its driver sees it: what the program asks of the device becomes tokens, surface events and presents.
// Knows nothing of captures; the callers give objects and bytes. Calls that the runtime would refuse do not come here.
// Source: lib/opcode/dp2.md 5 to 20; lib/raster/rendering.md 0.8; lib/raster/rendering-output.md 7.3.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/direct3d/objects.h"
#include "runtime/direct3d/state_table.h"

namespace dp2trace::runtime {

struct OutputLayout;

struct PresentParameters {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t format = 0;       // D3DFORMAT; 0: X8R8G8B8
  uint32_t count = 1;        // of back buffers
  uint32_t swap_effect = 1;  // D3DSWAPEFFECT
  uint32_t samples = 0;
  uint32_t sample_quality = 0;
  bool has_depth = false;
  uint32_t depth_format = 0;
};

// Back buffers that a present shows. With the swap effects FLIP and FLIPEX the chain has a front buffer too: a present makes back buffer
// 0 the front buffer, and the front buffer the last back buffer. With the others the contents stay where they are.
class SwapChain final : public Object {
 public:
  SwapChain(const std::shared_ptr<DeviceLink>& shared, const PresentParameters& parameters,
            bool is_implicit);
  ~SwapChain() override;
  SwapChain(const SwapChain&) = delete;
  SwapChain& operator=(const SwapChain&) = delete;
  // None for a number that the chain does not have.
  SurfaceRef BackBuffer(uint32_t index) const;
  // What the screen shows. Unspecified: what it shows of a chain that copies; chosen: back buffer 0 as it is now.
  SurfaceRef FrontBuffer() const {
    return {is_flipping_ ? buffers_.back() : buffers_.front(), 0, 0};
  }
  bool Holds(const SurfaceRef& surface) const;
  // True where the buffers changed places.
  bool Present(const std::optional<d3d::Rect>& source);
  bool is_implicit() const { return is_implicit_; }

 private:
  std::vector<std::shared_ptr<Resource>>
      buffers_;  // back buffers; then the front buffer of a chain that flips
  bool is_flipping_;
  bool is_implicit_;
};

// What a draw with vertices (and indices) of the program's own memory needs.
struct UserVertices {
  Bytes vertices;
  uint32_t stride = 0;
};

class Device {
 public:
  // `level`: 8 or 9.
  Device(Recorder& recorder, uint32_t level, const PresentParameters& parameters);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  uint32_t level() const { return link_->level; }
  const std::shared_ptr<DeviceLink>& link() const { return link_; }
  // A device of Direct3D 9Ex: Reset keeps its states.
  void MakeExtended() { is_extended_ = true; }
  // Back buffers and depth surface anew, every state to its default.
  void Reset(const PresentParameters& parameters);
  // Shows back buffer 0 of a chain of the device. `source`: the part that is shown.
  void Present(SwapChain& chain, const std::optional<d3d::Rect>& source);
  // The last reference is gone: the driver's context ends.
  void Close();
  // The recording is over: nothing is recorded any more.
  void Silence() { link_->is_silent = true; }

  const std::shared_ptr<SwapChain>& swap_chain() const { return swap_chain_; }
  SurfaceRef target(uint32_t index) const {
    return index < targets_.size() ? targets_[index] : SurfaceRef();
  }
  const SurfaceRef& depth() const { return depth_; }
  const std::shared_ptr<Resource>& implicit_depth() const { return implicit_depth_; }

  // ---- states: the value becomes a token unless it is set already; into the block while one is recorded ----
  void Set(const StateKey& key, StateValue value);
  void SetWord(StateKind kind, uint32_t a, uint32_t b, uint32_t word);
  void SetWords(StateKind kind, uint32_t a, std::vector<uint32_t> words);
  void SetObject(StateKind kind, uint32_t a, std::shared_ptr<Object> object);
  // D3DSAMP number.
  void SetSampler(uint32_t sampler, uint32_t state, uint32_t value);
  // `count` registers of 4 words (booleans: 1) from `first` on.
  void SetConstants(StateKind kind, uint32_t first, std::span<const uint32_t> words);
  // D3DTS number; new = matrix * current.
  void MultiplyTransform(uint32_t transform, std::span<const uint32_t> matrix);
  // As now: of the block being recorded, else of the device.
  StateValue Current(const StateKey& key) const;

  void BeginStateBlock() { recording_ = std::make_unique<StateBlock>(); }
  StateBlock EndStateBlock();
  StateBlock CreateStateBlock(StateBlockType type) const;  // empty where it is too much work
  void Apply(const StateBlock& block);
  void Capture(StateBlock& block) const;

  // ---- palettes ----
  void SetPaletteEntries(uint32_t palette, std::span<const uint32_t> argb);
  void SetCurrentPalette(uint32_t palette);

  // ---- targets ----
  // Level 9. Target 0 resets viewport and scissor rectangle.
  void SetTarget(uint32_t index, const SurfaceRef& surface);
  void SetDepth(const SurfaceRef& surface);
  // Level 8: an empty target keeps the current one.
  void SetTargetAndDepth(const SurfaceRef& target, const SurfaceRef& depth);
  // BeginScene and EndScene.
  void Scene(bool begins);
  // D3DCLEAR_*; `rects` none: the viewport.
  void Clear(const std::optional<std::vector<d3d::Rect>>& rects, uint32_t flags, uint32_t color,
             uint32_t depth_bits, uint32_t stencil);

  // ---- draws ----
  void Draw(uint32_t type, uint32_t first, uint32_t count);
  void DrawIndexed(uint32_t type, int32_t base, uint32_t min_index, uint32_t vertices,
                   uint32_t first_index, uint32_t count);
  void DrawUser(uint32_t type, uint32_t count, const UserVertices& user);
  void DrawIndexedUser(uint32_t type, uint32_t min_index, uint32_t vertices, uint32_t count,
                       Bytes indices, uint32_t index_format, const UserVertices& user);
  // `info`: D3DRECTPATCH_INFO or D3DTRIPATCH_INFO as words; `segments`: 4 or 3 floats as bits.
  void DrawPatch(bool is_triangle, uint32_t handle, std::span<const uint32_t> segments,
                 std::span<const uint32_t> info);
  void DeletePatch(uint32_t handle);
  void SetPatchMode(uint32_t segments_bits);

  // ---- copies ----
  // Level 9 only, with or without stretching. D3DTEXF filter.
  void Stretch(const SurfaceRef& source, const std::optional<d3d::Rect>& source_rect,
               const SurfaceRef& destination, const std::optional<d3d::Rect>& destination_rect,
               uint32_t filter);
  // System memory to video memory, same size (UpdateSurface).
  void UpdateSurface(const SurfaceRef& source, const std::optional<d3d::Rect>& rect,
                     const SurfaceRef& destination, int32_t x, int32_t y);
  // Level 8 (CopyRects): none = the whole source to (0, 0).
  void CopyRect(const SurfaceRef& source, const std::optional<d3d::Rect>& rect,
                const SurfaceRef& destination, int32_t x, int32_t y);
  // What is dirty at the source, of all levels; it is clean afterwards.
  void UpdateTexture(Resource& source, Resource& destination);
  void Fill(const SurfaceRef& surface, const std::optional<d3d::Rect>& rect, uint32_t color);
  // Target or front buffer to system memory.
  void ReadTarget(const SurfaceRef& source, const SurfaceRef& destination);
  void GenerateLevels(Resource& texture);
  // What a managed texture has that the driver lacks goes there now, not at its next use.
  void PreLoad(Resource& texture);
  void SetLod(const Resource& texture, uint32_t lod);
  // Direct3D 9Ex. The descriptors of the rectangles lie in vertex buffers. D3DCOMPOSERECTSOP operation.
  void ComposeRects(const SurfaceRef& source, const SurfaceRef& destination,
                    const Resource& source_rects, uint32_t count, const Resource& destination_rects,
                    uint32_t operation, int32_t x, int32_t y);

  struct ProcessedVertices {
    uint32_t source_index = 0, dest_index = 0, count = 0;
    bool do_not_copy = false;  // D3DPV_DONOTCOPYDATA
  };
  // ProcessVertices into `dest`. `declaration`: of the vertices there, for shaders of model 3; null: they have the format of the buffer.
  // False where the runtime does not keep what a buffer or shader holds, a format cannot be read or written, or shaders have executed more
  // than any program asks for.
  bool ProcessVertices(const ProcessedVertices& vertices, Resource& dest,
                       const Shader* declaration = nullptr);

 private:
  void Token(opcode::Op op, std::span<const uint32_t> values, Bytes tail = {},
             std::optional<uint16_t> count = {}) {
    link_->recorder.Token(link_->context, op, values, tail, count);
  }
  void Token(opcode::Op op, std::initializer_list<uint32_t> values, Bytes tail = {},
             std::optional<uint16_t> count = {}) {
    link_->recorder.Token(link_->context, op, values, tail, count);
  }
  void CreateImplicit(const PresentParameters& parameters);
  void EmitTarget(uint32_t index);
  void ResetStates();
  void ResetViewport();
  // Counts the memory of states that were not set before.
  void CountStates();
  void Emit(const StateKey& key, const StateValue& value);
  void EmitViewport(const StateValue& value);
  void EmitLight(const StateKey& key, const StateValue& value);
  void EmitStream(const StateKey& key, const StateValue& value);
  void EmitTexture(uint32_t stage, const StateValue& value);
  void EmitConstants(StateKind kind, uint32_t first, std::span<const uint32_t> words);
  void MakeLight(uint32_t index);
  void AttachPalette(const Resource& texture);
  // Automatic levels of bound textures, before a draw; and what a draw makes out of date.
  void PrepareDraw();
  void MarkTargets();
  uint32_t BindUser(const UserVertices& user);
  // `vertex_size`: bytes of a vertex of the destination. `process` gets the number of the source vertex and its place. False where the
  // destination does not hold the range.
  static bool WriteProcessed(Resource& dest, const ProcessedVertices& vertices,
                             uint32_t vertex_size,
                             const std::function<void(uint64_t, uint8_t*)>& process);
  bool RunVertexShader(const ProcessedVertices& vertices, const OutputLayout& layout,
                       Resource& dest);
  uint32_t ClearFlags(uint32_t flags) const;
  d3d::Rect ClearArea(const Extent& extent) const;
  // `values`: flags, colour, depth, stencil.
  void SendClear(std::span<const d3d::Rect> rects, const std::array<uint32_t, 4>& values);

  std::shared_ptr<DeviceLink> link_;
  std::shared_ptr<SwapChain> swap_chain_;
  std::shared_ptr<Resource> implicit_depth_;
  std::array<SurfaceRef, 4> targets_;
  SurfaceRef depth_;
  StateTable state_;
  uint64_t counted_states_ = 0;
  std::shared_ptr<Object> driver_format_;  // the declaration or shader that the driver has set
  std::unique_ptr<StateBlock> recording_;  // null: states go to the device
  std::map<uint32_t, bool> lights_;        // those the driver knows
  std::shared_ptr<Resource> user_indices_;
  std::map<uint32_t, std::vector<uint32_t>> palettes_;
  static constexpr uint32_t kNoPalette = 0xFFFF;
  uint32_t current_palette_ = kNoPalette;
  bool is_extended_ = false;
};

}  // namespace dp2trace::runtime
