#include "fast/native/native_code.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fast/native/piece_compiler.h"
#include "fast/native/pieces.h"
#include "fast/native/vector_assembler.h"
#include "os/executable_memory.h"

namespace dp2trace::fast {
namespace {

constexpr size_t kMaxInstructions = size_t{1} << 13;
// Of an operation: the longest, a transformation, has 28 vector instructions.
constexpr size_t kMostBytes = 28 * 12;
constexpr size_t kBytesAround = 1024;  // what a piece begins and ends with, literals

std::optional<VectorSet> SetOf(const Isa& isa) {
  if (isa.name == "avx512") return VectorSet::kAvx512;
  if (isa.name == "avx2") return VectorSet::kAvx2;
  if (isa.name == "sse4") return VectorSet::kSse4;
  return std::nullopt;
}

// The program with one instruction in place of each piece.
std::vector<Instruction> WithPieces(const Program& program, const std::vector<Piece>& pieces) {
  std::vector<Instruction> instructions;
  std::vector<uint32_t> places;  // of the program's instructions
  auto piece = pieces.begin();
  const auto size = static_cast<uint32_t>(program.instructions.size());
  for (uint32_t number = 0; number < size; ++number) {
    places.push_back(static_cast<uint32_t>(instructions.size()));
    if (piece == pieces.end() || number < piece->first) {
      instructions.push_back(program.instructions[number]);
    } else if (number + 1 == piece->last) {
      const auto data = static_cast<uint32_t>(piece - pieces.begin());
      instructions.push_back({.op = Op::kNative, .to = 0, .a = {}, .b = {}, .c = {}, .data = data});
      ++piece;
    }
  }
  places.push_back(static_cast<uint32_t>(instructions.size()));
  for (Instruction& i : instructions) {
    if (i.op == Op::kJump || i.op == Op::kJumpIfNone) i.data = places[i.data];
  }
  return instructions;
}

}  // namespace

bool HasNativeCode(const Isa& isa) {
  static const bool has_memory = [] {
    constexpr uint8_t kReturn = 0xC3;
    return ExecutableMemory::Create({&kReturn, 1}) != nullptr;
  }();
  return SetOf(isa) && has_memory;
}

std::shared_ptr<const NativeCode> MakeNativeCode(const Program& program,
                                                 std::span<const Operand> results, const Isa& isa) {
  const std::optional<VectorSet> set = SetOf(isa);
  if (!set || program.instructions.size() > kMaxInstructions) return nullptr;
  const std::vector<Piece> pieces = FindPieces(program, results);
  if (pieces.empty()) return nullptr;
  size_t size = 0;
  for (const Piece& piece : pieces)
    size += (piece.last - piece.first) * kMostBytes + kBytesAround;
  // Aligned as pages are, so that what it aligns stays so.
  std::vector<Block> buffer(size / sizeof(Block) + 1);
  auto* const bytes = reinterpret_cast<uint8_t*>(buffer.data());
  VectorAssembler assembler(*set, bytes, buffer.size() * sizeof(Block));
  PieceCompiler compiler(program, assembler);
  std::vector<size_t> offsets;
  for (const Piece& piece : pieces) {
    offsets.push_back(assembler.BeginPiece());
    compiler.Compile(piece);
    assembler.EndPiece();
  }
  assembler.AddLiterals();
  if (!assembler.is_good()) return nullptr;
  std::unique_ptr<ExecutableMemory> memory = ExecutableMemory::Create({bytes, assembler.offset()});
  if (memory == nullptr) return nullptr;
  return std::make_shared<const NativeCode>(WithPieces(program, pieces), std::move(offsets),
                                            std::move(memory));
}

}  // namespace dp2trace::fast
