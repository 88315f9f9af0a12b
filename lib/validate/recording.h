// Whether a recording is sound: what draws depend on is in it. `verify` asks for all of it; a lint of a stream whether the textures that
// draws read have contents.
// Source: lib/design.md 3 ("Recording").
#pragma once

#include <array>
#include <bitset>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "d3d/states.h"
#include "device/draw.h"
#include "trace/events.h"
#include "validate/command_view.h"
#include "validate/dp2/sampled_box.h"
#include "validate/dp2/stage_use.h"
#include "validate/written_area.h"

namespace dp2trace::validate {

// RECORD-CONTENT, RECORD-STATE, RECORD-ORDER, RECORD-UPDATE, RECORD-CALL; without `asks_for_all` DP2-TSS-035 in their
// place. One object per session.
class RecordingRules {
 public:
  explicit RecordingRules(bool asks_for_all = false) : asks_for_all_(asks_for_all) {}
  // After the effect of the event.
  void OnEvent(const trace::Event& event, const device::Device& device, EventFindings& findings);
  // Before the effect of the token.
  void OnCommand(const CommandView& view);
  // What the token draws, once its data are found.
  void OnDraw(const CommandView& view, const device::Draw& draw);
  void OnClear(const CommandView& view, const device::ClearDraw& clear);

 private:
  struct ContextFacts {
    std::bitset<d3d::kRenderStateCount> set_states;
    bool is_reported = false;  // RECORD-STATE-001
  };

  // A face and level of a surface.
  struct Place {
    uint64_t surface = 0;  // image::Surface::id()
    uint32_t face = 0;
    uint32_t level = 0;
    auto operator<=>(const Place&) const = default;
  };

  struct Levels {
    uint32_t first = 0, last = 0;
    bool operator==(const Levels&) const = default;
  };

  using OptionalArea = std::optional<image::Area>;

  static Place PlaceOf(const device::SurfaceRef& surface);
  // The area, or all of the level; a lint knows only levels.
  void Write(const device::SurfaceRef& surface, const OptionalArea& area = {});
  // `area`: in level 0.
  void WriteLevels(device::SurfaceRef surface, uint32_t levels, uint32_t faces,
                   const OptionalArea& area = {});
  void WriteCopies(const CommandView& view);
  // RECORD-CONTENT-005: levels of a copy's source, from that of the reference on, that nothing wrote.
  void CheckSource(const CommandView& view, const stream::Record& record, device::SurfaceRef source,
                   uint32_t levels, uint32_t faces, const OptionalArea& area = {});
  // Nothing wrote it, or, with an area, not all of that, and it has not been reported: once for each place and rule.
  bool IsUnknown(Rule rule, const device::SurfaceRef& surface, const OptionalArea& area = {});
  // "which nothing in the recording wrote", or a part of which.
  std::string_view ClauseOf(const device::SurfaceRef& surface) const;
  bool HasSome(const device::SurfaceRef& surface) const;
  // "level 1": the places that the stage may sample and nothing wrote; empty where all are known. Without coordinates levels of which a part
  // was written wait for them, where the draw will have some.
  std::string UnknownPlaces(const CommandView& view, uint32_t stage, device::Resource& texture,
                            const std::optional<SampledBox>& sampled);
  // The rule about textures.
  Rule TextureRule() const;
  // True where these levels were looked at before; else they are from now on.
  bool IsLookedThrough(const image::Surface& surface, const Levels& levels);
  bool KnowsContents(const CommandView& view, const device::Resource& texture) const;
  void CheckTexture(const CommandView& view, uint32_t stage,
                    const std::optional<SampledBox>& sampled);
  void CheckTextures(const CommandView& view);
  void WriteCleared(const CommandView& view);
  void WriteTargets(const CommandView& view);
  void CheckDraw(const CommandView& view);
  void NoteStates(const CommandView& view);
  void CheckBuffers(const CommandView& view);
  void CheckBuffer(const CommandView& view, uint32_t handle, const char* what);
  // The bytes [begin, end) from `at` on, where they lie in the buffer.
  void CheckBytes(const CommandView& view, uint32_t handle, const uint8_t* at, uint64_t begin,
                  uint64_t end, const char* what);
  void CheckTargets(const CommandView& view);
  void CheckStates(const CommandView& view, ContextFacts& facts);
  void CheckVertexSize(const CommandView& view);
  void OnCall(const trace::Dp2& call, EventFindings& findings);
  void OnMarker(const trace::Marker& marker, EventFindings& findings);
  void OnPresent(const trace::Present& present, const device::SurfaceRef& shown,
                 EventFindings& findings);
  void OnCopy(const trace::Blt& blt, const device::SurfaceRef& source, EventFindings& findings);

  // What is known of surfaces that are gone is dropped, as often as it has doubled.
  void ForgetDestroyed(const device::Device& device);

  bool asks_for_all_;
  SamplerMasks masks_;
  std::unordered_map<uint64_t, Levels>
      looked_through_;                    // of surfaces, since they were written last
  uint64_t target_context_ = UINT64_MAX;  // what the last draw wrote
  device::Targets targets_;
  OptionalArea drawn_;
  uint32_t waiting_ = 0;       // bits of stages whose textures wait for the coordinates of the draw
  size_t most_places_ = 4096;  // before they are looked through
  std::map<Place, WrittenArea> written_;
  std::set<std::pair<Rule, Place>> reported_;
  std::map<std::pair<uint32_t, uint64_t>, ContextFacts> contexts_;
  std::map<std::string, uint64_t, std::less<>> positions_;  // of the last marker, by source
  bool is_size_reported_ = false;                           // RECORD-CALL-001
};

}  // namespace dp2trace::validate
