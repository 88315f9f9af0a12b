#include "live/picture_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace dp2trace::live {
namespace {

struct KindRow {
  std::string_view name;
  size_t numbers;
};
// In the order of PicturePlace::Kind.
constexpr std::array<KindRow, 4> kKinds = {
    {{"frame", 1}, {"draw", 2}, {"read", 1}, {"surface", 4}}};

// Takes what stands in front of the next slash, or all.
std::string_view TakePart(std::string_view& text) {
  const size_t end = std::min(text.find('/'), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

}  // namespace

std::optional<std::vector<uint64_t>> NumbersOf(std::string_view text) {
  std::vector<uint64_t> numbers;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data();; ++at) {
    uint64_t& number = numbers.emplace_back();
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return std::nullopt;
    if (rest == end) return numbers;
    if (*rest != '-') return std::nullopt;
    at = rest;
  }
}

std::optional<PicturePlace> ParsePlace(std::string_view text) {
  const std::string_view name = TakePart(text);
  const auto row = std::ranges::find(kKinds, name, &KindRow::name);
  const auto numbers = NumbersOf(TakePart(text));
  if (row == kKinds.end() || !numbers || numbers->size() != row->numbers) return std::nullopt;
  PicturePlace place = {.kind = static_cast<PicturePlace::Kind>(row - kKinds.begin())};
  (place.kind == PicturePlace::Kind::kRead ? place.number : place.frame) = numbers->front();
  if (place.kind == PicturePlace::Kind::kDraw) place.number = numbers->back();
  if (place.kind == PicturePlace::Kind::kSurface) {
    if (std::any_of(numbers->begin() + 1, numbers->end(),
                    [](uint64_t n) { return n > UINT32_MAX; }))
      return std::nullopt;
    place.surface = static_cast<uint32_t>((*numbers)[1]);
    place.face = static_cast<uint32_t>((*numbers)[2]);
    place.level = static_cast<uint32_t>((*numbers)[3]);
  }
  if (text.empty()) return place;
  const auto tolerance = NumbersOf(text);
  if (!tolerance || tolerance->size() != 1 || tolerance->front() > UINT8_MAX) return std::nullopt;
  place.tolerance = static_cast<uint8_t>(tolerance->front());
  return place;
}

std::string TextOf(const PicturePlace& place) {
  const uint64_t number = place.kind == PicturePlace::Kind::kFrame     ? place.frame
                          : place.kind == PicturePlace::Kind::kSurface ? place.surface
                                                                       : place.number;
  return fmt::format("{} {}", kKinds[static_cast<size_t>(place.kind)].name, number);
}

}  // namespace dp2trace::live
