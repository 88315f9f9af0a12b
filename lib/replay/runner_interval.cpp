// Events that are passed over, and what has been told of an interval of them: for runners that share the work on one trace.
#include <utility>

#include "device/kmt/objects.h"
#include "replay/runner.h"
#include "validate/command_rules.h"
#include "validate/dp2/stream.h"
#include "validate/kmt/packet_view.h"
#include "validate/kmt/payload.h"
#include "validate/kmt/render.h"

namespace dp2trace::replay {

using validate::CheckRenderParameters;
using validate::ContextNews;
using validate::EventFindings;
using validate::EventView;
using validate::PacketFacts;
using validate::PacketView;
using validate::PayloadRules;

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
  } else if (const auto* const render = std::get_if<trace::Render>(&event)) {
    PassOverPacket(*render, findings);
  } else {
    (void)Apply(event, findings);
  }
  unheard_ = DiagnosticList(0);
}

void Runner::PassOverCall(const trace::Dp2& call, EventFindings& findings) {
  const Execution execution = Begin(call, findings);
  if (execution.context == nullptr) return;
  const stream::StreamEnd end = PassOverTokens(execution, findings);
  End(call, execution, validate::HasLoss(end, execution.is_incomplete), findings);
}

// What a packet without a recorded result does hangs on what is found in it: its rules are worked out.
void Runner::PassOverPacket(const trace::Render& recorded, EventFindings& findings) {
  const std::optional<trace::Render> render = TakePacket(recorded, findings);
  if (!render) return;
  const EventView event = View(findings);
  PacketFacts facts(event, *render, profile_);
  const PacketView& view = facts.view();
  std::optional<PayloadRules> payload;
  const bool is_readable =
      render->status ? CheckRenderParameters(view) : CheckPacketRules(view, payload);
  const bool is_accepted = IsAccepted(view);
  if (is_readable && view.is_dp2() && is_accepted) {
    findings.SetFilter(&kNothingKept);
    const Execution execution = BeginPayload(view);
    if (execution.context != nullptr &&
        PassOverTokens(execution, findings) != stream::StreamEnd::kComplete)
      execution.context->NoteLoss();
  }
  kmt_.OnRender(*render, is_accepted);
}

stream::StreamEnd Runner::PassOverTokens(const Execution& execution, EventFindings& findings) {
  device::Context& context = *execution.context;
  // Where the execution ends before the stream does, each token has to say where it stands.
  const bool is_whole = execution.end == UINT64_MAX;
  const bool with_render_states = !validate::RemembersRenderStates(findings);
  stream::Decoder decoder(execution.commands, execution.call.environment, nullptr);
  const auto skip_plain = [&] {
    if (!is_whole) return;
    const device::PlainRun run = device_.ApplyPlain(context, decoder.rest(), with_render_states);
    validate::RememberPlain(run, context.state, *execution.memory);
    decoder.Skip(run.size, run.tokens);
  };
  skip_plain();
  for (stream::Command command; decoder.Next(command); skip_plain()) {
    if (command.offset >= execution.end) continue;
    validate::RememberCommand(
        {device_, context, execution.call, command, caps_, memory_, *execution.memory, findings});
    device_.ApplyState(context, execution.call, command);
  }
  return decoder.end();
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
