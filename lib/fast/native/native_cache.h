// Machine code of the programs of late. Programs that differ only in their constants share it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fast/machine/isa.h"
#include "fast/machine/native_code.h"
#include "fast/machine/program.h"
#include "fast/machine/recent.h"

namespace dp2trace::fast {

class NativeCache {
 public:
  // Without `is_on` programs stay what they are.
  NativeCache(const Isa& isa, bool is_on);

  // Sets Program::native of a program that is complete.
  void AddTo(Program& program, std::span<const Operand> results);
  // Operations of all programs that were compiled.
  uint64_t compiled() const { return compiled_; }

 private:
  struct Entry {
    std::vector<uint32_t> key;
    uint64_t hash = 0;
    std::shared_ptr<const NativeCode> code;
  };

  Isa isa_;
  bool is_on_;
  std::vector<uint32_t> key_;  // of the program that is looked for
  Recent<Entry, 512> entries_;
  uint64_t compiled_ = 0;
};

}  // namespace dp2trace::fast
