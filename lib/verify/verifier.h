// Is a recording sound, and did the driver draw what the documents say? The trace is replayed; what its draws depend on must be in it
// (rules RECORD-CONTENT, -STATE, -ORDER), and its `picture` events must show what the replay shows.
// Source: lib/design.md 3 ("Recording").
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "image/diagnosis.h"
#include "replay/pixel_history.h"
#include "replay/replayer.h"
#include "trace/events.h"
#include "verify/picture_check.h"
#include "verify/recording_end.h"

namespace dp2trace::verify {

struct Options {
  replay::Options
      replay;  // renderer, limits, and rules: those that are not about a recording are muted
  uint32_t tolerance = 0;    // of each 8-bit channel
  bool lists_leaks = false;  // what lives at the end (RECORD-LEAK-001)
  // Gets each picture that differs, with its number.
  std::function<void(uint64_t sequence, const PicturePair&)> on_difference = {};
};

// A rule that says something about a recording: rules about handles and about the bytes of an update, and the groups TRACE, JSON, REPLAY
// and RECORD.
bool IsAboutRecordings(Rule rule);

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
  std::optional<replay::CausingDraw> cause;  // of the first pixel of the first picture that differs
};

// Pictures of the replay are of no interest here.
class NoImages final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo&, const image::Picture&) override { return OkStatus(); }
};

class Verifier {
 public:
  // Findings go to a list that outlives the verifier.
  Verifier(const Options& options, DiagnosticList& findings);

  // Event `number` of the trace, in order.
  Status OnEvent(uint64_t number, const trace::Event& event);
  // The trace has ended.
  Status Finish();

  const replay::Statistics& statistics() const { return replayer_.statistics(); }
  // Objects that live at the end, where that was asked for.
  const std::optional<uint64_t>& leaks() const { return leaks_; }
  std::vector<PictureResult>& pictures() { return pictures_; }
  const std::vector<PictureResult>& pictures() const { return pictures_; }
  // The first that differs; null where none does.
  PictureResult* first_different();

 private:
  Status OnPicture(uint64_t number, const trace::Picture& event);

  Options options_;
  DiagnosticList* findings_;
  NoImages images_;
  replay::Replayer replayer_;
  RecordingEnd end_;
  std::optional<uint64_t> leaks_;
  std::vector<PictureResult> pictures_;
};

// Plays the trace again up to a picture, and finds the draw that gave its first different pixel the value that it has.
class CauseFinder final : private play::Listener {
 public:
  CauseFinder(const Options& options, const PictureResult& picture);

  // Takes the events of the trace from the header on; is done after the picture.
  play::Player& player() { return player_; }
  // Nothing where something else than a draw wrote the pixel last, or nothing did.
  const std::optional<replay::CausingDraw>& draw() const { return draw_; }

 private:
  bool is_done() const override { return player_.position().event >= picture_.event; }
  play::Detail detail() const override { return play::Detail::kPictures; }
  Status AfterEvent(const trace::Event& event) override;

  PictureResult picture_;
  replay::PixelHistory history_;
  std::optional<replay::CausingDraw> draw_;
  play::Player player_;
};

}  // namespace dp2trace::verify
