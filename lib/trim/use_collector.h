// Finds what the events and tokens of a part need of the surfaces and objects that were there before it.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "device/device.h"
#include "raster/pixel/clear.h"
#include "stream/stream.h"
#include "trace/events.h"
#include "trim/kmt_use.h"
#include "trim/part.h"
#include "validate/dp2/stage_use.h"

namespace dp2trace::trim {

class UseCollector {
 public:
  // All outlive the collector.
  UseCollector(const device::Device& device, const device::KmtObjects& objects,
               const KmtCreations& creations, Part& part)
      : device_(&device), objects_(&objects), part_(&part), kmt_(objects, creations, part) {}

  // The part begins: what lives now was there before.
  void Begin();
  // Before the effect of an event or token of the part.
  void OnEvent(uint64_t number, const trace::Event& event);
  void OnCommand(const device::Context& context, const stream::Command& command,
                 const stream::Environment& environment);
  // What the device has done, not what it was asked for: it refuses some.
  void OnSurfaceWritten(const trace::SurfaceUpdate& update);
  void OnSurfaceWritten(const trace::Blt& blt);
  // The fills of a CLEAR.
  void OnCleared(const device::Context& context, const std::vector<raster::ClearFill>& fills);
  // A token is about to give a state this value.
  void OnSet(const device::Context& context, device::StateKey key, const device::StateWords& words);
  // After the effect of a token of the part.
  void OnApplied(const device::Context& context, const stream::Command& command);
  // The part begins in this packet.
  void OnPacketBegin(const trace::Render& packet) { OnRender(packet); }
  // After a packet of the part: it is known now where it is cut.
  void OnPacket(uint64_t number, const trace::Render& packet) {
    kmt_.OnPacket(number, packet, device_->header().length_origin);
  }
  // The part has ended.
  void End();

 private:
  using Names = ObjectNames;

  // The use of a surface that was there before; null for any other.
  SurfaceUse* UseOf(uint32_t space, const device::SurfaceRef& surface);
  void Name(uint32_t space, uint32_t handle);
  void Need(uint32_t space, const device::SurfaceRef& surface);
  // The levels up to this one.
  void NeedAll(uint32_t space, const device::SurfaceRef& surface, uint32_t last_level = UINT32_MAX);
  void Overwrite(uint32_t space, const device::SurfaceRef& surface);
  void OnBlt(const trace::Blt& blt);
  void OnDestroy(uint64_t number, const trace::SurfaceDestroy& destroy);
  void OnCreate(const trace::SurfaceCreate& create);
  void OnRender(const trace::Render& packet);
  void OnContext(const trace::KmtContextCreate& create);

  void OnDraw(const device::Context& context, const stream::Command& command, Names& names);
  void NeedTargets(const device::Context& context);
  void NeedProgram(const device::Context& context, Names& names);
  void NeedStreams(const device::Context& context, const stream::Command& command);
  void NeedTextures(const device::Context& context);
  void NeedBlock(const device::Context& context, uint32_t handle, Names& names);
  void NoteRest();
  void NameObject(const device::Context& context, opcode::Meaning kind, uint32_t handle,
                  Names& names);

  const device::Device* device_;
  const device::KmtObjects* objects_;
  Part* part_;
  KmtUse kmt_;
  validate::SamplerMasks masks_;
  std::set<device::StateKey> set_;  // by the current token
};

}  // namespace dp2trace::trim
