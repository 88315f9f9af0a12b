// Where the rules of one event report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace dp2trace::validate {

// Part of a command buffer, for a finding.
struct Place {
  uint64_t offset = 0;  // bytes from the start of the command buffer
  uint64_t length = 0;
  std::string path;
};

// Passes the findings of one event on to a list: at most `max_repeats` per rule, then one more that says how many were left out.
class EventFindings {
 public:
  EventFindings(DiagnosticList& out, uint64_t event, uint32_t max_repeats)
      : out_(&out), event_(event), max_repeats_(max_repeats) {}
  EventFindings(const EventFindings&) = delete;
  EventFindings& operator=(const EventFindings&) = delete;
  ~EventFindings();

  uint64_t event() const { return event_; }

  // A finding about the event or one of its fields.
  void Add(Rule rule, std::string path, std::string message, std::string actual = {}, std::string expected = {});
  // A finding about bytes of its command buffer.
  void Add(Rule rule, Place place, std::string message, std::string actual = {}, std::string expected = {});
  void Add(Diagnostic finding);

 private:
  struct Count {
    Rule rule;
    uint64_t found;
  };

  DiagnosticList* out_;
  uint64_t event_;
  uint32_t max_repeats_;
  std::vector<Count> counts_;  // a handful of rules per event
};

}  // namespace dp2trace::validate
