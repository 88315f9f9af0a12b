#include "json/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <charconv>
#include <cstring>

#include "base/near_miss.h"
#include "base/plain_text.h"
#include "d3d/formats.h"
#include "d3d/notation.h"
#include "json/base64.h"
#include "json/side_files.h"
#include "rules/rule.h"

namespace dp2trace::json {

namespace {

constexpr size_t kLongestShownText = 40;
constexpr size_t kMaxListed = 12;  // keys that a message names

std::string Shortened(std::string_view text) {
  return PlainStart(text, kLongestShownText);
}

bool IsHexNumber(std::string_view text) {
  return text.starts_with("0x") && text.size() > 2;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool DecodeHex(std::string_view text, uint8_t* out) {
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    const int high = HexDigit(text[i]);
    const int low = HexDigit(text[i + 1]);
    if (high < 0 || low < 0) return false;
    *out++ = static_cast<uint8_t>(high << 4 | low);
  }
  return true;
}

}  // namespace

bool Values::Unsigned(const Node& node, uint64_t max, uint64_t& out) {
  switch (node.type) {
    case NodeType::kUnsigned:
      out = node.number;
      if (out <= max) return true;
      break;
    case NodeType::kString:
      return HexNumber(node, max, out);
    case NodeType::kNegative:
      break;
    case NodeType::kFloat:
      return Fail(
          node, Rule::kJson010,
          "expected an integer, found a number with a fraction or exponent (or above 2^64 - 1)");
    case NodeType::kNull:
    case NodeType::kBool:
    case NodeType::kArray:
    case NodeType::kObject:
      return Expect(node, NodeType::kUnsigned);
  }
  return Fail(node, Rule::kJson009, "the number is out of range", Show(node),
              fmt::format("0 to {}", max));
}

bool Values::Signed(const Node& node, int64_t min, int64_t max, int64_t& out) {
  if (node.type == NodeType::kNegative) {
    out = static_cast<int64_t>(node.number);
    if (out >= min) return true;
    return Fail(node, Rule::kJson009, "the number is out of range", Show(node),
                fmt::format("{} to {}", min, max));
  }
  uint64_t value = 0;
  if (!Unsigned(node, static_cast<uint64_t>(max), value)) return false;
  out = static_cast<int64_t>(value);
  return true;
}

bool Values::U32(const Node& node, uint32_t& out) {
  uint64_t value = 0;
  if (!Unsigned(node, UINT32_MAX, value)) return false;
  out = static_cast<uint32_t>(value);
  return true;
}

bool Values::Color(const Node& node, uint32_t& out) {
  const bool is_text = node.type == NodeType::kString;
  const bool is_number = node.type == NodeType::kUnsigned || node.type == NodeType::kNegative ||
                         node.type == NodeType::kFloat || (is_text && IsHexNumber(node.string()));
  if (is_number) return U32(node, out);
  const std::optional<uint32_t> color = is_text ? d3d::ParseColor(node.string()) : std::nullopt;
  if (!color) {
    return Fail(node, Rule::kJson008, "the value has the wrong type", Show(node),
                "\"#rrggbb\", \"#aarrggbb\", a number or \"0xaarrggbb\"");
  }
  out = *color;
  return true;
}

bool Values::Bool(const Node& node, bool& out) {
  if (!Expect(node, NodeType::kBool)) return false;
  out = node.number != 0;
  return true;
}

bool Values::BoolNumber(const Node& node, uint32_t& out) {
  if (node.type != NodeType::kBool) return U32(node, out);
  out = static_cast<uint32_t>(node.number);
  return true;
}

bool Values::FloatBits(const Node& node, uint32_t& out) {
  switch (node.type) {
    case NodeType::kFloat:
      out = node.float_bits;
      if (node.fits_float) return true;
      return Fail(node, Rule::kJson009, "the number is beyond the range of an f32");
    case NodeType::kUnsigned:
      out = std::bit_cast<uint32_t>(static_cast<float>(node.number));
      if (node.is_negative_zero) out = 0x80000000;
      return true;
    case NodeType::kNegative:
      out = std::bit_cast<uint32_t>(static_cast<float>(static_cast<int64_t>(node.number)));
      return true;
    case NodeType::kString:
      return U32(node, out);
    case NodeType::kNull:
    case NodeType::kBool:
    case NodeType::kArray:
    case NodeType::kObject:
      break;
  }
  return Expect(node, NodeType::kFloat);
}

bool Values::String(const Node& node, std::string_view& out) {
  if (!Expect(node, NodeType::kString)) return false;
  out = node.string();
  return true;
}

bool Values::Enum(const Node& node, const EnumInfo& names, uint32_t& out) {
  if (node.type != NodeType::kString || IsHexNumber(node.string())) return U32(node, out);
  const EnumValue* const row = FindValue(names, node.string());
  if (row == nullptr) {
    return FailName(node, node.string(), names.name,
                    NamesOf(names.values, [](const EnumValue& value) { return value.name; }));
  }
  out = row->value;
  return true;
}

bool Values::Flags(const Node& node, const EnumInfo& names, uint32_t& out) {
  if (node.type != NodeType::kArray) return Enum(node, names, out);
  out = 0;
  ElementIterator elements(*tape_, node);
  while (Node* const element = elements.Next()) {
    uint32_t bits = 0;
    if (!Enum(*element, names, bits)) return false;
    out |= bits;
  }
  return true;
}

bool Values::Format(const Node& node, uint32_t& out) {
  if (node.type != NodeType::kString || IsHexNumber(node.string())) return U32(node, out);
  const d3d::FormatInfo* const format = d3d::FindFormatByName(node.string());
  if (format == nullptr) {
    return FailName(node, node.string(), "D3DFORMAT",
                    NamesOf(d3d::AllFormats(), [](const auto& row) { return row.name; }),
                    "; see dp2trace list formats");
  }
  out = static_cast<uint32_t>(format->format);
  return true;
}

bool Values::Base64(const Node& node, Bytes& out) {
  if (node.type == NodeType::kObject) return SideFile(node, out);
  if (!Expect(node, NodeType::kString)) return false;
  const std::string_view text = node.string();
  uint8_t* const bytes = arena_->Allocate(MaxDecodedBase64Size(text.size()));
  if (bytes == nullptr) return FailMemory(node);
  size_t size = 0;
  if (!DecodeBase64(text, bytes, size))
    return Fail(node, Rule::kJson012, "the string is not base64");
  out = {bytes, size};
  return true;
}

bool Values::Hex(const Node& node, Bytes& out) {
  if (!Expect(node, NodeType::kString)) return false;
  const std::string_view text = node.string();
  if (text.size() % 2 != 0)
    return Fail(node, Rule::kJson012, "the number of hexadecimal digits is odd");
  uint8_t* const bytes = arena_->Allocate(text.size() / 2);
  if (bytes == nullptr) return FailMemory(node);
  if (!DecodeHex(text, bytes))
    return Fail(node, Rule::kJson012, "the string is not hexadecimal digits");
  out = {bytes, text.size() / 2};
  return true;
}

bool Values::Expect(const Node& node, NodeType type) {
  if (node.type == type) return true;
  return Fail(node, Rule::kJson008, "the value has the wrong type",
              std::string(Describe(node.type)), std::string(Describe(type)));
}

bool Values::ExpectCount(const Node& array, uint32_t count) {
  if (!Expect(array, NodeType::kArray)) return false;
  if (array.size == count) return true;
  return Fail(array, Rule::kJson016, "the array has the wrong number of elements",
              fmt::to_string(array.size), fmt::to_string(count));
}

bool Values::Fail(const Node& node, Rule rule, std::string message, std::string actual,
                  std::string expected) {
  const bool is_over = !findings_.empty() && findings_.back().rule == Rule::kJson014;
  if (is_over || findings_.size() >= kMaxErrors) return false;
  if (!actual.empty()) message += fmt::format(": expected {}, found {}", expected, actual);
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.offset = node.position;
  finding.path = tape_->PointerTo(node);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  const bool is_known = std::ranges::any_of(findings_, [&](const Diagnostic& other) {
    return other.path == finding.path && other.message == finding.message;
  });
  if (!is_known) findings_.push_back(std::move(finding));
  return false;
}

bool Values::FailName(const Node& node, std::string_view word, std::string_view table,
                      const std::vector<std::string_view>& names, std::string_view hint) {
  std::string clause = NearMissClause(word, names);
  const size_t prefix = word.find('_');
  if (clause.empty() && word.starts_with("D3D") && prefix != std::string_view::npos)
    clause = NearMissClause(word.substr(prefix + 1), names);
  if (clause.empty() && names.size() <= kMaxListed)
    clause = fmt::format("; there are {}", fmt::join(names, ", "));
  if (clause.empty()) clause = hint;
  return Fail(node, Rule::kJson011,
              fmt::format("\"{}\" is not a name of {}{}", Shortened(word), table, clause));
}

bool Values::FailMemory(const Node& node) {
  return Fail(node, Rule::kJson014, "the event needs more memory than --max-memory allows");
}

bool Values::HexNumber(const Node& node, uint64_t max, uint64_t& out) {
  const std::string_view text = node.string();
  if (!IsHexNumber(text)) {
    return Fail(node, Rule::kJson008, "the value has the wrong type", Show(node),
                "a number or \"0x...\"");
  }
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data() + 2, end, out, 16);
  if (result.ec == std::errc::invalid_argument || result.ptr != end) {
    return Fail(node, Rule::kJson008, "the value has the wrong type", Show(node),
                "a number or \"0x...\"");
  }
  if (result.ec == std::errc() && out <= max) return true;
  return Fail(node, Rule::kJson009, "the number is out of range", Show(node),
              fmt::format("0 to {}", max));
}

