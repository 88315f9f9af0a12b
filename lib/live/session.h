// A trace that somebody looks at: what the page asks for, made when it is asked for. The same for a server (`view`) and for the engine in the
// page.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "edit/patch.h"
#include "history/frame_finder.h"
#include "inspect/inspector.h"
#include "live/beside.h"
#include "live/keyframes.h"
#include "live/overview.h"
#include "live/side_by_side.h"
#include "live/trace_feed.h"
#include "play/player.h"

namespace dp2trace::live {

struct SessionOptions {
  std::string tool;  // with its version
  std::string name;  // of the trace, as the page shows it
  std::string path;  // where it lies; read again for each frame, from the nearest keyframe on
  // Where a changed trace may be written, .dp2t; empty: nothing can be changed.
  std::string place = {};
  Watch* watch = nullptr;                   // of all questions; outlives the session; null: none
  uint64_t max_memory = 0;                  // bytes, for reading it
  uint64_t max_kept = uint64_t{512} << 20;  // bytes of frames that are kept for the next question
  uint64_t max_keyframes = uint64_t{512}
                           << 20;  // bytes of what players knew at the start of frames
  inspect::Limits limits = {};     // of each frame
  play::Options play;
};

// Not thread-safe.
class Session {
 public:
  // Fails where the trace cannot be opened.
  static Result<std::unique_ptr<Session>> Open(SessionOptions options);

  // The JSON value of a name (README.md of this folder): `overview/FROM`, `findings`, `rules/ID`, `history/FRAME-X-Y-...`, `surfaces/FRAME-EVENT-...`, `values/STATE`, `edit/LINES`, and the data of
  // inspect/inspect.md for any frame; of what is beside the trace `compare/PLACE`, `blame/PLACE`, `diff`. Fails (TRACE-001) where there is no such
  // thing, or as reading and playing do.
  Result<std::string> Ask(std::string_view name);
  // A file beside the trace, in place of the one that was there. What it is, as JSON (DescriptionOf()); where it cannot be read, none is there.
  Result<std::string> Put(const BesideFile& file);
  // Of the trace that is shown.
  const std::string& path() const { return feed_.path(); }

 private:
  // What a frame consists of, by name.
  struct FrameData {
    uint64_t frame = 0;
    uint64_t bytes = 0;
    std::map<std::string, std::string, std::less<>> values;
  };

  explicit Session(SessionOptions options)
      : options_(std::move(options)), feed_(FeedOf(options_.path)) {}
  TraceFeed FeedOf(const std::string& path) { return {path, options_.max_memory, watch()}; }
  Watch& watch() { return options_.watch != nullptr ? *options_.watch : own_watch_; }
  Result<std::string> Answer(std::string_view name);
  // From the start of the trace that is shown.
  Status Start();
  Result<std::string> Edit(std::string_view words);
  Status WriteEdited(const edit::Patch& patch);
  // With the start of a player.
  play::Options OptionsAt(const Keyframe* start) const;
  Result<std::string> OverviewText(uint64_t from);
  Result<std::string> Findings();
  Result<std::string> HistoryOf(std::string_view place);
  Result<std::string> SurfacesAt(std::string_view text);
  // `compare` or `blame`.
  Result<std::string> OfPicture(std::string_view verb, std::string_view place);
  Result<std::string> DiffOf();
  Result<ComparedPlace> FindPlace(const PicturePlace& place);
  // Of the draw of place.suspect, in the frame of the place.
  Result<history::FrameSpan> FindDraw(const PicturePlace& place);
  Result<history::FrameSpan> FindSpan(uint64_t frame);
  Result<history::FrameSpan> FindReadSpan(uint64_t read);
  // Of a frame that is not kept, it is made.
  Result<const FrameData*> FindFrame(uint64_t frame);
  Result<std::string> OfFrame(std::string_view name, std::string_view place);
  Result<std::string> Resource(std::string_view name) const;

  SessionOptions options_;
  Watch own_watch_;
  TraceFeed feed_;  // of the trace that is shown: the one that was opened, or changed
  std::optional<Beside> beside_;
  Keyframes keyframes_{0};
  std::unique_ptr<Overview> overview_;
  std::list<FrameData> frames_;  // the one used last in front
};

}  // namespace dp2trace::live
