// The words of the tokens. The lists: rules_kmt_payload_lists.cpp.
#include "validate/kmt/payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/interface.h"
#include "kmt/flags.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "stream/records.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using opcode::Op;
using trace::BindKind;

// Slots of 6.6.
constexpr uint32_t kTargetSlot = 1;
constexpr uint32_t kDepthSlot = 5;
constexpr uint32_t kVertexTextureSlot = 8;
constexpr uint32_t kTextureSlot = 16;
constexpr uint32_t kStreamSlot = 32;
constexpr uint32_t kIndexSlot = 48;

bool IsTextureSlot(uint32_t slot) {
  return (slot >= kVertexTextureSlot && slot < kTextureSlot) ||
         (slot >= kTextureSlot && slot < kStreamSlot);
}

// Whether a binding of this kind may stand in the slot. Kinds that say nothing fit everywhere.
bool FitsSlot(uint32_t slot, BindKind kind) {
  if (kind == BindKind::kOther) return true;
  const bool is_texture =
      kind == BindKind::kTexture || kind == BindKind::kCube || kind == BindKind::kVolume;
  if (slot >= kTargetSlot && slot < kDepthSlot) return kind == BindKind::kTarget || is_texture;
  if (slot == kDepthSlot) return kind == BindKind::kDepth || is_texture;
  // Unspecified: a texture that is drawn to has one binding only. Chosen: targets and depth surfaces fit texture slots and the reverse.
  if (IsTextureSlot(slot))
    return is_texture || kind == BindKind::kTarget || kind == BindKind::kDepth;
  if (slot >= kStreamSlot && slot < kIndexSlot) return kind == BindKind::kVertexBuffer;
  if (slot == kIndexSlot) return kind == BindKind::kIndexBuffer;
  return true;
}

// What FitsSlot() asks for, in words.
std::string_view ExpectedKind(uint32_t slot) {
  if (slot >= kTargetSlot && slot < kDepthSlot) return "target or texture";
  if (slot == kDepthSlot) return "depth or texture";
  if (IsTextureSlot(slot)) return "texture, cube or volume";
  if (slot >= kStreamSlot && slot < kIndexSlot) return "vertex_buffer";
  return slot == kIndexSlot ? "index_buffer" : "any kind";
}

// Rules of the DP2 catalogue about a handle that a rule of this file has objected to. Source: lib/kmt/packets.md 7.10.
constexpr Rule kHandleRules[] = {
    Rule::kDp2Surf001,   Rule::kDp2Surf002,    Rule::kDp2Surf003,   Rule::kDp2Rs030,
    Rule::kDp2Tss001,    Rule::kDp2Tss005,     Rule::kDp2Tss006,    Rule::kDp2Pal001,
    Rule::kDp2TexBlt001, Rule::kDp2TexBlt002,  Rule::kDp2TexBlt005, Rule::kDp2VolBlt001,
    Rule::kDp2VolBlt003, Rule::kDp2BufBlt001,  Rule::kDp2BufBlt004, Rule::kDp2Blt001,
    Rule::kDp2MipGen001, Rule::kDp2Compose001, Rule::kDp2Res001,    Rule::kDp2Bind001,
    Rule::kDp2Bind003,   Rule::kDp2Bind009,    Rule::kDp2Rt001,     Rule::kDp2Rt002,
    Rule::kDp2Rt003,     Rule::kDp2Rt004,
};

// Where a handle word stands in the JSON of its event.
std::string PathOf(const stream::Command& command, const kmt::HandleWord& word) {
  const opcode::StructDesc* const layout =
      command.op->record != nullptr ? command.op->record : command.op->fixed;
  std::string path = stream::PathOf(command);
  if (command.op->record != nullptr)
    path += fmt::format("/{}/{}", command.op->list_name, word.element);
  for (size_t i = 0; layout != nullptr && i < layout->fields.size(); ++i) {
    if (opcode::FieldOffset(*layout, i) == word.desc->at && !layout->plain)
      path += fmt::format("/{}", layout->fields[i].name);
  }
  return path;
}

}  // namespace