bool Values::SideFile(const Node& node, Bytes& out) {
  ObjectReader object(*this, tape_->nodes()[tape_->IndexOf(node)]);
  const Node* const file = object.Require("file");
  std::vector<uint8_t> content;
  if (file == nullptr || !object.Finish() || !FileBytes(*file, content)) return false;
  uint8_t* const bytes = arena_->Allocate(content.size());
  if (bytes == nullptr) return FailMemory(node);
  if (!content.empty()) std::memcpy(bytes, content.data(), content.size());
  out = {bytes, content.size()};
  return true;
}

bool Values::FileBytes(const Node& path, std::vector<uint8_t>& out) {
  std::string_view name;
  if (!String(path, name)) return false;
  Result<std::vector<uint8_t>> content = ReadSideFile(options_->folder, name, options_->max_memory);
  if (!content.ok()) return Fail(path, Rule::kJson013, content.status().diagnostic().message);
  out = std::move(*content);
  return true;
}

bool Values::Has(const Node& object, std::string_view key) const {
  const std::vector<Node>& nodes = tape_->nodes();
  for (uint32_t at = tape_->IndexOf(object) + 1; at < object.next; at = nodes[at].next) {
    if (nodes[at].key_view() == key) return true;
  }
  return false;
}

std::string Values::Show(const Node& node) {
  switch (node.type) {
    case NodeType::kUnsigned:
      return fmt::to_string(node.number);
    case NodeType::kNegative:
      return fmt::to_string(static_cast<int64_t>(node.number));
    case NodeType::kString: {
      const std::string_view text = node.string();
      return fmt::format("\"{}\"", Shortened(text));
    }
    case NodeType::kNull:
    case NodeType::kBool:
    case NodeType::kFloat:
    case NodeType::kArray:
    case NodeType::kObject:
      break;
  }
  return std::string(Describe(node.type));
}

