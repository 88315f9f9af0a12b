#include "import/hex/c_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

#include "import/hex/comments.h"
#include "import/hex/log_text.h"

namespace dp2trace::import {
namespace {

struct CType {
  std::string_view name;
  size_t size = 0;
};

// A type of several words has the size of the first row that names one of them. The size of "long" depends on the compiler.
constexpr CType kCTypes[] = {
    {"long", 0},     {"char", 1},      {"BYTE", 1},  {"UCHAR", 1},    {"CHAR", 1},
    {"uint8_t", 1},  {"int8_t", 1},    {"u8", 1},    {"short", 2},    {"WORD", 2},
    {"USHORT", 2},   {"SHORT", 2},     {"u16", 2},   {"uint16_t", 2}, {"int16_t", 2},
    {"DWORD", 4},    {"ULONG", 4},     {"UINT", 4},  {"INT", 4},      {"u32", 4},
    {"uint32_t", 4}, {"int32_t", 4},   {"int", 4},   {"unsigned", 4}, {"D3DCOLOR", 4},
    {"uint64_t", 8}, {"ULONGLONG", 8}, {"QWORD", 8}, {"u64", 8},
};

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool HasName(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !IsNameCharacter(text[at - 1])) &&
        (end == text.size() || !IsNameCharacter(text[end])))
      return true;
  }
  return false;
}

// 0: not known. Of pointers and of types that are not in the table.
size_t SizeOfDeclared(std::string_view declaration) {
  if (declaration.find('*') != std::string_view::npos) return 0;
  const auto* const type = std::ranges::find_if(
      kCTypes, [&](const CType& row) { return HasName(declaration, row.name); });
  return type == std::end(kCTypes) ? 0 : type->size;
}

}  // namespace

bool CArray::Begins(std::string_view line) {
  const size_t open = line.find('{');
  if (open == std::string_view::npos) return false;
  bool is_in_comment = false;
  const std::string rest = WithoutCComments(line.substr(open + 1), is_in_comment);
  const std::string_view numbers = SkipBlanks(rest);
  return numbers.empty() || numbers.front() == '{' || numbers.front() == '\r' ||
         std::isdigit(static_cast<unsigned char>(numbers.front())) != 0;
}

std::string CArray::AppendNumber(std::string_view word, std::string& numbers) {
  if (word == "=" || word == fmt::format("[{}]", count_)) return {};  // [0] = 0x12
  std::string_view digits = word;
  while (!digits.empty() && (digits.back() == 'u' || digits.back() == 'U' || digits.back() == 'L'))
    digits.remove_suffix(1);
  const bool is_hex = digits.starts_with("0x") || digits.starts_with("0X");
  if (is_hex) digits.remove_prefix(2);
  uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value, is_hex ? 16 : 10);
  if (digits.empty() || parsed.ec != std::errc() || parsed.ptr != end)
    return fmt::format("has \"{}\" between braces, which is not a number", word);
  if (!is_hex && digits.size() > 1 && digits.front() == '0')
    return fmt::format("has \"{}\" between braces, an octal number: write 0x in front", word);
  if (!is_hex && size_ == 0) {
    return fmt::format(
        "has \"{}\" between braces, a decimal number, and no type such as BYTE or DWORD in front of "
        "them says how many bytes it has",
        word);
  }
  if (size_ != 0 && size_ < sizeof value && value >> 8 * size_ != 0)
    return fmt::format("has \"{}\", which is more than the type holds", word);
  ++count_;
  if (!numbers.empty()) numbers += ", ";
  numbers += size_ == 0 ? fmt::format("0x{}", digits) : fmt::format("0x{:0{}x}", value, 2 * size_);
  return {};
}

std::string CArray::Read(std::string_view line, std::string& numbers) {
  const std::string whole = WithoutCComments(line, is_in_comment_);
  std::string_view text = whole;
  if (const size_t open = text.find('{'); open != std::string_view::npos) {
    if (depth_ == 0) {
      count_ = 0;
      size_ = SizeOfDeclared(text.substr(0, open));
      if (text.starts_with('$'))
        return "does not say how wide its numbers are: dump with x/xb or x/xw";
    }
    text.remove_prefix(open);
  }
  while (!text.empty()) {
    const size_t size = std::min(text.find_first_of(" \t\r,{}"), text.size());
    if (size != 0) {
      if (depth_ == 0) {
        if (text.find_first_not_of(" \t\r,;)") == std::string_view::npos) return {};
        return fmt::format("has \"{}\" after its braces", text);
      }
      const std::string wrong = AppendNumber(text.substr(0, size), numbers);
      if (!wrong.empty()) return wrong;
      text.remove_prefix(size);
      continue;
    }
    if (text.front() == '{') ++depth_;
    if (text.front() == '}' && depth_ > 0) --depth_;
    text.remove_prefix(1);
  }
  return {};
}

}  // namespace dp2trace::import
