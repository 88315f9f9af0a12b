// Whether a recording is sound: what draws depend on is in it. For `verify`; a lint of a stream does not ask.
// Source: DESIGN section 3 ("Recording").
#pragma once

#include <array>
#include <bitset>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "d3d/states.h"
#include "trace/events.h"
#include "validate/command_view.h"
#include "validate/dp2/stage_use.h"

namespace dp2trace::validate {

// RECORD-CONTENT, RECORD-STATE, RECORD-ORDER. One object per session.
class RecordingRules {
 public:
  // Behind the effect of the event.
  void OnEvent(const trace::Event& event, const device::Device& device, EventFindings& findings);
  // Before the effect of the token.
  void OnCommand(const CommandView& view);

 private:
  struct ContextFacts {
    std::bitset<d3d::kRenderStateCount> set_states;
    bool is_told = false;  // RECORD-STATE-001
  };

  // A face and level of a surface.
  struct Place {
    uint64_t surface = 0;  // image::Surface::id()
    uint32_t face = 0;
    uint32_t level = 0;
    auto operator<=>(const Place&) const = default;
  };

  static Place PlaceOf(const device::SurfaceRef& surface);
  void Write(const device::SurfaceRef& surface);
  void WriteLevels(device::SurfaceRef surface, uint32_t levels, uint32_t faces);
  void WriteCopies(const CommandView& view);
  // Nothing wrote it, and that has not been told: once for each place and rule.
  bool IsUnknown(Rule rule, const device::SurfaceRef& surface);
  // "level 1": the places that the stage may sample and nothing wrote; empty where all are known.
  std::string UnknownPlaces(const CommandView& view, uint32_t stage, device::Resource& texture);
  void CheckTextures(const CommandView& view);
  void CheckBuffers(const CommandView& view);
  void CheckBuffer(const CommandView& view, uint32_t handle, const char* what);
  void CheckTargets(const CommandView& view);
  void CheckStates(const CommandView& view, ContextFacts& facts);
  void OnMarker(const trace::Marker& marker, EventFindings& findings);

  SamplerMasks masks_;
  std::set<Place> written_;
  std::set<std::pair<Rule, Place>> told_;
  std::map<std::pair<uint32_t, uint64_t>, ContextFacts> contexts_;
  std::map<std::string, uint64_t, std::less<>> positions_;  // of the last marker, by source
};

}  // namespace dp2trace::validate