void CheckKmtPayloadEvent(const EventView& view, const trace::Dp2Bind& event) {
  if (view.kmt.is_identity()) {
    view.findings.Add(
        Rule::kKmtDp2033, "handle",
        "handle words are allocation handles in this trace (dp2_handle_mode identity)",
        fmt::format("{}", event.handle), "no such event");
    return;
  }
  if (event.handle == 0) {
    view.findings.Add(Rule::kKmtDp2033, "handle", "the DP2 handle is 0", "0", "not 0");
    return;
  }
  const device::KmtAllocation* const allocation =
      view.kmt.FindAllocation(event.process, event.allocation);
  if (allocation == nullptr || allocation->device != event.device) {
    view.findings.Add(Rule::kKmtDp2033, "allocation",
                      fmt::format("{:#x} is not a live allocation of device {:#x}",
                                  event.allocation, event.device),
                      Hex(event.allocation), "a live allocation of the device");
    return;
  }
  if (allocation->size != 0 && event.base_offset >= allocation->size) {
    view.findings.Add(Rule::kKmtDp2033, "base_offset",
                      fmt::format("base_offset {} in an allocation of {}", event.base_offset,
                                  Counted(allocation->size, "byte")),
                      fmt::format("{}", event.base_offset),
                      fmt::format("below {}", allocation->size));
  } else if (view.kmt.FindBinding(event.process, event.device, event.handle) != nullptr) {
    view.findings.Add(Rule::kKmtDp2034, "handle",
                      fmt::format("DP2 handle {} is bound already", event.handle),
                      fmt::format("{}", event.handle), "a handle that is not bound");
  }
}

void CheckKmtPayloadEvent(const EventView& view, const trace::Dp2Unbind& event) {
  if (view.kmt.is_identity()) {
    view.findings.Add(
        Rule::kKmtDp2033, "handle",
        "handle words are allocation handles in this trace (dp2_handle_mode identity)",
        fmt::format("{}", event.handle), "no such event");
  } else if (view.kmt.FindBinding(event.process, event.device, event.handle) == nullptr) {
    view.findings.Add(Rule::kKmtDp2034, "handle",
                      fmt::format("DP2 handle {} is not bound", event.handle),
                      fmt::format("{}", event.handle), "a bound handle");
  }
}

void CheckKmtPayloadEvent(const EventView& view, const trace::AllocationDestroy& event) {
  if (device::HasKmtFailed(event.status)) return;
  for (size_t i = 0; i < event.allocations.size(); ++i) {
    if (!view.kmt.IsBound(event.process, event.device, event.allocations[i])) continue;
    view.findings.Add(
        Rule::kKmtDp2034, fmt::format("allocations/{}", i),
        fmt::format("a DP2 handle still stands for allocation {:#x}", event.allocations[i]),
        Hex(event.allocations[i]), "an allocation that no handle stands for");
  }
}

PayloadRules::PayloadRules(const PacketView& packet, const device::Context* d3d)
    : packet_(packet), d3d_(d3d) {
  for (size_t i = 0; i < packet_.allocations.size(); ++i) {
    if (packet_.allocations[i].handle != 0) elements_.emplace(packet_.allocations[i].handle, i);
  }
  if (d3d != nullptr) TakeCarriedSlots(*d3d);
}

void PayloadRules::TakeCarriedSlots(const device::Context& d3d) {
  const auto take = [this](uint32_t slot, uint32_t handle) {
    slots_[slot] = {handle, handle != 0};
  };
  for (uint32_t i = 0; i < device::kTargetCount; ++i)
    take(kTargetSlot + i, d3d.targets.colors[i]);
  take(kDepthSlot, d3d.targets.depth);
  for (uint32_t i = 0; i < device::kStageSlotCount; ++i) {
    const bool is_pixel = i < d3d::kPixelSamplerCount;
    take(is_pixel ? kTextureSlot + i : kVertexTextureSlot + i - d3d::kPixelSamplerCount,
         d3d.state.stage(i, d3d::TextureStageState::TextureMap));
  }
  for (uint32_t i = 0; i < device::kStreamCount; ++i) {
    if (!d3d.state.streams[i].is_user_memory) take(kStreamSlot + i, d3d.state.streams[i].buffer);
  }
  take(kIndexSlot, d3d.state.indices.buffer);
}

