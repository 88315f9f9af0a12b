// Where the DP2 tokens of an event are, and what the call says around them.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "stream/stream.h"
#include "trace/events.h"

namespace dp2trace::trace {

struct CommandStream {
  Bytes bytes;  // from the first command on
  stream::Environment environment;
};

// The stream of a `dp2` event, or of a `render` event that carries one; no more than what was recorded.
// Source: lib/opcode/dp2.md 1.1; lib/kmt/packets.md 6.3.
std::optional<CommandStream> StreamOf(const Event& event, LengthOrigin length_origin);

// What later events need to know of earlier ones, so that values get the right names.
class NamingContext {
 public:
  void Apply(const Event& event);

  LengthOrigin length_origin() const { return length_origin_; }
  // Of the context that the event runs in; 5 when the trace did not say.
  uint32_t RuntimeVersion(const Event& event) const;

 private:
  // The space (for render events the process) and the context. Only what differs from the default is kept.
  using Key = std::pair<uint32_t, uint64_t>;
  void Set(std::map<Key, uint32_t>& versions, Key key, uint32_t version);

  LengthOrigin length_origin_ = LengthOrigin::kZero;
  std::map<Key, uint32_t> contexts_;
  std::map<Key, uint32_t> kmt_contexts_;
};

}  // namespace dp2trace::trace
