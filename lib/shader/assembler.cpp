#include "shader/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "base/float_text.h"
#include "base/near_miss.h"
#include "base/plain_text.h"
#include "rules/rule.h"
#include "shader/disassembler.h"
#include "shader/encoder.h"
#include "shader/spelling.h"
#include "shader/token_bits.h"

namespace dp2trace::shader {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";
constexpr uint32_t kConstantBanks = 4;  // of kConst; others have one

// The operands of a letter, and of a row, in the text.
size_t TextOperands(char letter) {
  return letter == 'f' || letter == 'n' ? 4 : 1;
}
size_t TextOperands(std::string_view letters) {
  size_t count = 0;
  for (const char letter : letters)
    count += TextOperands(letter);
  return count;
}

bool HasDestination(std::string_view letters) {
  return letters.find_first_of("dapku") != std::string_view::npos;
}

// A row of the table and the control field that its name stands for.
struct NamedRow {
  const InstructionInfo* info = nullptr;
  uint8_t control = 0;
  size_t length = 0;  // of the name in the text
};

class LineReader {
 public:
  // `column` of the text that the line is of, from 0.
  LineReader(Version version, std::string_view line, size_t column)
      : version_(version), line_(line), column_(column) {}

  Result<Instruction> Read() {
    if (!ReadAll()) return Failure(Rule::kJson006, std::move(error_));
    return std::move(result_);
  }

 private:
  bool ReadAll() {
    SkipBlanks();
    if (Take("(")) {
      result_.is_predicated = true;
      if (!ReadSource(result_.predicate)) return false;
      if (!Take(")")) return Fail("')'");
      if (version_.major < 2)
        return FailAt(0, fmt::format("{} has no predicates", VersionName(version_)));
      SkipBlanks();
    }
    if (Take("+")) result_.is_coissued = true;
    SkipBlanks();
    return ReadName() && ReadOperands();
  }

  // --- Text

