#include "blame/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "device/place.h"
#include "play/renderers.h"
#include "raster/pixel/clear.h"
#include "replay/pictures.h"
#include "trace/event_kind.h"

namespace dp2trace::blame {
namespace {

// Tokens that can change what a surface holds.
bool MayTouch(const opcode::OpInfo& op) {
  return op.is(opcode::kDraw) || op.is(opcode::kBlt) || op.is(opcode::kResource);
}

// The first picture: of volumes that of slice 0.
class FirstPicture final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    if (!has_picture && !info.is_stencil) {
      shown = picture;
      has_picture = true;
    }
    return OkStatus();
  }
  image::Picture shown;
  bool has_picture = false;
};

history::Kind KindOf(const trace::Event& event) {
  if (std::holds_alternative<trace::SurfaceUpdate>(event)) return history::Kind::kUpload;
  if (std::holds_alternative<trace::Blt>(event)) return history::Kind::kBlit;
  return history::Kind::kSurface;
}

}  // namespace

Recorder::Recorder(const RecorderOptions& options, const history::FrameSpan& span)
    : options_(options), span_(span) {}

void Recorder::OnStart() {
  coverage_.emplace(*player().renderer(), options_.play.raster);
}

void Recorder::OnHeader(const trace::Header& header) {
  coverage_->SetClipsTransformedZ(
      play::ClipsTransformedZ(header, options_.play.raster.clips_transformed_z));
}

Status Recorder::OnSessionEnd() {
  surface_id_ = 0;
  return OkStatus();
}

device::SurfaceRef Recorder::Named() const {
  const device::SurfaceRef surface =
      device::FindPlace(player().device(), span_.space, span_.handle, span_.face, span_.level);
  return surface && surface.resource->has_pixels() && !surface.resource->is_buffer()
             ? surface
             : device::SurfaceRef{};
}

device::SurfaceRef Recorder::Target() const {
  if (!is_recording() || context() == nullptr || context()->space_id != span_.space) return {};
  const device::SurfaceRef surface = Named();
  if (!surface || surface.surface().id() != surface_id_) return {};
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    if (context()->Target(slot) == surface) return surface;
  }
  return {};
}

Status Recorder::BeforeEvent(const trace::Event& what) {
  if (event() >= span_.first && !has_started_) {
    has_started_ = true;
    player().FinishDrawing();
    Watch(Named(), false);
  }
  if (options_.stop == TokenPlace{event(), std::nullopt}) {
    TakePicture();
    is_done_ = true;
  }
  if (!is_recording()) return OkStatus();
  Start(KindOf(what), trace::EventName(trace::CodeOf(what)));
  if (const auto* const blt = std::get_if<trace::Blt>(&what))
    NoteBlits(history::BlitsOf(player().device(), *blt));
  if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&what)) NoteUpdate(*update);
  return OkStatus();
}

Status Recorder::AfterEvent(const trace::Event& /*event*/) {
  Look();
  if (has_started_ && !is_done_) refused_.AfterEvent(player());
  const bool stops_early = options_.last_draw != 0 || options_.stop;
  is_done_ = is_done_ || event() >= span_.last || (has_picture_ && stops_early);
  return OkStatus();
}

void Recorder::Start(history::Kind kind, std::string_view name) {
  if (!is_recording()) return;
  current_ = Operation{.kind = kind,
                       .event = event(),
                       .offset = {},
                       .name = std::string(name),
                       .draw = 0,
                       .marker = player().marker()};
  is_kept_ = false;
  is_described_ = false;
}

// The number of the current operation, which is kept.
uint32_t Recorder::Touch() {
  if (!is_kept_) frame_.operations.push_back(current_);
  is_kept_ = true;
  return static_cast<uint32_t>(frame_.operations.size() - 1);
}

void Recorder::OnWritten(uint32_t x, uint32_t y, bool hides_others) {
  frame_.layers.Write(x, y, Touch(), hides_others);
}

void Recorder::OnHeldBack(uint32_t x, uint32_t y) {
  frame_.layers.HoldBack(x, y, Touch());
}

void Recorder::Watch(const device::SurfaceRef& surface, bool is_new) {
  surface_id_ = surface ? surface.surface().id() : 0;
  if (!surface) return;
  const auto area = replay::AreaOf(surface, span_.rect);
  frame_.layers = LayerMap(area.value_or(image::Area{}));
  if (is_new) frame_.layers.WriteAll(Touch());
  coverage_->Start(surface);
}

