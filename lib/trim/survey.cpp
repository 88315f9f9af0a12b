#include "trim/survey.h"

#include <utility>
#include <variant>

#include "raster/pixel/clear.h"
#include "raster/renderer.h"

namespace dp2trace::trim {
Survey::Survey(Choice choice) : choice_(std::move(choice)) {}
Survey::~Survey() = default;

Status Survey::BeforeEvent(const trace::Event& what) {
  packet_ = std::get_if<trace::Render>(&what);
  const trace::DrawCounter& draws = player().draws();
  const bool is_first_event = !part_.is_found && Chooses(Unit::kEvents, event());
  if (begins_next_ || is_first_event)
    Begin({.event = event(), .offset = {}}, draws.count() - draws.draws().size() + 1);
  part_.ends_contexts |= std::holds_alternative<trace::ContextDestroy>(what);
  if (IsInPart()) uses_->OnEvent(event(), what);
  return OkStatus();
}

Status Survey::AfterEvent(const trace::Event& what) {
  if (packet_ != nullptr) EndPacket();
  creations_.OnEvent(event(), what, player().kmt());
  const bool is_last_event =
      choice_.unit == Unit::kEvents && IsInPart() && choice_.numbers.IsPast(event() + 1);
  if (is_last_event) End();
  return OkStatus();
}

// After the current event.
void Survey::End() {
  part_.end = Cut{event() + 1, {}};
  uses_->End();
}

void Survey::EndPacket() {
  if (!uses_ || is_past_session_) return;
  const auto is_cut = [&](const Cut& cut) { return cut.event == event() && cut.offset; };
  if (is_cut(part_.begin) || (part_.end && is_cut(*part_.end)))
    part_.cut_packets[event()] = packet_use_;
  uses_->OnPacket(event(), *packet_);
}

void Survey::OnCall(device::Context& context) {
  if (packet_ != nullptr && choice_.unit == Unit::kDraws)
    packet_use_ = CarriedBy(context, player().kmt());
}

void Survey::OnHeader(const trace::Header& /*header*/) {
  if (part_.is_found) {
    is_past_session_ = true;
    return;
  }
  part_.session = event();
  const bool is_from_start =
      Chooses(Unit::kFrames, 1) || Chooses(Unit::kDraws, 1) || Chooses(Unit::kEvents, 1);
  if (event() == 0 && is_from_start) Begin({0, {}}, 1);
}

void Survey::Begin(Cut cut, uint64_t first_draw) {
  begins_next_ = false;
  part_.is_found = true;
  part_.is_from_start = cut.event == 0;
  part_.begin = cut;
  part_.first_frame = player().position().frame;
  part_.first_draw = first_draw;
  uses_ = std::make_unique<UseCollector>(player().device(), player().kmt(), creations_, part_);
  uses_->Begin();
}

void Survey::BeforeApply(const device::Context& context, const stream::Command& command) {
  const trace::DrawToken* const draw = player().position().token;
  if (draw != nullptr && !part_.is_found && ChoosesUpTo(draw->number)) {
    Begin({event(), command.offset}, draw->number);
    if (packet_ != nullptr) {
      packet_use_ = CarriedBy(context, player().kmt());
      uses_->OnPacketBegin(*packet_);
    }
    part_.contexts[{context.space_id, context.id}];
  }
  if (!IsInPart()) return;
  if (packet_ != nullptr && choice_.unit == Unit::kDraws)
    AddWords(context, command, player().kmt(), packet_use_);
  uses_->OnCommand(context, command,
                   {.command_offset = 0, .vertex_size = player().environment().vertex_size});
}

// Draws that were not executed since the last one count with the next.
bool Survey::ChoosesUpTo(uint64_t number) const {
  if (choice_.numbers.IsPast(number)) return false;
  for (uint64_t i = last_draw_ + 1; i <= number; ++i) {
    if (Chooses(Unit::kDraws, i)) return true;
  }
  return false;
}

Status Survey::OnApplied(device::Context& context, const stream::Command& command) {
  if (IsInPart()) uses_->OnApplied(context, command);
  const trace::DrawToken* const draw = player().position().token;
  if (draw == nullptr) return OkStatus();
  last_draw_ = draw->number;
  has_drawn_ = true;
  if (!part_.is_found || is_done()) return OkStatus();
  ++part_.draws;
  if (choice_.unit == Unit::kDraws && choice_.numbers.IsPast(draw->number + 1)) {
    const uint64_t end = command.offset + command.bytes.size();
    part_.end = Cut{event(), end};
    uses_->End();
  }
  return OkStatus();
}

void Survey::OnSurfaceWritten(const trace::SurfaceUpdate& update) {
  if (IsInPart()) uses_->OnSurfaceWritten(update);
}

void Survey::OnSurfaceWritten(const trace::Blt& blt) {
  if (IsInPart()) uses_->OnSurfaceWritten(blt);
}

bool Survey::OnClear(const device::ClearDraw& clear) {
  if (!IsInPart()) return true;
  WorkBudget work(raster::Options().max_draw_steps);
  uses_->OnCleared(*player().context(),
                   raster::Clear(player().context()->state, raster::SurfacesOf(*player().context()),
                                 clear, &work));
  return true;
}

void Survey::OnSet(const device::Context& context, const stream::Command& /*command*/,
                   device::StateKey key, const device::StateWords& words,
                   const device::StateBlock* /*block*/) {
  if (IsInPart()) uses_->OnSet(context, key, words);
}

Status Survey::OnPresent(const trace::Present& /*present*/) {
  const uint64_t next = player().position().frame + 1;
  has_drawn_ = false;
  if (part_.is_found) ++part_.frames;
  if (choice_.unit != Unit::kFrames) return OkStatus();
  if (part_.is_found) {
    if (!choice_.numbers.IsPast(next)) return OkStatus();
    End();
  } else {
    begins_next_ = Chooses(Unit::kFrames, next);
  }
  return OkStatus();
}

void Survey::Finish() {
  const bool is_cut_frame = choice_.unit == Unit::kEvents || !is_done();
  if (has_drawn_ && is_cut_frame && part_.is_found) ++part_.frames;
  const bool is_empty = choice_.unit == Unit::kFrames  ? part_.frames == 0
                        : choice_.unit == Unit::kDraws ? part_.draws == 0
                                                       : !part_.is_found;
  if (is_empty) {
    part_.is_found = false;
    part_.frames = player().position().frame - 1 + (has_drawn_ ? 1 : 0);
    part_.draws = player().draws().count();
  }
  if (uses_ && !is_done()) uses_->End();
}

}  // namespace dp2trace::trim
