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
#include "live/keyframes.h"
#include "live/overview.h"
#include "play/player.h"

namespace dp2trace::live {

struct SessionOptions {
  std::string tool;  // with its version
  std::string name;  // of the trace, as the page shows it
  std::string path;  // where it lies; read again for each frame, from the nearest keyframe on
  // Where a changed trace may be written, .dp2t; empty: nothing can be changed.
  std::string place = {};
  uint64_t max_memory = 0;                  // bytes, for reading it
  uint64_t max_kept = uint64_t{512} << 20;  // bytes of frames that are kept for the next question
  uint64_t max_keyframes = uint64_t{512}
                           << 20;  // bytes of what players knew at the start of frames
  inspect::Limits limits;          // of each frame
  play::Options play;
};

// Not thread-safe.
class Session {
 public:
  // Fails where the trace cannot be opened.
  static Result<std::unique_ptr<Session>> Open(SessionOptions options);

  // The JSON value of a name (README.md of this folder): `overview/FROM`, `findings`, `rules/ID`, `history/FRAME-X-Y-...`, `edit/LINES`, and the data of
  // inspect/inspect.md for any frame. Fails (TRACE-001) where there is no such thing, or as reading and playing do.
  Result<std::string> Ask(std::string_view name);
  // Of the trace that is shown.
  const std::string& path() const { return shown_; }

 private:
  // What a frame consists of, by name.
  struct FrameData {
    uint64_t frame = 0;
    uint64_t bytes = 0;
    std::map<std::string, std::string, std::less<>> values;
  };

  explicit Session(SessionOptions options) : options_(std::move(options)) {}
  std::unique_ptr<trace_file::Source> OpenSource(const std::string& path, Status& status) const;
  // From the start of the trace that is shown.
  Status Start();
  Result<std::string> Edit(std::string_view words);
  Status WriteEdited(const edit::Patch& patch) const;
  // At an event of the trace that is shown; null, and the status: it cannot be read.
  std::unique_ptr<trace_file::Source> OpenAt(const Keyframe* start, Status& status) const;
  // With the start of a player.
  play::Options OptionsAt(const Keyframe* start) const;
  // Plays the trace until the listeners of the player are done, which was made with OptionsAt() of the same keyframe. `writes` is one of them: the
  // player is worth keyframes. Null: it is not.
  Status Play(play::Player& player, const Keyframe* start, const state::StateWrites* writes);
  std::string OverviewText(uint64_t from);
  Result<std::string> Findings() const;
  Result<std::string> HistoryOf(std::string_view place);
  Result<history::FrameSpan> FindSpan(uint64_t frame);
  // Of a frame that is not kept, it is made.
  Result<const FrameData*> FindFrame(uint64_t frame);
  Result<std::string> OfFrame(std::string_view name, std::string_view place);
  Result<std::string> Resource(std::string_view name) const;

  SessionOptions options_;
  std::string shown_;  // path of the trace: the one that was opened, or changed
  mutable DiagnosticList reading_{size_t{0}};  // of sources: not kept, `findings` has them
  Keyframes keyframes_{0};
  std::unique_ptr<Overview> overview_;
  std::list<FrameData> frames_;  // the one used last in front
};

}  // namespace dp2trace::live
