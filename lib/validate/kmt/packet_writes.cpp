#include "validate/kmt/packet_writes.h"

#include "kmt/handle_words.h"
#include "opcode/opcode.h"

namespace dp2trace::validate {

void PacketWrites::AddHandle(uint32_t dp2_handle) {
  if (const auto target = kmt_->Resolve(*context_, dp2_handle))
    allocations_.insert(target->allocation);
}

void PacketWrites::Add(const stream::Command& command) {
  kmt::HandleWordCursor cursor(command.bytes);
  for (kmt::HandleWord word; cursor.Next(word);) {
    if (kmt::IsWrite(word.desc->access)) AddHandle(word.value);
  }
  const bool draws = command.op->is(opcode::kDraw) || command.op->op == opcode::Op::kClear;
  if (!draws || carried_ == nullptr) return;
  for (const uint32_t handle : carried_->targets.colors)
    AddHandle(handle);
  AddHandle(carried_->targets.depth);
  carried_ = nullptr;
}

}  // namespace dp2trace::validate
