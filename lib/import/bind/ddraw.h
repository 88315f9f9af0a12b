// The binding of DirectDraw and Direct3D 2 to 7 calls: one table row per function, handlers by interface.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "import/bind/binding.h"
#include "import/bind/ddraw_arguments.h"
#include "runtime/ddraw/ddraw.h"

namespace dp2trace::import {

class DirectDrawBinding final : public Binding {
 public:
  explicit DirectDrawBinding(Session& session) : session_(session), model_(session.recorder) {}

  Outcome OnCall(const Call& call) override;

  using Handler = Outcome (DirectDrawBinding::*)(const Call&);
  struct Row {
    std::string_view name;  // without the number of an interface, but for the 7 of Direct3D
    Handler handler;
  };
  static Handler FindHandler(std::string_view function);

  // bind_ddraw.cpp: objects of all kinds, and palettes.
  Outcome OnNoEffect(const Call& call);
  Outcome OnUnsupported(const Call& call);
  Outcome OnDirectDrawCreate(const Call& call);
  Outcome OnQueryInterface(const Call& call);
  Outcome OnSetReferences(const Call& call);
  Outcome OnSetDisplayMode(const Call& call);
  Outcome OnGetDisplayMode(const Call& call);
  Outcome OnCreateClipper(const Call& call);
  Outcome OnSetClipWindow(const Call& call);
  Outcome OnSetClipList(const Call& call);
  Outcome OnCreatePalette(const Call& call);
  Outcome OnSetEntries(const Call& call);
  // bind_ddraw_surface.cpp
  Outcome OnCreateSurface(const Call& call);
  Outcome OnGetAttachedSurface(const Call& call);
  Outcome OnAddAttachedSurface(const Call& call);
  Outcome OnDeleteAttachedSurface(const Call& call);
  Outcome OnGetDirectDraw(const Call& call);
  Outcome OnGetSurfaceDescription(const Call& call);
  Outcome OnSetColorKey(const Call& call);
  Outcome OnSetPalette(const Call& call);
  Outcome OnSetClipper(const Call& call);
  Outcome OnSetLod(const Call& call);
  Outcome OnDuplicateSurface(const Call& call);
  Outcome OnBlt(const Call& call);
  Outcome OnBltFast(const Call& call);
  Outcome OnFlip(const Call& call);
  Outcome OnUpdateOverlay(const Call& call);
  Outcome OnSetOverlayPosition(const Call& call);
  Outcome OnUpdateOverlayOrder(const Call& call);
  Outcome OnGetDc(const Call& call);
  Outcome OnLock(const Call& call);
  Outcome OnUnlock(const Call& call);
  // bind_ddraw_device.cpp
  Outcome OnCreateDevice(const Call& call);
  Outcome OnGetDirect3D(const Call& call);
  Outcome OnSetRenderTarget(const Call& call);
  Outcome OnGetRenderTarget(const Call& call);
  Outcome OnGetTexture(const Call& call);
  Outcome OnScene(const Call& call);
  Outcome OnClear(const Call& call);
  Outcome OnSetRenderState(const Call& call);
  Outcome OnSetTextureStageState(const Call& call);
  Outcome OnSetTexture(const Call& call);
  Outcome OnSetTransform(const Call& call);
  Outcome OnMultiplyTransform(const Call& call);
  Outcome OnSetViewport(const Call& call);
  Outcome OnSetMaterial(const Call& call);
  Outcome OnSetLight(const Call& call);
  Outcome OnLightEnable(const Call& call);
  Outcome OnSetClipPlane(const Call& call);
  Outcome OnStateBlock(const Call& call);
  Outcome OnLoad(const Call& call);
  Outcome OnPreLoad(const Call& call);
  // legacy_object.cpp: Direct3D 2 to 6.
  Outcome OnCreateLegacyDevice(const Call& call);
  Outcome OnCreateLegacyObject(const Call& call);
  Outcome OnAddViewport(const Call& call);
  Outcome OnDeleteViewport(const Call& call);
  Outcome OnSetCurrentViewport(const Call& call);
  Outcome OnSetLegacyViewport(const Call& call);
  Outcome OnSetBackground(const Call& call);
  Outcome OnSetBackgroundDepth(const Call& call);
  Outcome OnClearViewport(const Call& call);
  Outcome OnViewportLight(const Call& call);
  Outcome OnSetLegacyMaterial(const Call& call);
  Outcome OnGetMaterialHandle(const Call& call);
  Outcome OnSetLegacyLight(const Call& call);
  Outcome OnGetTextureHandle(const Call& call);
  Outcome OnLoadTexture(const Call& call);
  Outcome OnSwapTextureHandles(const Call& call);
  Outcome OnCreateExecuteBuffer(const Call& call);
  Outcome OnLockExecuteBuffer(const Call& call);
  Outcome OnUnlockExecuteBuffer(const Call& call);
  Outcome OnSetExecuteData(const Call& call);
  Outcome OnExecute(const Call& call);
  Outcome OnMatrix(const Call& call);
  // legacy_device.cpp
  Outcome OnLegacySetRenderState(const Call& call);
  Outcome OnSetLightState(const Call& call);
  Outcome OnLegacySetTexture(const Call& call);
  Outcome OnLegacySetStageState(const Call& call);
  Outcome OnLegacyTransform(const Call& call);
  Outcome OnLegacyDraw(const Call& call);
  Outcome OnLegacyDrawIndexed(const Call& call);
  Outcome OnLegacyDrawStrided(const Call& call);
  Outcome OnLegacyDrawBuffer(const Call& call);
  Outcome OnLegacyDrawIndexedBuffer(const Call& call);
  Outcome OnBegin(const Call& call);
  Outcome OnVertex(const Call& call);
  Outcome OnIndex(const Call& call);
  Outcome OnEnd(const Call& call);
  // bind_ddraw_draw.cpp
  Outcome OnDrawPrimitive(const Call& call);
  Outcome OnDrawIndexedPrimitive(const Call& call);
  Outcome OnDrawStrided(const Call& call);
  Outcome OnDrawPrimitiveBuffer(const Call& call);
  Outcome OnDrawIndexedPrimitiveBuffer(const Call& call);
  Outcome OnCreateVertexBuffer(const Call& call);
  Outcome OnLockVertexBuffer(const Call& call);
  Outcome OnUnlockVertexBuffer(const Call& call);
  Outcome OnProcessVertices(const Call& call);

