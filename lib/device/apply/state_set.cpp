// STATESET. Source: lib/opcode/dp2.md 11.
#include <fmt/format.h>

#include <utility>

#include "base/flag_text.h"
#include "device/apply/apply.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using d3d::StateBlockType;
using d3d::StateSetOp;
using stream::Record;

constexpr stream::FieldRef kOperation = stream::Field(layout::kStateSet, "operation");
constexpr stream::FieldRef kParam = stream::Field(layout::kStateSet, "param");
constexpr stream::FieldRef kType = stream::Field(layout::kStateSet, "type");

constexpr uint64_t kBlockCost = 128;         // bytes, beside its values
constexpr uint64_t kMostFixedStates = 1024;  // that CREATE stores, about, beside lights

uint64_t CostOf(const StateBlock& block) {
  return kBlockCost + block.size_bytes();
}

// False where the trace may not do that much work.
bool SpendStates(const Token& token, uint64_t count) {
  return token.work.Spend(count * kStateSteps);
}

void Remove(const Token& token, uint32_t handle) {
  const auto block = token.context.state_blocks.find(handle);
  if (block == token.context.state_blocks.end()) return;
  token.Release(CostOf(*block->second));
  token.context.state_blocks.erase(block);
  token.context.histories.state_blocks.NoteDestroyed(handle);
}

// The block is not made. One that has the handle lives on.
void RefuseBlock(const Token& token, uint32_t handle) {
  if (!token.context.state_blocks.contains(handle))
    token.context.histories.state_blocks.NoteRefused(handle);
}

void Keep(const Token& token, const Record& record, std::shared_ptr<StateBlock> block) {
  const uint32_t handle = block->handle();
  Remove(token, handle);
  if (!token.Charge(record, CostOf(*block))) return RefuseBlock(token, handle);
  token.context.state_blocks[handle] = std::move(block);
  token.context.histories.state_blocks.NoteMade(handle);
}

std::string NameOfOperation(const Record& record) {
  return std::string(NameOf(d3d::kStateSetOpNames, record.U32(kOperation)));
}

bool CheckNew(const Token& token, const Record& record, uint32_t handle) {
  if (token.context.recording) {
    token.Report(Rule::kDp2Sblk002, record, kOperation,
                 fmt::format("block {} is still being recorded", token.context.recording->handle()),
                 NameOfOperation(record), "END before");
    if (handle != token.context.recording->handle()) RefuseBlock(token, handle);
    return false;
  }
  if (token.context.state_blocks.contains(handle)) {
    token.Report(Rule::kDp2Sblk007, record, kParam,
                 fmt::format("block {} exists and is replaced", handle), fmt::format("{}", handle),
                 "a handle that is not in use");
  }
  return true;
}

// False after a report.
bool CheckType(const Token& token, const Record& record, StateBlockType first) {
  const uint32_t type = record.U32(kType);
  if (type >= d3d::Value(first) && type <= d3d::Value(StateBlockType::VertexState)) return true;
  token.Report(Rule::kDp2Sblk008, record, kType, fmt::format("block type {} is not defined", type),
               fmt::format("{}", type),
               ValueRangesText(d3d::kStateBlockTypeNames,
                               [first](uint32_t row) { return row >= d3d::Value(first); }));
  return false;
}

// The block type is a hint for drivers with extended states: BEGIN and END work with any.
void Begin(const Token& token, const Record& record, uint32_t handle) {
  CheckType(token, record, StateBlockType::Null);
  if (CheckNew(token, record, handle)) {
    token.context.recording = std::make_shared<StateBlock>(handle);
  } else {
    token.context.recording->NoteRefusedBegin();
  }
}

void End(const Token& token, const Record& record) {
  CheckType(token, record, StateBlockType::Null);
  if (!token.context.recording) {
    // The BEGIN may have been refused, or lost. Drivers end a recording at any END, whatever it names: where a BEGIN was refused inside
    // of it, one END is left.
    const auto kept = token.context.state_blocks.find(record.U32(kParam));
    const bool is_left_over =
        kept != token.context.state_blocks.end() && kept->second->TakeRefusedBegin();
    if (is_left_over) return;
    if (!token.context.histories.state_blocks.IsReported(record.U32(kParam))) {
      token.Report(Rule::kDp2Sblk003, record, kOperation, "no block is being recorded", "END",
                   "BEGIN before");
    }
    return;
  }
  // DP2-SBLK-004: what asks for the other block only follows.
  const uint32_t named = record.U32(kParam);
  if (named != token.context.recording->handle() && !token.context.state_blocks.contains(named))
    RefuseBlock(token, named);
  Keep(token, record, std::exchange(token.context.recording, nullptr));
}

void Create(const Token& token, const Record& record, uint32_t handle) {
  if (!CheckType(token, record, StateBlockType::All)) return RefuseBlock(token, handle);
  if (!CheckNew(token, record, handle)) return;
  const auto type = static_cast<StateBlockType>(record.U32(kType));
  Remove(token, handle);
  if (!SpendStates(token, kMostFixedStates + token.context.state.lights.size())) return;
  // To make a block that is refused then would cost as much as one that is kept.
  const uint64_t least = StateBlock::LeastBytes(type, token.context.state);
  if (!token.Charge(record, least)) return RefuseBlock(token, handle);
  token.Release(least);
  Keep(token, record, std::make_shared<StateBlock>(handle, type, token.context.state));
}

