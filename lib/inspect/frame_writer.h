// The data files of one frame: its items, what each of them changed, and the details that the page loads when an item is chosen.
// inspect.md describes the files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inspect/data_sink.h"
#include "inspect/item.h"
#include "inspect/target_watch.h"

namespace dp2trace::inspect {

inline constexpr uint32_t kItemsPerPack = 32;

class FrameWriter {
 public:
  // The data outlive the writer.
  FrameWriter(DataSink& data, uint64_t frame) : data_(&data), frame_(frame) {}

  // What a target holds in front of the first item.
  Status AddBase(const PlanePixels& base);
  // The next item, what it changed (before XOR after), and its details as a JSON object; empty: it has none.
  Status Add(const Item& item, const std::vector<PlanePixels>& changes, std::string_view details);
  uint64_t items() const { return items_; }
  // The differences of the target have grown so much since something of it was whole that a jump to the next item had better not walk
  // them: AddKey() is expected.
  bool NeedsKey(uint32_t target) const;
  // What the target holds in front of the next item.
  Status AddKey(const PlanePixels& content);
  // The target is what the frame presents.
  void SetShown(uint32_t target) { shown_ = target; }
  // Writes what is left.
  Status Finish(const std::vector<TargetPlane>& targets);

 private:
  void AppendPixels(json::Builder& out, const PlanePixels& pixels);
  Status WritePatches();
  Status WriteDetails();
  std::string TargetsText(const std::vector<TargetPlane>& targets) const;

  // Of a target: bytes of its base or last key, and of the differences since.
  struct Growth {
    uint64_t whole = 0, changes = 0, count = 0;
    std::vector<uint64_t> keys;  // items that one stands in front of
  };

  DataSink* data_;
  uint64_t frame_;
  std::map<uint32_t, Growth> growth_;
  uint64_t items_ = 0;
  json::Builder list_;  // of the items
  json::Builder patches_;
  uint64_t patch_packs_ = 0, in_pack_ = 0;
  json::Builder details_;
  uint64_t detail_packs_ = 0, in_details_ = 0;
  bool has_details_ = false;                                   // of the file that is being filled
  std::vector<std::pair<uint64_t, std::string>> empty_packs_;  // without any: Finish() writes them
  std::optional<uint32_t> shown_;
};

}  // namespace dp2trace::inspect
