#include "history/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "device/place.h"
#include "trace/event_kind.h"

namespace dp2trace::history {
namespace {

constexpr std::array<std::string_view, 6> kKinds = {"clear",  "draw",    "blit",
                                                    "upload", "surface", "other"};

std::string_view NameOf(const trace::Event& event) {
  return std::visit(
      [](const auto& e) -> std::string_view {
        return trace::EventName(trace::kKindOf<std::decay_t<decltype(e)>>);
      },
      event);
}

// A corner of the area that a frame shows, on its surface.
uint32_t StartOf(int32_t edge) {
  return static_cast<uint32_t>(std::max(edge, 0));
}

// The fragment put a value into the surface.
bool Stores(const raster::ProbedFragment& fragment, const device::Context& context,
            const device::SurfaceRef& surface) {
  if (context.Depth() == surface) {
    return std::ranges::any_of(fragment.depth_stencil, [](const raster::ProbedDepthStencil& test) {
      return (test.stencil_passes && test.depth_passes && test.writes_depth) || test.tests_stencil;
    });
  }
  return std::ranges::any_of(fragment.writes, [&](const raster::ProbedWrite& write) {
    return write.write_mask != 0 && context.Target(write.slot) == surface;
  });
}

// Tokens that can change what a surface holds.
bool MayTouch(const opcode::OpInfo& op) {
  return op.is(opcode::kDraw) || op.is(opcode::kBlt) || op.is(opcode::kResource);
}

// What such a token changes, the renderer changes.
bool IsDrawnByRenderer(const opcode::OpInfo& op) {
  return op.is(opcode::kDraw) && !op.is(opcode::kBlt);
}

}  // namespace

std::string_view Name(Kind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

Recorder::Recorder(const Options& options, const FrameSpan& span)
    : options_(options),
      span_(span),
      pixel_{span.space,
             options.surface.value_or(span.handle),
             options.surface ? options.face : span.face,
             options.surface ? options.level : span.level,
             options.x,
             options.y,
             options.slice} {
  if (!options.surface && span.rect) {
    pixel_.x += StartOf(span.rect->left);
    pixel_.y += StartOf(span.rect->top);
  }
  probe_.SetOnTouch([this] { OnTouch(); });
}

device::SurfaceRef Recorder::Named() const {
  return device::FindPlace(player().device(), pixel_.space, pixel_.handle, pixel_.face,
                           pixel_.level);
}

device::SurfaceRef Recorder::Surface() const {
  const device::SurfaceRef surface = Named();
  if (!surface) return {};
  const image::Area level = surface.surface().WholeLevel(surface.level);
  const bool is_there =
      pixel_.x < level.right && pixel_.y < level.bottom && pixel_.slice < level.back;
  return is_there ? surface : device::SurfaceRef{};
}

std::optional<PixelValue> Recorder::Value() const {
  const device::SurfaceRef surface = Surface();
  if (!surface) return std::nullopt;
  return ReadPixel(player().device(), pixel_.space, surface, pixel_.x, pixel_.y, pixel_.slice);
}

// What waits in the renderer of the frames before is drawn; from here on it draws nothing.
void Recorder::StartFrame() {
  has_started_ = true;
  if (!options_.renderer.empty()) player().SetRenderer(options_.renderer);
  player().FinishDrawing();
  player().renderer()->SetProbe(&probe_);
  history_.before = Value();
}

// The surface may be gone at the end of the frame.
void Recorder::DescribeSurface() {
  const device::SurfaceRef surface = Named();
  if (!surface) return;
  const image::Surface& pixels = surface.surface();
  const image::Area level = pixels.WholeLevel(surface.level);
  history_.format = pixels.info().name;
  history_.width = level.width();
  history_.height = level.height();
  history_.samples = pixels.description().samples;
}

Operation Recorder::Start(Kind kind, std::string name) {
  DescribeSurface();
  Operation operation;
  operation.kind = kind;
  operation.event = player().position().event;
  operation.name = std::move(name);
  operation.marker = player().last_marker();
  return operation;
}

void Recorder::End(Operation&& operation, bool touches) {
  operation.after = Value();
  const bool changes = operation.after != operation.before;
  if (!touches && !changes) return;
  operation.writes = operation.writes || changes;
  history_.operations.push_back(std::move(operation));
}

Status Recorder::BeforeEvent(const trace::Event& event) {
  if (player().position().event >= span_.first && !has_started_) StartFrame();
  if (is_in_frame()) work_ = StartEvent(event);
  return OkStatus();
}

std::optional<Recorder::EventWork> Recorder::StartEvent(const trace::Event& event) {
  const auto* const update = std::get_if<trace::SurfaceUpdate>(&event);
  const auto* const blt = std::get_if<trace::Blt>(&event);
  const bool is_create = std::holds_alternative<trace::SurfaceCreate>(event) ||
                         std::holds_alternative<trace::SurfaceDestroy>(event) ||
                         std::holds_alternative<trace::Header>(event);
  if (update == nullptr && blt == nullptr && !is_create) return std::nullopt;
  const Watched watched = WatchedNow();
  EventWork work;
  work.is_create = is_create;
  work.id = watched.surface ? watched.surface.surface().id() : 0;
  work.generation = watched.surface ? watched.surface.surface().generation() : 0;
  work.operation = Start(update != nullptr ? Kind::kUpload
                         : blt != nullptr  ? Kind::kBlit
                                           : Kind::kSurface,
                         std::string(NameOf(event)));
  work.operation.before = Value();
  if (watched.surface && update != nullptr)
    work.covers = Covers(player().device(), *update, watched);
  if (watched.surface && blt != nullptr) {
    work.operation.blit = FindBlit(player().device(), *blt, watched);
    work.covers = work.operation.blit.has_value();
  }
  return work;
}

Status Recorder::AfterEvent(const trace::Event& /*event*/) {
  if (std::optional<EventWork> work = std::exchange(work_, std::nullopt)) {
    const device::SurfaceRef after = Surface();
    const uint64_t id = after ? after.surface().id() : 0;
    // An update or blit that is refused asks for no bytes to write.
    const bool writes =
        work->is_create ? id != work->id && id != 0
                        : work->covers && after && after.surface().generation() != work->generation;
    work->operation.writes = writes;
    End(std::move(work->operation), writes);
  }
  if (is_in_frame()) refused_.AfterEvent(player());
  is_done_ = is_done_ || player().position().event >= span_.last;
  return OkStatus();
}

void Recorder::BeforeApply(const device::Context& context, const stream::Command& command) {
  const bool is_draw = command.op->is(opcode::kDraw);
  token_.reset();
  is_touched_ = false;
  refused_.BeforeApply(player().position());
  const Watched watched = is_in_frame() ? WatchedNow() : Watched{};
  if (!watched.surface) return;
  std::optional<BlitSource> blit;
  if (context.space_id == pixel_.space) blit = FindBlit(context, command, watched);
  if (!blit && !MayTouch(*command.op)) return;
  probe_.SetTarget({.resource = watched.surface.resource,
                    .face = watched.surface.face,
                    .level = watched.surface.level,
                    .x = watched.x,
                    .y = watched.y,
                    .wants_steps = options_.wants_steps});
  token_ = Start(is_draw ? Kind::kDraw : Kind::kOther, std::string(command.op->name));
  token_->offset = command.offset;
  token_->draw = player().position().draw;
  // The value is not looked at where the renderer tells what changes: what waits goes on waiting.
  if (!IsDrawnByRenderer(*command.op)) token_->before = Value();
  if (blit) token_->kind = Kind::kBlit;
  token_->blit = std::move(blit);
}

void Recorder::DescribeDraw(const device::Context& context, Operation& operation) {
  const device::ShaderObject* const vertex = context.VertexShader();
  const device::ShaderObject* const pixel = context.PixelShader();
  operation.layout = probe_.layout();
  if (vertex != nullptr && !operation.layout.is_transformed)
    operation.vertex_shader = vertex->program;
  if (pixel != nullptr) operation.pixel_shader = pixel->program;
  if (const device::SurfaceRef depth = context.Depth())
    operation.depth_format = depth.surface().info().name;
  if (const device::SurfaceRef target = context.Target(0))
    operation.target_format = target.surface().info().name;
}

void Recorder::OnTouch() {
  if (token_ && !std::exchange(is_touched_, true)) token_->before = Value();
}

void Recorder::KeepOutside(const raster::ProbedOutside& outside) {
  constexpr size_t kMaxOutside = 1024;
  const bool is_outside = outside.primitives != 0 && outside.outside == outside.primitives;
  if (is_outside && !is_touched_ && history_.outside.size() < kMaxOutside)
    history_.outside.push_back(
        {token_->draw, player().position().event, token_->offset.value_or(0), outside});
}

Status Recorder::OnApplied(device::Context& context, const stream::Command& command) {
  if (is_in_frame()) refused_.OnApplied(player().position());
  if (!token_) return OkStatus();
  KeepOutside(probe_.TakeOutside());
  if (IsDrawnByRenderer(*command.op) && !is_touched_) {
    probe_.Take();
    token_.reset();
    return OkStatus();
  }
  Operation operation = *std::exchange(token_, std::nullopt);
  operation.clear = probe_.TakeClear();
  operation.fragments = probe_.Take();
  bool touches = operation.blit.has_value() || operation.clear || !operation.fragments.empty();
  const device::SurfaceRef surface = Surface();
  if (operation.clear) {
    operation.kind = Kind::kClear;
    const bool is_depth = context.Depth() == surface;
    operation.writes = is_depth ? operation.clear->clears_depth || operation.clear->clears_stencil
                                : operation.clear->clears_color;
  }
  if (operation.blit) operation.writes = true;
  if (!operation.fragments.empty()) {
    DescribeDraw(context, operation);
    operation.writes = std::ranges::any_of(operation.fragments, [&](const auto& fragment) {
      return Stores(fragment, context, surface);
    });
  }
  if (command.op->is(opcode::kBlt) && !operation.blit) touches = false;  // by the value
  End(std::move(operation), touches);
  return OkStatus();
}

std::string Recorder::AbsenceOf(const History& history) const {
  const bool is_in_picture =
      options_.surface || !span_.rect ||
      (int64_t{pixel_.x} < span_.rect->right && int64_t{pixel_.y} < span_.rect->bottom);
  const bool was_there = history.before || history.after || !history.operations.empty();
  if (was_there && is_in_picture) return "";
  if (history.width == 0) {
    return fmt::format("surface {} has no such face and level at the end of frame {}",
                       pixel_.handle, span_.frame);
  }
  const device::SurfaceRef surface = Named();
  const uint32_t slices = surface ? surface.surface().WholeLevel(surface.level).back : 1;
  const std::string slice =
      pixel_.slice != 0 ? fmt::format(" of slice {}", pixel_.slice) : std::string();
  return fmt::format(
      "pixel {},{}{} is outside of {}surface {}, which has {}x{} pixels{}", pixel_.x, pixel_.y,
      slice, is_in_picture ? "" : "the part that is shown of ", pixel_.handle, history.width,
      history.height,
      slice.empty() ? std::string() : fmt::format(" and slices 0 to {}", slices - 1));
}

History Recorder::Finish() {
  history_.frame = span_.frame;
  history_.read = span_.read;
  history_.is_unfinished = span_.is_unfinished;
  history_.pixel = pixel_;
  history_.after = Value();
  history_.dropped_fragments = probe_.dropped();
  DescribeSurface();
  history_.refused = refused_.Take();
  history_.absence = AbsenceOf(history_);
  return std::move(history_);
}

}  // namespace dp2trace::history
