#include "state/state_writes.h"

#include <algorithm>
#include <utility>

#include "device/state_block.h"
#include "opcode/layouts.h"
#include "stream/records.h"
#include "trace/event_kind.h"

namespace dp2trace::state {
namespace {

using device::StateKey;
using device::StateKind;
using device::StateWords;

// A level 8 vertex shader is declaration and code in one.
bool IsBoth(StateKind kind) {
  return kind == StateKind::kVertexShader;
}

bool Changes(const device::State& state, StateKey key, const StateWords& words) {
  const device::VertexProgram& program = state.vertex_program;
  if (IsBoth(key.kind))
    return program != device::VertexProgram{.format = words[0], .is_level8 = true, .function = 0};
  StateWords before = {};
  device::ReadState(state, key, before);
  const uint32_t count = device::WordCount(key.kind);
  return !std::equal(before.begin(), before.begin() + count, words.begin());
}

// Tokens tell by themselves what they change.
bool MayChangeObjects(std::string_view event) {
  using trace::EventKind;
  constexpr std::array kOthers = {EventKind::kDp2,           EventKind::kRender,
                                  EventKind::kMarker,        EventKind::kPresent,
                                  EventKind::kSurfaceUpdate, EventKind::kBlt};
  return std::ranges::none_of(kOthers,
                              [&](EventKind kind) { return trace::EventName(kind) == event; });
}

}  // namespace

Status StateWrites::BeforeEvent(const trace::Event& event) {
  event_ = player().position().event;
  event_name_ = trace::EventName(trace::CodeOf(event));
  if (MayChangeObjects(event_name_)) ++object_changes_;
  return OkStatus();
}

// Contexts that are gone take no memory.
Status StateWrites::AfterEvent(const trace::Event& /*event*/) {
  const device::Device::Contexts& live = player().device().contexts();
  if (records_.size() > live.size())
    std::erase_if(records_, [&](const auto& record) { return !live.contains(record.first); });
  return OkStatus();
}

StateWrites::TargetSlots StateWrites::HandlesOf(const device::Context& context) {
  TargetSlots handles = {};
  std::ranges::copy(context.targets.colors, handles.begin());
  handles.back() = context.targets.depth;
  return handles;
}

StateWrites::TargetSlots StateWrites::VersionsOf(const device::Context& context) {
  const auto& versions = context.bindings.versions;
  TargetSlots found = {};
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot)
    found[slot] = versions[device::kFirstTargetBinding + slot];
  found.back() = versions[device::kDepthBinding];
  return found;
}

TokenPlace StateWrites::PlaceOf(const stream::Command& command) const {
  return {event_, command.offset, command.op->name};
}

const StateWrites::Record* StateWrites::FindRecord(const device::Context& context) const {
  const auto record = records_.find({context.space_id, context.id});
  return record == records_.end() ? nullptr : &record->second;
}

void StateWrites::OnContext(const device::Context& context) {
  Record& record = records_[{context.space_id, context.id}];
  record = Record();
  record.first_state = std::make_shared<const device::State>(context.state);
  for (uint32_t slot = 0; slot <= device::kTargetCount; ++slot) {
    if (HandlesOf(context)[slot] == 0) continue;
    const StateWrite created = {.place = {event_, std::nullopt, event_name_}};
    record.targets[slot] = {created, created};
  }
}

// Source: lib/opcode/dp2.md 11.
void StateWrites::NoteBlocks(const stream::Command& command, Record& record) const {
  constexpr stream::FieldRef kOperation = stream::Field(opcode::layout::kStateSet, "operation");
  constexpr stream::FieldRef kBlock = stream::Field(opcode::layout::kStateSet, "param");
  if (command.op->op != opcode::Op::kStateSet) return;
  for (const stream::Record& asked : stream::Records(command, {})) {
    const uint32_t operation = asked.U32(kOperation);
    const bool stores = operation == d3d::Value(d3d::StateSetOp::Begin) ||
                        operation == d3d::Value(d3d::StateSetOp::Capture) ||
                        operation == d3d::Value(d3d::StateSetOp::Create);
    if (stores) record.blocks[asked.U32(kBlock)] = PlaceOf(command);
  }
}

void StateWrites::BeforeApply(const device::Context& context, const stream::Command& command) {
  if (command.op->is(opcode::kResource)) ++object_changes_;
  const auto found = records_.find({context.space_id, context.id});
  if (found == records_.end()) return;
  NoteBlocks(command, found->second);
  found->second.handles = HandlesOf(context);
  found->second.versions = VersionsOf(context);
}

Status StateWrites::OnApplied(device::Context& context, const stream::Command& command) {
  const auto found = records_.find({context.space_id, context.id});
  if (found == records_.end()) return OkStatus();
  Record& record = found->second;
  const TargetSlots versions = VersionsOf(context);
  if (versions == record.versions) return OkStatus();
  const TargetSlots handles = HandlesOf(context);
  const StateWrite write = {.place = PlaceOf(command)};
  for (size_t slot = 0; slot < handles.size(); ++slot) {
    if (versions[slot] == record.versions[slot]) continue;
    record.targets[slot].set = write;
    if (handles[slot] != record.handles[slot]) record.targets[slot].changed = write;
  }
  return OkStatus();
}

void StateWrites::OnSet(const device::Context& context, const stream::Command& command,
                        StateKey key, const StateWords& words, const device::StateBlock* block) {
  const auto found = records_.find({context.space_id, context.id});
  if (found == records_.end()) return;
  Record& record = found->second;
  StateWrite write = {.place = PlaceOf(command)};
  if (block != nullptr) {
    write.block = block->handle();
    const auto recorded = record.blocks.find(block->handle());
    if (recorded != record.blocks.end()) write.recorded = recorded->second;
  }
  const bool changes = Changes(context.state, key, words);
  const auto note = [&](StateKey noted) {
    StateOrigin& origin = record.origins[noted];
    origin.set = write;
    if (changes) origin.changed = write;
    if (is_noting_) record.touched.insert(noted);
  };
  if (!IsBoth(key.kind)) return note(key);
  note({StateKind::kVertexDeclaration});
  note({StateKind::kVertexFunction});
}

std::optional<std::set<StateKey>> StateWrites::TakeTouched(const device::Context& context) {
  const auto found = records_.find({context.space_id, context.id});
  if (!is_noting_ || found == records_.end()) return std::nullopt;
  std::set<StateKey> touched = std::exchange(found->second.touched, {});
  const bool was_known = std::exchange(found->second.is_known, true);
  return was_known ? std::optional(std::move(touched)) : std::nullopt;
}

StateOrigin StateWrites::Find(const device::Context& context, StateKey key) const {
  const Record* const record = FindRecord(context);
  if (record == nullptr) return {};
  const auto origin = record->origins.find(key);
  return origin == record->origins.end() ? StateOrigin{} : origin->second;
}

StateOrigin StateWrites::FindTarget(const device::Context& context, uint32_t slot) const {
  const Record* const record = FindRecord(context);
  return record == nullptr || slot >= record->targets.size() ? StateOrigin{}
                                                             : record->targets[slot];
}

const device::State* StateWrites::FirstState(const device::Context& context) const {
  const Record* const record = FindRecord(context);
  return record == nullptr ? nullptr : record->first_state.get();
}

}  // namespace dp2trace::state
