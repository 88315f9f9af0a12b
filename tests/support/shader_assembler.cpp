#include "support/shader_assembler.h"

#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "d3d/enums.h"
#include "shader/program.h"

namespace dp2trace::testing {
namespace {

using shader::InstructionInfo;
using shader::Op;
using shader::RegisterType;

constexpr uint32_t kParameter = 0x80000000;
constexpr uint32_t kRelative = 1U << 13;

std::string Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::vector<std::string> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (const char c : text) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (depth == 0 && separators.find(c) != std::string_view::npos) {
      parts.push_back(Trim(part));
      part.clear();
    } else {
      part += c;
    }
  }
  parts.push_back(Trim(part));
  return parts;
}

uint32_t TypeBits(uint32_t type) {
  return (type & 7) << 28 | (type & 0x18) << 8;
}

struct Prefix {
  std::string_view name;
  uint32_t type;
  uint32_t number;
  bool is_whole;  // no number follows
};
constexpr Prefix kPrefixes[] = {
    {"oPos", 4, 0, true},  {"oFog", 4, 1, true},   {"oPts", 4, 2, true}, {"oDepth", 9, 0, true},
    {"vPos", 17, 0, true}, {"vFace", 17, 1, true}, {"aL", 15, 0, true},  {"oC", 8, 0, false},
    {"oD", 5, 0, false},   {"oT", 6, 0, false},    {"o", 6, 0, false},   {"r", 0, 0, false},
    {"v", 1, 0, false},    {"c", 2, 0, false},     {"a", 3, 0, false},   {"t", 3, 0, false},
    {"i", 7, 0, false},    {"s", 10, 0, false},    {"b", 14, 0, false},  {"l", 18, 0, false},
    {"p", 19, 0, false},
};

uint32_t Component(char c) {
  constexpr std::string_view kNames = "xyzwrgba";
  const size_t at = kNames.find(c);
  return at == std::string_view::npos ? 0 : static_cast<uint32_t>(at) & 3;
}

uint32_t SwizzleBits(std::string_view names) {
  uint32_t bits = 0;
  for (size_t i = 0; i < 4; ++i) {
    const char name = names.empty() ? "xyzw"[i] : names[std::min(i, names.size() - 1)];
    bits |= Component(name) << (16 + 2 * i);
  }
  return bits;
}

uint32_t MaskBits(std::string_view names) {
  uint32_t mask = names.empty() ? 0xFU : 0;
  for (const char name : names)
    mask |= 1U << Component(name);
  return mask << 16;
}

// "c[a0.x + 4]_bx2.xyz" in parts.
struct Operand {
  uint32_t register_bits = 0;
  uint32_t modifier = 0;
  std::string components;
  std::optional<uint32_t> address;  // token
};

uint32_t ModifierNumber(std::string_view suffix, std::string_view sign) {
  const bool negates = sign == "-";
  if (sign == "!") return 13;
  if (sign == "1-") return 6;
  if (suffix == "bias") return negates ? 3 : 2;
  if (suffix == "bx2") return negates ? 5 : 4;
  if (suffix == "x2") return negates ? 8 : 7;
  if (suffix == "dz") return 9;
  if (suffix == "dw") return 10;
  if (suffix == "abs") return negates ? 12 : 11;
  return negates ? 1 : 0;
}

