// Checked getters: from a node of the tape to a value of the trace model. The only place that looks into a node.
// A getter that fails records a finding and returns false; the caller goes on where what follows can be read without the value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/enum_info.h"
#include "base/status.h"
#include "json/reader.h"
#include "json/tape.h"

namespace dp2trace::json {

class Values {
 public:
  Values(Tape& tape, Arena& arena, const ReaderOptions& options)
      : tape_(&tape), arena_(&arena), options_(&options) {}

  // Integers: a number, or a string "0x...".
  bool Unsigned(const Node& node, uint64_t max, uint64_t& out);
  bool Signed(const Node& node, int64_t min, int64_t max, int64_t& out);
  bool U32(const Node& node, uint32_t& out);
  // A D3DCOLOR: an integer 0xAARRGGBB, "#aarrggbb", or "#rrggbb" with an alpha of 255.
  bool Color(const Node& node, uint32_t& out);
  bool Bool(const Node& node, bool& out);
  // An f32: any number in its range, or a string "0x..." with its bits.
  bool FloatBits(const Node& node, uint32_t& out);
  // As U32, or true and false.
  bool BoolNumber(const Node& node, uint32_t& out);
  bool String(const Node& node, std::string_view& out);
  // A name of the table, or an integer.
  bool Enum(const Node& node, const EnumInfo& names, uint32_t& out);
  // An array of names and integers, or an integer.
  bool Flags(const Node& node, const EnumInfo& names, uint32_t& out);
  // The name of a D3DFORMAT, or an integer.
  bool Format(const Node& node, uint32_t& out);
  // Byte arrays: a string, or for base64 {"file": PATH}.
  bool Base64(const Node& node, Bytes& out);
  bool Hex(const Node& node, Bytes& out);
  // The content of the side file that a string names.
  bool FileBytes(const Node& path, std::vector<uint8_t>& out);
  // Whether the object has a member of this name.
  bool Has(const Node& object, std::string_view key) const;

  // The node must be of this type.
  bool Expect(const Node& node, NodeType type);
  bool ExpectCount(const Node& array, uint32_t count);

  // Records the finding, unless the node has it, kMaxErrors are recorded, or memory ran out. Always returns false.
  bool Fail(const Node& node, Rule rule, std::string message, std::string actual = {},
            std::string expected = {});
  // `word` is none of the names of `table`: says which one is near. Names of the documentation with their prefix are near, too.
  bool FailName(const Node& node, std::string_view word, std::string_view table,
                const std::vector<std::string_view>& names, std::string_view hint = {});
  bool FailMemory(const Node& node);

  // The findings, with the byte in the event's text as offset and the pointer below the event as path. At least one after a failure.
  const std::vector<Diagnostic>& findings() const { return findings_; }

  Tape& tape() { return *tape_; }
  Arena& arena() { return *arena_; }
  uint64_t max_memory() const { return options_->max_memory; }

 private:
  bool HexNumber(const Node& node, uint64_t max, uint64_t& out);
  bool SideFile(const Node& node, Bytes& out);
  // The bytes of an integer string or number in a message.
  static std::string Show(const Node& node);

  Tape* tape_;
  Arena* arena_;
  const ReaderOptions* options_;
  std::vector<Diagnostic> findings_;
};

// The names of a table, for Values::FailName().
template <class Rows, class Name>
std::vector<std::string_view> NamesOf(const Rows& rows, const Name& name) {
  std::vector<std::string_view> names;
  for (const auto& row : rows)
    names.push_back(name(row));
  return names;
}

// The members of one object. Every member must be asked for: what is left at the end is unknown or a repetition.
class ObjectReader {
 public:
  // The node must be an object; otherwise it has no members and Finish() fails.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): keys are read as far as they are counted
  ObjectReader(Values& values, Node& node)
      : values_(&values), node_(&node), cursor_(values.tape().IndexOf(node) + 1) {}

  // The member, or null. Cheapest when members are asked for in text order. The key must live as long as the reader.
  Node* Find(std::string_view key);
  // The member; a finding and null where it is missing.
  Node* Require(std::string_view key);
  // True when the node was an object and all members have been found. Members that are left are findings, unless a required one is
  // missing: it may be one of them.
  bool Finish();

 private:
  static constexpr uint32_t kMaxAsked = 64;
  struct Key {
    const char* data;
    size_t size;
  };

  void FailUnknown(const Node& member);

  Values* values_;
  Node* node_;
  bool lacks_member_ = false;  // a required one
  uint32_t cursor_;            // the member after the one that was found last
  uint32_t asked_count_ = 0;
  Key asked_[kMaxAsked];  // the keys that were asked for: what an unknown one may have meant. Not
                          // initialized: an object reader is made for every token
};

// The elements of an array node, in order; the node must be an array.
class ElementIterator {
 public:
  ElementIterator(Tape& tape, const Node& array)
      : nodes_(&tape.nodes()), at_(tape.IndexOf(array) + 1), end_(array.next) {}
  // The next element, or null.
  Node* Next() {
    if (at_ >= end_) return nullptr;
    Node& node = (*nodes_)[at_];
    at_ = node.next;
    return &node;
  }

 private:
  std::vector<Node>* nodes_;
  uint32_t at_;
  uint32_t end_;
};

}  // namespace dp2trace::json
