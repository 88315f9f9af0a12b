// Wraps the batches of a recorder into D3DKMT_RENDER packets, and makes the KMT objects around them.
// Source: lib/kmt/packets.md 4.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "runtime/core/packet_stream.h"
#include "runtime/core/recorder.h"

namespace dp2trace::runtime {

// Every surface is an allocation; a level or face with a handle of its own is a part of that of its root. All calls succeed.
class PacketWriter {
 public:
  explicit PacketWriter(Recorder& recorder) : recorder_(recorder) {}

  // After the surface_create and before the surface_destroy event.
  void OnSurface(const trace::SurfaceCreate& surface);
  void OnSurfaceDestroy(uint32_t space, uint32_t handle, std::span<const uint32_t> sub_handles);
  // In place of context_create and context_destroy.
  void OnContext(const trace::ContextCreate& context);
  void OnContextDestroy(uint64_t context);
  // In place of dp2: one packet, or more where a list would grow too long.
  void OnBatch(uint64_t id, Bytes commands, Bytes vertices, uint32_t vertex_type,
               uint32_t vertex_size);

 private:
  uint32_t NewKmtHandle();
  uint32_t DeviceOf(uint32_t space);
  void Bind(uint32_t space, uint32_t handle, const SurfaceBinding& binding, trace::BindKind kind,
            uint64_t size);
  SurfaceBinding BindingOf(uint32_t space, uint32_t handle) const;

  Recorder& recorder_;
  uint32_t next_handle_ = 0x40000000;
  uint32_t adapter_ = 0;
  std::map<uint32_t, uint32_t> devices_;                              // by space
  std::map<std::pair<uint32_t, uint32_t>, SurfaceBinding> bindings_;  // by space and surface handle
  std::map<uint64_t, PacketStream> contexts_;                         // by the recorder's id
};

}  // namespace dp2trace::runtime
