// The part of a trace that a user chose: where it begins and ends, and what it needs of what was there before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device/kmt/types.h"
#include "device/state_value.h"
#include "opcode/opcode.h"

namespace dp2trace::trim {

// A DP2 surface handle as packets of a KMT device use it: the device and the handle.
using BindingKey = std::pair<device::KmtKey, uint32_t>;

// A place between two tokens, or between two events.
struct Cut {
  uint64_t event = 0;
  // Offset of the first token after the cut, from the start of the command buffer; nothing: the cut is before the event.
  std::optional<uint64_t> offset;
};

// What of a face and level the part needs first.
enum class FirstUse : uint8_t { kContent, kOverwrite };

// A surface that lives where the part begins.
struct SurfaceUse {
  uint64_t id = 0;        // image::Surface::id(): a later surface with the handle is another one
  bool is_named = false;  // by an event, a token, or a binding that a draw needs
  std::map<std::pair<uint32_t, uint32_t>, FirstUse> places;  // by face and level
};

// What a context owns and the part names, by kind and handle.
using ObjectNames = std::set<std::pair<opcode::Meaning, uint32_t>>;

// What the part needs of a context.
struct ContextUse {
  ObjectNames names;
  std::set<device::StateKey> overwritten;  // states that the part sets before anything reads them
  std::optional<bool> first_capture;       // the first SCENECAPTURE of the part
  bool has_read = false;                   // a draw, or a state block
};

// What a packet names and uses of allocations from one token of it to another.
struct PacketUse {
  std::vector<uint32_t> named;  // by handle words, in order of the first
  std::set<uint32_t> bound;     // by tokens before
  std::set<uint32_t> written;   // as targets that are bound, or by handle words
};

struct Part {
  bool is_found = false;      // something was chosen, and there is such a thing
  bool is_from_start = true;  // it begins with the trace: nothing was there before
  Cut begin;
  uint64_t session = 0;      // the header before the part
  std::optional<Cut> end;    // none: the part ends with the trace
  uint64_t first_frame = 1;  // the first of the part: it is frame 1 of the output
  uint64_t first_draw = 1;
  uint64_t frames = 0, draws = 0;  // in the part; where it is not found: in the trace
  std::map<std::pair<uint32_t, uint32_t>, SurfaceUse> surfaces;  // by space and root handle
  // By space and id: those that are used.
  std::map<std::pair<uint32_t, uint64_t>, ContextUse> contexts;
  bool ends_contexts = false;  // the trace destroys contexts: those that live are destroyed, too
  // What is open where the part is cut off, by context: the output closes it.
  struct Rest {
    std::set<uint32_t> patches;     // in the cache
    std::optional<uint32_t> block;  // a state block that is being recorded
  };
  std::map<std::pair<uint32_t, uint64_t>, Rest> rests;
  // Events that destroy what was there before, and what they destroy: without it they have nothing to do.
  std::map<uint64_t, std::pair<uint32_t, uint32_t>> surface_ends;
  std::map<uint64_t, std::pair<uint32_t, uint64_t>> context_ends;
  // KMT objects and bindings of DP2 handles that were there before: those that the part names, and by event those that it destroys.
  std::set<device::KmtKey> kmt_objects;
  std::set<BindingKey> bindings;
  std::map<uint64_t, std::vector<device::KmtKey>> kmt_ends;
  std::map<uint64_t, BindingKey> binding_ends;
  std::map<uint64_t, PacketUse> cut_packets;  // by event: those that are cut between tokens
  // Why the state at the beginning cannot be told by tokens; empty where it can.
  std::string gap;
};

}  // namespace dp2trace::trim
