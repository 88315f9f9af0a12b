// A trace as a row of hashes, one for each event and token, that are the same where two traces mean the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "diff/objects.h"
#include "trace/events.h"

namespace dp2trace::diff {

inline constexpr uint32_t kNoToken = UINT32_MAX;

struct OutlineUnit {
  uint64_t hash = 0;
  uint32_t event = 0;
  uint32_t token = kNoToken;  // its number in the stream; none: the event itself
  uint16_t kind = 0;          // of the event; of a token 0x100 and its operation
};

// The fields of an event that count, each with a hash of what it means, nested ones by the name of the outer one. Tokens are none.
using FieldHashes = std::vector<std::pair<std::string_view, uint64_t>>;

// Numbers count as what they name: objects by their match. Markers, successful results, addresses, ids of processes and how tokens are
// spread over DP2 calls mean nothing here (trace_model/field_roles.h); a call counts beside its tokens where it carries vertices or flags.
class Outliner {
 public:
  enum class Work : uint8_t { kHash, kObjectsOnly };
  // `match`, by number of the object, outlives this; null where it is not known yet. With `leaves_out_transport` calls and packets with the same
  // tokens and vertices are the same: what makes, lists and binds KMT objects means nothing.
  Outliner(Work work, const std::vector<uint64_t>* match, bool leaves_out_transport = false)
      : work_(work), match_(match), leaves_out_transport_(leaves_out_transport) {}

  // The next event. Calls carry their results (trace_file::WithResults).
  void Add(uint64_t number, const trace::Event& event);

  // Of the last event, with kHash: the event, where it means something beside its tokens, and its tokens; or all in one.
  const std::vector<OutlineUnit>& parts() const { return parts_; }
  std::optional<OutlineUnit> whole() const;
  // Of the last event: its fields, and a token with the matches in the place of the numbers.
  FieldHashes Fields(const trace::Event& event);
  std::vector<uint8_t> TokenBytes(const trace::Event& event, const stream::Command& command,
                                  const stream::Environment& environment);

  const ObjectTable& objects() const { return objects_; }

 private:
  bool AddsEvent(const trace::Event& event, const FieldHashes& fields);
  void AddTokens(uint32_t number, const trace::Event& event);
  uint64_t TokenHash(const Scope& scope, const stream::Command& command,
                     const stream::Environment& environment);
  uint64_t MatchOf(const ObjectName& name);

  Work work_;
  const std::vector<uint64_t>* match_;
  bool leaves_out_transport_;
  FieldHashes last_vertices_;  // of a call or packet, where these are left out
  ObjectTable objects_;
  trace::NamingContext naming_;
  std::vector<OutlineUnit> parts_;
  std::vector<uint8_t> buffer_;
};

}  // namespace dp2trace::diff
