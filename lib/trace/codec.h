// Event payloads: the binary form of every structure in events.h, driven by its Fields() list.
//
// A structure is a u64 presence mask (bit i = field i differs from its default; a std::optional is present) and then the present
// fields in order, without padding. The form is canonical: one event has one encoding. traces/README.md has the grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "trace/events.h"

namespace dp2trace::trace {

// Appends the payload of the event. Texts must be UTF-8; texts, arrays and byte arrays have less than 2^32 elements.
void EncodePayload(const Event& event, std::vector<uint8_t>& out);
template <class T>
void EncodePayload(const T& event,
                   std::vector<uint8_t>& out);  // for each structure of events.def, and Unknown

// Why a payload is not the canonical encoding of its kind.
struct PayloadDefect {
  std::string_view reason;  // "the field holds its default"
  size_t offset = 0;        // bytes from the start of the payload
};

// Sets `event` to the decoded structure, whose views point into `payload`. Sets it to Unknown, and returns the reason, when the
// payload is not the canonical encoding of the kind; sets it to Unknown and returns nothing when the kind is not known.
// Arrays of the decoded event take at most `memory_limit` bytes.
std::optional<PayloadDefect> DecodePayload(uint16_t kind, uint16_t flags, Bytes payload,
                                           Event& event, uint64_t memory_limit = uint64_t{1} << 30);

}  // namespace dp2trace::trace