std::optional<size_t> PayloadRules::ElementOf(uint32_t allocation) const {
  const auto found = elements_.find(allocation);
  return found == elements_.end() ? std::nullopt : std::optional(found->second);
}

void PayloadRules::AddWordFinding(Rule rule, const Word& word, std::string message,
                                  std::string actual, std::string expected) {
  packet_.findings().Add(
      rule, Place{word.offset, sizeof(uint32_t), word.path},
      fmt::format("{}: {}: {}", word.word.desc->op_name, word.word.desc->field, message),
      std::move(actual), std::move(expected));
}

void PayloadRules::CheckEnvironment() {
  if (!packet_.render.dp2_env) return;
  const trace::Dp2Env& environment = *packet_.render.dp2_env;
  const bool is_inline = environment.vertex_source == trace::VertexSource::kInline;
  if (((environment.flags & d3d::kUserMemVertices) != 0) != is_inline) {
    packet_.findings().Add(Rule::kKmtDp2027, "dp2_env/flags",
                           is_inline ? "inline vertices without USERMEMVERTICES"
                                     : "USERMEMVERTICES without inline vertices",
                           FlagsText(trace::kDp2CallFlagNames, environment.flags),
                           is_inline ? "USERMEMVERTICES" : "USERMEMVERTICES clear");
    return;
  }
  const uint64_t size = uint64_t{environment.vertex_length.value_or(0)} * environment.vertex_size;
  std::optional<uint64_t> available;
  uint64_t needed = size;
  if (is_inline) {
    available = environment.vertices.size();
  } else if (environment.vertex_source == trace::VertexSource::kAllocation) {
    if (environment.allocation_index >= packet_.allocations.size()) {
      packet_.findings().Add(Rule::kKmtDp2028, "dp2_env/allocation_index",
                             fmt::format("element {} of an allocation list with {}",
                                         environment.allocation_index, packet_.allocations.size()),
                             fmt::format("{}", environment.allocation_index),
                             fmt::format("below {}", packet_.allocations.size()));
      return;
    }
    const uint32_t handle = packet_.allocations[environment.allocation_index].handle;
    const device::KmtAllocation* const allocation =
        packet_.kmt().FindAllocation(packet_.render.process, handle);
    if (allocation != nullptr && allocation->size != 0) available = allocation->size;
    needed += environment.vertex_offset;
  }
  if (!available || needed <= *available) return;
  packet_.findings().Add(Rule::kKmtDp2027, "dp2_env/vertex_length",
                         fmt::format("the vertices end at byte {} of a source of {}", needed,
                                     Counted(*available, "byte")),
                         fmt::format("{}", needed), fmt::format("at most {}", *available));
}

void PayloadRules::OnCommand(const stream::Command& command) {
  const size_t first_word = words_.size();
  kmt::HandleWordCursor cursor(command.bytes);
  for (kmt::HandleWord found; cursor.Next(found);) {
    const uint64_t record = command.offset + found.offset - found.desc->at;
    Word word{.word = found,
              .offset = command.offset + found.offset,
              .token = command.offset,
              .record = {record, record + found.desc->element_size},
              .path = PathOf(command, found),
              .target = {},
              .element = {}};
    CheckWord(word);
    const bool is_bind = found.desc->access == kmt::Access::kBindRead ||
                         found.desc->access == kmt::Access::kBindWrite;
    if (is_bind && found.slot && *found.slot < kSlotCount)
      slots_[*found.slot] = {found.value, false};
    words_.push_back(word);
  }
  CheckAliases(command, first_word);
  if (command.op->op == Op::kSetStreamSourceUm) slots_[kStreamSlot] = {};
  if (command.op->op == Op::kDrawRectPatch || command.op->op == Op::kDrawTriPatch) {
    for (const stream::Record& record :
         stream::Records(command, {.command_offset = 0, .vertex_size = 0, .event = {}})) {
      patch_handles_.push_back(command.offset +
                               static_cast<uint64_t>(record.at() - command.bytes.data()));
    }
  }
  if (command.op->is(opcode::kDraw)) CheckImplicit(command);
}

