// Binds the calls of Direct3D 8 and 9 to runtime::Device.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "import/bind/binding.h"
#include "runtime/direct3d/device.h"

namespace dp2trace::import {

// What an object pointer of the program stands for. A pointer may be used again after the object's last Release.
struct ObjectEntry {
  std::shared_ptr<runtime::Device> device = nullptr;  // the device itself, or the object's device
  std::shared_ptr<runtime::Object> object = nullptr;  // null for a device or state block
  uint32_t face = 0;                                  // of a surface or volume level
  uint32_t level = 0;
  std::shared_ptr<runtime::StateBlock> block = nullptr;
  bool is_device = false;
};

class Direct3DBinding final : public Binding {
 public:
  explicit Direct3DBinding(Session& session) : session_(session) {}
  ~Direct3DBinding() override;
  Outcome OnCall(const Call& call) override;

 private:
  using Handler = Outcome (Direct3DBinding::*)(const CallArgs&);
  struct Row {
    std::string_view name;  // "Device::Clear": without IDirect3D and the version
    Handler handler;
    bool is_marked;  // a marker comes before its events
  };
  struct Route {
    const Row* row = nullptr;
    bool has_no_effect = false;
    uint32_t level = 9;
  };
  // A lock that is open.
  struct OpenLock {
    runtime::SurfaceRef surface;
    runtime::LockedArea area;
    uint64_t size = 0;    // bytes of a surface's area
    uint64_t offset = 0;  // of a buffer; the surface is empty
    uint32_t flags = 0;
  };
  static std::span<const Row> Rows();
  Route RouteOf(const FunctionSignature& function) const;

  // ---- objects (bind_direct3d.cpp) ----
  const ObjectEntry* Find(uint64_t pointer) const;
  void Put(uint64_t pointer, ObjectEntry entry);
  void PutSurface(uint64_t pointer, const std::shared_ptr<runtime::Device>& device,
                  const runtime::SurfaceRef& surface);
  void Forget(uint64_t pointer);
  void ForgetObject(const runtime::Object* object);
  runtime::Device* DeviceOf(const CallArgs& args) const;
  std::shared_ptr<runtime::Resource> ResourceAt(uint64_t pointer) const;
  runtime::SurfaceRef SurfaceAt(uint64_t pointer) const;
  Outcome Release(const CallArgs& args);
  Outcome QueryInterface(const CallArgs& args);
  Outcome CreateDevice(const CallArgs& args);
  Outcome CreateDeviceEx(const CallArgs& args);
  Outcome MakeDevice(const CallArgs& args, size_t parameters, size_t out);
  Outcome Reset(const CallArgs& args);
  Outcome CreateSwapChain(const CallArgs& args);
  Outcome GetSwapChain(const CallArgs& args);
  Outcome GetBackBuffer(const CallArgs& args);
  Outcome GetRenderTarget(const CallArgs& args);
  Outcome GetDepthStencil(const CallArgs& args);
  Outcome Present(const CallArgs& args);

  // ---- resources and locks (bind_direct3d_resource.cpp) ----
  Outcome AddResource(const CallArgs& args, const runtime::ResourceDescription& description,
                      size_t out);
  Outcome CreateTexture(const CallArgs& args);
  Outcome CreateCubeTexture(const CallArgs& args);
  Outcome CreateVolumeTexture(const CallArgs& args);
  Outcome CreateVertexBuffer(const CallArgs& args);
  Outcome CreateIndexBuffer(const CallArgs& args);
  Outcome CreateRenderTarget(const CallArgs& args);
  Outcome CreateDepthStencil(const CallArgs& args);
  Outcome CreatePlainSurface(const CallArgs& args);
  void FillFromMemory(const CallArgs& args, size_t out, size_t memory);
  Outcome CreateImageSurface(const CallArgs& args);
  Outcome GetLevel(const CallArgs& args);
  Outcome GetCubeSurface(const CallArgs& args);
  void OpenSurfaceLock(const CallArgs& args, const runtime::SurfaceRef& surface, size_t locked,
                       size_t area, uint32_t flags);
  Outcome CloseLock(const CallArgs& args, const LockKey& key);
  Outcome LockSurface(const CallArgs& args);
  Outcome UnlockSurface(const CallArgs& args);
  Outcome GetDc(const CallArgs& args);
  Outcome LockTexture(const CallArgs& args);
  Outcome UnlockTexture(const CallArgs& args);
  Outcome LockCube(const CallArgs& args);
  Outcome UnlockCube(const CallArgs& args);
  Outcome LockBuffer(const CallArgs& args);
  Outcome UnlockBuffer(const CallArgs& args);
  static void AddDirty(const runtime::SurfaceRef& texture, const std::optional<d3d::Box>& box);
  Outcome AddDirtyBox(const CallArgs& args);
  Outcome AddDirtyCubeRect(const CallArgs& args);
  Outcome EvictManaged(const CallArgs& args);
  Outcome PreLoad(const CallArgs& args);
  Outcome SetLod(const CallArgs& args);
  Outcome SetAutoGenFilter(const CallArgs& args);
  Outcome GenerateLevels(const CallArgs& args);

