#include "live/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "blame/draw_list.h"
#include "d3d/states.h"
#include "edit/editor.h"
#include "history/frame_search.h"
#include "history/recorder.h"
#include "inspect/details.h"
#include "json/append.h"
#include "lint/lint_run.h"
#include "live/memory_data.h"
#include "live/picture_place.h"
#include "live/surface_list.h"
#include "os/files.h"
#include "rules/rule_info.h"
#include "text/command.h"

namespace dp2trace::live {
namespace {

Status Absent(std::string_view name) {
  return Failure(kCannotRead, fmt::format("there is no '{}' here", name));
}

constexpr std::string_view kSet = "set ", kDrop = "drop ", kMove = "move ", kPatch = "patch ";

// The patch of a line: "set draw=5,ZENABLE=FALSE", "drop draw=7", "move draw=7,before=3", or a patch itself.
Result<std::string> PatchOf(std::string_view line) {
  if (line.starts_with(kSet)) return edit::PatchOfSet(line.substr(kSet.size()));
  if (line.starts_with(kDrop)) return edit::PatchOfDrop(line.substr(kDrop.size()));
  if (line.starts_with(kMove)) return edit::PatchOfMove(line.substr(kMove.size()));
  if (line.starts_with(kPatch)) return std::string(line.substr(kPatch.size()));
  return Failure(kCannotRead, fmt::format("'{}' is not a change", line));
}

// Why a change has nothing to change.
std::string UnmatchedText(const edit::Change& change) {
  if (change.kind != edit::ChangeKind::kReplace) return change.text + ": there is no such draw";
  return fmt::format("nothing is written into level {}, face {} of surface {}", change.level,
                     change.face, change.handle);
}

// What edit takes for a state of an enumeration, flags or truth: "render_state.ZFUNC". Nothing where there is no such state.
std::optional<std::string> ValuesText(std::string_view state) {
  const size_t dot = state.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view section = state.substr(0, dot);
  const std::string_view name = state.substr(dot + 1);
  const d3d::StateInfo* const info = section == "render_state" ? d3d::FindRenderStateByName(name)
                                     : section == "texture_stage"
                                         ? d3d::FindTextureStageStateByName(name)
                                         : nullptr;
  if (info == nullptr) return std::nullopt;
  json::Builder out;
  out.Raw("{\"values\":[");
  if (info->type == d3d::ValueType::kBool) out.Raw("\"TRUE\",\"FALSE\"");
  // Filters have other names in other versions of the runtime: patches have their numbers.
  const bool has_names = info->names != nullptr && info->legacy_names == nullptr;
  for (const EnumValue& row : has_names ? info->names->values : std::span<const EnumValue>()) {
    if (d3d::IsExcluded(*info, row.value)) continue;
    out.Separate();
    out.String(row.name);
  }
  out.Raw("]}");
  return std::move(out.string());
}

// The next line that is not empty; false: there is none.
bool TakeLine(std::string_view& text, std::string_view& line) {
  do {
    const size_t end = std::min(text.find('\n'), text.size());
    line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  } while (line.empty() && !text.empty());
  return !line.empty();
}

void AppendFilm(json::Builder& out, const image::Picture& film) {
  out.Key("film");
  out.Raw('{');
  json::AppendNumber(out, "width", film.width);
  json::AppendNumber(out, "height", film.height);
  out.Key("data");
  out.Base64(film.rgba);
  out.Raw('}');
}

void AppendFrame(json::Builder& out, const FrameFacts& frame) {
  out.Raw("{");
  json::AppendNumber(out, "frame", frame.number);
  json::AppendNumber(out, "event", frame.event);
  json::AppendNumber(out, "draws", frame.draws);
  json::AppendNumber(out, "primitives", frame.tally.primitives);
  json::AppendNumber(out, "states_set", frame.tally.states_set);
  json::AppendNumber(out, "states_redundant", frame.tally.states_redundant);
  json::AppendNumber(out, "pixels", frame.pixels);
  json::AppendNumber(out, "steps",
                     frame.tally.vertices + frame.tally.primitives + frame.pixels + frame.texels);
  json::AppendCount(out, "unfinished", frame.is_unfinished ? 1 : 0);
  out.Key("findings");
  out.Raw('{');
  for (size_t i = kSeverityCount; i-- > 0;)
    json::AppendNumber(out, Name(static_cast<Severity>(i)), frame.findings[i]);
  out.Raw('}');
  if (frame.film) AppendFilm(out, *frame.film);
  out.Raw('}');
}

}  // namespace

Result<std::unique_ptr<Session>> Session::Open(SessionOptions options) {
  options.play.validation.token_text = text::AppendCommand;
  auto session = std::unique_ptr<Session>(new Session(std::move(options)));
  session->options_.play.validation.interrupt = [&watch = session->watch()] {
    return watch.Check();
  };
  DP2TRACE_RETURN_IF_ERROR(session->Start());
  return session;
}

Status Session::Start() {
  Status status;
  std::unique_ptr<trace_file::Source> source = feed_.Open(nullptr, status);
  if (source == nullptr) return status;
  if (source->size() != 0) options_.play.validation.file_bytes = source->size();
  keyframes_ = Keyframes(options_.max_keyframes);
  overview_ = std::make_unique<Overview>(std::move(source), options_.play, keyframes_, watch());
  frames_.clear();
  return OkStatus();
}

// Changes of the trace that was opened, a line each; none: the trace as it was. The answer is the patch.
Result<std::string> Session::Edit(std::string_view words) {
  if (options_.place.empty()) return Failure(kCannotRead, "nothing can be changed here");
  edit::Patch patch;
  json::Builder out;
  out.Raw("{\"patches\":[");
  for (std::string_view line; TakeLine(words, line);) {
    Result<std::string> text = PatchOf(line);
    if (!text.ok()) return text.status();
    const size_t known = patch.size();
    DP2TRACE_RETURN_IF_ERROR(edit::ReadPatch(*text, std::nullopt, patch));
    for (edit::Change& change : std::span(patch).subspan(known))
      change.text = change.kind == edit::ChangeKind::kReplace
                        ? fmt::format("texture {}", change.handle)
                        : std::string(line);
    out.Separate();
    out.Raw(*text);
  }
  out.Raw("]}");
  if (!patch.empty()) DP2TRACE_RETURN_IF_ERROR(WriteEdited(patch));
  feed_ = FeedOf(patch.empty() ? options_.path : options_.place);
  DP2TRACE_RETURN_IF_ERROR(Start());
  return std::move(out.string());
}

Status Session::WriteEdited(const edit::Patch& patch) {
  Status status;
  TraceFeed feed = FeedOf(options_.path);
  const auto source = feed.Open(nullptr, status);
  if (source == nullptr) return status;
  const Result<edit::EditResult> result =
      edit::EditTrace(*source, patch, options_.place, options_.max_memory,
                      {.max_steps = options_.play.validation.max_steps,
                       .file_bytes = options_.play.validation.file_bytes},
                      watch().walk());
  if (!result.ok()) return result.status();
  const auto unmatched = std::ranges::find(result->matches, 0U);
  if (unmatched == result->matches.end()) return OkStatus();
  const auto place = static_cast<size_t>(unmatched - result->matches.begin());
  return Failure(kCannotRead, UnmatchedText(patch[place]));
}

play::Options Session::OptionsAt(const Keyframe* start) const {
  play::Options options = options_.play;
  if (start != nullptr) options.start = start->player.get();
  return options;
}

Result<std::string> Session::OverviewText(uint64_t from) {
  if (overview_->is_broken()) DP2TRACE_RETURN_IF_ERROR(Start());
  if (overview_->frames().size() <= from) DP2TRACE_RETURN_IF_ERROR(overview_->Advance());
  const std::vector<FrameFacts>& frames = overview_->frames();
  json::Builder out;
  out.Raw('{');
  json::AppendText(out, "tool", options_.tool);
  json::AppendText(out, "trace", options_.name);
  json::AppendNumber(out, "done", overview_->source().position());
  json::AppendNumber(out, "size", overview_->source().size());
  json::AppendCount(out, "reads", overview_->reads());
  json::AppendNumber(out, "complete", overview_->is_complete() ? 1 : 0);
  if (!overview_->status().ok())
    json::AppendText(out, "failure", overview_->status().diagnostic().message);
  out.Key("frames");
  out.Raw('[');
  for (size_t i = from; i < frames.size(); ++i) {
    out.Separate();
    AppendFrame(out, frames[i]);
  }
  out.Raw("]}");
  return std::move(out.string());
}

Result<std::string> Session::Findings() {
  lint::LintJob job;
  job.validation = options_.play.validation;
  job.limits.joins_causes = true;
  job.max_memory = options_.max_memory;
  job.progress = [this](const std::string& /*path*/, uint64_t done, uint64_t size) {
    return watch().Look(done, size).ok();
  };
  const lint::LintResult result = lint::LintFile(path(), job);
  DP2TRACE_RETURN_IF_ERROR(watch().Check());
  if (result.error && !result.error->status.ok()) return result.error->status;
  const DiagnosticList& findings = result.findings;
  json::Builder out;
  out.Raw('{');
  for (size_t i = kSeverityCount; i-- > 0;)
    json::AppendNumber(out, Name(static_cast<Severity>(i)),
                       findings.count(static_cast<Severity>(i)));
  json::AppendNumber(out, "unlisted", findings.dropped());
  json::AppendList(out, "findings", findings.items(),
                   [&out](const Diagnostic& finding) { inspect::AppendFinding(out, finding); });
  out.Raw('}');
  return std::move(out.string());
}

Result<history::FrameSpan> Session::FindSpan(uint64_t frame) {
  Status status;
  const Keyframe* const start = keyframes_.Find(frame);
  const auto source = feed_.Open(start == nullptr ? nullptr : start->player.get(), status);
  if (source == nullptr) return status;
  history::FrameFinder finder =
      start == nullptr
          ? history::FrameFinder(frame)
          : history::FrameFinder(frame, start->player->frame(), start->player->next_event());
  const auto visit = [&finder](const trace::EventRecord& record) {
    finder.OnEvent(record.number, record.event);
    return !finder.is_done();
  };
  DP2TRACE_RETURN_IF_ERROR(watch().walk()(*source, {}, visit));
  history::FrameSpan span = finder.span();
  if (finder.is_done()) return span;
  play::Player player(OptionsAt(start), {});
  if (finder.may_be_unfinished()) DP2TRACE_RETURN_IF_ERROR(feed_.Play(player, {}));
  if (!player.drawn_target()) return Absent(fmt::format("frame {}", frame));
  span.is_unfinished = true;
  span.space = player.drawn_target()->space;
  span.handle = player.drawn_target()->handle;
  return span;
}

Result<history::FrameSpan> Session::FindReadSpan(uint64_t read) {
  Result<history::FoundSpan> found = history::FindRead(feed_, read);
  if (!found.ok()) return found.status();
  if (!found->absence.empty()) return Failure(kCannotRead, found->absence);
  return found->span;
}

// FRAME-X-Y of what the frame shows, FRAME-X-Y-SURFACE-FACE-LEVEL of a surface in its space; after "read-" a read in place of the frame.
Result<std::string> Session::HistoryOf(std::string_view place) {
  constexpr std::string_view kRead = "read-";
  const bool is_read = place.starts_with(kRead);
  const auto numbers = NumbersOf(is_read ? place.substr(kRead.size()) : place);
  if (!numbers || (numbers->size() != 3 && numbers->size() != 6) ||
      std::ranges::any_of(numbers->begin() + 1, numbers->end(),
                          [](uint64_t n) { return n > UINT32_MAX; }))
    return Absent(fmt::format("history/{}", place));
  const Result<history::FrameSpan> span =
      is_read ? FindReadSpan(numbers->front()) : FindSpan(numbers->front());
  if (!span.ok()) return span.status();
  const auto number = [&](size_t i) { return static_cast<uint32_t>((*numbers)[i]); };
  history::Options options;
  options.x = number(1);
  options.y = number(2);
  if (numbers->size() == 6) {
    options.surface = number(3);
    options.face = number(4);
    options.level = number(5);
  }
  options.play = options_.play;
  history::Recorder recorder(options, *span);
  const Keyframe* const start = keyframes_.Find(span->frame);
  play::Player player(OptionsAt(start), {&recorder});
  DP2TRACE_RETURN_IF_ERROR(feed_.Play(player, {}));
  return inspect::HistoryText(recorder.Finish());
}

Result<std::string> Session::SurfacesAt(std::string_view text) {
  const std::optional<SurfacePlace> place = ParseSurfacePlace(text);
  if (!place) return Absent(fmt::format("surfaces/{}", text));
  SurfaceLister lister(*place);
  play::Player player(OptionsAt(keyframes_.Find(place->frame)), {&lister});
  DP2TRACE_RETURN_IF_ERROR(feed_.Play(player, {}));
  if (lister.answer().empty()) return Absent(fmt::format("surfaces/{}", text));
  return lister.answer();
}

Result<std::string> Session::Put(const BesideFile& file) {
  beside_.reset();
  watch().Start();
  const uint64_t size = LookAt(file.path).size;
  Result<Beside> beside =
      LoadBeside(file, options_.tool, options_.max_memory,
                 [this, size](uint64_t done) { return watch().Look(done, size); });
  if (!beside.ok()) return beside.status();
  return DescriptionOf(beside_.emplace(std::move(*beside)));
}

Result<history::FrameSpan> Session::FindDraw(const PicturePlace& place) {
  blame::DrawLister lister(place.frame);
  play::Player player(OptionsAt(keyframes_.Find(place.frame)), {&lister});
  DP2TRACE_RETURN_IF_ERROR(feed_.Play(player, {}));
  const auto draw = std::ranges::find(lister.draws(), place.number, &blame::ListedDraw::number);
  if (draw == lister.draws().end())
    return Absent(fmt::format("picture of {} in frame {}", TextOf(place), place.frame));
  return draw->Span();
}

Result<ComparedPlace> Session::FindPlace(const PicturePlace& place) {
  ComparedPlace found = {.place = place, .suspect = {}, .play = {}};
  history::FrameSpan& span = found.suspect.span;
  if (place.kind == PicturePlace::Kind::kRead) {
    const Result<history::FrameSpan> read = FindReadSpan(place.number);
    if (!read.ok()) return read.status();
    span = *read;
  } else {
    const bool is_draw = place.kind == PicturePlace::Kind::kDraw;
    const Result<history::FrameSpan> frame = is_draw ? FindDraw(place) : FindSpan(place.frame);
    if (!frame.ok()) return frame.status();
    span = *frame;
    if (is_draw) found.suspect.draw = place.number;
  }
  if (place.kind == PicturePlace::Kind::kSurface) {
    span.handle = place.surface;
    span.face = place.face;
    span.level = place.level;
    span.rect.reset();
  }
  found.play = OptionsAt(keyframes_.Find(span.frame));
  return found;
}

Result<std::string> Session::OfPicture(std::string_view verb, std::string_view place) {
  if (!beside_ || !beside_->picture)
    return Failure(kCannotRead, "there is no picture beside the trace");
  const std::optional<PicturePlace> parsed = ParsePlace(place);
  if (!parsed) return Absent(fmt::format("{}/{}", verb, place));
  const Result<ComparedPlace> found = FindPlace(*parsed);
  if (!found.ok()) return found.status();
  return verb == "compare" ? CompareText(*found, *beside_, feed_)
                           : BlameText(options_.name, *found, *beside_, feed_);
}

Result<std::string> Session::DiffOf() {
  if (!beside_ || beside_->trace.empty())
    return Failure(kCannotRead, "there is no trace beside this one");
  TraceFeed other = FeedOf(beside_->trace);
  return DiffText(options_.name, *beside_, feed_, other);
}

Result<const Session::FrameData*> Session::FindFrame(uint64_t frame) {
  const auto found = std::ranges::find(frames_, frame, &FrameData::frame);
  if (found != frames_.end()) {
    frames_.splice(frames_.begin(), frames_, found);
    return &frames_.front();
  }
  inspect::Options options;
  std::string error;
  options.frames = *Selection::Parse(std::to_string(std::max<uint64_t>(frame, 1)), error);
  options.limits = options_.limits;
  keyframes_.Want(frame);
  const Keyframe* const start = keyframes_.Find(frame);
  options.play = OptionsAt(start);
  if (start != nullptr) options.writes = &start->writes;
  MemoryData data;
  inspect::Inspector inspector(options, data);
  DP2TRACE_RETURN_IF_ERROR(feed_.Play(
      inspector.player(), [&] { keyframes_.Offer(inspector.player(), inspector.writes()); }));
  DP2TRACE_RETURN_IF_ERROR(inspector.Finish({.tool = options_.tool, .trace = options_.name}));
  if (inspector.frames().empty()) return Absent(fmt::format("frame {}", frame));
  frames_.push_front({frame, data.bytes(), {}});
  frames_.front().values = data.Take();
  uint64_t bytes = 0;
  for (auto at = frames_.begin(); at != frames_.end();) {
    bytes += at->bytes;
    at = bytes > options_.max_kept && at != frames_.begin() ? frames_.erase(at) : std::next(at);
  }
  return &frames_.front();
}

Result<std::string> Session::OfFrame(std::string_view name, std::string_view place) {
  const auto numbers = NumbersOf(place);
  if (!numbers) return Absent(name);
  const Result<const FrameData*> frame = FindFrame(numbers->front());
  if (!frame.ok()) return frame.status();
  // What was left out of the frame is part of what `run` says of it.
  const auto found =
      (*frame)->values.find(name == fmt::format("limits/{}", numbers->front()) ? "run" : name);
  return found == (*frame)->values.end() ? Result<std::string>(Absent(name)) : found->second;
}

Result<std::string> Session::Resource(std::string_view name) const {
  for (const FrameData& frame : frames_) {
    const auto found = frame.values.find(name);
    if (found != frame.values.end()) return found->second;
  }
  return Absent(name);
}

Result<std::string> Session::Ask(std::string_view name) {
  watch().Start();
  return Answer(name);
}

Result<std::string> Session::Answer(std::string_view name) {
  const size_t slash = name.find('/');
  const std::string_view kind = name.substr(0, slash);
  const std::string_view place = slash == std::string_view::npos ? "" : name.substr(slash + 1);
  constexpr std::array<std::string_view, 6> kOfFrames = {"frames",  "base",  "keys",
                                                         "patches", "items", "limits"};
  if (name == "findings") return Findings();
  if (name == "diff") return DiffOf();
  if (kind == "compare" || kind == "blame") return OfPicture(kind, place);
  if (kind == "edit") return Edit(place);
  if (kind == "resources") return Resource(name);
  if (kind == "history") return HistoryOf(place);
  if (kind == "surfaces") return SurfacesAt(place);
  if (kind == "values") {
    std::optional<std::string> values = ValuesText(place);
    return values ? Result<std::string>(std::move(*values)) : Absent(name);
  }
  if (std::ranges::find(kOfFrames, kind) != kOfFrames.end()) return OfFrame(name, place);
  if (kind == "rules") {
    const std::optional<Rule> rule = FindRule(place);
    return rule ? Result<std::string>(inspect::RuleText(*rule)) : Absent(name);
  }
  const auto numbers = kind == "overview" ? NumbersOf(place) : std::nullopt;
  return numbers && numbers->size() == 1 ? OverviewText(numbers->front()) : Absent(name);
}

}  // namespace dp2trace::live