void Recorder::Look() {
  if (!is_recording()) return;
  const device::SurfaceRef surface = Named();
  const uint64_t id = surface ? surface.surface().id() : 0;
  if (id != surface_id_) return Watch(surface, true);
  if (surface) coverage_->Compare(surface, *this);
}

template <class MakeFacts, class MakeContent>
void Recorder::Describe(const MakeFacts& make_facts, const MakeContent& make_content) {
  if (std::exchange(is_described_, true)) return;
  current_.facts = make_facts();
  if (options_.keeps_content) current_.content = make_content();
}

void Recorder::NoteWriting(const device::SurfaceRef& surface, bool hides_others) {
  if (!surface || surface.surface().id() == surface_id_) return;
  writings_.Write(*surface.resource, current_, hides_others);
}

void Recorder::NoteDraw() {
  if (!is_recording() || context() == nullptr) return;
  for (const uint32_t slot : TexturesInUse(*context()))
    writings_.Read(*context()->Texture(slot), fmt::format("texture {}", slot), current_.reads);
  if (is_kept_) frame_.operations.back().reads = current_.reads;
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot)
    NoteWriting(context()->Target(slot), false);
  const device::State& state = context()->state;
  const bool writes_depth = state.value(d3d::RenderState::ZEnable) != 0 &&
                            state.value(d3d::RenderState::ZWriteEnable) != 0;
  if (writes_depth) NoteWriting(context()->Depth(), false);
}

void Recorder::NoteClear(const device::ClearDraw& clear) {
  if (!is_recording() || context() == nullptr) return;
  const std::vector<raster::PixelRect> rects = raster::ClearRects(context()->state, clear);
  const auto note = [&](const device::SurfaceRef& surface) {
    if (!surface) return;
    const raster::PixelRect whole = raster::WholeSurface(surface);
    const bool hides_others = std::ranges::any_of(rects, [&](const raster::PixelRect& rect) {
      return raster::Intersect(rect, whole) == whole;
    });
    const bool is_single =
        surface.surface().description().levels == 1 && surface.surface().description().faces == 1;
    NoteWriting(surface, hides_others && is_single);
  };
  const auto clears = [&](d3d::ClearFlag flag) { return (clear.flags & d3d::Value(flag)) != 0; };
  for (uint32_t slot = 0; slot < device::kTargetCount && clears(d3d::ClearFlag::Target); ++slot)
    note(context()->Target(slot));
  if (clears(d3d::ClearFlag::ZBuffer)) note(context()->Depth());
}

void Recorder::NoteCopy(const history::BlitPair& blit) {
  const image::Area& shown = frame_.layers.area();
  const bool is_plain = blit.source && blit.source.face == 0 && blit.source.level == 0 &&
                        blit.from.width() == blit.to.width() &&
                        blit.from.height() == blit.to.height();
  const bool is_whole = blit.to.left <= shown.left && blit.to.top <= shown.top &&
                        blit.to.right >= shown.right && blit.to.bottom >= shown.bottom;
  if (!is_plain || !is_whole) return;
  PictureCopy copy = {{current_.event, current_.offset}, span_};
  const uint32_t left = blit.from.left + (shown.left - blit.to.left);
  const uint32_t top = blit.from.top + (shown.top - blit.to.top);
  copy.source.handle = blit.source.resource->handle;
  copy.source.last = current_.event;
  copy.source.rect = d3d::Rect{static_cast<int32_t>(left), static_cast<int32_t>(top),
                               static_cast<int32_t>(left + shown.width()),
                               static_cast<int32_t>(top + shown.height())};
  copy_ = copy;
}

void Recorder::NoteBlits(const std::vector<history::BlitPair>& blits) {
  if (!is_recording()) return;
  for (const history::BlitPair& blit : blits) {
    if (blit.source) writings_.Read(*blit.source.resource, "blit source", current_.reads);
  }
  for (const history::BlitPair& blit : blits) {
    NoteWriting(blit.destination, false);
    if (blit.destination && blit.destination == Named()) NoteCopy(blit);
  }
}

void Recorder::NoteUpdate(const trace::SurfaceUpdate& update) {
  if (!is_recording()) return;
  NoteWriting(
      device::FindPlace(player().device(), update.space, update.handle, update.face, update.level),
      false);
}

