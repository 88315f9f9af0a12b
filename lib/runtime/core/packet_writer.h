// Wraps the batches of a recorder into D3DKMT_RENDER packets: the KMT objects around them, allocation lists and patch lists.
// Source: D3DKMT_RENDER specification, sections 4 and 6 (canonical lists, carried bindings).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "kmt/handle_words.h"
#include "kmt/lists.h"
#include "runtime/core/recorder.h"
#include "stream/stream.h"

namespace dp2trace::runtime {

// Every surface is an allocation; a level or face with a handle of its own is a part of that of its root. All calls succeed.
class PacketWriter {
 public:
  explicit PacketWriter(Recorder& recorder) : recorder_(recorder) {}

  // Behind the surface_create and before the surface_destroy event.
  void OnSurface(const trace::SurfaceCreate& surface);
  void OnSurfaceDestroy(uint32_t space, uint32_t handle, std::span<const uint32_t> sub_handles);
  // In place of context_create and context_destroy.
  void OnContext(const trace::ContextCreate& context);
  void OnContextDestroy(uint64_t context);
  // In place of dp2: one packet, or more where a list would grow too long.
  void OnBatch(uint64_t context, Bytes commands, Bytes vertices, uint32_t vertex_type,
               uint32_t vertex_size);

 private:
  struct Binding {
    uint32_t allocation = 0;
    uint32_t base_offset = 0;
  };
  struct Context {
    uint32_t space = 0;
    uint32_t handle = 0;
    std::map<uint32_t, uint32_t> slots;  // surface handles that are bound, by slot
    trace::Triple triple;                // that the next packet writes into
  };
  // The packet at work.
  struct Packet {
    std::vector<uint8_t> commands;
    std::vector<kmt::AllocationElement> allocations = {{}};  // element 0 is the NULL element
    std::map<uint32_t, uint32_t> indices = {{0, 0}};         // of an allocation in the list
    std::vector<kmt::PatchElement> patches;
  };

  uint32_t NewKmtHandle();
  uint32_t DeviceOf(uint32_t space);
  void Bind(uint32_t space, uint32_t handle, const Binding& binding, trace::BindKind kind,
            uint64_t size);
  Binding BindingOf(uint32_t space, uint32_t handle) const;
  // Index in the allocation list.
  uint32_t Reference(Packet& packet, uint32_t allocation, bool is_write) const;
  void AddToken(Packet& packet, Context& context, const stream::Command& command) const;
  void AddCarried(Packet& packet, const Context& context, const stream::Command& command) const;
  // A token that changes nothing: the bound target again.
  void AddNeutral(Packet& packet, Context& context) const;
  // `next_size`: of the command buffer that the next packet needs; 0: no other than now.
  void SendPacket(Packet& packet, Context& context, const trace::Dp2Env& environment,
                  uint32_t next_size = 0);
  static bool IsFull(const Packet& packet, const Context& context, const stream::Command& command);

  Recorder& recorder_;
  uint32_t next_handle_ = 0x40000000;
  uint32_t adapter_ = 0;
  std::map<uint32_t, uint32_t> devices_;                       // by space
  std::map<std::pair<uint32_t, uint32_t>, Binding> bindings_;  // by space and surface handle
  std::map<uint64_t, Context> contexts_;                       // by the recorder's id
};

}  // namespace dp2trace::runtime
