// The KMT objects that a replay needs: which space a device stands for, which D3D context a KMT context owns, and which DP2 handle an
// allocation is bound to. Source: D3DKMT_RENDER specification, 6.6 and 6.7; DESIGN section 3.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "trace/events.h"

namespace dp2trace::device {

// A D3D context of the device model, by space and id.
struct ContextKey {
  uint32_t space = 0;
  uint64_t id = 0;
};

class KmtObjects {
 public:
  // A recorded failure creates and destroys nothing.
  void OnDeviceCreate(const trace::DeviceCreate& event);
  // The D3D context to create for a KMT context; nothing for a failed call.
  std::optional<trace::ContextCreate> OnContextCreate(const trace::KmtContextCreate& event);
  std::optional<trace::ContextDestroy> OnContextDestroy(const trace::KmtContextDestroy& event);
  void OnBind(const trace::Dp2Bind& event);
  void OnUnbind(const trace::Dp2Unbind& event);

  // The D3D context of a packet.
  std::optional<ContextKey> FindContext(uint32_t process, uint32_t context) const;
  // The surface handle and byte offset that the allocation stands for, in the device of the context; without a binding the allocation
  // handle itself.
  std::pair<uint32_t, uint64_t> HandleOf(uint32_t process, uint32_t context, uint32_t allocation) const;

 private:
  using Key = std::pair<uint32_t, uint32_t>;  // process and KMT handle
  struct KmtContext {
    uint32_t space = 0;
    uint32_t device = 0;
  };
  struct Binding {
    uint32_t handle = 0;
    uint64_t base_offset = 0;
  };
  uint32_t SpaceOf(uint32_t process, uint32_t device) const;

  std::map<Key, uint32_t> device_spaces_;
  std::map<Key, KmtContext> contexts_;
  std::map<std::pair<Key, uint32_t>, Binding> bindings_;  // by device and allocation
};

}  // namespace dp2trace::device