void Recorder::BeforeApply(const device::Context& context, const stream::Command& command) {
  refused_.BeforeApply(player().position());
  if (options_.stop && options_.stop->offset && event() == options_.stop->event &&
      command.offset >= *options_.stop->offset)
    TakePicture();
  if (!is_recording()) return;
  const std::vector<history::BlitPair> blits = history::BlitsOf(context, command);
  if (blits.empty() && !MayTouch(*command.op)) return;
  const bool is_blit = !blits.empty() || command.op->is(opcode::kBlt);
  Start(command.op->is(opcode::kDraw) ? history::Kind::kDraw
        : is_blit                     ? history::Kind::kBlit
                                      : history::Kind::kOther,
        command.op->name);
  current_.offset = command.offset;
  current_.draw = player().position().draw;
  NoteBlits(blits);
}

Status Recorder::OnApplied(device::Context& /*context*/, const stream::Command& command) {
  if (!is_recording() || !MayTouch(*command.op)) return OkStatus();
  refused_.OnApplied(player().position());
  Look();
  if (options_.last_draw != 0 && player().position().draw >= options_.last_draw) TakePicture();
  return OkStatus();
}

bool Recorder::OnDraw(const device::Draw& draw) {
  refused_.OnDrawn();
  NoteDraw();
  const device::SurfaceRef target = Target();
  if (!target) return true;
  Describe([&] { return frame_.facts.OfDraw(*context(), current_.name, draw); },
           [&] { return content_.OfDraw(*context(), draw); });
  coverage_->Draw(
      *context(), target, [&](raster::Renderer& renderer) { renderer.OnDraw(draw); }, *this);
  return false;
}

bool Recorder::OnPatch(const device::PatchDraw& patch) {
  refused_.OnDrawn();
  NoteDraw();
  const device::SurfaceRef target = Target();
  if (!target) return true;
  Describe([&] { return frame_.facts.OfPatch(*context(), current_.name, patch); },
           [&] { return content_.OfPatch(*context(), patch); });
  coverage_->Draw(
      *context(), target, [&](raster::Renderer& renderer) { renderer.OnPatch(patch); }, *this);
  return false;
}

bool Recorder::OnClear(const device::ClearDraw& clear) {
  refused_.OnDrawn();
  if ((clear.flags & d3d::Value(d3d::ClearFlag::Target)) != 0)
    current_.kind = history::Kind::kClear;
  NoteClear(clear);
  const device::SurfaceRef target = Target();
  const bool is_colored = (clear.flags & d3d::Value(d3d::ClearFlag::Target)) != 0;
  if (!target || !is_colored) return true;
  Describe([&] { return frame_.facts.OfClear(*context(), current_.name); },
           [] { return std::optional<Content>(); });
  coverage_->Clear(
      *context(), target, [&](raster::Renderer& renderer) { renderer.OnClear(clear); }, *this);
  return false;
}

Status Recorder::OnPresent(const trace::Present& /*present*/) {
  if (event() == span_.last) TakePicture();
  return OkStatus();
}

void Recorder::TakePicture() {
  if (std::exchange(has_picture_, true)) return;
  player().FinishDrawing();
  const device::SurfaceRef surface = Named();
  const auto area = surface ? replay::AreaOf(surface, span_.rect) : std::nullopt;
  FirstPicture first;
  if (area) {
    replay::PictureRequest request;
    request.space = span_.space;
    request.handle = span_.handle;
    request.surface = surface;
    request.area = *area;
    (void)replay::MakePictures(player().device(), request, first);  // the sink does not fail
  }
  if (!first.has_picture) {
    frame_.absence =
        fmt::format("frame {} shows surface {}, which has no picture", span_.frame, span_.handle);
    return;
  }
  frame_.format = surface.surface().info().name;
  frame_.picture = std::move(first.shown);
}

Frame Recorder::Finish() {
  TakePicture();
  frame_.number = span_.frame;
  frame_.read = span_.read;
  frame_.is_unfinished = span_.is_unfinished;
  frame_.last_draw = options_.last_draw;
  frame_.surface = span_.handle;
  frame_.refused = refused_.Take();
  const bool is_last = copy_ && !frame_.operations.empty() &&
                       frame_.operations.back().event == copy_->place.event &&
                       frame_.operations.back().offset == copy_->place.offset;
  if (is_last) frame_.copy = copy_;
  return std::move(frame_);
}

}  // namespace dp2trace::blame
