#include "inspect/inspector.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "base/plain_text.h"
#include "d3d/enums.h"
#include "device/place.h"
#include "history/refused_draws.h"
#include "inspect/named_surfaces.h"
#include "inspect/summary.h"
#include "inspect/vertex_table.h"
#include "json/append.h"
#include "rules/rule_info.h"
#include "state/state_snapshot.h"
#include "trace/event_kind.h"

namespace dp2trace::inspect {
namespace {

ItemKind KindOf(const opcode::OpInfo& op) {
  if (op.op == opcode::Op::kClear) return ItemKind::kClear;
  if (op.is(opcode::kDraw)) return ItemKind::kDraw;
  return op.is(opcode::kBlt) ? ItemKind::kBlit : ItemKind::kOther;
}

// A token, or one that is a draw.
Item ItemOf(const opcode::OpInfo& op, uint64_t event, uint64_t offset, uint64_t size) {
  Item item;
  item.kind = KindOf(op);
  item.name = op.name;
  item.event = event;
  item.offset = offset;
  item.end = offset + size;
  return item;
}

std::string ReasonOf(const Diagnostic* error) {
  return error == nullptr ? ""
                          : fmt::format("{} [{}]", Plain(error->message), Info(error->rule).id);
}

void Append(std::vector<Place>& places, const std::vector<Place>& more) {
  places.insert(places.end(), more.begin(), more.end());
}

// The part that surfaces have, none of which begins at negative coordinates.
image::Area AreaOf(const raster::PixelRect& rect) {
  if (rect.empty()) return {};
  const auto edge = [](int64_t x) {
    return static_cast<uint32_t>(std::clamp<int64_t>(x, 0, INT32_MAX));
  };
  return {.left = edge(rect.left),
          .top = edge(rect.top),
          .right = edge(rect.right),
          .bottom = edge(rect.bottom)};
}

// Handle and space of the surface that an event makes or destroys.
std::optional<std::pair<uint32_t, uint32_t>> MadeOrDestroyed(const trace::Event& event) {
  if (const auto* const create = std::get_if<trace::SurfaceCreate>(&event))
    return std::pair(create->space, create->handle);
  if (const auto* const destroy = std::get_if<trace::SurfaceDestroy>(&event))
    return std::pair(destroy->space, destroy->handle);
  return std::nullopt;
}

// The finding is about something in front of the end of the item. What is about no event comes first.
bool IsUpTo(const Diagnostic& finding, const Item& item) {
  if (!finding.event || *finding.event < item.event) return true;
  if (*finding.event > item.event) return false;
  return !item.offset || !finding.offset || *finding.offset < item.end;
}

}  // namespace

Inspector::Inspector(const Options& options, DataSink& data)
    : options_(options),
      data_(&data),
      writes_(options.writes != nullptr ? *options.writes : state::StateWrites()),
      watch_(options.limits.surfaces),
      details_(data),
      player_(options.play, findings_, {&writes_, this}) {
  writes_.SetNoting();
}

Status Inspector::BeforeEvent(const trace::Event& event) {
  if (IsWatching() && !writer_) StartFrame();
  frame_draws_ += player_.draws().draws().size();
  return writer_ ? StartEvent(event) : OkStatus();
}

Status Inspector::AfterEvent(const trace::Event& event) {
  DP2TRACE_RETURN_IF_ERROR(End());
  DP2TRACE_RETURN_IF_ERROR(status_);
  if (writer_ && !tokens_.HasAnyOf(this->event())) DP2TRACE_RETURN_IF_ERROR(AddRefused());
  if (!writer_) findings_ = DiagnosticList();
  const auto* const present = std::get_if<trace::Present>(&event);
  if (present == nullptr) return OkStatus();
  if (writer_) DP2TRACE_RETURN_IF_ERROR(Present(*present));
  frame_draws_ = frame_reads_ = 0;
  return OkStatus();
}

void Inspector::StartFrame() {
  writer_.emplace(*data_, frame());
  summary_ = FrameSummary{};
  summary_.number = frame();
  watch_.Clear();
  details_.StartFrame();
}

// Events that write surfaces themselves.
Status Inspector::StartEvent(const trace::Event& event) {
  const std::string_view name = trace::EventName(trace::CodeOf(event));
  const std::optional<Place> place = PlaceOf(player_.device(), event);
  const auto made = MadeOrDestroyed(event);
  if (!player_.draws().commands()) details_.AddEvent(this->event(), name);
  if (!place && !made) return OkStatus();
  Item item;
  item.kind = made                                                  ? ItemKind::kSurface
              : std::holds_alternative<trace::SurfaceUpdate>(event) ? ItemKind::kUpload
                                                                    : ItemKind::kBlit;
  item.name = name;
  item.event = this->event();
  item.surface = fmt::format("{}", made ? made->second : place->surface.resource->handle);
  std::vector<Place> places;
  if (place) places.push_back(*place);
  return Start({.item = std::move(item), .places = std::move(places)});
}

bool Inspector::IsFull() const {
  return writer_->items() >= options_.limits.items || data_->bytes() >= options_.limits.bytes;
}

bool Inspector::IsChosen(uint64_t draw) const {
  if (IsFull()) return false;
  return options_.draws.is_all() || (draw != 0 && options_.draws.Contains(draw));
}

void Inspector::BeforeApply(const device::Context& context, const stream::Command& command) {
  const opcode::OpInfo& op = *command.op;
  const trace::DrawToken* const draw = player_.position().token;
  tokens_.BeforeApply(player_.position());
  if (writer_) details_.AddToken(event(), command, player_.environment(), context.runtime_version);
  const bool may_write = op.is(opcode::kDraw) || op.is(opcode::kBlt) || op.is(opcode::kResource);
  if (!writer_ || !may_write || !status_.ok()) return;
  Item item = ItemOf(op, event(), command.offset, command.bytes.size());
  item.draw = draw != nullptr ? draw->number : 0;
  if (draw != nullptr) {
    draws_seen_ = {draws_seen_[0] == 0 ? draw->number : draws_seen_[0], draw->number};
    has_chosen_draw_ = has_chosen_draw_ || options_.draws.Contains(draw->number);
  }
  item.marker = player_.marker();
  Current current = {.item = std::move(item),
                     .is_certain = op.is(opcode::kDraw) || op.is(opcode::kBlt)};
  if (Draws()) {
    current.places = PlacesOf(context, command, player_.environment());
    if (op.is(opcode::kResource)) Append(current.places, watch_.PalettePlaces(player_.device()));
    if (op.is(opcode::kDraw)) current.drawn = TargetsOf(context);
  }
  status_ = Start(std::move(current));
  if (status_.ok() && current_ && op.is(opcode::kDraw) && HasFindings(event(), current_->item.end))
    status_ = details_.AddDraw(context, writes_, writer_->items() / kItemsPerPack, current_->item);
}

raster::PixelRect Inspector::TakeTouched() {
  return Draws() ? player_.renderer()->TakeTouched() : raster::PixelRect();
}

Status Inspector::Start(Current current) {
  const bool is_present = current.item.kind == ItemKind::kPresent;
  if (!is_present && !IsChosen(current.item.draw)) {
    skipped_ += current.is_certain ? 1U : 0U;
    return OkStatus();
  }
  DP2TRACE_RETURN_IF_ERROR(EndSkipped());
  player_.FinishDrawing();
  for (const std::vector<Place>* const places : {&current.places, &current.drawn}) {
    for (const Place& place : *places)
      watch_.Watch(player_.device(), place);
  }
  (void)TakeTouched();
  current.before = player_.drawing_statistics();
  current_ = std::move(current);
  return OkStatus();
}

Status Inspector::End() {
  if (!current_) return OkStatus();
  Current current = *std::exchange(current_, std::nullopt);
  player_.FinishDrawing();
  std::vector<PlanePixels> bases;
  std::vector<PlanePixels> changes;
  watch_.Compare(player_.device(), current.places, bases, changes);
  const image::Area touched = AreaOf(TakeTouched());
  for (Place& place : current.drawn)
    place.area = touched;
  watch_.Compare(player_.device(), current.drawn, bases, changes);
  Item& item = current.item;
  const raster::RendererStatistics now = player_.drawing_statistics();
  item.pixels = now.pixels - current.before.pixels;
  item.steps =
      current.vertices + item.primitives + item.pixels + now.texels - current.before.texels;
  const bool is_draw = item.kind == ItemKind::kDraw || item.kind == ItemKind::kClear;
  if (is_draw && Draws() && tokens_.HasAnyOf(event())) {
    for (const Place& target : TargetsOf(context()))
      watch_.Show(player_.device(), target, bases);
    item.target = watch_.FindFirst({context().space_id, context().Target(0)});
    item.depth = watch_.FindFirst({context().space_id, context().Depth()});
  }
  watch_.Forget(current.places);
  watch_.Forget(current.drawn);
  if (!current.is_certain && changes.empty()) return OkStatus();
  if (is_draw && !tokens_.is_drawn() && tokens_.HasAnyOf(event()))
    item.refused = ReasonOf(history::FindRefusal(FindingsOf(item), event(), item.draw, false));
  return Write(item, bases, changes);
}

Status Inspector::AddRefused() {
  std::vector<Item> items;
  for (const trace::DrawToken& draw : player_.draws().draws()) {
    Item item = ItemOf(*draw.op, event(), draw.offset, draw.size);
    item.draw = draw.number;
    item.marker = player_.marker();
    Item whole;
    whole.event = event();
    item.refused = ReasonOf(history::FindRefusal(FindingsOf(whole), event(), draw.number, true));
    if (!item.refused.empty()) items.push_back(std::move(item));
  }
  for (Item& item : items) {
    DP2TRACE_RETURN_IF_ERROR(Start({.item = std::move(item)}));
    DP2TRACE_RETURN_IF_ERROR(End());
  }
  return OkStatus();
}

Status Inspector::Write(Item& item, const std::vector<PlanePixels>& bases,
                        const std::vector<PlanePixels>& changes) {
  for (const PlanePixels& base : bases)
    DP2TRACE_RETURN_IF_ERROR(writer_->AddBase(base));
  AddFindings(item);
  for (size_t i = 0; i < kSeverityCount; ++i)
    summary_.findings[i] += item.findings[i];
  const std::string details = details_.Take();
  DP2TRACE_RETURN_IF_ERROR(
      writer_->Add(item, changes, Draws() || !item.rules.empty() ? details : ""));
  for (const PlanePixels& change : changes) {
    if (writer_->NeedsKey(change.target))
      DP2TRACE_RETURN_IF_ERROR(writer_->AddKey(watch_.Content(change.target)));
  }
  return OkStatus();
}

std::span<const Diagnostic> Inspector::FindingsOf(const Item& item) const {
  if (Draws()) return findings_.items();
  const std::span<const Diagnostic> left = std::span(*options_.findings).subspan(next_finding_);
  const auto end = std::ranges::find_if_not(
      left, [&](const Diagnostic& finding) { return IsUpTo(finding, item); });
  return left.first(static_cast<size_t>(end - left.begin()));
}

void Inspector::AddFindings(Item& item) {
  const std::span<const Diagnostic> findings = FindingsOf(item);
  details_.AddFindings(findings, item);
  if (Draws()) {
    details_.AddUnlisted(findings_.dropped());
    for (size_t i = 0; i < kSeverityCount; ++i)
      item.findings[i] = findings_.count(static_cast<Severity>(i));
  } else {
    next_finding_ += findings.size();
  }
  findings_ = DiagnosticList();
}

// The next one is about something up to this token.
bool Inspector::HasFindings(uint64_t event, uint64_t end) const {
  if (Draws()) return true;
  Item item;
  item.event = event;
  item.offset = 0;
  item.end = end;
  return next_finding_ < options_.findings->size() &&
         IsUpTo((*options_.findings)[next_finding_], item);
}

Status Inspector::EndSkipped() {
  if (skipped_ == 0) return OkStatus();
  player_.FinishDrawing();
  std::vector<PlanePixels> bases;
  std::vector<PlanePixels> changes;
  watch_.CompareAll(player_.device(), bases, changes);
  Item item;
  item.kind = ItemKind::kSkipped;
  item.count = std::exchange(skipped_, 0);
  item.event = event();
  return Write(item, bases, changes);
}

Status Inspector::OnApplied(device::Context& /*context*/, const stream::Command& /*command*/) {
  DP2TRACE_RETURN_IF_ERROR(status_);
  return End();
}

bool Inspector::OnDraw(const device::Draw& draw) {
  tokens_.OnDrawn();
  if (current_) {
    current_->item.primitives += uint64_t{draw.primitive_count} * draw.instance_count;
    current_->vertices +=
        device::VertexCount(draw.type, draw.primitive_count) * draw.instance_count;
    current_->item.primitive = NameOf(d3d::kPrimitiveTypeNames, d3d::Value(draw.type));
  }
  if (current_ && Draws() && details_.WantsMesh())
    details_.AddMesh(state::MakeMesh(context(), draw, current_->item.draw, kTableLimits));
  return true;
}

bool Inspector::OnClear(const device::ClearDraw& /*clear*/) {
  tokens_.OnDrawn();
  return true;
}

bool Inspector::OnPatch(const device::PatchDraw& patch) {
  tokens_.OnDrawn();
  if (current_) ++current_->item.primitives;
  if (current_ && Draws() && details_.WantsMesh()) {
    details_.AddMesh(state::MakeMesh(context(), patch, player_.options().raster.max_patch_segments,
                                     current_->item.draw, kTableLimits));
  }
  return true;
}

// The surface is one of the targets, even where nothing changed it.
Status Inspector::Show(const Place& place) {
  DP2TRACE_RETURN_IF_ERROR(EndSkipped());
  player_.FinishDrawing();
  std::vector<PlanePixels> bases;
  watch_.Show(player_.device(), place, bases);
  for (const PlanePixels& base : bases)
    DP2TRACE_RETURN_IF_ERROR(writer_->AddBase(base));
  return OkStatus();
}

Status Inspector::Present(const trace::Present& present) {
  const Place shown = {present.space,
                       device::FindPlace(player_.device(), present.space, present.handle, 0, 0)};
  Item item;
  item.kind = ItemKind::kPresent;
  item.name = trace::EventName(trace::EventKind::kPresent);
  item.event = event();
  item.surface = fmt::format("{}", present.handle);
  item.marker = player_.marker();
  DP2TRACE_RETURN_IF_ERROR(Start({.item = std::move(item)}));
  DP2TRACE_RETURN_IF_ERROR(Show(shown));
  current_->item.target = watch_.FindFirst(shown);
  DP2TRACE_RETURN_IF_ERROR(End());
  return EndFrame(shown, false);
}

// A part of a surface that holds a picture.
Status Inspector::OnRead(const trace::SurfaceRead& read) {
  const Place place = {read.space, device::FindPicture(player_.device(), read)};
  if (!place.surface) return OkStatus();
  ++frame_reads_;
  if (!writer_ || !Draws()) return OkStatus();
  Item item;
  item.kind = ItemKind::kRead;
  item.name = trace::EventName(trace::EventKind::kSurfaceRead);
  item.event = event();
  item.read = player_.reads();
  item.surface = fmt::format("{}", read.handle);
  item.marker = player_.marker();
  DP2TRACE_RETURN_IF_ERROR(Start({.item = std::move(item)}));
  if (!current_) return OkStatus();
  DP2TRACE_RETURN_IF_ERROR(Show(place));
  current_->item.target = watch_.FindFirst(place);
  return End();
}

Status Inspector::EndFrame(const std::optional<Place>& shown, bool is_unfinished) {
  DP2TRACE_RETURN_IF_ERROR(EndSkipped());
  if (shown) {
    if (const auto target = watch_.FindFirst(*shown)) writer_->SetShown(*target);
  }
  if (watch_.refused() != 0) {
    LeaveOut(
        fmt::format("The surfaces that frame {} writes are larger than {} MiB together: some "
                    "are not shown; --max-surface-copies raises that.",
                    frame(), options_.limits.surfaces >> 20));
  }
  if (writer_->items() >= options_.limits.items) {
    LeaveOut(
        fmt::format("Frame {} has more than {}: the later ones are one; --max-items raises that.",
                    frame(), Counted(options_.limits.items, "item")));
  }
  summary_.items = writer_->items();
  summary_.draws = frame_draws_;
  summary_.is_unfinished = is_unfinished;
  const bool has_findings =
      std::ranges::any_of(summary_.findings, [](uint64_t n) { return n != 0; });
  if (Draws() || has_findings) {
    DP2TRACE_RETURN_IF_ERROR(writer_->Finish(watch_.targets()));
    frames_.push_back(summary_);
  }
  writer_.reset();
  watch_.Clear();
  return OkStatus();
}

void Inspector::LeaveOut(std::string sentence) {
  left_out_.push_back(std::move(sentence));
}

Status Inspector::WriteRun(const RunHead& head) {
  json::Builder out;
  out.Raw('{');
  AppendText(out, "tool", head.tool);
  AppendText(out, "trace", head.trace);
  AppendCount(out, "findings_only", Draws() ? 0 : 1);
  if (!head.history.empty()) {
    AppendList(out, "history", head.history, [&](const std::array<uint32_t, 2>& pixel) {
      out.Raw(fmt::format("[{},{}]", pixel[0], pixel[1]));
    });
  }
  AppendFrames(out, frames_, left_out_);
  out.Raw('}');
  return data_->Write("run", out.string());
}

Status Inspector::EndUnfinished() {
  const std::optional<play::DrawnTarget>& drawn = player_.drawn_target();
  if (!drawn) return EndFrame(std::nullopt, true);
  const Place shown = {drawn->space,
                       device::FindPlace(player_.device(), drawn->space, drawn->handle, 0, 0)};
  DP2TRACE_RETURN_IF_ERROR(Show(shown));
  return EndFrame(shown, true);
}

Status Inspector::EndTrace() {
  const bool has_findings =
      Draws() ? writer_ && !findings_.empty() : next_finding_ < options_.findings->size();
  if (has_findings) {
    if (!writer_) StartFrame();
    DP2TRACE_RETURN_IF_ERROR(EndSkipped());
    Item item;
    item.kind = ItemKind::kOther;
    item.name = "end of the trace";
    item.event = UINT64_MAX;  // everything stands in front of it
    details_.AddEvent(event(), item.name);
    AddFindings(item);
    item.event = event();
    for (size_t i = 0; i < kSeverityCount; ++i)
      summary_.findings[i] += item.findings[i];
    DP2TRACE_RETURN_IF_ERROR(writer_->Add(item, {}, details_.Take()));
  }
  return writer_ && (HasFrame() || has_findings) ? EndUnfinished() : OkStatus();
}

Status Inspector::Finish(const RunHead& head) {
  if (!is_done()) {
    player_.Finish();
    DP2TRACE_RETURN_IF_ERROR(EndTrace());
  }
  DP2TRACE_RETURN_IF_ERROR(details_.WriteRules());
  return WriteRun(head);
}

}  // namespace dp2trace::inspect
