// Is a recording sound, and did the driver draw what the documents say? The trace is replayed; what its draws depend on must be in it
// (rules RECORD-CONTENT, -STATE, -ORDER), and its `picture` events must show what the replay shows.
// Source: lib/design.md 3 ("Recording").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "replay/last_writer_finder.h"
#include "replay/replayer.h"
#include "trace/events.h"
#include "verify/recording_checks.h"

namespace dp2trace::verify {

struct Options {
  replay::Options replay;  // renderer, limits, and rules: reported are those about a recording
  CheckOptions checks;
};

// A rule that says something about a recording: rules about handles, the bytes of an update or of a vertex, the end of a call and levels, and
// the groups TRACE, JSON, REPLAY and RECORD. Errors for which the replay refuses a draw are reported besides.
bool IsAboutRecordings(Rule rule);

// Pictures of the replay are of no interest here.
class NoImages final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo&, const image::Picture&) override { return OkStatus(); }
};

// Did the recorder end the trace? A file without a footer may be cut off in a call. `reading` is what its reader has found.
bool HasEnd(const DiagnosticList& reading);

class Verifier {
 public:
  // Findings go to a list that outlives the verifier.
  Verifier(const Options& options, DiagnosticList& findings);

  // Event `number` of the trace, in order.
  Status OnEvent(uint64_t number, const trace::Event& event);
  // The trace has ended.
  // `has_end`: the recorder ended the trace, and was not cut off.
  Status Finish(bool has_end = true);

  const replay::Statistics& statistics() const { return replayer_.statistics(); }
  const std::optional<uint64_t>& leaks() const { return checks_.leaks(); }
  std::vector<PictureResult>& pictures() { return checks_.pictures(); }
  const std::vector<PictureResult>& pictures() const { return checks_.pictures(); }
  // The first that differs; null where none does.
  PictureResult* first_different();

 private:
  // What was found about the recording goes to the list.
  void Report();
  // Surfaces that find no memory have one cause: it is reported at the end, with their number. False: it is another finding.
  bool IsHeld(const Diagnostic& finding);

  // One cause, and how often it was found.
  struct Cause {
    Diagnostic first;
    uint64_t count = 1;
  };

  DiagnosticList* findings_;
  DiagnosticList found_;                   // by rules of any kind, since the last event
  std::map<std::string, Cause> surfaces_;  // refused ones, by what was expected
  std::set<std::string> levels_;           // what was said of them: each is said once
  NoImages images_;
  RecordingChecks checks_;
  replay::Replayer replayer_;
};

// Plays the trace again up to a picture, and finds the draw that gave its first different pixel the value that it has, and the one whose edge
// lies elsewhere.
class CauseFinder final : private play::Listener {
 public:
  CauseFinder(const Options& options, const PictureResult& picture);

  // Takes the events of the trace from the header on; is done after the picture.
  play::Player& player() { return player_; }
  // Nothing where something else than a draw wrote the pixel last, or nothing did.
  const std::optional<replay::CausingDraw>& draw() const { return draw_; }
  // Whose edge lies elsewhere; nothing where that is not the fault of the picture.
  const std::optional<replay::CausingDraw>& edge_draw() const { return edge_draw_; }

 private:
  bool is_done() const override { return player_.position().event >= picture_.event; }
  play::Detail detail() const override { return play::Detail::kPictures; }
  Status AfterEvent(const trace::Event& event) override;

  std::optional<replay::CausingDraw> LastChange(const replay::LastWriterFinder& history) const;

  PictureResult picture_;
  image::MovedPixel moved_;
  replay::LastWriterFinder history_, edge_, beside_;
  std::optional<replay::CausingDraw> draw_, edge_draw_;
  play::Player player_;
};

}  // namespace dp2trace::verify
