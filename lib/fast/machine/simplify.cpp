#include "fast/machine/simplify.h"

#include <map>
#include <optional>
#include <vector>

#include "fast/machine/liveness.h"
#include "fast/machine/operands.h"

namespace dp2trace::fast {
namespace {

// What is longer costs more than it saves, and so does to look further.
constexpr size_t kMostInstructions = 8192;
constexpr uint32_t kMostRounds = 8;
constexpr size_t kFarthestSource = 64;
constexpr size_t kMostCopies = 64;

bool LooksAtNeighbours(Op op) {
  return op == Op::kDerivativeX || op == Op::kDerivativeY;
}

// Of operations that write one register; 0 for all others.
size_t OperandCountOf(Op op) {
  switch (ShapeOf(op)) {
    case OpShape::kUnary:
      return 1;
    case OpShape::kBinary:
      return 2;
    case OpShape::kTernary:
      return 3;
    default:
      return 0;
  }
}

// Writes one register, from the same lanes of its operands.
bool IsFunction(const Instruction& i) {
  return OperandCountOf(i.op) != 0 && !LooksAtNeighbours(i.op);
}

// Does more than to write registers.
bool HasEffects(const Instruction& i) {
  return OperandCountOf(i.op) == 0 && i.op != Op::kTransform;
}

bool Reads(const Instruction& i, uint32_t number) {
  bool reads = false;
  ForEachRead(i, [&](Operand read) { reads = reads || read == Operand::Register(number); });
  return reads;
}

bool Writes(const Instruction& i, uint32_t number) {
  bool writes = false;
  ForEachWrite(i, [&](uint32_t to) { writes = writes || to == number; });
  return writes;
}

class Simplifier {
 public:
  Simplifier(Program& program, std::span<const Operand> results)
      : program_(program), results_(results) {}

  void Run() {
    uint32_t rounds = 0;
    do {
      is_removed_.assign(program_.instructions.size(), false);
      is_target_ = TargetsOf(program_);
      WriteCopies();
      ReadOriginals();
      RemoveDead();
    } while (Compact() && ++rounds < kMostRounds);
  }

 private:
  // After a copy, what it was made of is read in its place, as long as both stay.
  void ReadOriginals() {
    std::map<uint32_t, Operand> originals;
    for (size_t n = 0; n < program_.instructions.size(); ++n) {
      Instruction& i = program_.instructions[n];
      if (is_target_[n]) originals.clear();
      if (is_removed_[n]) continue;
      if (IsFunction(i)) {
        Operand* const operands[] = {&i.a, &i.b, &i.c};
        for (Operand* const operand : std::span(operands).first(OperandCountOf(i.op))) {
          const auto found =
              operand->is_constant() ? originals.end() : originals.find(operand->number());
          if (found != originals.end()) *operand = found->second;
        }
      }
      ForEachWrite(i, [&](uint32_t to) {
        std::erase_if(originals, [&](const auto& copy) {
          return copy.first == to || copy.second == Operand::Register(to);
        });
      });
      if (i.op != Op::kMove || i.a == Operand::Register(i.to)) continue;
      if (originals.size() == kMostCopies) originals.clear();
      originals.emplace(i.to, i.a);
    }
  }

  // What is computed only to be copied is written where the copy goes.
  void WriteCopies() {
    std::vector<bool> is_last(program_.instructions.size());  // a copy, the last reader
    Liveness(program_, results_).ForEach([&](uint32_t n, const std::vector<bool>& live) {
      const Instruction& i = program_.instructions[n];
      is_last[n] = i.op == Op::kMove && !i.a.is_constant() && !live[i.a.number()];
      return true;
    });
    for (size_t n = 0; n < program_.instructions.size(); ++n) {
      if (!is_last[n]) continue;
      const Instruction copy = program_.instructions[n];
      const std::optional<size_t> source = SourceOf(n, copy);
      if (!source) continue;
      program_.instructions[*source].to = copy.to;
      program_.instructions[n].a = Operand::Register(copy.to);  // keeps it alive
      is_removed_[n] = true;
    }
  }

  // The function that makes what is copied, where nothing on the way has to do with either register.
  std::optional<size_t> SourceOf(size_t n, const Instruction& copy) const {
    const uint32_t from = copy.a.number();
    const size_t last = n > kFarthestSource ? n - kFarthestSource : 0;
    while (!is_target_[n] && n-- > last) {
      const Instruction& i = program_.instructions[n];
      if (is_removed_[n]) continue;
      if (IsJump(i.op)) return std::nullopt;
      if (Writes(i, from)) return IsFunction(i) ? std::optional(n) : std::nullopt;
      if (Reads(i, from) || Reads(i, copy.to) || Writes(i, copy.to)) return std::nullopt;
    }
    return std::nullopt;
  }

  void RemoveDead() {
    Liveness(program_, results_).ForEach([&](uint32_t n, const std::vector<bool>& live) {
      const Instruction& i = program_.instructions[n];
      bool is_read = HasEffects(i);
      ForEachWrite(i, [&](uint32_t to) { is_read = is_read || live[to]; });
      const bool is_nothing = i.op == Op::kMove && i.a == Operand::Register(i.to);
      if (!is_read || is_nothing) is_removed_[n] = true;
      return is_read;
    });
  }

  // True where something was removed.
  bool Compact() {
    std::vector<uint32_t> places;  // of all instructions among those that stay
    uint32_t count = 0;
    for (const bool is_removed : is_removed_) {
      places.push_back(count);
      if (!is_removed) ++count;
    }
    places.push_back(count);
    if (count == program_.instructions.size()) return false;
    std::vector<Instruction> all;
    all.reserve(count);
    for (size_t n = 0; n < is_removed_.size(); ++n) {
      if (is_removed_[n]) continue;
      Instruction& i = all.emplace_back(program_.instructions[n]);
      if (IsJump(i.op)) i.data = places[i.data];
    }
    program_.instructions = std::move(all);
    return true;
  }

  Program& program_;
  const std::span<const Operand> results_;
  std::vector<bool> is_removed_, is_target_;
};

}  // namespace

void Simplify(Program& program, std::span<const Operand> results) {
  if (program.instructions.size() <= kMostInstructions) Simplifier(program, results).Run();
}

}  // namespace dp2trace::fast
