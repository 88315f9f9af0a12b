// A device of Direct3D 2 to 6: what its runtime kept, and did, above a DP2 driver of level 6. Vertices reach the driver in screen
// coordinates, texture states as those of stage 0.
// Source: lib/opcode/dp2.md 1.5 and 7.4; Microsoft's DirectX 6 API reference.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/core/recorder.h"
#include "runtime/ddraw/device.h"
#include "runtime/ddraw/legacy_objects.h"
#include "runtime/ddraw/primitive_clipper.h"

namespace dp2trace::runtime::ddraw {

class LegacyDevice {
 public:
  // `device` is the context of the driver, with the target; it outlives the object.
  LegacyDevice(Recorder& recorder, Device& device, DeviceVersion version, DeviceClass device_class);
  LegacyDevice(const LegacyDevice&) = delete;
  LegacyDevice& operator=(const LegacyDevice&) = delete;

  Device& device() const { return device_; }
  DeviceVersion version() const { return version_; }

  // Handles, as the program got them.
  void SetMatrix(uint32_t handle, const Matrix& matrix);
  bool DeleteMatrix(uint32_t handle) { return recorder_.Erase(matrices_, handle); }
  // dest = left * right, by handles. False where one names no matrix.
  bool MultiplyMatrices(uint32_t dest, uint32_t left, uint32_t right);
  bool CopyMatrix(uint32_t dest, uint32_t source);
  bool SetTransformByHandle(uint32_t type, uint32_t handle);
  void NameTexture(uint32_t handle, const std::shared_ptr<Surface>& texture);
  Surface* FindTexture(uint32_t handle) const;
  // SwapTextureHandles: the handles of each name the other.
  void SwapTextures(const Surface& a, const Surface& b);
  void NameMaterial(uint32_t handle, std::shared_ptr<LegacyMaterial> material);
  const LegacyMaterial* FindMaterial(uint32_t handle) const;

  // D3DRENDERSTATETYPE of Direct3D 2 to 6.
  void SetRenderState(uint32_t state, uint32_t value);
  // D3DLIGHTSTATETYPE.
  void SetLightState(uint32_t state, uint32_t value);
  // D3DTRANSFORMSTATETYPE: world, view, projection.
  void SetTransform(uint32_t type, const Matrix& matrix);
  void MultiplyTransform(uint32_t type, const Matrix& matrix);
  // Observed: hardware draws without a texture where the surface was not created with DDSCAPS_TEXTURE.
  void SetTexture(uint32_t stage, Surface* texture);
  // Observed: TEXTUREMAPBLEND determines stage 0 until one of its operations or arguments changes, and again once TEXTUREMAPBLEND changes.
  void SetStageState(uint32_t stage, uint32_t state, uint32_t value);

  void SetViewport(std::shared_ptr<LegacyViewport> viewport) { viewport_ = std::move(viewport); }
  const std::shared_ptr<LegacyViewport>& viewport() const { return viewport_; }
  // Rectangles are cut at the viewport; none clears nothing.
  void Clear(const LegacyViewport& viewport, std::span<const d3d::Rect> rects, uint32_t flags,
             uint32_t color, uint32_t depth_bits, uint32_t stencil);
  // Clear with the background of the viewport, and depth 1.
  void ClearToBackground(const LegacyViewport& viewport, std::span<const d3d::Rect> rects,
                         uint32_t flags);

  // `flags`: d3ddp. False: no such primitives, no vertices recorded, or no viewport.
  bool Draw(PrimitiveType type, const Vertices& vertices, uint32_t flags);
  bool DrawIndexed(PrimitiveType type, const Vertices& vertices, std::span<const uint16_t> indices,
                   uint32_t flags);
  // Begin or BeginIndexed, Vertex, Index, End.
  void Begin(PrimitiveType type, uint32_t fvf, uint32_t flags);
  void BeginIndexed(PrimitiveType type, const Vertices& vertices, uint32_t flags);
  bool AddVertex(Bytes vertex);
  bool AddIndex(uint16_t index);
  bool End();

  // What holds for vertices that are transformed now. None without a viewport.
  std::optional<GeometryState> Geometry(bool is_lit) const;
  // Tells the driver the area of the current viewport, where it has not got it yet.
  bool SendViewport();
  bool is_flat() const;
  Recorder& recorder() const { return recorder_; }

 private:
  struct Immediate {  // between Begin and End
    PrimitiveType type{};
    uint32_t fvf = 0, flags = 0;
    bool is_indexed = false;
    std::vector<uint8_t> bytes;
    std::vector<uint16_t> indices;
    uint64_t held = 0;  // bytes that both count for
  };
  // What is between Begin and End is dropped.
  std::optional<Immediate> TakeImmediate();
  void HoldImmediate(uint64_t size);
  // The vertices in screen coordinates. None where the format or the work is too much.
  std::optional<ScreenVertices> Process(const Vertices& vertices, uint32_t flags,
                                        MemoryShare& share);

  uint32_t StateOf(uint32_t state) const;
  bool SetLegacyTextureState(uint32_t state, uint32_t value);
  void SetTextureHandle(uint32_t handle);
  // The states of stage 0 for TEXTUREMAPBLEND and the texture that is bound.
  void SendTextureBlend();
  static bool HasAlpha(const Surface& texture);
  void SendDepthRange();
  std::optional<vertex::FogEquation> VertexFog() const;
  static bool IsLit(uint32_t fvf, uint32_t flags);
  bool IsClipped(uint32_t flags) const;
  bool DrawProcessed(PrimitiveType type, const ScreenVertices& vertices,
                     std::optional<std::span<const uint16_t>> indices, uint32_t flags);

  Recorder& recorder_;
  Device& device_;
  DeviceVersion version_;
  DeviceClass class_;
  std::map<uint32_t, Matrix> matrices_;
  std::map<uint32_t, std::weak_ptr<Surface>> textures_;
  std::map<uint32_t, std::shared_ptr<LegacyMaterial>> materials_;
  std::map<uint32_t, uint32_t> states_;        // render states, as the program set them
  std::map<uint32_t, uint32_t> light_states_;  // the same
  std::array<Matrix, 3> transforms_ = {};      // world, view, projection
  std::array<uint32_t, 3> transform_handles_ = {};
  TextureBlend blend_ = TextureBlend::kModulate;
  bool follows_blend_ = true;  // false: the program sets the states of stage 0 itself
  std::shared_ptr<LegacyViewport> viewport_;
  std::optional<std::array<uint32_t, 2>> sent_depth_range_;  // WINFO, as bits
  std::optional<Immediate> immediate_;
};

}  // namespace dp2trace::runtime::ddraw
