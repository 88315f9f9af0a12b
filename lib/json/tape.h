// The values of one event as a flat list in text order: what stands between the SAX parser and the checked getters.
// A tape is reused from event to event; it never holds more than one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/rule.h"
#include "json/arena.h"

namespace dp2trace::json {

enum class NodeType : uint8_t {
  kNull,
  kBool,
  kUnsigned,
  kNegative,
  kFloat,
  kString,
  kArray,
  kObject
};
// "a number", "an object": for messages.
std::string_view Describe(NodeType type);

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): of the union one member is enough
struct Node {
  // Of a member of an object; points into the text of the event or the arena.
  const char* key = nullptr;
  union {
    uint64_t number = 0;  // kBool (0, 1), kUnsigned, kNegative (two's complement)
    const char* text;     // kString
  };
  uint32_t key_size = 0;
  uint32_t size = 0;        // kString: bytes; kArray and kObject: children
  uint32_t next = 0;        // index of the node after this one and everything in it
  uint32_t position = 0;    // byte in the text of the event, where the value begins or ends
  uint32_t float_bits = 0;  // kFloat: the value rounded to f32
  NodeType type = NodeType::kNull;
  bool fits_float = true;         // kFloat: the magnitude is that of an f32
  bool is_negative_zero = false;  // kUnsigned: written as "-0"
  bool used = false;              // a member that its object's reader has asked for

  std::string_view key_view() const { return {key, key_size}; }
  std::string_view string() const { return {text, size}; }
};

// Why a text could not be put on a tape.
struct TapeError {
  Rule rule{};
  size_t position = 0;  // byte in the text
  bool at_end = false;  // the text is well-formed as far as it goes
  std::string message;
};

class Tape {
 public:
  // Parses the text of one value. Keys and strings point into `text` (or the arena, where they hold escapes), which must outlive the
  // use of the nodes. Memory is charged to the arena. At most `max_depth` levels; texts are below 4 GiB.
  bool Parse(std::string_view text, uint32_t max_depth, Arena& arena, TapeError& error);

  const std::vector<Node>& nodes() const { return nodes_; }
  std::vector<Node>& nodes() { return nodes_; }
  uint32_t IndexOf(const Node& node) const { return static_cast<uint32_t>(&node - nodes_.data()); }
  // RFC 6901 pointer of a node, from the root value: "/commands/0/op".
  std::string PointerTo(const Node& node) const;

 private:
  std::vector<Node> nodes_;
};

// Whether the text is well-formed JSON as far as it goes. If not, `error` says where it stops being so.
bool IsPrefixOfJson(std::string_view text, TapeError& error);

}  // namespace dp2trace::json
