// Events that are passed over, and what has been told of an interval of them: for runners that share the work on one trace.
#include <utility>

#include "device/kmt/objects.h"
#include "replay/runner.h"
#include "validate/command_rules.h"
#include "validate/dp2/stream.h"

namespace dp2trace::replay {

using validate::CommandView;
using validate::ContextMemory;
using validate::ContextNews;
using validate::EventFindings;

namespace {

// Rules that remember tokens say nothing while these are passed over.
class NothingKept final : public validate::FindingFilter {
 public:
  bool Keeps(const Diagnostic&) const override { return false; }
};
const NothingKept kNothingKept;

}  // namespace

void Runner::PassOver(uint64_t number, const trace::Event& event) {
  if (std::holds_alternative<trace::Header>(event) && std::exchange(has_header_, true)) {
    DiagnosticList* const out = std::exchange(out_, &unheard_);
    (void)EndSession();
    out_ = out;
  }
  EventFindings findings(unheard_, options_.rules, number, options_.max_repeats);
  Prepare(number, event, findings);
  if (const auto* const call = std::get_if<trace::Dp2>(&event)) {
    findings.SetFilter(&kNothingKept);
    PassOverCall(*call, findings);
  } else {
    (void)Apply(event, findings);
  }
  unheard_ = DiagnosticList(0);
}

void Runner::PassOverCall(const trace::Dp2& call, EventFindings& findings) {
  const Execution execution = Begin(call, findings);
  stream::Decoder decoder(execution.commands,
                          {call.command_offset, call.vertex_size, findings.event()}, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    if (execution.context == nullptr || command.offset >= execution.end) continue;
    validate::RememberCommand({device_, *execution.context, execution.call, command, caps_, memory_,
                               *execution.memory, findings});
    device_.ApplyState(*execution.context, execution.call, command);
  }
  End(call, execution, validate::HasLoss(decoder.end(), execution.is_incomplete), findings);
}

void Runner::Touch(const std::pair<uint32_t, uint64_t>& context) {
  if (const auto touched = touched_.lower_bound(context);
      touched == touched_.end() || touched->first != context) {
    const auto memory = memory_.contexts.find(context);
    touched_.emplace_hint(
        touched, context,
        memory == memory_.contexts.end() ? std::nullopt : std::optional(memory->second.news));
  }
}

void Runner::StartInterval() {
  touched_.clear();
  links_before_ = memory_.shader_links.told();
  ends_session_ = false;
}

News Runner::TakeNews() const {
  News news;
  news.shader_links = memory_.shader_links.told();
  news.ends_session = ends_session_;
  news.has_changed = ends_session_ || news.shader_links != links_before_;
  const ContextNews nothing;
  for (const auto& [context, before] : touched_) {
    const auto memory = memory_.contexts.find(context);
    const ContextNews& now = memory == memory_.contexts.end() ? nothing : memory->second.news;
    const bool has_changed = !(now == before.value_or(nothing));
    news.contexts.emplace(context, now == nothing ? std::nullopt : std::optional(now));
    news.has_changed = news.has_changed || has_changed;
  }
  return news;
}

void Runner::SetNews(std::pair<uint32_t, uint64_t> context, const ContextNews& news) {
  const auto memory = memory_.contexts.find(context);
  if (memory == memory_.contexts.end()) return;
  memory->second.news = news;
  memory->second.ForgetDerived();
}

}  // namespace dp2trace::replay
