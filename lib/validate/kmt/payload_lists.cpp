// The allocation list and the patch-location list of a DP2 packet against its handle words; payloads that are not DP2.
// Source: lib/kmt/packets.md 6.6, 6.8, 7.9 and 7.10.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "rules/rule.h"
#include "validate/kmt/payload.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

// DXGK_RENDERKM_COMMAND: OpCode and CommandSize lead each command.
constexpr uint32_t kFirstKernelOp = 1;
constexpr uint32_t kLastKernelOp = 7;
constexpr uint32_t kKernelHeaderSize = 8;

}  // namespace

void CheckForeignPayload(const PacketView& packet) {
  const trace::Render& render = packet.render;
  if (render.payload != trace::PayloadKind::kRenderKm) return;
  const Extent& extent = packet.extent;
  const uint64_t end = std::min<uint64_t>(extent.end, render.command_buffer.size());
  for (uint64_t at = extent.begin; at < end;) {
    const uint64_t rest = end - at;
    const uint32_t op = rest >= kKernelHeaderSize ? LoadU32(&render.command_buffer[at]) : 0;
    const uint32_t size = rest >= kKernelHeaderSize ? LoadU32(&render.command_buffer[at + 4]) : 0;
    if (op >= kFirstKernelOp && op <= kLastKernelOp && size >= kKernelHeaderSize && size <= rest) {
      at += size;
      continue;
    }
    packet.findings().Add(
        Rule::kKmtOpq002, Place{at, std::min<uint64_t>(rest, kKernelHeaderSize), {}},
        rest < kKernelHeaderSize
            ? fmt::format("{} bytes remain where a command should start", rest)
            : fmt::format("OpCode {} with CommandSize {} where {} bytes remain", op, size, rest),
        fmt::format("{}, {}", op, size),
        fmt::format("OpCode {}, CommandSize 8 or more up to the end of the extent",
                    AllValuesText(kmt::kRenderKmOpNames)));
    return;
  }
}

void PayloadRules::AddEntryFinding(Rule rule, size_t index, std::string message, std::string actual,
                                   std::string expected) {
  packet_.findings().Add(rule, fmt::format("patch_location_list/{}", index), std::move(message),
                         std::move(actual), std::move(expected));
}

void PayloadRules::Finish(uint64_t parsed_end) {
  CheckEntries(parsed_end);
  CheckUncovered();
  CheckWrites();
  CheckCanonicalForm();
}

void PayloadRules::CheckEntries(uint64_t parsed_end) {
  for (size_t i = 0; i < packet_.patches.size(); ++i) {
    const kmt::PatchElement entry = packet_.patches[i];
    if ((packet_.patch_defects[i] & kWrapsAround) != 0) continue;
    if (entry.patch_offset % 2 != 0) {
      AddEntryFinding(Rule::kKmtDp2025, i,
                      fmt::format("PatchOffset {:#x} is odd", entry.patch_offset),
                      Hex(entry.patch_offset), "an even offset");
    }
    if (entry.patch_offset < packet_.extent.begin ||
        uint64_t{entry.patch_offset} + sizeof(uint32_t) > packet_.extent.end) {
      AddEntryFinding(Rule::kKmtDp2014, i,
                      fmt::format("PatchOffset {:#x} is outside the commands", entry.patch_offset),
                      Hex(entry.patch_offset),
                      fmt::format("{:#x} to {:#x}", packet_.extent.begin,
                                  packet_.extent.end - sizeof(uint32_t)));
      continue;
    }
    if (entry.patch_offset >= parsed_end)
      continue;  // after a token that cannot be framed: not checked
    const auto word = std::ranges::lower_bound(words_, entry.patch_offset, {}, &Word::offset);
    if (word == words_.end() || word->offset != entry.patch_offset) {
      const bool is_patch = std::ranges::binary_search(patch_handles_, entry.patch_offset);
      AddEntryFinding(
          is_patch ? Rule::kKmtDp2026 : Rule::kKmtDp2010, i,
          is_patch
              ? fmt::format("the Handle of a patch at {:#x} names no surface", entry.patch_offset)
              : fmt::format("there is no handle word at PatchOffset {:#x}", entry.patch_offset),
          Hex(entry.patch_offset), "a handle word that needs an entry");
      continue;
    }
    const bool is_duplicate = std::exchange(word->has_entry, true);
    CheckEntry(i, entry, *word, is_duplicate);
  }
}

void PayloadRules::CheckEntry(size_t index, const kmt::PatchElement& entry, const Word& word,
                              bool is_duplicate) {
  if (is_duplicate) {
    AddEntryFinding(Rule::kKmtDp2012, index,
                    fmt::format("PatchOffset {:#x} has an entry already", entry.patch_offset),
                    Hex(entry.patch_offset), "one entry for each word");
  } else if (index > 0) {
    const kmt::PatchElement before = packet_.patches[index - 1];
    const bool is_named = (packet_.patch_defects[index] & kHasFallingSplit) != 0;  // KMT-PATCH-006
    if (entry.patch_offset <= before.patch_offset && !is_named) {
      AddEntryFinding(
          Rule::kKmtDp2013, index,
          fmt::format("PatchOffset {:#x} follows {:#x}", entry.patch_offset, before.patch_offset),
          Hex(entry.patch_offset), fmt::format("above {:#x}", before.patch_offset));
    }
  }
  // After the word it is KMT-PATCH-008.
  if (entry.split_offset != word.token && entry.split_offset <= entry.patch_offset) {
    AddEntryFinding(
        Rule::kKmtDp2015, index,
        fmt::format("SplitOffset {:#x} in the token at {:#x}", entry.split_offset, word.token),
        Hex(entry.split_offset), Hex(word.token));
  }
  if (!is_duplicate) CheckEntryTarget(index, entry, word);
}

