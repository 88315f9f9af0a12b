#include "verify/recording_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::verify {

RecordingChecks::RecordingChecks(CheckOptions options, const validate::RuleSet& rules,
                                 DiagnosticList& findings)
    : options_(std::move(options)), rules_(rules), findings_(&findings) {}

void RecordingChecks::OnEvent(uint64_t number, const trace::Event& event,
                              const device::Device& device) {
  end_.OnEvent(number, event);
  if (const auto* const picture = std::get_if<trace::Picture>(&event); picture != nullptr)
    OnPicture(number, *picture, device);
}

void RecordingChecks::Finish(const device::Device& device) {
  end_.CheckReturn(rules_, *findings_);
  if (!options_.lists_leaks) return;
  if (!rules_.Wants(Rule::kRecordLeak001))
    rules_.SetSeverity(Rule::kRecordLeak001, Info(Rule::kRecordLeak001).severity);
  leaks_ = end_.CheckLeaks(device, rules_, *findings_);
}

void RecordingChecks::OnPicture(uint64_t number, const trace::Picture& event,
                                const device::Device& device) {
  validate::EventFindings findings(*findings_, rules_, number);
  PictureResult& result = pictures_.emplace_back();
  result.sequence = pictures_.size();
  result.event = number;
  result.space = event.space;
  result.surface = event.handle;
  Result<PicturePair> pair = PairPictures(device, event);
  if (!pair.ok()) {
    findings.Add(Rule::kRecordPicture002, "handle", pair.status().diagnostic().message);
    return;
  }
  result.is_compared = true;
  result.face = pair->face;
  result.level = pair->level;
  result.area = pair->area;
  const image::LooseOptions loose = {
      .tolerance = static_cast<uint8_t>(std::min<uint32_t>(options_.tolerance, 255)),
      .edge_pixels = options_.edge_pixels};
  result.difference = Compare(*pair, loose);
  result.is_different = result.difference.pixels > options_.max_pixels;
  if (!result.is_different) return;
  result.diagnosis = image::Diagnose(pair->replay, pair->driver, loose);
  findings.Add(Rule::kRecordPicture001, "data",
               fmt::format("picture {} of surface {}: {}{}", result.sequence, event.handle,
                           Describe(result.difference, pair->area, options_.tolerance),
                           result.diagnosis ? "; diagnosis: " + image::Describe(*result.diagnosis)
                                            : std::string()));
  if (options_.on_difference) options_.on_difference(result.sequence, *pair);
}

}  // namespace dp2trace::verify
