// What each frame of a trace costs: draws, primitives, state changes, bytes, textures, pixels.
// Source: lib/design.md 3 ("Numbers") and 6.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/selection.h"
#include "info/tally.h"
#include "play/player.h"

namespace dp2trace::info {

struct FrameStatistics : Tally {
  uint64_t number = 0;  // from 1
  uint64_t first_event = 0, last_event = 0;
  bool is_unfinished = false;          // drawing after the last present
  uint64_t draws = 0;                  // CLEAR too, executed or not
  uint64_t textures = 0;               // that draws sampled
  uint64_t texture_bytes = 0;          // of these, all levels and faces
  uint64_t pixels = 0;                 // that passed all tests
  uint64_t target_pixels = 0;          // of the surfaces that were drawn to
  std::map<uint16_t, uint64_t> bytes;  // payload in the container, by code of the event

  uint64_t all_bytes() const;
  // How often a pixel of the targets was written on average; 0 where nothing was drawn.
  double overdraw() const;
};

struct FrameOptions {
  Selection frames;  // `last` resolved
  play::Options play;
};

inline constexpr size_t kMaxReportedLimits = 100;

class FrameCounter final : private play::Listener {
 public:
  explicit FrameCounter(const FrameOptions& options);

  // Event `number` of the trace, in order. `payload_size`: bytes in the container.
  Status OnEvent(uint64_t number, const trace::Event& event, uint64_t payload_size);
  // No frame that follows is chosen.
  bool is_done() const override { return options_.frames.IsPast(frame_.number); }
  // The trace has ended.
  void Finish();
  // The chosen ones.
  const std::vector<FrameStatistics>& frames() const { return frames_; }
  // Those that ended so far.
  uint64_t frames_seen() const { return frame_.number - 1; }
  // Where a limit of the options was reached: what was left out is in no number. The first hundred.
  const DiagnosticList& limits() const { return limits_; }

 private:
  play::Detail detail() const override { return play::Detail::kPictures; }
  Status BeforeEvent(const trace::Event& event) override;
  Status AfterEvent(const trace::Event& event) override;
  bool OnDraw(const device::Draw& draw) override;
  bool OnPatch(const device::PatchDraw& patch) override;

  void NoteTextures(const device::Draw& draw);
  void NoteTargets();
  void EndFrame(uint64_t event);

  FrameOptions options_;
  DiagnosticList limits_{kMaxReportedLimits};
  FrameStatistics frame_;
  TallyCounter tally_;                                                    // of the frame
  uint64_t pixels_before_ = 0;                                            // of earlier frames
  std::set<std::pair<uint32_t, uint32_t>> textures_;                      // space and root handle
  std::set<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> targets_;  // and face and level
  std::vector<FrameStatistics> frames_;
  play::Player player_;
};

std::string FramesText(const std::vector<FrameStatistics>& frames);
// One object, one frame per line.
std::string FramesJson(std::string_view trace, const std::vector<FrameStatistics>& frames);

}  // namespace dp2trace::info
