// What is said where a recording ends: a call that did not return, what was lost, and objects that nothing destroyed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/device.h"
#include "trace/draw_counter.h"
#include "trace/events.h"
#include "validate/findings.h"

namespace dp2trace::verify {

class RecordingEnd {
 public:
  // The next event. Results that follow their calls have been joined to them (trace::ResultJoiner).
  void OnEvent(uint64_t number, const trace::Event& event);

  // RECORD-RETURN-001: a call without a result, though most of its kind have one; or the last event of a file without its end,
  // where it is the first call of its kind.
  void CheckReturn(bool has_end, const validate::RuleSet& rules, DiagnosticList& findings) const;
  // RECORD-RETURN-002: a file without its end that has no call at all.
  void CheckBegin(bool has_end, const validate::RuleSet& rules, DiagnosticList& findings) const;
  // RECORD-LOST-001: what the recorder lost, all of it together, at the first place.
  void CheckLost(const validate::RuleSet& rules, DiagnosticList& findings) const;
  // RECORD-LEAK-001: what lives in the device at its end, and how much.
  uint64_t CheckLeaks(const device::Device& device, const validate::RuleSet& rules,
                      DiagnosticList& findings) const;

 private:
  struct OpenCall {
    uint64_t event = 0;
    size_t kind = 0;   // index of the event's type
    std::string what;  // "draw 4, TRIANGLELIST"
    // It is recorded when the driver has returned: the context is the driver's.
    bool is_after = false;
    bool is_lost = false;  // the recorder lost events after it: the result may be one of them
  };
  // The calls of one type of event.
  struct Calls {
    uint64_t answered = 0;
    uint64_t unanswered = 0;
    std::vector<OpenCall> named;  // the first of them
  };
  std::string DescribeDraws() const;
  void Close(const OpenCall& call);
  void Answer(uint64_t event);
  void AddLost(uint64_t number, const trace::Lost& lost);

  struct Losses {
    uint64_t first = 0, last = 0;  // the events that say so
    uint64_t places = 0;
    uint64_t events = 0;
    trace::LostCause cause{};  // of the first
  };

  trace::DrawCounter draws_;
  std::map<size_t, Calls> calls_;  // by type of event
  std::optional<OpenCall> open_;
  std::optional<Losses> lost_;
  uint64_t session_ = 0;  // number of the last header
  // What there is before the first call of the driver: a header, surfaces.
  struct Last {
    uint64_t event = 0;
    std::string_view name;
  };
  std::optional<Last> beginning_;  // its last event
  bool has_begun_ = false;         // something else has come
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> surfaces_,
      contexts_;  // by space: the events that made them
};

}  // namespace dp2trace::verify
