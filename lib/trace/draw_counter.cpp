#include "trace/draw_counter.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "stream/stream.h"

namespace dp2trace::trace {

void DrawCounter::Add(const Event& event) {
  draws_.clear();
  if (const auto* header = std::get_if<Header>(&event)) length_origin_ = header->length_origin;
  const std::optional<CommandStream> commands = StreamOf(event, length_origin_);
  if (!commands) return;
  stream::Decoder decoder(commands->bytes, commands->environment, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    if (command.op->is(opcode::kDraw))
      draws_.push_back({++count_, command.index, command.offset, command.op});
  }
}

const DrawToken* DrawCounter::Find(uint64_t offset) const {
  const auto found = std::ranges::lower_bound(draws_, offset, {}, &DrawToken::offset);
  return found == draws_.end() || found->offset != offset ? nullptr : &*found;
}

}  // namespace dp2trace::trace
