// What `verify` says of a recording besides the rules of its events: its pictures beside those of the replay, and what is open at its end.
// Source: lib/design.md 3 ("Recording").
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "device/device.h"
#include "history/refused_draws.h"
#include "image/diagnosis.h"
#include "play/player.h"
#include "replay/last_writer_finder.h"
#include "trace/events.h"
#include "validate/findings.h"
#include "verify/picture_check.h"
#include "verify/recording_end.h"

namespace dp2trace::verify {

struct CheckOptions {
  uint32_t tolerance = 0;    // of each 8-bit channel
  uint8_t edge_pixels = 0;   // by which edges may lie elsewhere
  uint64_t max_pixels = 0;   // of a picture, that may be further off
  bool lists_leaks = false;  // what lives at the end (RECORD-LEAK-001)
  // Gets each picture that differs, with its number.
  std::function<void(uint64_t sequence, const PicturePair&)> on_difference = {};
};

// What a `picture` event gave.
struct PictureResult {
  uint64_t sequence = 0;  // from 1, in the order of the trace
  uint64_t event = 0;
  uint32_t space = 0;
  uint32_t surface = 0;  // the handle that was named
  uint32_t face = 0;
  uint32_t level = 0;
  image::Area area;
  PictureDifference difference;
  std::optional<image::Diagnosis> diagnosis;  // of pixels that differ
  bool is_compared = false;                   // false: RECORD-PICTURE-002
  bool is_different = false;                  // more than may be
  // Of a picture that differs: draws of its frame that an error stopped, the first of them, and how many more there are.
  std::vector<history::RefusedDraw> refused;
  uint64_t more_refused = 0;
  // Where edges lie elsewhere: the first pixel that this explains, on the surface.
  std::optional<image::MovedPixel> moved;
  // Of the first picture that differs: the draw after its first pixel that does, and the one whose edge gave the first moved pixel.
  std::optional<replay::CausingDraw> cause;
  std::optional<replay::CausingDraw> edge_draw;
};

// Hears a trace that a player plays; findings go to the list of the player.
class RecordingChecks final : public history::RefusedOfFrame {
 public:
  // `rules` are those that the user asked for.
  RecordingChecks(CheckOptions options, const validate::RuleSet& rules);

  // The trace has ended.
  void Finish(bool has_end = true);

  // The error that kept a draw of the frame from being drawn.
  bool IsRefusal(const Diagnostic& finding) const;
  // Objects that live at the end, where that was asked for.
  const std::optional<uint64_t>& leaks() const { return leaks_; }
  std::vector<PictureResult>& pictures() { return pictures_; }
  const std::vector<PictureResult>& pictures() const { return pictures_; }

 private:
  Status AfterEvent(const trace::Event& event) override;
  void OnPicture(const trace::Picture& event);
  void NameRefused(PictureResult& result) const;

  CheckOptions options_;
  validate::RuleSet rules_;
  RecordingEnd end_;
  std::optional<uint64_t> leaks_;
  std::vector<PictureResult> pictures_;
};

}  // namespace dp2trace::verify
