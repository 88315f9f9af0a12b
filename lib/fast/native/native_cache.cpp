#include "fast/native/native_cache.h"

#include <xxhash.h>

#include "fast/native/native_code.h"

namespace dp2trace::fast {

NativeCache::NativeCache(const Isa& isa, bool is_on)
    : isa_(isa), is_on_(is_on && HasNativeCode(isa)) {}

void NativeCache::AddTo(Program& program, std::span<const Operand> results) {
  if (!is_on_ || program.instructions.empty()) return;
  const auto word = [](Operand operand) {
    return operand.number() << 1U | (operand.is_constant() ? 1U : 0U);
  };
  key_ = {program.register_count};
  for (const Operand result : results)
    key_.push_back(word(result));
  for (const Instruction& i : program.instructions) {
    key_.insert(key_.end(), {static_cast<uint32_t>(i.op) << 16U | i.to, word(i.a), word(i.b),
                             word(i.c), i.data});
  }
  const uint64_t hash = XXH3_64bits(key_.data(), key_.size() * sizeof(uint32_t));
  const Entry* found =
      entries_.Find([&](const Entry& e) { return e.hash == hash && e.key == key_; });
  if (found == nullptr) {
    found = &entries_.Add({key_, hash, MakeNativeCode(program, results, isa_)});
    compiled_ += program.instructions.size();
  }
  program.native = found->code;
}

}  // namespace dp2trace::fast
