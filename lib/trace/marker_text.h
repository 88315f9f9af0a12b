// What a `marker` event says, as text of its own: the event's views end with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "trace/events.h"

namespace dp2trace::trace {

struct MarkerText {
  MarkerText() = default;
  explicit MarkerText(const Marker& marker)
      : text(marker.text), source(marker.source), position(marker.position) {}
  bool operator==(const MarkerText&) const = default;

  std::string text, source;
  std::optional<uint64_t> position;
};

// "draw the sky (game.trace:1918)", not escaped.
inline std::string Describe(const MarkerText& marker) {
  std::string place = marker.source;
  if (marker.position) {
    if (!place.empty()) place += ':';
    place += std::to_string(*marker.position);
  }
  if (place.empty()) return marker.text;
  return marker.text + " (" + place + ")";
}

}  // namespace dp2trace::trace