  std::string_view rest() const { return line_.substr(at_); }
  void SkipBlanks() { at_ = std::min(line_.find_first_not_of(" \t\r", at_), line_.size()); }
  bool Take(std::string_view text) {
    if (!rest().starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  std::string_view TakeAllOf(std::string_view characters) {
    const size_t end = std::min(line_.find_first_not_of(characters, at_), line_.size());
    const std::string_view taken = line_.substr(at_, end - at_);
    at_ = end;
    return taken;
  }
  // What stands here, up to the next blank or comma.
  std::string Found(size_t at) const {
    const size_t end = std::min(line_.find_first_of(" \t\r,", at + 1), line_.size());
    return at >= line_.size() ? "the end of the line"
                              : fmt::format("'{}'", PlainStart(line_.substr(at, end - at)));
  }
  bool FailAt(size_t at, std::string message) {
    error_ = fmt::format("column {}: {}", column_ + at + 1, message);
    return false;
  }
  bool ExpectAt(size_t at, std::string_view expected) {
    return FailAt(at, fmt::format("{}, expected {}", Found(at), expected));
  }
  bool Fail(std::string_view expected) { return ExpectAt(at_, expected); }

  // --- The name and what hangs on it

  // Rows whose name stands here, with all that their control field adds; of several the longest.
  std::vector<NamedRow> RowsAt(std::string_view name) const {
    std::vector<NamedRow> rows;
    size_t longest = 0;
    for (const InstructionInfo& info : AllInstructions()) {
      if (FindInstruction(static_cast<uint32_t>(info.op), version_) != &info) continue;
      for (uint8_t control = 0; control < 8; ++control) {
        const std::string text =
            std::string(info.name) + std::string(ControlSuffix(version_, info.op, control));
        const bool is_here =
            name.starts_with(text) && (name.size() == text.size() || name[text.size()] == '_');
        const bool is_same =
            !rows.empty() && rows.back().info == &info && rows.back().length == text.size();
        if (!is_here || is_same || text.size() < longest) continue;
        if (text.size() > longest) rows.clear();
        longest = text.size();
        rows.push_back({&info, control, longest});
      }
    }
    return rows;
  }

  size_t CountOperands(size_t from) const {
    const std::string_view text = line_.substr(from);
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return 0;
    return 1 + static_cast<size_t>(std::ranges::count(text, ','));
  }

  bool FailName(size_t start, std::string_view name) {
    std::vector<std::string_view> names;
    for (const InstructionInfo& info : AllInstructions()) {
      if (info.IsIn(version_)) names.push_back(info.name);
    }
    if (name.empty()) return ExpectAt(start, "the name of an instruction");
    return FailAt(start, fmt::format("'{}' is not an instruction of {}{}", PlainStart(name),
                                     VersionName(version_), NearMissClause(name, names)));
  }

  bool ReadName() {
    const size_t start = at_;
    const std::string_view name =
        line_.substr(start, std::min(line_.find_first_of(" \t\r,", start), line_.size()) - start);
    std::vector<NamedRow> rows = RowsAt(name);
    if (rows.empty()) return FailName(start, name);
    const size_t count = CountOperands(start + name.size());
    const auto fits = [count](const NamedRow& row) {
      return TextOperands(row.info->operands) == count;
    };
    const auto row = std::ranges::find_if(rows, fits);
    if (row == rows.end()) {
      std::string expected;
      for (const NamedRow& one : rows)
        expected +=
            fmt::format("{}{}", expected.empty() ? "" : " or ", TextOperands(one.info->operands));
      return FailAt(start, fmt::format("{} has {}, expected {}", PlainStart(name),
                                       Counted(count, "operand"), expected));
    }
    result_.info = row->info;
    result_.control = row->control;
    at_ = start + row->length;
    result_.has_destination = HasDestination(row->info->operands);
    return ReadSuffixes();
  }

  bool ReadSuffixes() {
    const Op op = result_.op();
    suffix_at_ = at_;
    if (op == Op::Dcl) ReadDeclared();
    const bool may_have =
        result_.has_destination && op != Op::Def && op != Op::DefI && op != Op::DefB;
    while (at_ < line_.size() && line_[at_] == '_') {
      if (!may_have || !ReadResultSuffix()) {
        return ExpectAt(at_, may_have ? "_sat, _pp, _centroid, _x2, _x4, _x8, _d2, _d4 or _d8"
                                      : "no modifier here");
      }
    }
    return true;
  }

  // The suffix stands here and is followed by another one or the operands.
  bool TakeSuffix(std::string_view suffix) {
    if (suffix.empty() || !rest().starts_with(suffix)) return false;
    const size_t end = at_ + suffix.size();
    if (end < line_.size() && std::string_view("_ \t\r").find(line_[end]) == std::string_view::npos)
      return false;
    at_ = end;
    return true;
  }

  bool ReadResultSuffix() {
    Destination& destination = result_.destination;
    for (const ResultFlag& row : kResultFlags) {
      if (!TakeSuffix(row.suffix)) continue;
      destination.*row.flag = true;
      return true;
    }
    for (int shift = kMinShift; shift <= kMaxShift; ++shift) {
      if (!TakeSuffix(ShiftSuffix(shift))) continue;
      destination.shift = static_cast<int8_t>(shift);
      return true;
    }
    return false;
  }

  // "_2d" or "_texcoord1" of a declaration.
  void ReadDeclared() {
    for (uint32_t type = 0; type < kSamplerSuffixes.size() && !has_type_; ++type) {
      if (!TakeSuffix(kSamplerSuffixes[type])) continue;
      result_.literals[2] = type;
      has_type_ = true;
    }
    for (uint32_t i = 0; i < kUsageCount * kUsageIndexCount && !has_type_ && !has_usage_; ++i) {
      const uint32_t usage = i / kUsageIndexCount, index = i % kUsageIndexCount;
      if (!TakeSuffix("_" + UsageName(usage, index))) continue;
      result_.literals[0] = usage;
      result_.literals[1] = index;
      has_usage_ = true;
    }
  }

  // What a declaration says of its register is known once the register is.
  bool CheckDeclared() {
    const RegisterType type = result_.destination.type;
    const std::string version = VersionName(version_);
    if (type == RegisterType::kSampler && has_usage_)
      return FailAt(suffix_at_, "a sampler has a texture type, expected _2d, _cube or _volume");
    if (type != RegisterType::kSampler && has_type_)
      return FailAt(suffix_at_, "only a sampler has a texture type");
    if (HasUsage(version_, type) && !has_usage_) {
      std::string names;
      for (uint32_t usage = 0; usage < kUsageCount; ++usage) {
        const std::string name = UsageName(usage, 0);
        if (name.back() != '_') names += (names.empty() ? "_" : ", _") + name;
      }
      return ExpectAt(suffix_at_, "a usage: " + names);
    }
    if (!HasUsage(version_, type) && has_usage_)
      return ExpectAt(suffix_at_, fmt::format("no usage: this register of {} has none", version));
    return true;
  }

  // --- Operands

  bool ReadOperands() {
    bool is_first = true;
    size_t literal = 0;
    for (const char letter : result_.info->operands) {
      for (size_t i = 0; i < TextOperands(letter); ++i) {
        SkipBlanks();
        if (!std::exchange(is_first, false) && !Take(",")) return Fail("','");
        SkipBlanks();
        if (!ReadOperand(letter, literal)) return false;
      }
    }
    SkipBlanks();
    return at_ == line_.size() || Fail("the end of the line");
  }

  bool ReadOperand(char letter, size_t& literal) {
    switch (letter) {
      case 'd':
      case 'a':
      case 'p':
      case 'k':
      case 'u':
        return ReadDestination(result_.destination) && (letter != 'u' || CheckDeclared());
      case 'f':
        return ReadFloat(result_.literals[literal++]);
      case 'n':
        return ReadInteger(result_.literals[literal++]);
      case 'o':
        return ReadTruth(result_.literals[literal++]);
      default:
        return ReadSource(result_.sources[result_.source_count++]);
    }
  }

  bool ReadFloat(uint32_t& word) {
    const size_t start = at_;
    const std::string text(TakeAllOf("+-.0123456789eEinfa"));
    const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
    const uint32_t sign = digits.size() == text.size() ? 0 : 1U << 31;
    if (digits == "inf" || digits == "nan") {
      word = sign | (digits == "inf" ? 0x7F800000U : 0x7FC00000U);
      return true;
    }
    const std::optional<float> value = FloatOf(text);
    if (!value) return ExpectAt(start, "a number");
    word = std::bit_cast<uint32_t>(*value);
    return true;
  }

  bool ReadInteger(uint32_t& word) {
    const size_t start = at_;
    const std::string_view text = TakeAllOf("-0123456789");
    int32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      return ExpectAt(start, "a whole number of 32 bits");
    word = static_cast<uint32_t>(value);
    return true;
  }

  bool ReadTruth(uint32_t& word) {
    if (Take("true")) return word = 1, true;
    return Take("false") || Fail("true or false");
  }

  bool FailRegister(size_t start) {
    std::string names;
    for (const RegisterType type : RegisterTypes(version_)) {
      if (RegisterCount(version_, type) == 0) continue;
      names += (names.empty() ? "" : ", ") + RegisterName(version_, type, 0);
    }
    return ExpectAt(start, fmt::format("a register of {}: {}, ...", VersionName(version_), names));
  }

  // "r0", "c[a0.x + 4]": in the members that sources and destinations share.
  template <class Operand>
  bool ReadRegister(Operand& operand) {
    const size_t start = at_;
    const std::string_view letters = TakeAllOf(kLetters);
    if (Take("[")) {
      const std::optional<RegisterType> type = FindArray(version_, letters);
      if (!type) return FailRegister(start);
      operand.type = *type;
      operand.is_relative = true;
      return ReadAddress(operand);
    }
    TakeAllOf(kDigits);
    const auto found = FindRegister(version_, line_.substr(start, at_ - start));
    if (!found) return FailRegister(start);
    operand.type = found->type;
    operand.number = found->number;
    return true;
  }

  template <class Operand>
  bool ReadAddress(Operand& operand) {
    RelativeAddress& relative = operand.relative;
    const size_t start = at_;
    TakeAllOf(kLetters);
    TakeAllOf(kDigits);
    const std::string_view name = line_.substr(start, at_ - start);
    if (version_.major < 2) {
      // No token says which register it is.
      if (name != RegisterName(version_, relative.type, 0) || !Take(".x"))
        return ExpectAt(start, "a0.x");
    } else {
      const auto found = FindRegister(version_, name);
      if (!found) return ExpectAt(start, version_.major < 3 ? "a0" : "a0 or aL");
      relative.type = found->type;
      relative.number = found->number;
      if (relative.type != RegisterType::kLoop) {
        const size_t component = Take(".") && at_ < line_.size() ? kPositionNames.find(line_[at_])
                                                                 : std::string_view::npos;
        if (component == std::string_view::npos) return Fail("a component: .x, .y, .z or .w");
        relative.component = static_cast<uint8_t>(component);
        ++at_;
      }
    }
    SkipBlanks();
    if (Take("+")) {
      SkipBlanks();
      const size_t number_at = at_;
      const std::string_view digits = TakeAllOf(kDigits);
      const uint32_t end =
          kConstantBankSize * (operand.type == RegisterType::kConst ? kConstantBanks : 1);
      const auto [last, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), operand.number);
      if (error != std::errc() || operand.number >= end)
        return ExpectAt(number_at, fmt::format("a number from 0 to {}", end - 1));
      SkipBlanks();
    }
    return Take("]") || Fail("']'");
  }

  // Letters after a dot, all of xyzw or all of rgba.
  std::optional<std::vector<uint8_t>> TakeComponents() {
    const size_t start = at_;
    for (const std::string_view names : {kPositionNames, kColorNames}) {
      at_ = start;
      std::vector<uint8_t> components;
      for (; at_ < line_.size() && names.find(line_[at_]) != std::string_view::npos; ++at_)
        components.push_back(static_cast<uint8_t>(names.find(line_[at_])));
      const bool has_ended =
          at_ == line_.size() || kLetters.find(line_[at_]) == std::string_view::npos;
      if (has_ended && components.size() <= 4 && (!components.empty() || names == kColorNames))
        return components;
    }
    at_ = start;
    return std::nullopt;
  }

  bool ReadDestination(Destination& destination) {
    if (!ReadRegister(destination)) return false;
    if (!Take(".")) return true;
    const size_t start = at_;
    const auto components = TakeComponents();
    if (!components ||
        std::ranges::adjacent_find(*components, std::ranges::greater_equal()) != components->end())
      return ExpectAt(start, "some of x, y, z and w (or r, g, b and a), in this order");
    destination.mask = 0;
    for (const uint8_t component : *components)
      destination.mask = static_cast<uint8_t>(destination.mask | 1U << component);
    return true;
  }

  bool ReadSource(Source& source) {
    const size_t start = at_;
    std::string_view prefix;
    for (const ModifierSpelling& row : kModifiers) {
      if (row.prefix.size() > prefix.size() && rest().starts_with(row.prefix)) prefix = row.prefix;
    }
    Take(prefix);
    if (!ReadRegister(source)) return false;
    const size_t suffix_start = at_;
    const std::string_view suffix = rest().starts_with('_') ? TakeSourceSuffix() : "";
    const auto same = [&](const ModifierSpelling& row) {
      return row.prefix == prefix && row.suffix == suffix;
    };
    const auto modifier = std::ranges::find_if(kModifiers, same);
    if (modifier == kModifiers.end()) {
      if (prefix.empty() || !HasSuffix(suffix))
        return ExpectAt(suffix_start, "_bias, _bx2, _x2, _dz, _dw or _abs");
      return FailAt(start, fmt::format("'{}' and '{}' do not go together", prefix, suffix));
    }
    source.modifier = static_cast<Modifier>(modifier - kModifiers.begin());
    if (!Take(".")) return true;
    const size_t swizzle_at = at_;
    const auto components = TakeComponents();
    if (!components || components->empty())
      return ExpectAt(swizzle_at, "1 to 4 of x, y, z and w (or r, g, b and a)");
    for (size_t i = 0; i < 4; ++i)
      source.swizzle[i] = (*components)[std::min(i, components->size() - 1)];
    return true;
  }

  std::string_view TakeSourceSuffix() {
    const size_t start = at_++;
    TakeAllOf(kLetters);
    TakeAllOf(kDigits);
    return line_.substr(start, at_ - start);
  }

  static bool HasSuffix(std::string_view suffix) {
    return std::ranges::find(kModifiers, suffix, &ModifierSpelling::suffix) != kModifiers.end();
  }

  Version version_;
  std::string_view line_;
  size_t column_;
  size_t at_ = 0;
  size_t suffix_at_ = 0;
  bool has_type_ = false, has_usage_ = false;  // of a declaration
  Instruction result_;
  std::string error_;
};

}  // namespace

Result<Instruction> ReadInstruction(Version version, std::string_view line) {
  return LineReader(version, line, 0).Read();
}

Result<std::vector<uint32_t>> Assemble(Version version, std::string_view text) {
  std::vector<uint32_t> words;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find_first_of(";\n", start), text.size());
    const std::string_view line = text.substr(start, end - start);
    const size_t column = std::exchange(start, end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Result<Instruction> instruction = LineReader(version, line, column).Read();
    if (!instruction.ok()) return instruction.status();
    EncodeInstruction(version, *instruction, words);
  }
  return words;
}

}  // namespace dp2trace::shader
