#include "edit/survey.h"

#include <utility>
#include <variant>

#include "edit/scratch.h"

namespace dp2trace::edit {
Survey::Survey(Choice choice)
    : choice_(std::move(choice)), runner_(SilentOptions(), findings_, *this) {}
Survey::~Survey() = default;

void Survey::OnEvent(uint64_t number, const trace::Event& event) {
  if (is_done()) return;
  event_ = number;
  packet_ = std::get_if<trace::Render>(&event);
  const auto* const call = std::get_if<trace::Dp2>(&event);
  const bool has_environment = packet_ != nullptr && packet_->dp2_env.has_value();
  vertex_size_ = call != nullptr   ? call->vertex_size
                 : has_environment ? packet_->dp2_env->vertex_size
                                   : 0;
  if (begins_next_) Begin({.event = number, .offset = {}}, counter_.count() + 1);
  counter_.Add(event);
  part_.ends_contexts |= std::holds_alternative<trace::ContextDestroy>(event);
  if (uses_ && !is_past_session_) uses_->OnEvent(number, event);
  [[maybe_unused]] const Status status = runner_.OnEvent(number, event);  // no observer fails
  findings_ = DiagnosticList();
  if (packet_ != nullptr) EndPacket();
  creations_.OnEvent(number, event, runner_.kmt());
}

void Survey::EndPacket() {
  if (!uses_ || is_past_session_) return;
  const auto is_cut = [&](const Cut& cut) { return cut.event == event_ && cut.offset; };
  if (is_cut(part_.begin) || (part_.end && is_cut(*part_.end)))
    part_.cut_packets[event_] = packet_use_;
  uses_->OnPacket(event_, *packet_);
}

void Survey::OnCall(device::Context& context) {
  if (packet_ != nullptr && choice_.unit == Unit::kDraws)
    packet_use_ = CarriedBy(context, runner_.kmt());
}

void Survey::OnHeader(const trace::Header& /*header*/) {
  if (part_.is_found) {
    is_past_session_ = true;
    return;
  }
  part_.session = event_;
  if (event_ == 0 && (Chooses(Unit::kFrames, 1) || Chooses(Unit::kDraws, 1))) Begin({0, {}}, 1);
}

void Survey::Begin(Cut cut, uint64_t first_draw) {
  begins_next_ = false;
  part_.is_found = true;
  part_.is_from_start = cut.event == 0;
  part_.begin = cut;
  part_.first_frame = frames_ + 1;
  part_.first_draw = first_draw;
  uses_ = std::make_unique<UseCollector>(runner_.device(), runner_.kmt(), creations_, part_);
  uses_->Begin();
}

void Survey::BeforeApply(const device::Context& context, const stream::Command& command) {
  const trace::DrawToken* const draw = counter_.Find(command.offset);
  if (draw != nullptr && !part_.is_found && ChoosesUpTo(draw->number)) {
    Begin({event_, command.offset}, draw->number);
    if (packet_ != nullptr) {
      packet_use_ = CarriedBy(context, runner_.kmt());
      uses_->OnPacketBegin(*packet_);
    }
    part_.contexts[{context.space_id, context.id}];
  }
  if (!uses_ || is_done() || is_past_session_) return;
  if (packet_ != nullptr && choice_.unit == Unit::kDraws)
    AddWords(context, command, runner_.kmt(), packet_use_);
  uses_->OnCommand(context, command, {.command_offset = 0, .vertex_size = vertex_size_});
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
  if (uses_ && !is_done() && !is_past_session_) uses_->OnApplied(context, command);
  const trace::DrawToken* const draw = counter_.Find(command.offset);
  if (draw == nullptr) return OkStatus();
  last_draw_ = draw->number;
  has_drawn_ = true;
  if (!part_.is_found || is_done()) return OkStatus();
  ++part_.draws;
  if (choice_.unit == Unit::kDraws && choice_.numbers.IsPast(draw->number + 1)) {
    const uint64_t end = command.offset + command.bytes.size();
    part_.end = Cut{event_, end};
    uses_->End();
  }
  return OkStatus();
}

Status Survey::OnPresent(const trace::Present& /*present*/) {
  ++frames_;
  has_drawn_ = false;
  if (part_.is_found) ++part_.frames;
  if (choice_.unit != Unit::kFrames) return OkStatus();
  if (part_.is_found) {
    if (!choice_.numbers.IsPast(frames_ + 1)) return OkStatus();
    part_.end = Cut{event_ + 1, {}};
    uses_->End();
  } else {
    begins_next_ = Chooses(Unit::kFrames, frames_ + 1);
  }
  return OkStatus();
}

void Survey::Finish() {
  if (has_drawn_ && !is_done() && part_.is_found) ++part_.frames;
  const uint64_t found = choice_.unit == Unit::kFrames ? part_.frames : part_.draws;
  if (found == 0) part_.is_found = false;
  if (uses_ && !is_done()) uses_->End();
}

}  // namespace dp2trace::edit
