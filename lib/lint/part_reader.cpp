#include "lint/part_reader.h"

#include <algorithm>

#include "trace/call_results.h"
#include "trace/codec.h"

namespace dp2trace::lint {
namespace {

constexpr size_t kBlockSize = size_t{3} << 19;  // bytes
constexpr size_t kMaxEvents = 4096;             // of a part

}  // namespace

std::unique_ptr<Part> PartReader::Next(std::unique_ptr<Part> spare) {
  std::unique_ptr<Part> part = spare != nullptr ? std::move(spare) : std::make_unique<Part>();
  Clear(*part);
  trace::EventRecord record;
  while (!is_ended_ && part->size < size_ && part->events.size() < kMaxEvents) {
    is_ended_ = !source_->Next(record);
    if (is_ended_) break;
    for (const Diagnostic& finding : findings_->items())
      part->findings.emplace_back(part->events.size(), finding);
    if (!findings_->empty()) *findings_ = DiagnosticList();
    Add(record, *part);
  }
  return part->events.empty() ? nullptr : std::move(part);
}

// Keeps a block of the usual size.
void PartReader::Clear(Part& part) {
  part.events.clear();
  part.findings.clear();
  part.size = 0;
  std::erase_if(part.blocks, [](const auto& block) { return block.size != kBlockSize; });
  while (part.blocks.size() > 1)
    part.blocks.pop_back();
  if (part.blocks.empty()) part.blocks.emplace_back(kBlockSize);
  block_used_ = 0;
}

void PartReader::Add(const trace::EventRecord& record, Part& part) {
  PartEvent& kept = part.events.emplace_back();
  kept.number = record.number;
  const auto keep = [&](Bytes payload) {
    trace::DecodePayload(record.kind, record.flags, Keep(payload, part), kept.event, UINT64_MAX);
  };
  keep(record.payload);
  // The payload of a call lacks the result that was joined to it.
  if (trace::ResultStateOf(kept.event) != trace::ResultStateOf(record.event)) {
    encoded_.clear();
    trace::EncodePayload(record.event, encoded_);
    keep(encoded_);
  }
}

Bytes PartReader::Keep(Bytes payload, Part& part) {
  part.size += payload.size();
  const bool is_large = payload.size() > kBlockSize;
  if (!is_large && payload.size() > kBlockSize - block_used_) {
    part.blocks.emplace_back(kBlockSize);
    block_used_ = 0;
  }
  uint8_t* const at = is_large ? part.blocks.emplace_front(payload.size()).bytes.data()
                               : part.blocks.back().bytes.data() + block_used_;
  std::copy(payload.begin(), payload.end(), at);
  if (!is_large) block_used_ += payload.size();
  return {at, payload.size()};
}

}  // namespace dp2trace::lint
