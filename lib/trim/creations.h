// The events that made what lives: a snapshot makes it again with them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "device/device.h"
#include "trace/events.h"

namespace dp2trace::trim {

class Creations {
 public:
  struct Surface {
    uint64_t event = 0;
    trace::SurfaceCreate create;
  };

  // After the effect of the event.
  void OnEvent(uint64_t number, const trace::Event& event, const device::Device& device);

  // The event that announced a live root last, or whose flip chain made it; null where none is known.
  const Surface* Find(uint32_t space, uint32_t root) const;
  const trace::ContextCreate* FindContext(uint32_t space, uint64_t id) const;
  // The header of the session, encoded.
  const std::vector<uint8_t>& header() const { return header_; }

 private:
  void OnSurface(uint64_t number, const trace::SurfaceCreate& create, const device::Device& device);

  std::vector<uint8_t> header_;
  std::map<std::pair<uint32_t, uint32_t>, Surface> surfaces_;  // by space and root
  std::map<std::pair<uint32_t, uint64_t>, trace::ContextCreate> contexts_;
};

}  // namespace dp2trace::trim
