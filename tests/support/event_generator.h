// Events with random fields, for tests: the same seed gives the same events everywhere.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "support/random.h"
#include "trace/event_kind.h"
#include "trace/events.h"

namespace dp2trace::testing {

class EventGenerator {
 public:
  // Texts and byte arrays have at most `max_bytes` bytes.
  explicit EventGenerator(uint64_t seed, size_t max_bytes = 64)
      : random_(seed), max_bytes_(max_bytes) {}

  // An event of this kind; each field is left at its default or filled at random. Views live as long as the generator.
  trace::Event Make(trace::EventKind kind);
  // A header, then events of all kinds but header and, among them, unknown ones.
  std::vector<trace::Event> MakeTrace(size_t count);

  uint64_t Random64() { return random_.Next(); }
  // 0 to bound - 1; bound > 0.
  size_t Below(size_t bound) { return static_cast<size_t>(random_.Next() % bound); }
  // Random bytes that live as long as the generator.
  Bytes MakeBytes(size_t size);

 private:
  trace::Event MakeUnknown();

  Random random_;
  size_t max_bytes_;
  std::deque<std::vector<uint8_t>> storage_;
};

// Field by field, byte arrays by their contents.
bool SameEvent(const trace::Event& a, const trace::Event& b);

}  // namespace dp2trace::testing