Node* ObjectReader::Find(std::string_view key) {
  if (node_->type != NodeType::kObject) return nullptr;
  if (asked_count_ < kMaxAsked) asked_[asked_count_++] = {key.data(), key.size()};
  std::vector<Node>& nodes = values_->tape().nodes();
  const uint32_t first = values_->tape().IndexOf(*node_) + 1;
  for (const auto& [begin, end] : {std::pair(cursor_, node_->next), std::pair(first, cursor_)}) {
    for (uint32_t i = begin; i < end; i = nodes[i].next) {
      if (nodes[i].used || nodes[i].key_view() != key) continue;
      nodes[i].used = true;
      cursor_ = nodes[i].next;
      return &nodes[i];
    }
  }
  return nullptr;
}

Node* ObjectReader::Require(std::string_view key) {
  Node* const node = Find(key);
  if (node == nullptr && values_->Expect(*node_, NodeType::kObject)) {
    lacks_member_ = true;
    values_->Fail(*node_, Rule::kJson007, fmt::format("the key \"{}\" is missing", key));
  }
  return node;
}

bool ObjectReader::Finish() {
  if (!values_->Expect(*node_, NodeType::kObject) || lacks_member_) return false;
  bool ok = true;
  std::vector<Node>& nodes = values_->tape().nodes();
  const uint32_t first = values_->tape().IndexOf(*node_) + 1;
  for (uint32_t i = first; i < node_->next; i = nodes[i].next) {
    if (nodes[i].used) continue;
    uint32_t same = first;
    while (same < i && nodes[same].key_view() != nodes[i].key_view())
      same = nodes[same].next;
    ok = false;
    if (same == i) {
      FailUnknown(nodes[i]);
      continue;
    }
    const std::string key = Shortened(nodes[i].key_view());
    values_->Fail(nodes[i], Rule::kJson005,
                  fmt::format("the object has the key \"{}\" twice", key));
  }
  return ok;
}

void ObjectReader::FailUnknown(const Node& member) {
  std::vector<std::string_view> names;
  for (const Key& key : std::span(asked_, asked_count_))
    names.emplace_back(key.data, key.size);
  std::string clause = NearMissClause(member.key_view(), names);
  if (clause.empty() && !names.empty() && names.size() <= kMaxListed)
    clause = fmt::format("; known are {}", fmt::join(names, ", "));
  values_->Fail(
      member, Rule::kJson006,
      fmt::format("the key \"{}\" is unknown here{}", Shortened(member.key_view()), clause));
}

}  // namespace dp2trace::json