bool IsLiveHandle(const Context& context, StateKey key, uint32_t handle) {
  const bool is_texture =
      key.kind == StateKind::kStage &&
      key.index % d3d::kTextureStageStateCount == d3d::Value(d3d::TextureStageState::TextureMap);
  if (handle == 0) return true;
  if (is_texture && context.level < 7) return true;
  const bool is_fvf = (handle & 1) == 0;
  switch (key.kind) {
    case StateKind::kStage:
      return !is_texture || bool{context.space->Find(handle)};
    case StateKind::kStream:
    case StateKind::kIndices:
      return bool{context.space->Find(handle)};
    case StateKind::kVertexShader:
      return is_fvf || context.vertex_shaders.contains(handle);
    case StateKind::kVertexDeclaration:
      return is_fvf || context.declarations.contains(handle);
    case StateKind::kVertexFunction:
      return context.vertex_functions.contains(handle);
    case StateKind::kPixelShader:
      return context.pixel_shaders.contains(handle);
    default:
      return true;
  }
}

// The handle was refused, or is lost with bytes that could not be read.
bool IsReportedHandle(const Context& context, StateKey key, uint32_t handle) {
  switch (key.kind) {
    case StateKind::kVertexShader:
      return context.histories.vertex_shaders.IsReported(handle);
    case StateKind::kVertexDeclaration:
      return context.histories.declarations.IsReported(handle);
    case StateKind::kVertexFunction:
      return context.histories.vertex_functions.IsReported(handle);
    case StateKind::kPixelShader:
      return context.histories.pixel_shaders.IsReported(handle);
    default:
      return context.space->history().IsReported(handle);
  }
}

// A handle that was deleted since is bound as "none".
void Execute(const Token& token, const Record& record, const StateBlock& block) {
  for (const StateBlock::Entry& entry : block.entries()) {
    StateWords words = {};
    block.Get(entry.key, words);
    if (!IsLiveHandle(token.context, entry.key, words[0])) {
      if (!IsReportedHandle(token.context, entry.key, words[0])) {
        token.Report(
            Rule::kDp2Sblk013, record, kParam,
            fmt::format("block {} binds handle {}, which was deleted", block.handle(), words[0]),
            fmt::format("{}", words[0]), "a live object");
      }
      words[0] = 0;
      token.Apply(entry.key, words, &block);
      token.Refuse(entry.key);
      continue;
    }
    token.Apply(entry.key, words, &block);
  }
  for (uint32_t binding = 0; binding < kBindingCount; ++binding) {
    if (block.refused()[binding]) token.RefuseBinding(binding);
  }
}

// The block that DELETE, EXECUTE or CAPTURE names, or null after a report.
StateBlock* FindBlock(const Token& token, const Record& record, StateSetOp operation,
                      uint32_t handle) {
  const Context& context = token.context;
  const bool is_recording = context.recording != nullptr;
  if (is_recording && (operation == StateSetOp::Execute || context.recording->handle() == handle)) {
    token.Report(Rule::kDp2Sblk006, record, kOperation,
                 fmt::format("{} of block {} while block {} is being recorded",
                             NameOf(d3d::kStateSetOpNames, d3d::Value(operation)), handle,
                             context.recording->handle()),
                 NameOfOperation(record), "END before");
    return nullptr;
  }
  const auto block = context.state_blocks.find(handle);
  if (block != context.state_blocks.end()) return block->second.get();
  const Absence absence = context.histories.state_blocks.Find(handle);
  if (absence == Absence::kRefused) return nullptr;
  token.Report(Rule::kDp2Sblk005, record, kParam,
               fmt::format("block {} {}", handle, Describe(absence)), fmt::format("{}", handle),
               "a recorded block");
  return nullptr;
}

void ApplyRecord(const Token& token, const Record& record) {
  const uint32_t operation = record.U32(kOperation);
  const uint32_t handle = record.U32(kParam);
  const bool is_defined = operation <= d3d::Value(StateSetOp::Create) &&
                          (operation != d3d::Value(StateSetOp::Create) || token.context.level >= 8);
  if (!is_defined) {
    token.Report(Rule::kDp2Sblk001, record, kOperation,
                 fmt::format("operation {} at level {}", operation, token.context.level),
                 ValueText(d3d::kStateSetOpNames, operation),
                 ValueRangesText(d3d::kStateSetOpNames, [&](uint32_t row) {
                   return row < d3d::Value(StateSetOp::Create) || token.context.level >= 8;
                 }));
    return;
  }
  const auto kind = static_cast<StateSetOp>(operation);
  if (kind == StateSetOp::Begin) return Begin(token, record, handle);
  if (kind == StateSetOp::End) return End(token, record);
  if (kind == StateSetOp::Create) return Create(token, record, handle);
  StateBlock* block = FindBlock(token, record, kind, handle);
  if (block == nullptr) return;
  if (kind == StateSetOp::Delete) return Remove(token, handle);
  if (!SpendStates(token, block->entries().size())) return;
  if (kind == StateSetOp::Capture) return block->Capture(token.context.state);
  Execute(token, record, *block);
}

}  // namespace

void ApplyStateSet(Token& token) {
  for (const Record& record : token.Records())
    ApplyRecord(token, record);
}

}  // namespace dp2trace::device