Operand ParseOperand(std::string text) {
  Operand operand;
  std::string sign;
  for (const std::string_view candidate : {"1-", "-", "!"}) {
    if (!text.starts_with(candidate)) continue;
    sign = candidate;
    text.erase(0, candidate.size());
    break;
  }
  std::string index;
  if (const size_t open = text.find('['); open != std::string::npos) {
    const size_t close = text.find(']', open);
    index = text.substr(open + 1, close - open - 1);
    text.erase(open, close - open + 1);
  }
  if (const size_t dot = text.find('.'); dot != std::string::npos) {
    operand.components = text.substr(dot + 1);
    text.erase(dot);
  }
  std::string suffix;
  if (const size_t bar = text.find('_'); bar != std::string::npos) {
    suffix = text.substr(bar + 1);
    text.erase(bar);
  }
  operand.modifier = ModifierNumber(suffix, sign);
  for (const Prefix& prefix : kPrefixes) {
    if (!text.starts_with(prefix.name)) continue;
    const std::string digits = text.substr(prefix.name.size());
    if (prefix.is_whole && !digits.empty()) continue;
    uint32_t number = prefix.number;
    if (!prefix.is_whole) number = static_cast<uint32_t>(std::strtoul(digits.c_str(), nullptr, 10));
    operand.register_bits = TypeBits(prefix.type) | number;
    break;
  }
  if (!index.empty()) {
    const std::vector<std::string> parts = Split(index, "+");
    const Operand address = ParseOperand(parts[0]);
    operand.address = kParameter | address.register_bits |
                      SwizzleBits(address.components.empty() ? "x" : address.components);
    if (parts.size() > 1)
      operand.register_bits += static_cast<uint32_t>(std::strtoul(parts[1].c_str(), nullptr, 10));
    operand.register_bits |= kRelative;
  }
  return operand;
}

class LineAssembler {
 public:
  LineAssembler(shader::Version version, std::vector<uint32_t>& out)
      : version_(version), out_(&out) {}

  void Assemble(std::string line) {
    if (line.starts_with("+")) {
      token_ |= 1U << 30;
      line = Trim(line.substr(1));
    }
    if (line.starts_with("(")) {
      const size_t close = line.find(')');
      predicate_ = ParseOperand(line.substr(1, close - 1));
      token_ |= 1U << 28;
      line = Trim(line.substr(close + 1));
    }
    const size_t space = line.find(' ');
    ParseName(line.substr(0, space));
    const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
    const std::vector<std::string> operands =
        rest.empty() ? std::vector<std::string>{} : Split(rest, ",");
    if (info_ == nullptr) return;
    EmitOperands(operands);
    if (version_.major >= 2) token_ |= static_cast<uint32_t>(words_.size()) << 24;
    out_->push_back(token_ | static_cast<uint32_t>(info_->op));
    out_->insert(out_->end(), words_.begin(), words_.end());
  }

 private:
  void ParseName(const std::string& text) {
    std::vector<std::string> parts = Split(text, "_");
    std::string name = parts[0];
    if (name == "texldp") name = "texld", token_ |= 1U << 16;
    if (name == "texldb") name = "texld", token_ |= 2U << 16;
    std::optional<Op> op;
    if (name == "breakp") op = Op::BreakP;
    if (name == "if") op = Op::If;
    if (name == "break") op = Op::Break;
    for (size_t i = 1; i < parts.size(); ++i)
      ParseSuffix(parts[i], op);
    if (op) {
      info_ = shader::FindInstruction(static_cast<uint32_t>(*op), version_);
      return;
    }
    for (const InstructionInfo& row : shader::AllInstructions()) {
      if (row.name != name) continue;
      if (info_ == nullptr || row.IsIn(version_)) info_ = &row;
    }
  }

  void ParseSuffix(const std::string& suffix, std::optional<Op>& op) {
    constexpr std::array<std::string_view, 7> kComparisons = {"",   "gt", "eq", "ge",
                                                              "lt", "ne", "le"};
    constexpr std::array<std::string_view, 16> kShifts = {
        "", "x2", "x4", "x8", "", "", "", "", "", "", "", "", "", "d8", "d4", "d2"};
    for (uint32_t i = 0; i < kComparisons.size(); ++i) {
      if (suffix.empty() || suffix != kComparisons[i]) continue;
      token_ |= i << 16;
      if (op == Op::If) op = Op::IfC;
      if (op == Op::Break) op = Op::BreakC;
      return;
    }
    for (uint32_t i = 0; i < kShifts.size(); ++i) {
      if (!suffix.empty() && suffix == kShifts[i]) result_ |= i << 24;
    }
    if (suffix == "sat") result_ |= 1U << 20;
    if (suffix == "pp") result_ |= 1U << 21;
    if (suffix == "centroid") result_ |= 1U << 22;
    if (suffix == "2d") usage_ = 2U << 27;
    if (suffix == "cube") usage_ = 3U << 27;
    if (suffix == "volume") usage_ = 4U << 27;
    ParseUsage(suffix);
  }

