// Rules about the payload of a packet and the lists that describe it: KMT-DP2-*, KMT-OPQ-*.
// Source: lib/kmt/packets.md 6, 7.9 and 7.10.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/kmt/objects.h"
#include "kmt/handle_words.h"
#include "stream/stream.h"
#include "validate/event_view.h"
#include "validate/kmt/packet_view.h"

namespace dp2trace::validate {

// Before the event is applied: KMT-DP2-033 and -034.
void CheckKmtPayloadEvent(const EventView& view, const trace::Dp2Bind& event);
void CheckKmtPayloadEvent(const EventView& view, const trace::Dp2Unbind& event);
void CheckKmtPayloadEvent(const EventView& view, const trace::AllocationDestroy& event);

// KMT-OPQ-002. Payloads that are not DP2 have no other rule, which is what KMT-OPQ-001 says: it has no severity and is not reported.
void CheckForeignPayload(const PacketView& packet);

// The handle words of one DP2 packet against its allocation list, its patch-location list and what is bound already.
// While the packet is applied it drops the findings of the DP2 catalogue that name a defect again.
class PayloadRules final : public FindingFilter {
 public:
  // The packet has a context; `d3d` is its Direct3D context as the packet meets it, or null. Both outlive the object.
  PayloadRules(const PacketView& packet, const device::Context* d3d);

  // What travels beside the tokens: KMT-DP2-027 and -028.
  void CheckEnvironment();
  // The tokens in their order, once they are framed.
  void OnCommand(const stream::Command& command);
  // After the last token; `parsed_end` is where the framing ended. Entries after it are not checked.
  void Finish(uint64_t parsed_end);

  bool Keeps(const Diagnostic& finding) const override;

 private:
  struct Word {
    kmt::HandleWord word;
    uint64_t offset = 0;  // bytes from the start of the command buffer
    uint64_t token = 0;   // of the header of its token
    Extent record;        // that holds it, in bytes of the command buffer
    std::string path;     // in the JSON of the event
    std::optional<device::Dp2Target> target;
    std::optional<size_t> element;  // of the allocation list that names its allocation
    bool has_entry = false;
  };
  // What a slot holds while the tokens run.
  struct Slot {
    uint32_t handle = 0;
    bool is_carried = false;  // from before the packet
  };
  static constexpr uint32_t kSlotCount = 49;  // binding slots end with the index buffer

  void TakeCarriedSlots(const device::Context& d3d);
  std::optional<size_t> ElementOf(uint32_t allocation) const;
  void CheckWord(Word& word);
  void CheckKind(const Word& word);
  void CheckImplicit(const stream::Command& command);
  void CheckCarried(const stream::Command& command, uint32_t slot, bool is_write,
                    Severity severity);
  void CheckAliases(const stream::Command& command, size_t first_word);
  void CheckEntries(uint64_t parsed_end);
  // Entry `index` with its word; the first entry of the word unless `is_duplicate`.
  void CheckEntry(size_t index, const kmt::PatchElement& entry, const Word& word,
                  bool is_duplicate);
  void CheckEntryTarget(size_t index, const kmt::PatchElement& entry, const Word& word);
  void CheckUncovered();
  void CheckWrites();
  void CheckCanonicalForm();
  void AddWordFinding(Rule rule, const Word& word, std::string message, std::string actual = {},
                      std::string expected = {});
  void AddEntryFinding(Rule rule, size_t index, std::string message, std::string actual = {},
                       std::string expected = {});

  const PacketView& packet_;
  const device::Context* d3d_;
  std::multimap<uint32_t, size_t> elements_;  // allocation handle -> element
  std::vector<Word> words_;                   // ascending offsets
  std::vector<uint64_t> patch_handles_;       // offsets of the Handle words of patches, ascending
  std::array<Slot, kSlotCount> slots_ = {};
  std::bitset<kSlotCount> reported_slots_;
  bool is_missing_target_reported_ = false;
  std::vector<Extent> reported_records_;  // with words whose handle was objected to
};

}  // namespace dp2trace::validate