 private:
  // A lock of a surface that was not unlocked yet.
  struct OpenLock {
    const runtime::ddraw::Surface* surface = nullptr;
    LockKey key;
    uint64_t pointer = 0;
    runtime::ddraw::LockedArea area;
  };

  // Of IID_IDirect3DHALDevice and the like; notes what a device of this class is in the trace, where it is not the same.
  runtime::ddraw::DeviceClass DeviceClassOf(std::string_view name);
  void OpenSurfaceLock(uint64_t object, const runtime::ddraw::Surface& surface, uint64_t pointer,
                       const runtime::ddraw::LockedArea& area);
  void CloseLock(std::vector<OpenLock>::iterator lock, const Call& call);
  std::vector<OpenLock>::iterator FindLock(const Call& call,
                                           const runtime::ddraw::Surface& surface);
  runtime::ddraw::Device* DeviceOf(const Call& call) {
    return model_.FindDevice(ObjectAt(call, 0));
  }
  runtime::ddraw::LegacyDevice* LegacyDeviceAt(const Call& call, size_t index) {
    return model_.FindLegacyDevice(ObjectAt(call, index));
  }
  runtime::ddraw::Surface* SurfaceAt(const Call& call, size_t index) {
    return model_.surfaces().Find(ObjectAt(call, index));
  }

  Session& session_;
  runtime::ddraw::DirectDraw model_;
  std::unordered_map<const FunctionSignature*, Handler> handlers_;
  std::vector<OpenLock> locks_;
  uint32_t lock_count_ = 0;
};

}  // namespace dp2trace::import
