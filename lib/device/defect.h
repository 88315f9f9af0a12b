// What the device notices: it skips what is wrong and hands back why; the validator makes findings of it.
// Source: lib/opcode/dp2.md 22.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "stream/records.h"

namespace dp2trace::device {

// What was noticed while a token or an event was applied.
struct Defect {
  Rule rule{};
  std::string path;  // "commands/17/records/5/value", or the field of an event
  // Bytes from the start of the command buffer; none: of an event.
  std::optional<uint64_t> offset = {};
  uint64_t length = 0;    // bytes
  bool is_whole = false;  // a token or record as a whole
  std::string message = {};
  std::string actual = {};
  std::string expected = {};
};
// In the order in which they were noticed; empty: nothing.
using Defects = std::vector<Defect>;

// A defect of an event, at the path of one of its fields.
Defect EventDefect(Rule rule, std::string path, std::string message, std::string actual = {},
                   std::string expected = {});
// A status of a layer below as one; its own path goes before `path`.
Defect EventDefect(const std::string& path, const Status& status);
// The finding that the defect is, at event number `event`.
Diagnostic FindingOf(const Defect& defect, uint64_t event);

// What is wrong with a record, before the token is applied: the rules about other things leave such a record alone.
struct RecordDefect {
  Rule rule{};
  stream::Word word;  // of the record; empty: the record as a whole
  std::string message;
  std::string actual = {};
  std::string expected = {};
  // Follows from what was reported before: nobody hears of it.
  bool is_follow_up = false;
  // The record is carried out as far as it can be.
  bool is_tolerated = false;
};
// All that is wrong with a record, in the order of the specification; empty: nothing.
using RecordDefects = std::vector<RecordDefect>;

// Whether one of them keeps the record from being carried out.
inline bool Refuses(const RecordDefects& defects) {
  return std::ranges::any_of(defects, [](const RecordDefect& d) { return !d.is_tolerated; });
}

// What keeps a record from being used and has been reported elsewhere.
inline RecordDefect FollowUp() {
  RecordDefect defect;
  defect.is_follow_up = true;
  return defect;
}

}  // namespace dp2trace::device
