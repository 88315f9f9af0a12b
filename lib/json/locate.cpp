#include "json/locate.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "json/excerpt.h"
#include "rules/rule.h"

namespace dp2trace::json {
namespace {

constexpr uint32_t kRoot = 0;

// The member or element `name` of the container at `parent`, by its place on the tape.
std::optional<uint32_t> FindChild(const std::vector<Node>& nodes, uint32_t parent,
                                  std::string_view name) {
  const Node& node = nodes[parent];
  if (node.type == NodeType::kObject) {
    for (uint32_t child = parent + 1; child < node.next; child = nodes[child].next) {
      if (nodes[child].key_view() == name) return child;
    }
    return std::nullopt;
  }
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (node.type != NodeType::kArray || error != std::errc() || end != name.data() + name.size() ||
      number >= node.size)
    return std::nullopt;
  uint32_t child = parent + 1;
  while (number-- != 0)
    child = nodes[child].next;
  return child;
}

bool HasMember(const std::vector<Node>& nodes, uint32_t object, std::string_view name) {
  return nodes[object].type == NodeType::kObject && FindChild(nodes, object, name).has_value();
}

// Command `number` of a stream. An element of bytes may be any number of commands: the last one that may hold the command.
std::optional<uint32_t> FindCommand(const std::vector<Node>& nodes, uint32_t array,
                                    std::string_view number) {
  uint64_t left = 0;
  std::from_chars(number.data(), number.data() + number.size(), left);
  if (nodes[array].type != NodeType::kArray) return std::nullopt;
  for (uint32_t child = array + 1; child < nodes[array].next; child = nodes[child].next) {
    if (HasMember(nodes, child, "prefix")) continue;
    if (left-- == 0 || HasMember(nodes, child, "raw")) return child;
  }
  return std::nullopt;
}

bool IsSeparator(char c) {
  return std::string_view(",]} \n\r\t").find(c) != std::string_view::npos;
}

// Byte of the opening quote of a string that the text has without escapes.
std::optional<size_t> QuoteBefore(const char* string, std::string_view text) {
  const bool is_in_text = string > text.data() && string <= text.data() + text.size();
  return is_in_text ? std::optional(static_cast<size_t>(string - text.data()) - 1) : std::nullopt;
}

// A scalar is on the tape with its end: of a number, the parser has read one byte more.
size_t BeginOf(const Node& node, std::string_view text) {
  size_t at = std::min<size_t>(node.position, text.size());
  const bool is_container = node.type == NodeType::kObject || node.type == NodeType::kArray;
  const char open = node.type == NodeType::kObject ? '{' : '[';
  if (is_container) return at != 0 && text[at - 1] == open ? at - 1 : at;
  if (node.type == NodeType::kString) return QuoteBefore(node.text, text).value_or(at);
  const size_t begin = at == 0 ? 0 : BeginOfToken(text, at - 1);
  return begin + 1 == at && at > 1 && IsSeparator(text[begin]) ? BeginOfToken(text, at - 2) : begin;
}

// By its place on the tape.
uint32_t FindNode(const std::vector<Node>& nodes, std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  uint32_t at = kRoot;
  bool is_stream = false;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    std::string_view name = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (name.empty()) continue;
    // A packet has its commands in its command buffer.
    if (at == kRoot && name == "commands" && !HasMember(nodes, kRoot, name))
      name = "command_buffer";
    const std::optional<uint32_t> child =
        is_stream ? FindCommand(nodes, at, name) : FindChild(nodes, at, name);
    if (!child) break;
    if (is_stream && HasMember(nodes, *child, "raw")) path = {};
    is_stream = at == kRoot && (name == "commands" || name == "command_buffer");
    at = *child;
  }
  return at;
}

}  // namespace

size_t FindValue(const Tape& tape, std::string_view text, std::string_view path) {
  const std::vector<Node>& nodes = tape.nodes();
  return nodes.empty() || text.empty() ? 0 : BeginOf(nodes[FindNode(nodes, path)], text);
}

size_t FindPlace(const Tape& tape, std::string_view text, const Diagnostic& finding) {
  const size_t value = FindValue(tape, text, finding.path);
  const std::vector<Node>& nodes = tape.nodes();
  if (finding.rule != Rule::kJson006 || nodes.empty()) return value;
  return QuoteBefore(nodes[FindNode(nodes, finding.path)].key, text).value_or(value);
}

}  // namespace dp2trace::json
