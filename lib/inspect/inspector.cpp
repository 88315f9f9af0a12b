#include "inspect/inspector.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "d3d/enums.h"
#include "debug/state_snapshot.h"
#include "device/place.h"
#include "inspect/named_surfaces.h"
#include "inspect/summary.h"
#include "inspect/vertex_table.h"
#include "json/append.h"
#include "replay/renderers.h"
#include "rules/rule_info.h"
#include "trace/event_kind.h"

namespace dp2trace::inspect {
namespace {

replay::RunnerOptions ValidationOf(const Options& options, debug::StateWrites& writes) {
  replay::RunnerOptions validation = options.validation;
  validation.device.observer = &writes;
  if (options.findings != nullptr) validation.device.surfaces.keeps_pixels = false;
  return validation;
}

ItemKind KindOf(const stream::Command& command) {
  if (command.op->op == opcode::Op::kClear) return ItemKind::kClear;
  if (command.op->is(opcode::kDraw)) return ItemKind::kDraw;
  return command.op->is(opcode::kBlt) ? ItemKind::kBlit : ItemKind::kOther;
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

Inspector::Inspector(const Options& options, DataFolder& folder)
    : options_(options),
      folder_(&folder),
      runner_(ValidationOf(options, writes_), findings_, *this),
      renderer_(options.findings != nullptr ? nullptr
                                            : replay::MakeRenderer(options.renderer, options.raster,
                                                                   runner_.execution_findings())),
      watch_(options.limits.surfaces),
      details_(folder) {
  writes_.SetNoting();
  runner_.SetSink(*this);
}

Inspector::~Inspector() = default;

Status Inspector::OnEvent(uint64_t number, const trace::Event& event) {
  event_ = number;
  writes_.StartEvent(number, trace::EventName(trace::CodeOf(event)));
  draws_.Add(event);
  naming_.Apply(event);
  const auto commands = trace::StreamOf(event, naming_.length_origin());
  has_tokens_ = commands.has_value();
  environment_ = commands ? commands->environment : stream::Environment{};
  if (const auto* const marker = std::get_if<trace::Marker>(&event)) marker_.emplace(*marker);
  if (IsWatching() && !writer_) StartFrame();
  frame_draws_ += draws_.draws().size();
  DP2TRACE_RETURN_IF_ERROR(ApplyEvent(number, event));
  DP2TRACE_RETURN_IF_ERROR(status_);
  writes_.Prune(runner_.device());
  if (!draws_.draws().empty()) marker_.reset();
  if (!writer_) findings_ = DiagnosticList();
  const auto* const present = std::get_if<trace::Present>(&event);
  return present == nullptr ? OkStatus() : Present(*present);
}

void Inspector::StartFrame() {
  writer_.emplace(*folder_, frame_);
  summary_ = FrameSummary{};
  summary_.number = frame_;
  watch_.Clear();
  details_.StartFrame();
}

// Events that write surfaces themselves.
Status Inspector::ApplyEvent(uint64_t number, const trace::Event& event) {
  const std::optional<Place> place = writer_ ? PlaceOf(runner_.device(), event) : std::nullopt;
  const auto made = writer_ ? MadeOrDestroyed(event) : std::nullopt;
  if (writer_ && !has_tokens_) details_.AddEvent(number, trace::EventName(trace::CodeOf(event)));
  if (!place && !made) return runner_.OnEvent(number, event);
  Item item;
  item.kind = made                                                  ? ItemKind::kSurface
              : std::holds_alternative<trace::SurfaceUpdate>(event) ? ItemKind::kUpload
                                                                    : ItemKind::kBlit;
  item.name = trace::EventName(trace::CodeOf(event));
  item.event = number;
  item.surface = fmt::format("{}", made ? made->second : place->surface.resource->handle);
  std::vector<Place> places;
  if (place) places.push_back(*place);
  DP2TRACE_RETURN_IF_ERROR(Start({.item = std::move(item), .places = std::move(places)}));
  DP2TRACE_RETURN_IF_ERROR(runner_.OnEvent(number, event));
  return End();
}

void Inspector::FinishDrawing() {
  if (renderer_ != nullptr) renderer_->Finish();
}

raster::RendererStatistics Inspector::Statistics() const {
  return renderer_ == nullptr ? raster::RendererStatistics() : renderer_->statistics();
}

void Inspector::OnHeader(const trace::Header& header) {
  if (renderer_ == nullptr) return;
  renderer_->SetClipsTransformedZ(
      replay::ClipsTransformedZ(header, options_.raster.clips_transformed_z));
}

Status Inspector::OnSessionEnd() {
  FinishDrawing();
  drawn_to_.reset();
  return OkStatus();
}

void Inspector::OnCall(device::Context& context) {
  context_ = &context;
  if (renderer_ != nullptr) renderer_->SetContext(context);
}

bool Inspector::IsFull() const {
  return writer_->items() >= options_.limits.items || folder_->bytes() >= options_.limits.bytes;
}

bool Inspector::IsChosen(uint64_t draw) const {
  if (IsFull()) return false;
  return options_.draws.is_all() || (draw != 0 && options_.draws.Contains(draw));
}

void Inspector::BeforeApply(const device::Context& context, const stream::Command& command) {
  writes_.BeforeApply(context, command);
  const opcode::OpInfo& op = *command.op;
  const trace::DrawToken* const draw = op.is(opcode::kDraw) ? draws_.Find(command.offset) : nullptr;
  if (draw != nullptr && renderer_ != nullptr) renderer_->StartDraw(draw->number);
  if (writer_) details_.AddToken(event_, command, environment_, context.runtime_version);
  const bool may_write = op.is(opcode::kDraw) || op.is(opcode::kBlt) || op.is(opcode::kResource);
  if (!writer_ || !may_write || !status_.ok()) return;
  Item item;
  item.kind = KindOf(command);
  item.name = op.name;
  item.event = event_;
  item.offset = command.offset;
  item.end = command.offset + command.bytes.size();
  item.draw = draw != nullptr ? draw->number : 0;
  item.marker = marker_;
  Current current = {.item = std::move(item),
                     .is_certain = op.is(opcode::kDraw) || op.is(opcode::kBlt)};
  if (Draws()) {
    current.places = PlacesOf(context, command, environment_);
    if (op.is(opcode::kResource)) Append(current.places, watch_.PalettePlaces(runner_.device()));
    if (op.is(opcode::kDraw)) current.drawn = TargetsOf(context);
  }
  status_ = Start(std::move(current));
  if (status_.ok() && current_ && op.is(opcode::kDraw) && HasFindings(event_, current_->item.end))
    status_ = details_.AddDraw(context, writes_, writer_->items() / kItemsPerPack, current_->item);
}

raster::PixelRect Inspector::TakeTouched() {
  return renderer_ == nullptr ? raster::PixelRect() : renderer_->TakeTouched();
}

Status Inspector::Start(Current current) {
  const bool is_present = current.item.kind == ItemKind::kPresent;
  if (!is_present && !IsChosen(current.item.draw)) {
    skipped_ += current.is_certain ? 1U : 0U;
    return OkStatus();
  }
  DP2TRACE_RETURN_IF_ERROR(EndSkipped());
  FinishDrawing();
  for (const std::vector<Place>* const places : {&current.places, &current.drawn}) {
    for (const Place& place : *places)
      watch_.Watch(runner_.device(), place);
  }
  (void)TakeTouched();
  current.before = Statistics();
  current_ = std::move(current);
  return OkStatus();
}

Status Inspector::End() {
  if (!current_) return OkStatus();
  Current current = *std::exchange(current_, std::nullopt);
  FinishDrawing();
  std::vector<PlanePixels> bases;
  std::vector<PlanePixels> changes;
  watch_.Compare(runner_.device(), current.places, bases, changes);
  const image::Area touched = AreaOf(TakeTouched());
  for (Place& place : current.drawn)
    place.area = touched;
  watch_.Compare(runner_.device(), current.drawn, bases, changes);
  Item& item = current.item;
  const raster::RendererStatistics now = Statistics();
  item.pixels = now.pixels - current.before.pixels;
  item.steps =
      current.vertices + item.primitives + item.pixels + now.texels - current.before.texels;
  const bool is_draw = item.kind == ItemKind::kDraw || item.kind == ItemKind::kClear;
  if (is_draw && Draws()) {
    for (const Place& target : TargetsOf(*context_))
      watch_.Show(runner_.device(), target, bases);
    item.target = watch_.FindFirst({context_->space_id, context_->Target(0)});
    item.depth = watch_.FindFirst({context_->space_id, context_->Depth()});
  }
  watch_.Forget(current.places);
  watch_.Forget(current.drawn);
  if (!current.is_certain && changes.empty()) return OkStatus();
  return Write(item, bases, changes);
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

void Inspector::AddFindings(Item& item) {
  if (Draws()) {
    details_.AddFindings(findings_.items(), item);
    details_.AddUnlisted(findings_.dropped());
    for (size_t i = 0; i < kSeverityCount; ++i)
      item.findings[i] = findings_.count(static_cast<Severity>(i));
  } else {
    const std::vector<Diagnostic>& all = *options_.findings;
    const size_t first = next_finding_;
    while (next_finding_ < all.size() && IsUpTo(all[next_finding_], item))
      ++next_finding_;
    details_.AddFindings(std::span(all).subspan(first, next_finding_ - first), item);
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
  FinishDrawing();
  std::vector<PlanePixels> bases;
  std::vector<PlanePixels> changes;
  watch_.CompareAll(runner_.device(), bases, changes);
  Item item;
  item.kind = ItemKind::kSkipped;
  item.count = std::exchange(skipped_, 0);
  item.event = event_;
  return Write(item, bases, changes);
}

Status Inspector::OnApplied(device::Context& context, const stream::Command& command) {
  writes_.AfterApply(context, command);
  if (command.op->is(opcode::kDraw)) {
    drawn_to_ = DrawnTo{context.space_id, context.targets.colors[0]};
  }
  DP2TRACE_RETURN_IF_ERROR(status_);
  return End();
}

void Inspector::OnDraw(const device::Draw& draw) {
  if (current_) {
    current_->item.primitives += uint64_t{draw.primitive_count} * draw.instance_count;
    current_->vertices +=
        device::VertexCount(draw.type, draw.primitive_count) * draw.instance_count;
    current_->item.primitive = NameOf(d3d::kPrimitiveTypeNames, d3d::Value(draw.type));
  }
  if (current_ && Draws() && details_.WantsMesh())
    details_.AddMesh(debug::MakeMesh(*context_, draw, current_->item.draw, kTableLimits));
  if (renderer_ != nullptr) renderer_->OnDraw(draw);
}

void Inspector::OnPatch(const device::PatchDraw& patch) {
  if (current_) ++current_->item.primitives;
  if (current_ && Draws() && details_.WantsMesh()) {
    details_.AddMesh(debug::MakeMesh(*context_, patch, options_.raster.max_patch_segments,
                                     current_->item.draw, kTableLimits));
  }
  if (renderer_ != nullptr) renderer_->OnPatch(patch);
}

void Inspector::OnClear(const device::ClearDraw& clear) {
  if (renderer_ != nullptr) renderer_->OnClear(clear);
}

// The surface is one of the targets, even where nothing changed it.
Status Inspector::Show(const Place& place) {
  DP2TRACE_RETURN_IF_ERROR(EndSkipped());
  FinishDrawing();
  std::vector<PlanePixels> bases;
  watch_.Show(runner_.device(), place, bases);
  for (const PlanePixels& base : bases)
    DP2TRACE_RETURN_IF_ERROR(writer_->AddBase(base));
  return OkStatus();
}

Status Inspector::Present(const trace::Present& present) {
  if (!writer_) {
    ++frame_;
    frame_draws_ = 0;
    return OkStatus();
  }
  const Place shown = {present.space,
                       device::FindPlace(runner_.device(), present.space, present.handle, 0, 0)};
  Item item;
  item.kind = ItemKind::kPresent;
  item.name = trace::EventName(trace::EventKind::kPresent);
  item.event = event_;
  item.surface = fmt::format("{}", present.handle);
  item.marker = marker_;
  DP2TRACE_RETURN_IF_ERROR(Start({.item = std::move(item)}));
  DP2TRACE_RETURN_IF_ERROR(Show(shown));
  current_->item.target = watch_.FindFirst(shown);
  DP2TRACE_RETURN_IF_ERROR(End());
  return EndFrame(shown, false);
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
                    frame_, options_.limits.surfaces >> 20));
  }
  if (writer_->items() >= options_.limits.items) {
    LeaveOut(
        fmt::format("Frame {} has more than {} items: those behind are one; --max-items "
                    "raises that.",
                    frame_, options_.limits.items));
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
  drawn_to_.reset();
  ++frame_;
  frame_draws_ = 0;
  return OkStatus();
}

void Inspector::LeaveOut(std::string sentence) {
  left_out_.push_back(std::move(sentence));
}

Status Inspector::WriteRun(const RunHead& head) {
  json::Text out;
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
  return folder_->Write("run", out.string());
}

Status Inspector::EndUnfinished() {
  if (!drawn_to_) return EndFrame(std::nullopt, true);
  const Place shown = {drawn_to_->space, device::FindPlace(runner_.device(), drawn_to_->space,
                                                           drawn_to_->handle, 0, 0)};
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
    details_.AddEvent(event_, item.name);
    AddFindings(item);
    item.event = event_;
    for (size_t i = 0; i < kSeverityCount; ++i)
      summary_.findings[i] += item.findings[i];
    DP2TRACE_RETURN_IF_ERROR(writer_->Add(item, {}, details_.Take()));
  }
  return writer_ && (frame_draws_ != 0 || has_findings) ? EndUnfinished() : OkStatus();
}

Status Inspector::Finish(const RunHead& head) {
  if (!is_done()) {
    runner_.Finish();
    DP2TRACE_RETURN_IF_ERROR(EndTrace());
  }
  DP2TRACE_RETURN_IF_ERROR(details_.WriteRules());
  return WriteRun(head);
}

}  // namespace dp2trace::inspect
