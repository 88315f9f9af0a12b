// Runs the rules on a trace, event by event. Objects are the business of later rules; today's read the event and the header only.
#pragma once

#include <cstdint>

#include "base/diagnostic.h"
#include "trace/events.h"
#include "validate/findings.h"
#include "validate/rules_packet.h"

namespace dp2trace::validate {

struct Options {
  uint32_t max_repeats = 64;  // findings of one rule in one event; the rest is counted (D3DKMT_RENDER specification 7.10)
};

// Findings go to the list in the order of the stream. Not thread-safe; one object per trace.
class Validator {
 public:
  // `findings` outlives the validator.
  Validator(const Options& options, DiagnosticList& findings);

  // Event `number` of the trace (the header is event 0). Numbers ascend; gaps are lost events.
  void OnEvent(uint64_t number, const trace::Event& event);
  // The trace has ended.
  void Finish();

 private:
  void OnHeader(const trace::Header& header, EventFindings& findings);
  void OnDp2(const trace::Dp2& call, EventFindings& findings);
  void OnRender(const trace::Render& render, EventFindings& findings);

  Options options_;
  DiagnosticList* out_;
  PacketProfile profile_;
  bool is_padding_reported_ = false;  // KMT-DEC-010
};

}  // namespace dp2trace::validate
