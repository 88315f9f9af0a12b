#include "validate/dp2/state_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "device/state_block.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::StateSetOp;
using device::StateBlock;
using device::StateKind;
using stream::Record;

constexpr stream::FieldRef kBlockOperation = stream::Field(layout::kStateSet, "operation");
constexpr stream::FieldRef kParam = stream::Field(layout::kStateSet, "param");
constexpr stream::FieldRef kBlockType = stream::Field(layout::kStateSet, "type");

bool IsBlockType(uint32_t type, d3d::StateBlockType first) {
  return type >= d3d::Value(first) && type <= d3d::Value(d3d::StateBlockType::VertexState);
}

// The recording as the records of one token leave it: they are checked before any of them is applied.
struct Recording {
  uint32_t handle = 0;
  bool is_empty = true;
  std::vector<uint32_t> refused = {};  // BEGINs inside of it, of this token
};

std::optional<Recording> RecordingOf(const CommandView& view) {
  const StateBlock* const block = view.context.recording.get();
  if (block == nullptr) return std::nullopt;
  return Recording{.handle = block->handle(), .is_empty = block->entries().empty()};
}

// DP2-SBLK-004, DP2-SBLK-012. The handle of END may be unused.
void CheckEnd(const CommandView& view, const Record& record, const Recording& recording) {
  const uint32_t handle = record.U32(kParam);
  const bool is_of_refused_begin =
      view.context.histories.state_blocks.IsReported(handle) ||
      std::ranges::find(recording.refused, handle) != recording.refused.end();
  if (handle != 0 && handle != recording.handle && !is_of_refused_begin) {
    view.Report(Rule::kDp2Sblk004, record, kParam,
                fmt::format("END names block {}, BEGIN named {}", handle, recording.handle),
                fmt::format("{}", handle), fmt::format("{}", recording.handle));
  }
  if (recording.is_empty) {
    view.Report(Rule::kDp2Sblk012, record, fmt::format("block {} holds no state", recording.handle),
                "0 states", "1 or more");
  }
}

// DP2-SBLK-009. What the device refuses is no news.
void CheckCreate(const CommandView& view, const Record& record) {
  if (view.context.is_pure || view.level() < 8 ||
      !IsBlockType(record.U32(kBlockType), d3d::StateBlockType::All))
    return;
  view.Report(
      Rule::kDp2Sblk009, record, kBlockOperation,
      fmt::format("CREATE of block {} in a context that is not a pure device", record.U32(kParam)),
      "a context with a copy of the state", "a pure device, or BEGIN and END");
}

// The block that EXECUTE applies: one that exists, or one that ends its recording in the same token.
const StateBlock* FindBlock(const CommandView& view, uint32_t handle) {
  const StateBlock* const recording = view.context.recording.get();
  if (recording != nullptr && recording->handle() == handle) return recording;
  const auto block = view.context.state_blocks.find(handle);
  return block != view.context.state_blocks.end() ? block->second.get() : nullptr;
}

// A plane that a block of CREATE took over without having been set is all zeros.
bool IsSetPlane(const StateBlock& block, const StateBlock::Entry& entry) {
  device::StateWords words = {};
  block.Get(entry.key, words);
  return std::ranges::any_of(words, [](uint32_t word) { return word != 0; });
}

// What other topics remember of single tokens, where a block sets it.
void NoteExecution(const CommandView& view, const StateBlock& block) {
  TransformMemory& memory = view.memory.transform;
  for (const StateBlock::Entry& entry : block.entries()) {
    switch (entry.key.kind) {
      case StateKind::kTransform:
        memory.matrices_set.set(entry.key.index);
        break;
      case StateKind::kWInfo:
        memory.has_w_info = true;
        break;
      case StateKind::kClipPlane:
        if (IsSetPlane(block, entry)) memory.planes_set |= 1U << entry.key.index;
        break;
      default:
        break;
    }
  }
}

void CheckRecord(const CommandView& view, const Record& record,
                 std::optional<Recording>& recording) {
  const uint32_t handle = record.U32(kParam);
  switch (static_cast<StateSetOp>(record.U32(kBlockOperation))) {
    case StateSetOp::Begin:
      if (recording)
        recording->refused.push_back(handle);
      else
        recording = Recording{.handle = handle};
      return;
    case StateSetOp::End:
      if (recording) CheckEnd(view, record, *recording);
      recording.reset();
      return;
    case StateSetOp::Create:
      if (!recording) CheckCreate(view, record);
      return;
    case StateSetOp::Execute:
      if (const StateBlock* const block = FindBlock(view, handle); block != nullptr && !recording)
        NoteExecution(view, *block);
      return;
    case StateSetOp::Delete:
    case StateSetOp::Capture:
      return;
  }
}

void CheckStateSet(const CommandView& view) {
  view.memory.render_state.Forget();
  view.memory.light.is_counted = false;
  std::optional<Recording> recording = RecordingOf(view);
  for (const Record& record : view.Records())
    CheckRecord(view, record, recording);
}

constexpr CommandRule kStateBlockRules[] = {{opcode::Op::kStateSet, CheckStateSet}};

// DP2-SBLK-011.
void CheckOpenRecording(const EventView& view, const device::Context& context) {
  if (context.recording == nullptr) return;
  const uint32_t handle = context.recording->handle();
  view.findings.Add(
      Rule::kDp2Sblk011, "",
      fmt::format("block {} of context {} is still being recorded", handle, context.id),
      fmt::format("{}", handle), "END");
}

}  // namespace

void CheckStateBlockEvent(const EventView& view, const trace::ContextDestroy& event) {
  const device::Context* const context = view.device.FindContext(event.space, event.context);
  if (context != nullptr) CheckOpenRecording(view, *context);
}

void CheckStateBlockAtEnd(const EventView& view) {
  for (const auto& [key, context] : view.device.contexts())
    CheckOpenRecording(view, *context);
}

const Topic kStateBlockTopic = {
    .rules = [] { return std::span<const CommandRule>(kStateBlockRules); }};

}  // namespace dp2trace::validate
