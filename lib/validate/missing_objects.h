// Makes the objects that a trace which was recorded from the middle (`start` of the header is `bare`) names and does not describe, with one
// finding each (TRACE-016), so that its calls can be executed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "device/device.h"
#include "device/kmt/objects.h"
#include "kmt/handle_words.h"
#include "validate/findings.h"

namespace dp2trace::validate {

// One object per session. What was destroyed is not invented again: the rules about dead handles hold.
class MissingObjectMaker {
 public:
  // Makes what the event names and nothing described, before its rules look at it.
  void Prepare(const trace::Event& event, device::Device& device, device::KmtObjects& kmt,
               EventFindings& findings);

 private:
  // What is known of a surface from the place that names it.
  struct Guess {
    d3d::SurfaceKind kind = d3d::SurfaceKind::kTexture;
    uint32_t format = 0;  // D3DFORMAT
    uint32_t width = 0;   // 0 = that of the last viewport
    uint32_t height = 0;
    uint32_t depth = 1;
    uint32_t levels = 1;
    bool is_cube = false;
  };
  struct Extent {
    uint32_t width = 640;
    uint32_t height = 480;
  };

  void On(const trace::ContextCreate& event);
  void On(const trace::ContextDestroy& event);
  void On(const trace::SurfaceDestroy& event);
  void On(const trace::SurfaceUpdate& event);
  void On(const trace::SurfaceRead& event);
  void On(const trace::Dp2& event);
  void On(const trace::Render& event);
  void On(const trace::Blt& event);
  void On(const trace::Present& event);
  void On(const trace::Picture& event);
  template <class T>
  void On(const T&) {}  // names nothing that can be invented

  void InventContext(uint32_t space, uint64_t id);
  void InventPacketContext(const trace::Render& event);
  void InventAllocations(const trace::Render& event);
  void InventHandles(uint32_t space, Bytes commands, const stream::Environment& environment);
  void LearnExtent(const stream::Command& command);
  Guess GuessOf(const kmt::HandleWord& word) const;
  void InventSurface(uint32_t space, uint32_t handle, const Guess& guess, std::string_view path);
  // A surface that is shown or read: the target that was made for a context, when nothing else has claimed it.
  void ClaimTarget(uint32_t space, uint32_t handle, const std::optional<d3d::Rect>& rect,
                   std::string_view path);
  bool IsUnknown(uint32_t space, uint32_t handle);
  // The target and depth surface of an invented context; the handles are ones that the trace does not use so far.
  uint32_t MakeTarget(uint32_t space);
  uint32_t MakeDepth(uint32_t space);
  uint32_t FreeHandle(uint32_t space);
  void Create(uint32_t space, uint32_t handle, const Guess& guess);
  void Report(std::string_view path, std::string message);

  // Of the event that is prepared.
  device::Device* device_ = nullptr;
  device::KmtObjects* kmt_ = nullptr;
  EventFindings* findings_ = nullptr;
  Extent extent_;
  std::map<uint32_t, uint32_t> unclaimed_;  // space -> target that was made for a context
};

}  // namespace dp2trace::validate