  void ParseUsage(const std::string& suffix) {
    std::string name = suffix;
    uint32_t index = 0;
    if (const size_t digit = name.find_first_of("0123456789");
        digit != std::string::npos && digit > 0) {
      index = static_cast<uint32_t>(std::strtoul(name.c_str() + digit, nullptr, 10));
      name.erase(digit);
    }
    for (char& c : name)
      c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    const EnumValue* usage = FindValue(d3d::kDeclUsageNames, name);
    if (usage != nullptr) usage_ = usage->value | index << 16;
  }

  void EmitDestination(const std::string& text) {
    const Operand operand = ParseOperand(text);
    words_.push_back(kParameter | operand.register_bits | MaskBits(operand.components) | result_);
    if (operand.address) words_.push_back(*operand.address);
    if (predicate_) EmitSource(*predicate_);
  }

  void EmitSource(const Operand& operand) {
    words_.push_back(kParameter | operand.register_bits | SwizzleBits(operand.components) |
                     operand.modifier << 24);
    if (operand.address && version_.major >= 2) words_.push_back(*operand.address);
  }

  void EmitOperands(const std::vector<std::string>& operands) {
    size_t at = 0;
    const auto next = [&] { return at < operands.size() ? operands[at++] : std::string("r0"); };
    for (const char letter : info_->operands) {
      switch (letter) {
        case 'u':
          words_.push_back(kParameter | usage_);
          [[fallthrough]];
        case 'd':
        case 'a':
        case 'p':
        case 'k':
          EmitDestination(next());
          break;
        case 'f':
          for (int i = 0; i < 4; ++i)
            words_.push_back(std::bit_cast<uint32_t>(std::strtof(next().c_str(), nullptr)));
          break;
        case 'n':
          for (int i = 0; i < 4; ++i)
            words_.push_back(static_cast<uint32_t>(std::strtol(next().c_str(), nullptr, 10)));
          break;
        case 'o':
          words_.push_back(next() == "true" ? 1 : 0);
          break;
        default:
          EmitSource(ParseOperand(next()));
          break;
      }
    }
  }

  shader::Version version_;
  std::vector<uint32_t>* out_;
  const InstructionInfo* info_ = nullptr;
  uint32_t token_ = 0;   // instruction
  uint32_t result_ = 0;  // destination modifiers
  uint32_t usage_ = 0;
  std::optional<Operand> predicate_;
  std::vector<uint32_t> words_;
};

uint32_t VersionToken(const std::string& name) {
  const std::vector<std::string> parts = Split(name, "_");
  uint32_t token = parts[0] == "ps" ? 0xFFFF0000 : 0xFFFE0000;
  token |= static_cast<uint32_t>(std::strtoul(parts[1].c_str(), nullptr, 10)) << 8;
  if (parts.size() < 3) return token;
  if (parts[2] == "sw") return token | 0xFF;
  return token |
         (parts[2] == "x" ? 1 : static_cast<uint32_t>(std::strtoul(parts[2].c_str(), nullptr, 10)));
}

}  // namespace

std::vector<uint32_t> AssembleWords(std::string_view text) {
  std::vector<uint32_t> words;
  shader::Version version;
  for (const std::string& line : Split(text, ";\n")) {
    if (line.empty()) continue;
    if (words.empty()) {
      words.push_back(VersionToken(line));
      shader::ReadVersion(words[0], version);
    } else {
      LineAssembler(version, words).Assemble(line);
    }
  }
  words.push_back(0x0000FFFF);
  return words;
}

std::vector<uint8_t> BytesOf(const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes(words.size() * sizeof(uint32_t));
  if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::vector<uint8_t> AssembleShader(std::string_view text) {
  return BytesOf(AssembleWords(text));
}

}  // namespace dp2trace::testing
