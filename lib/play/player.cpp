#include "play/player.h"

#include <algorithm>
#include <variant>

#include "play/renderers.h"
#include "rules/rule.h"

namespace dp2trace::play {

Player::Player(const Options& options, DiagnosticList* findings,
               std::initializer_list<Listener*> listeners)
    : options_(options),
      listeners_(listeners),
      findings_(findings != nullptr ? findings : &own_findings_),
      runner_(ValidationOf(options), *findings_, *this,
              options.start == nullptr ? nullptr : &options.start->runner) {
  now_.clips_transformed_z = options.raster.clips_transformed_z;
  if (options.start != nullptr) Continue(*options.start);
  for (Listener* const listener : listeners_)
    listener->player_ = this;
  if (detail_ == Detail::kPictures) MakeRenderer(options_.renderer);
  runner_.SetSink(*this);
  for (Listener* const listener : listeners_)
    listener->OnStart();
}

Player::Player(const Options& options, DiagnosticList& findings,
               std::initializer_list<Listener*> listeners)
    : Player(options, &findings, listeners) {}

Player::Player(const Options& options, std::initializer_list<Listener*> listeners)
    : Player(options, nullptr, listeners) {}

Player::~Player() = default;

void Player::Continue(const Snapshot& start) {
  now_ = start.progress;
  if (start.context) context_ = device().FindContext(start.context->space, start.context->id);
}

std::unique_ptr<const Snapshot> Player::Save(const Snapshot* earlier) {
  FinishDrawing();
  std::optional<device::ContextKey> current;
  for (const auto& [key, context] : device().contexts()) {
    if (context.get() == context_) current = {key.first, key.second};
  }
  auto saved = std::make_unique<Snapshot>(Snapshot{runner_.memory(), now_, current});
  saved->runner.device.SetObserver(nullptr);
  saved->runner.device.TakeOwnBytes(earlier == nullptr ? nullptr : &earlier->runner.device);
  return saved;
}

RunnerOptions Player::ValidationOf(const Options& options) {
  std::erase(listeners_, nullptr);
  for (Listener* const listener : listeners_) {
    detail_ = std::max(detail_, listener->detail());
    if (device::StateObserver* const observer = listener->state_observer())
      state_observers_.push_back(observer);
  }
  RunnerOptions validation = options.validation;
  if (detail_ == Detail::kStates) validation.device.surfaces.keeps_pixels = false;
  if (!state_observers_.empty()) validation.device.observer = this;
  return validation;
}

template <class F>
Status Player::Notify(const F& call) {
  for (Listener* const listener : listeners_)
    DP2TRACE_RETURN_IF_ERROR(call(*listener));
  return OkStatus();
}

void Player::MakeRenderer(const std::string& name) {
  renderer_ = play::MakeRenderer(name, options_.raster, execution_findings());
  renderer_->SetClipsTransformedZ(now_.clips_transformed_z);
  runner_.SetSink(*this);
}

void Player::SetRenderer(const std::string& name) {
  FinishDrawing();
  MakeRenderer(name);
}

void Player::FinishDrawing() {
  if (renderer_ != nullptr) renderer_->Finish();
}

raster::RendererStatistics Player::drawing_statistics() const {
  return renderer_ == nullptr ? raster::RendererStatistics() : renderer_->statistics();
}

bool Player::is_done() const {
  return !listeners_.empty() && std::ranges::all_of(listeners_, &Listener::is_done);
}

stream::Environment Player::environment() const {
  return now_.draws.commands() ? now_.draws.commands()->environment : stream::Environment{};
}

Status Player::OnEvent(uint64_t number, const trace::Event& event) {
  now_.position.event = number;
  now_.event_frame = now_.position.frame;
  now_.draws.Add(event);
  if (const auto* const marker = std::get_if<trace::Marker>(&event)) {
    now_.marker.emplace(*marker);
    now_.is_marker_used = false;
  }
  DP2TRACE_RETURN_IF_ERROR(Notify([&](Listener& l) { return l.BeforeEvent(event); }));
  DP2TRACE_RETURN_IF_ERROR(runner_.OnEvent(number, event));
  DP2TRACE_RETURN_IF_ERROR(Notify([&](Listener& l) { return l.AfterEvent(event); }));
  EndEvent(event);
  return OkStatus();
}

void Player::EndEvent(const trace::Event& event) {
  if (findings_ == &own_findings_ && !findings_->empty()) own_findings_ = DiagnosticList();
  if (!now_.draws.draws().empty()) now_.is_marker_used = true;
  if (!std::holds_alternative<trace::Present>(event)) return;
  now_.drawn_target.reset();
  ++now_.position.frame;
  now_.position.frame_start = now_.position.event + 1;
}

void Player::Finish() {
  FinishDrawing();
  runner_.Finish();
}

void Player::Locate(Diagnostic& finding) const {
  finding.frame = now_.event_frame;
  const trace::DrawToken* const draw =
      finding.event && finding.offset ? now_.draws.FindAround(*finding.offset) : nullptr;
  if (draw != nullptr) finding.draw = draw->number;
  if (const auto named = marker()) finding.marker = Describe(*named);
}

void Player::OnHeader(const trace::Header& header) {
  now_.clips_transformed_z = ClipsTransformedZ(header, options_.raster.clips_transformed_z);
  if (renderer_ != nullptr) renderer_->SetClipsTransformedZ(now_.clips_transformed_z);
  for (Listener* const listener : listeners_)
    listener->OnHeader(header);
}

Status Player::OnSessionEnd() {
  FinishDrawing();
  DP2TRACE_RETURN_IF_ERROR(Notify([](Listener& l) { return l.OnSessionEnd(); }));
  context_ = nullptr;
  now_.drawn_target.reset();
  return OkStatus();
}

void Player::OnCall(device::Context& context) {
  context_ = &context;
  if (renderer_ != nullptr) renderer_->SetContext(context);
  for (Listener* const listener : listeners_)
    listener->OnCall(context);
}

// Where a packet's header says in another way where its tokens are, none of them may stand at the offset: the number is the nearest.
void Player::BeforeApply(const device::Context& context, const stream::Command& command) {
  const bool is_draw = command.op->is(opcode::kDraw);
  now_.position.offset = command.offset;
  now_.position.token = is_draw ? now_.draws.Find(command.offset) : nullptr;
  now_.position.draw = !is_draw                         ? 0
                       : now_.position.token != nullptr ? now_.position.token->number
                                                        : now_.draws.count();
  if (is_draw && renderer_ != nullptr) renderer_->StartDraw(now_.position.draw);
  for (Listener* const listener : listeners_)
    listener->BeforeApply(context, command);
}

Status Player::OnApplied(device::Context& context, const stream::Command& command) {
  if (command.op->is(opcode::kDraw)) {
    now_.drawn_target = DrawnTarget{context.space_id, context.targets.colors[0]};
    now_.drawn_event = now_.position.event;
  }
  DP2TRACE_RETURN_IF_ERROR(Notify([&](Listener& l) { return l.OnApplied(context, command); }));
  now_.position.offset = 0;
  now_.position.draw = 0;
  now_.position.token = nullptr;
  return OkStatus();
}

Status Player::BeforeDestroy(const trace::SurfaceDestroy& destroy) {
  return Notify([&](Listener& l) { return l.BeforeDestroy(destroy); });
}

void Player::OnSurfaceWritten(const trace::SurfaceUpdate& update) {
  for (Listener* const listener : listeners_)
    listener->OnSurfaceWritten(update);
}

void Player::OnSurfaceWritten(const trace::Blt& blt) {
  for (Listener* const listener : listeners_)
    listener->OnSurfaceWritten(blt);
}

Status Player::OnRead(const trace::SurfaceRead& read) {
  ++now_.reads;
  return Notify([&](Listener& l) { return l.OnRead(read); });
}

Status Player::OnPresent(const trace::Present& present) {
  return Notify([&](Listener& l) { return l.OnPresent(present); });
}

void Player::OnDraw(const device::Draw& draw) {
  bool draws = renderer_ != nullptr;
  for (Listener* const listener : listeners_)
    draws = listener->OnDraw(draw) && draws;
  if (draws) renderer_->OnDraw(draw);
}

void Player::OnPatch(const device::PatchDraw& patch) {
  bool draws = renderer_ != nullptr;
  for (Listener* const listener : listeners_)
    draws = listener->OnPatch(patch) && draws;
  if (draws) renderer_->OnPatch(patch);
}

void Player::OnClear(const device::ClearDraw& clear) {
  bool draws = renderer_ != nullptr;
  for (Listener* const listener : listeners_)
    draws = listener->OnClear(clear) && draws;
  if (draws) renderer_->OnClear(clear);
}

void Player::OnContext(const device::Context& context) {
  for (device::StateObserver* const observer : state_observers_)
    observer->OnContext(context);
}

Status Player::CheckWork() const {
  if (!has_ended()) return OkStatus();
  return Failure(Rule::kReplayWork001, "the trace takes more work than --max-steps allows");
}

void Player::OnSet(const device::Context& context, const stream::Command& command,
                   device::StateKey key, const device::StateWords& words,
                   const device::StateBlock* block) {
  for (device::StateObserver* const observer : state_observers_)
    observer->OnSet(context, command, key, words, block);
}

}  // namespace dp2trace::play