  // ---- states and shaders (bind_direct3d_state.cpp) ----
  Outcome SetRenderState(const CallArgs& args);
  Outcome SetTextureStageState(const CallArgs& args);
  Outcome SetSamplerState(const CallArgs& args);
  Outcome SetTexture(const CallArgs& args);
  Outcome SetTransform(const CallArgs& args);
  Outcome MultiplyTransform(const CallArgs& args);
  Outcome SetViewport(const CallArgs& args);
  Outcome SetScissorRect(const CallArgs& args);
  Outcome SetClipPlane(const CallArgs& args);
  Outcome SetMaterial(const CallArgs& args);
  Outcome SetLight(const CallArgs& args);
  Outcome LightEnable(const CallArgs& args);
  Outcome SetFvf(const CallArgs& args);
  Outcome SetDeclaration(const CallArgs& args);
  Outcome SetVertexShader(const CallArgs& args);
  Outcome SetPixelShader(const CallArgs& args);
  Outcome SetConstants(const CallArgs& args, runtime::StateKind kind);
  Outcome SetVertexFloats(const CallArgs& args) {
    return SetConstants(args, runtime::StateKind::kVertexFloat);
  }
  Outcome SetVertexInts(const CallArgs& args) {
    return SetConstants(args, runtime::StateKind::kVertexInt);
  }
  Outcome SetVertexBools(const CallArgs& args) {
    return SetConstants(args, runtime::StateKind::kVertexBool);
  }
  Outcome SetPixelFloats(const CallArgs& args) {
    return SetConstants(args, runtime::StateKind::kPixelFloat);
  }
  Outcome SetPixelInts(const CallArgs& args) {
    return SetConstants(args, runtime::StateKind::kPixelInt);
  }
  Outcome SetPixelBools(const CallArgs& args) {
    return SetConstants(args, runtime::StateKind::kPixelBool);
  }
  Outcome SetStreamSource(const CallArgs& args);
  Outcome SetStreamFrequency(const CallArgs& args);
  Outcome SetIndices(const CallArgs& args);
  Outcome CreateDeclaration(const CallArgs& args);
  Outcome CreateVertexShader(const CallArgs& args);
  Outcome CreatePixelShader(const CallArgs& args);
  Outcome DeleteVertexShader(const CallArgs& args);
  Outcome DeletePixelShader(const CallArgs& args);
  Outcome BeginStateBlock(const CallArgs& args);
  Outcome EndStateBlock(const CallArgs& args);
  Outcome CreateStateBlock(const CallArgs& args);
  Outcome ApplyStateBlock(const CallArgs& args);
  Outcome CaptureStateBlock(const CallArgs& args);
  Outcome DeleteStateBlock(const CallArgs& args);
  Outcome AddStateBlock(const CallArgs& args, runtime::StateBlock block, size_t out);
  // Level 9: the object; level 8: the token of the device.
  std::shared_ptr<runtime::StateBlock> BlockOf(const CallArgs& args) const;
  Outcome SetPaletteEntries(const CallArgs& args);
  Outcome SetCurrentPalette(const CallArgs& args);
  Outcome CreateQuery(const CallArgs& args);
  Outcome IssueQuery(const CallArgs& args);

  // ---- draws and copies (bind_direct3d_draw.cpp) ----
  Outcome SetRenderTarget(const CallArgs& args);
  Outcome SetDepthStencil(const CallArgs& args);
  Outcome Scene(const CallArgs& args, bool begins);
  Outcome BeginScene(const CallArgs& args) { return Scene(args, true); }
  Outcome EndScene(const CallArgs& args) { return Scene(args, false); }
  Outcome Clear(const CallArgs& args);
  Outcome Draw(const CallArgs& args);
  Outcome DrawIndexed(const CallArgs& args);
  Outcome DrawUser(const CallArgs& args);
  Outcome DrawIndexedUser(const CallArgs& args);
  Outcome DrawRectPatch(const CallArgs& args);
  Outcome DrawTriPatch(const CallArgs& args);
  Outcome DeletePatch(const CallArgs& args);
  Outcome SetPatchMode(const CallArgs& args);
  Outcome StretchRect(const CallArgs& args);
  Outcome ColorFill(const CallArgs& args);
  Outcome UpdateSurface(const CallArgs& args);
  Outcome UpdateTexture(const CallArgs& args);
  Outcome CopyRects(const CallArgs& args);
  Outcome ReadTarget(const CallArgs& args);
  Outcome ReadFrontBuffer(const CallArgs& args);
  Outcome ProcessVertices(const CallArgs& args);
  Outcome ComposeRects(const CallArgs& args);
  Outcome Unsupported(const CallArgs&) { return Outcome::kUnsupported; }

  Session& session_;
  uint32_t level_ = 9;  // of the call at work
  std::unordered_map<const FunctionSignature*, Route> routes_;
  std::unordered_map<uint64_t, ObjectEntry> objects_;
  std::unordered_map<const runtime::Object*, std::vector<uint64_t>>
      pointers_;                                             // of an object and its levels
  std::vector<std::shared_ptr<runtime::DeviceLink>> links_;  // of every device there was
  std::map<LockKey, OpenLock> locks_;
  // Level 8: shaders and state blocks by number, per device.
  std::map<std::pair<const runtime::Device*, uint32_t>, std::shared_ptr<runtime::Object>>
      vertex_shaders_, pixel_shaders_;
  std::map<std::pair<const runtime::Device*, uint32_t>, std::shared_ptr<runtime::StateBlock>>
      blocks_;
};

// Samples of a D3DMULTISAMPLE_TYPE. Unspecified: how many NONMASKABLE has; chosen: 2.
constexpr uint32_t SamplesOf(uint32_t type) {
  return type == 1 ? 2 : type < 16 ? type : 16;
}

// left, top, right, bottom (or x1, y1, x2, y2) after an argument; none for NULL.
std::optional<d3d::Rect> RectAt(const CallArgs& args, size_t index);

}  // namespace dp2trace::import
