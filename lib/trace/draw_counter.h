// The numbers of draws: counted in one place, only by the bytes of the trace, so that every verb, report and page means the same draw.
// Source: lib/design.md 3 ("Numbers").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "opcode/opcode.h"
#include "trace/command_stream.h"
#include "trace/events.h"

namespace dp2trace::trace {

// A token that is or contains a draw (CLEAR too), executed or not.
struct DrawToken {
  uint64_t number = 0;   // from 1, over the whole trace
  uint32_t command = 0;  // number of the token in its stream, from 0
  uint64_t offset = 0;   // bytes from the start of the command buffer
  const opcode::OpInfo* op = nullptr;
  uint64_t size = 0;  // bytes
};

class DrawCounter {
 public:
  // The next event, in the order of the trace; any that can hold no draw may be left out, headers not.
  void Add(const Event& event);

  // Draws up to and including the last event.
  uint64_t count() const { return count_; }
  // Those of the last event, in the order of the stream.
  const std::vector<DrawToken>& draws() const { return draws_; }
  // Its tokens, as views of the event; nothing where it has none.
  const std::optional<CommandStream>& commands() const { return commands_; }
  // The draw of the last event whose token stands at `offset`, or null.
  const DrawToken* Find(uint64_t offset) const;
  // The draw of the last event whose token holds the byte at `offset`, or null.
  const DrawToken* FindAround(uint64_t offset) const;

 private:
  LengthOrigin length_origin_ = LengthOrigin::kZero;
  uint64_t count_ = 0;
  std::optional<CommandStream> commands_;
  std::vector<DrawToken> draws_;
};

// How many frames a trace has: each present ends one, and draws after the last are one more.
class FrameCounter {
 public:
  // The next event, in the order of the trace.
  void Add(const Event& event);
  uint64_t presents() const { return presents_; }
  uint64_t count() const { return presents_ + (is_drawn_ ? 1 : 0); }
  // Draws after the last present.
  bool is_unfinished() const { return is_drawn_; }
  const DrawCounter& draws() const { return draws_; }

 private:
  DrawCounter draws_;
  uint64_t presents_ = 0;
  bool is_drawn_ = false;  // since the last present
};

}  // namespace dp2trace::trace
