#include "trace/draw_counter.h"

#include <algorithm>
#include <iterator>
#include <variant>

#include "stream/stream.h"

namespace dp2trace::trace {

void DrawCounter::Add(const Event& event) {
  draws_.clear();
  if (const auto* header = std::get_if<Header>(&event)) length_origin_ = header->length_origin;
  commands_ = StreamOf(event, length_origin_);
  if (!commands_) return;
  stream::Decoder decoder(commands_->bytes, commands_->environment, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    if (command.op->is(opcode::kDraw))
      draws_.push_back({++count_, command.index, command.offset, command.op, command.bytes.size()});
  }
}

void FrameCounter::Add(const Event& event) {
  draws_.Add(event);
  if (!draws_.draws().empty()) is_drawn_ = true;
  const bool ends = std::holds_alternative<Present>(event);
  if (ends) ++presents_;
  if (ends || std::holds_alternative<Header>(event)) is_drawn_ = false;
}

const DrawToken* DrawCounter::Find(uint64_t offset) const {
  const auto found = std::ranges::lower_bound(draws_, offset, {}, &DrawToken::offset);
  return found == draws_.end() || found->offset != offset ? nullptr : &*found;
}

const DrawToken* DrawCounter::FindAround(uint64_t offset) const {
  const auto next = std::ranges::upper_bound(draws_, offset, {}, &DrawToken::offset);
  if (next == draws_.begin()) return nullptr;
  const DrawToken& draw = *std::prev(next);
  return offset - draw.offset < draw.size ? &draw : nullptr;
}

}  // namespace dp2trace::trace
