#include "expectation.h"

#include <cstdlib>
#include <optional>
#include <sstream>

namespace dp2trace::testing {
namespace {

std::optional<PictureKind> KindOf(std::string_view word) {
  if (word == "frame") return PictureKind::kFrame;
  if (word == "read") return PictureKind::kRead;
  if (word == "stencil") return PictureKind::kStencil;
  return std::nullopt;
}

// "rrggbb" or "aarrggbb".
bool ParseColor(const std::string& digits, Expectation& out) {
  char* end = nullptr;
  const auto value = static_cast<uint32_t>(std::strtoul(digits.c_str(), &end, 16));
  if (*end != '\0' || (digits.size() != 6 && digits.size() != 8)) return false;
  out.has_alpha = digits.size() == 8;
  out.rgba = {static_cast<uint8_t>(value >> 16), static_cast<uint8_t>(value >> 8),
              static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 24)};
  return true;
}

std::optional<Expectation> ParseLine(const std::string& line) {
  std::istringstream words(line);
  std::string kind;
  std::string color;
  std::string rest;
  Expectation out;
  out.line = line;
  words >> kind >> out.picture.second >> out.x >> out.y >> color >> out.tolerance;
  const auto picture_kind = KindOf(kind);
  if (words.fail() || (words >> rest) || !picture_kind || !ParseColor(color, out))
    return std::nullopt;
  out.picture.first = *picture_kind;
  return out;
}

}  // namespace

bool Matches(const Expectation& expectation, const std::array<uint8_t, 4>& rgba) {
  const size_t channels = expectation.has_alpha ? 4 : 3;
  for (size_t i = 0; i < channels; ++i) {
    if (std::abs(int{rgba[i]} - int{expectation.rgba[i]}) > expectation.tolerance) return false;
  }
  return true;
}

Expected ParseExpected(std::string_view text) {
  Expected expected;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) {
      if (expected.fact.empty()) expected.fact = line.substr(line.find_first_not_of("# "));
    } else if (auto expectation = ParseLine(line)) {
      expected.expectations.push_back(std::move(*expectation));
    } else {
      expected.bad_lines.push_back(line);
    }
  }
  return expected;
}

}  // namespace dp2trace::testing
