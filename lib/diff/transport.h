// What calls and packets have in common: the fields of events by which traces of the two transports compare.
// Source: lib/kmt/packets.md 4 and 6.6.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "trace/command_stream.h"
#include "trace/events.h"

namespace dp2trace::diff {

// How a trace carries its tokens, those that it has or would have.
struct Transports {
  bool has_calls = false;    // DP2 calls and their contexts
  bool has_packets = false;  // packets and other events of KMT objects
  void Add(const trace::Event& event);
  // One has packets where the other has calls, or nothing to carry.
  friend bool AreUnlike(const Transports& a, const Transports& b) {
    return a.has_packets != b.has_packets && !(a.has_calls && b.has_calls);
  }
};

// Of a call or packet whose vertices come with it: those; null for others.
struct CarriedVertices {
  Bytes bytes;
  uint32_t type = 0, size = 0;
};
std::optional<CarriedVertices> VerticesWith(const trace::Event& event);

// The context that tokens run in, as either transport makes it.
struct MadeContext {
  uint32_t runtime_version = 0, target = 0, depth = 0;
  bool is_pure = false;
};
std::optional<MadeContext> ContextOf(const trace::Event& event);

// The event belongs to only one transport, and says nothing that the other has.
bool IsOfTransport(const trace::Event& event);
// The field of the header does.
bool IsOfTransport(std::string_view header_field);
// A packet that draws nothing: it asks for larger buffers, and its only token sets the target that is set.
bool IsOnlyRequest(const trace::Render& packet, const trace::CommandStream& stream);

}  // namespace dp2trace::diff
