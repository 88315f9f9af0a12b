// The surfaces that live at a place of a trace, whether its frame names them or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "play/player.h"

namespace dp2trace::live {

struct SurfacePlace {
  uint64_t frame = 0;
  uint64_t event = 0;              // after it,
  std::optional<uint64_t> offset;  // or after the token that begins there
  // Space and handle of the root of one of them; nothing: all.
  std::optional<std::pair<uint32_t, uint32_t>> surface;
};

// "FRAME-EVENT" or "FRAME-EVENT-OFFSET", of one surface with "-SPACE-HANDLE". Nothing where it is something else.
std::optional<SurfacePlace> ParseSurfacePlace(std::string_view text);

class SurfaceLister final : public play::Listener {
 public:
  explicit SurfaceLister(const SurfacePlace& place) : place_(place) {}

  bool is_done() const override {
    return !answer_.empty() || player().position().event > place_.event;
  }
  // JSON: the list; of one surface what it holds, as data of an inspect page have textures. Empty where the trace has no such place or surface, or the surface
  // shows nothing.
  const std::string& answer() const { return answer_; }

 private:
  // The event that is played is the one that is asked for.
  bool IsThere() const {
    const play::Position& position = player().position();
    return position.event == place_.event && position.frame == place_.frame;
  }
  play::Detail detail() const override {
    return place_.surface ? play::Detail::kPictures : play::Detail::kStates;
  }
  Status AfterEvent(const trace::Event& event) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  void Take();

  SurfacePlace place_;
  std::string answer_;
};

}  // namespace dp2trace::live
