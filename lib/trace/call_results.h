// Brings the result of a call, which a recorder writes as an event of its own after it, back to the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "trace/reader.h"

namespace dp2trace::trace {

// Whether an event is a call, which can carry a result (`ddrval` or `status`), and does.
enum class ResultState : uint8_t { kNoCall, kAwaited, kRecorded };
ResultState ResultStateOf(const Event& event);
// Calls with payloads beyond this size, in bytes, do not wait for their results: reading stays inside its memory.
inline constexpr size_t kMaxJoinedPayload = size_t{64} << 20;
// Gives the call the result in the event after it, where that is one of this call. Views in the result stay views. `session` is the
// number of the last header: a recorder, which does not know what its file is appended to, counts from there.
void JoinResult(const EventRecord& following, uint64_t session, EventRecord& call);

// Reads one event ahead: a call without a result whose `call_result` is the very next event is delivered with that result, so that a
// reader knows how far a driver came before it executes the call. The `call_result` is delivered, too.
class ResultJoiner {
 public:
  // Fetches the next event, which lives until the next call; false at the end. Its payload may be empty: it is encoded where needed.
  using Source = std::function<bool(EventRecord&)>;
  explicit ResultJoiner(Source source) : source_(std::move(source)) {}

  // The next event; it lives until the next call. False at the end.
  bool Next(EventRecord& record);
  // The number of the last header, where the source begins after it.
  void SetSession(uint64_t session) { session_ = session; }
  // The next event has been fetched already.
  bool has_ahead() const { return has_ahead_; }

 private:
  bool Fetch(EventRecord& record);

  Source source_;
  std::vector<uint8_t> payload_;  // of the call that was delivered
  EventRecord ahead_;
  uint64_t session_ = 0;  // number of the last header
  bool has_ahead_ = false;
  bool is_ended_ = false;
};

}  // namespace dp2trace::trace