void PayloadRules::CheckWord(Word& word) {
  if (word.word.value == 0) {
    if (word.word.desc->zero == kmt::ZeroHandle::kAllowed) return;
    reported_records_.push_back(word.record);
    AddWordFinding(Rule::kKmtDp2008, word, "the handle is 0", "0", "a handle");
    // That there is no target follows from it.
    is_missing_target_reported_ |= word.word.slot == kTargetSlot;
    return;
  }
  const std::optional<device::Dp2Target> target =
      packet_.kmt().Resolve(*packet_.context, word.word.value);
  const device::KmtAllocation* const allocation =
      target ? packet_.kmt().FindAllocation(packet_.render.process, target->allocation) : nullptr;
  if (allocation == nullptr || allocation->device != packet_.context->device) {
    reported_records_.push_back(word.record);
    const std::string handle = fmt::format("{}", word.word.value);
    // A surface that was refused when it was announced cannot be bound: that has been reported.
    if (!target && d3d_ != nullptr && d3d_->space->history().IsReported(word.word.value)) return;
    AddWordFinding(
        Rule::kKmtDp2007, word,
        target ? fmt::format(
                     "handle {} stands for {:#x}, which is not a live allocation of the device",
                     handle, target->allocation)
               : fmt::format("handle {} stands for no allocation", handle),
        handle, "a handle that dp2_bind ties to an allocation");
    return;
  }
  word.target = target;
  word.element = ElementOf(target->allocation);
  if (!word.element) {
    AddWordFinding(
        Rule::kKmtDp2009, word,
        fmt::format("allocation {:#x} is not in the allocation list", target->allocation),
        Hex(target->allocation), "an allocation of the list");
  }
  CheckKind(word);
}

void PayloadRules::CheckKind(const Word& word) {
  if (!word.word.slot || FitsSlot(*word.word.slot, word.target->kind)) return;
  reported_records_.push_back(word.record);
  AddWordFinding(
      Rule::kKmtDp2024, word,
      fmt::format("handle {} is bound as {}", word.word.value,
                  NameOf(trace::kBindKindNames, static_cast<uint32_t>(word.target->kind))),
      std::string(NameOf(trace::kBindKindNames, static_cast<uint32_t>(word.target->kind))),
      std::string(ExpectedKind(*word.word.slot)));
}

void PayloadRules::CheckImplicit(const stream::Command& command) {
  constexpr stream::FieldRef kFlags = stream::Field(layout::kClear, "flags");
  const bool is_clear = command.op->op == Op::kClear;
  const uint32_t flags = is_clear ? stream::FieldU32(command, kFlags)
                                  : d3d::Value(d3d::ClearFlag::Target) | d3d::kClearDepthStencil;
  if ((flags & d3d::Value(d3d::ClearFlag::Target)) != 0) {
    const bool is_missing = d3d_ != nullptr && slots_[kTargetSlot].handle == 0 &&
                            !d3d_->bindings.is_unknown[device::kFirstTargetBinding];
    if (is_missing && !is_missing_target_reported_) {
      is_missing_target_reported_ = true;
      packet_.findings().Add(Rule::kKmtDp2023, stream::PlaceOf(command),
                             fmt::format("{}: no render target is bound", command.op->name), "0",
                             "a render target");
    }
    for (uint32_t i = 0; i < device::kTargetCount; ++i)
      CheckCarried(command, kTargetSlot + i, true, Severity::kError);
  }
  if ((flags & d3d::kClearDepthStencil) != 0)
    CheckCarried(command, kDepthSlot, true, Severity::kError);
  if (is_clear) return;
  for (uint32_t slot = kVertexTextureSlot; slot < kStreamSlot; ++slot)
    CheckCarried(command, slot, false, Severity::kWarning);
  if (command.op->level < d3d::kFirstStreamLevel) return;
  CheckCarried(command, kStreamSlot, false, Severity::kError);
  for (uint32_t slot = kStreamSlot + 1; slot < kIndexSlot; ++slot)
    CheckCarried(command, slot, false, Severity::kWarning);
  const bool is_indexed =
      command.op->op == Op::kDrawIndexedPrimitive || command.op->op == Op::kDrawIndexedPrimitive2;
  if (is_indexed) CheckCarried(command, kIndexSlot, false, Severity::kError);
}

