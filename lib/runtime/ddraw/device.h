// A device as the driver's context: state, clears, draws and state blocks as DP2 tokens. All of a Direct3D 7 device; under an older
// one, what is left when its runtime has done its work (LegacyDevice).
// Source: lib/opcode/dp2.md 3, 7 to 11, 14 and 16.1; Microsoft's Direct3D 7 API reference.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "d3d/enums.h"
#include "runtime/ddraw/palette_contexts.h"
#include "runtime/ddraw/state.h"
#include "runtime/ddraw/surface_table.h"

namespace dp2trace::runtime::ddraw {

using d3d::PrimitiveType;

// Vertices of a draw in one array. `count` of them; fewer where the bytes end earlier.
struct Vertices {
  uint32_t fvf = 0;
  uint32_t count = 0;
  Bytes bytes;
};

// D3DHAL_CONTEXTCREATEDATA.dwhContext.
inline constexpr uint32_t kRuntimeVersion7 = 3;

class Device {
 public:
  // Makes the context. The target was named through `target_interface`.
  Device(Recorder& recorder, SurfaceTable& surfaces, Surface& target, ObjectId target_interface,
         uint32_t runtime_version = kRuntimeVersion7);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  // The program released the device: destroys the context and lets all surfaces go. Nothing may follow. A device that is never closed
  // lives to the end of the capture.
  void Close();

  uint64_t context() const { return context_; }
  uint32_t space() const { return space_; }
  uint32_t runtime_version() const { return runtime_version_; }
  Surface& target() const { return *target_; }
  ObjectId target_interface() const { return target_interface_; }

  void SetTarget(Surface& target, ObjectId target_interface);
  // The driver's binding, where the target's handle or its depth surface changed without the device.
  void UpdateTarget();
  // A surface of the chain got another handle.
  void UpdateHandles(const Complex& complex);

  void BeginScene(bool begins);
  // No rectangles: the viewport.
  void Clear(const std::optional<std::vector<d3d::Rect>>& rects, uint32_t flags, uint32_t color,
             uint32_t depth_bits, uint32_t stencil);
  // The rectangles, as far as they lie in the area.
  void ClearInside(const d3d::Rect& area, std::span<const d3d::Rect> rects, uint32_t flags,
                   uint32_t color, uint32_t depth_bits, uint32_t stencil);

  // Each sets the state, or, between BeginStateBlock and EndStateBlock, records it.
  void SetRenderState(uint32_t state, uint32_t value);
  void SetStageState(uint32_t stage, uint32_t state, uint32_t value);
  void SetTexture(uint32_t stage, Surface* texture);
  void SetTransform(uint32_t state, const Matrix& matrix);
  void MultiplyTransform(uint32_t state, const Matrix& matrix);
  void SetViewport(const Viewport& viewport);
  // Only VIEWPORTINFO: for vertices in screen coordinates the viewport is where pixels are cut.
  void SetClipRectangle(const d3d::Rect& rect);
  void SetMaterial(const Material& material);
  void SetLight(uint32_t index, const Light& light);
  void EnableLight(uint32_t index, bool enabled);
  void SetClipPlane(uint32_t index, const Plane& plane);

  void BeginStateBlock();
  // Each names a block by the number that the program got.
  void EndStateBlock(uint32_t block);
  void CreateStateBlock(uint32_t block, StateBlockType type);
  bool CaptureStateBlock(uint32_t block);
  bool ApplyStateBlock(uint32_t block);
  bool DeleteStateBlock(uint32_t block);

  // False: no such primitives, or no vertices recorded.
  bool Draw(PrimitiveType type, const Vertices& vertices);
  bool DrawIndexed(PrimitiveType type, const Vertices& vertices, std::span<const uint16_t> indices);

  // Load; destination null: PreLoad. False where the tokens cannot say it.
  bool Load(const Surface* dest, const std::array<int32_t, 2>& point, const Surface& source,
            const std::optional<d3d::Rect>& rect, uint32_t faces);
  // Tells the driver a palette, and which surface uses it.
  void SendPalette(const Palette& palette, uint32_t first, uint32_t count) {
    ddraw::SendPalette(recorder_, context_, palette, first, count);
  }
  void SendSurfacePalette(const Surface& surface) {
    ddraw::SendSurfacePalette(recorder_, context_, surface);
  }
  void SendLod(const Surface& texture) {
    Send(opcode::Op::kSetTexLod, {texture.handle, texture.lod});
  }

  // What holds now, for the transformation of vertices by the runtime.
  const StateSet& state() const { return state_; }
  Viewport viewport() const;
  // The texture of the stage, or null.
  Surface* texture(uint32_t stage) const;
  uint32_t stage_state(uint32_t stage, uint32_t state) const;

 private:
  void Send(opcode::Op op, std::initializer_list<uint32_t> values) {
    recorder_.Token(context_, op, values);
  }
  template <size_t N>
  void SendWith(opcode::Op op, uint32_t first, const std::array<uint32_t, N>& rest);
  void ForgetAliases(uint32_t render_state);
  void ReplaceTexture(StateSet& set, uint32_t stage, Surface* texture);
  void ReleaseTextures(StateSet& set);
  // The set ends: its textures are let go, its memory no longer counts.
  void Release(StateSet& set);
  // Entries of a set, but for textures, and the memory that they count for.
  static uint64_t EntriesOf(const StateSet& set);
  static uint64_t MemoryOf(const StateSet& set);
  void Apply(const StateSet& set);
  StateSet Collect(StateBlockType type) const;
  void Replace(uint32_t block, std::unique_ptr<StateSet> set);
  void DrawIndexedChunk(PrimitiveType type, uint32_t start, std::span<const uint16_t> indices);

  Recorder& recorder_;
  SurfaceTable& surfaces_;
  Surface* target_;
  Surface* depth_ = nullptr;  // that the driver knows
  ObjectId target_interface_;
  uint32_t space_;
  uint32_t runtime_version_;
  uint64_t context_;
  StateSet state_;
  std::unique_ptr<StateSet> recorded_;  // between BeginStateBlock and EndStateBlock
  std::map<uint32_t, std::unique_ptr<StateSet>> blocks_;
};

}  // namespace dp2trace::runtime::ddraw