void PayloadRules::CheckEntryTarget(size_t index, const kmt::PatchElement& entry,
                                    const Word& word) {
  if (entry.driver_id != word.word.driver_id()) {
    AddEntryFinding(Rule::kKmtDp2017, index,
                    fmt::format("DriverId {:#x} of a word that is {:#x}", entry.driver_id,
                                word.word.driver_id()),
                    Hex(entry.driver_id), Hex(word.word.driver_id()));
  }
  if (!word.word.slot) {
    reported_records_.push_back(word.record);
    AddEntryFinding(Rule::kKmtDp2018, index, "the stage, stream or target of the word has no slot",
                    fmt::format("{}", entry.slot_id()));
  } else if (entry.slot_id() != *word.word.slot) {
    AddEntryFinding(Rule::kKmtDp2018, index,
                    fmt::format("SlotId {} of a word of slot {}", entry.slot_id(), *word.word.slot),
                    fmt::format("{}", entry.slot_id()), fmt::format("{}", *word.word.slot));
  }
  if (entry.allocation_index >= packet_.allocations.size()) return;  // KMT-PATCH-002
  const kmt::AllocationElement element = packet_.allocations[entry.allocation_index];
  // Else the word has the finding.
  const bool is_known = word.word.value == 0 || (word.target && word.element);
  if (!is_known) return;
  const uint32_t expected = word.word.value == 0 ? 0 : word.target->allocation;
  if (element.handle != expected) {
    AddEntryFinding(Rule::kKmtDp2016, index,
                    fmt::format("element {} is {:#x}, the word stands for {:#x}",
                                entry.allocation_index, element.handle, expected),
                    Hex(element.handle), Hex(expected));
    return;
  }
  if (element.handle == 0) return;  // KMT-PATCH-011
  const device::KmtAllocation* const allocation =
      packet_.kmt().FindAllocation(packet_.render.process, element.handle);
  const bool is_outside = allocation != nullptr && allocation->size != 0 &&
                          entry.allocation_offset >= allocation->size;  // KMT-PATCH-010
  if (is_outside || entry.allocation_offset == word.target->base_offset) return;
  AddEntryFinding(Rule::kKmtDp2019, index,
                  fmt::format("AllocationOffset {} where the binding has base_offset {}",
                              entry.allocation_offset, word.target->base_offset),
                  fmt::format("{}", entry.allocation_offset),
                  fmt::format("{}", word.target->base_offset));
}

void PayloadRules::CheckUncovered() {
  if (words_.empty()) return;
  if (packet_.patches.size() == 0) {
    if (packet_.context->no_patching) return;
    AddWordFinding(
        Rule::kKmtDp2030, words_.front(),
        fmt::format("{} and no patch-location list", Counted(words_.size(), "handle word")), "0",
        fmt::format("{}", words_.size()));
    return;
  }
  for (const Word& word : words_) {
    if (word.has_entry) continue;
    const bool is_bind = word.word.desc->access == kmt::Access::kBindRead ||
                         word.word.desc->access == kmt::Access::kBindWrite;
    if (word.word.value != 0) {
      AddWordFinding(Rule::kKmtDp2011, word, "the word has no patch entry",
                     fmt::format("{}", word.word.value), "a patch entry");
    } else if (is_bind && word.word.desc->zero == kmt::ZeroHandle::kAllowed) {
      AddWordFinding(Rule::kKmtDp2032, word, "the slot is unbound without a patch entry",
                     fmt::format("{}", word.word.value), "a patch entry");
    }
  }
}

void PayloadRules::CheckWrites() {
  std::vector<bool> is_written(packet_.allocations.size());
  for (const Word& word : words_) {
    if (word.element && kmt::IsWrite(word.word.desc->access)) is_written[*word.element] = true;
  }
  for (size_t i = 0; i < is_written.size(); ++i) {
    if (!is_written[i] || packet_.allocations[i].write_operation()) continue;
    packet_.findings().Add(
        Rule::kKmtDp2020, fmt::format("allocation_list/{}", i),
        fmt::format("a token writes allocation {:#x}, which is listed without WriteOperation",
                    packet_.allocations[i].handle),
        FieldsText(kmt::kAllocationBits, packet_.allocations[i].value), "WriteOperation");
  }
}

void PayloadRules::CheckCanonicalForm() {
  if (packet_.allocations.size() == 0) return;
  if (packet_.allocations[0].handle != 0) {
    packet_.findings().Add(Rule::kKmtDp2031, "allocation_list/0",
                           "element 0 is not the NULL element", Hex(packet_.allocations[0].handle),
                           "0");
    return;
  }
  size_t last = 0;
  std::vector<bool> is_seen(packet_.allocations.size());
  for (const Word& word : words_) {
    if (!word.element || is_seen[*word.element]) continue;
    is_seen[*word.element] = true;
    if (*word.element < last) {
      packet_.findings().Add(
          Rule::kKmtDp2031, fmt::format("allocation_list/{}", *word.element),
          fmt::format("element {} is referenced first after element {}", *word.element, last));
      return;
    }
    last = *word.element;
  }
}

}  // namespace dp2trace::validate