void PayloadRules::CheckCarried(const stream::Command& command, uint32_t slot, bool is_write,
                                Severity severity) {
  if (!slots_[slot].is_carried || reported_slots_[slot]) return;
  const std::optional<device::Dp2Target> target =
      packet_.kmt().Resolve(*packet_.context, slots_[slot].handle);
  const bool was_lost = d3d_ != nullptr && d3d_->bindings.is_unknown.any();
  if (!target && was_lost) return;
  const std::optional<size_t> element = target ? ElementOf(target->allocation) : std::nullopt;
  if (element && (!is_write || packet_.allocations[*element].write_operation())) return;
  reported_slots_[slot] = true;
  Diagnostic finding = MakeDiagnostic(
      is_write ? Rule::kKmtDp2021 : Rule::kKmtDp2022,
      !target
          ? fmt::format(
                "{}: handle {} is bound to slot {} since an earlier packet and stands for no allocation any more",
                command.op->name, slots_[slot].handle, slot)
          : fmt::format(
                "{}: allocation {:#x} is bound to slot {} since an earlier packet and is {}",
                command.op->name, target->allocation, slot,
                element ? "listed without WriteOperation" : "not in the allocation list"));
  if (!is_write) finding.severity = severity;
  finding.offset = command.offset;
  finding.length = command.bytes.size();
  finding.is_whole = true;
  finding.path = stream::PathOf(command);
  finding.actual = target ? Hex(target->allocation) : fmt::format("{}", slots_[slot].handle);
  finding.expected = !target   ? "a handle that stands for an allocation"
                     : element ? "WriteOperation"
                               : "an element of the allocation list";
  packet_.findings().Add(std::move(finding));
}

// KMT-DP2-029: two handles for one memory. One handle twice is a matter of the DP2 catalogue.
void PayloadRules::CheckAliases(const stream::Command& command, size_t first_word) {
  if (!command.op->is(opcode::kBlt)) return;
  for (size_t i = first_word; i + 1 < words_.size(); ++i) {
    const Word& a = words_[i];
    const Word& b = words_[i + 1];
    const bool is_pair = a.word.element == b.word.element && a.word.value != b.word.value &&
                         a.target && b.target &&
                         kmt::IsWrite(a.word.desc->access) != kmt::IsWrite(b.word.desc->access);
    if (!is_pair || a.target->allocation != b.target->allocation ||
        a.target->base_offset != b.target->base_offset)
      continue;
    AddWordFinding(Rule::kKmtDp2029, b,
                   fmt::format("handles {} and {} are the same memory of allocation {:#x}",
                               a.word.value, b.word.value, a.target->allocation),
                   Hex(a.target->allocation), "another allocation");
  }
}

bool PayloadRules::Keeps(const Diagnostic& finding) const {
  if (finding.rule == Rule::kDp2Rt010) return false;  // KMT-DP2-023
  if (!finding.offset || std::ranges::find(kHandleRules, finding.rule) == std::end(kHandleRules))
    return true;
  // A finding about another word of the record, or about all of it, names the same defect.
  const auto is_inside = [&finding](const Extent& record) {
    return *finding.offset >= record.begin && *finding.offset < record.end;
  };
  return std::ranges::none_of(reported_records_, is_inside);
}

}  // namespace dp2trace::validate
