#include "json/texels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/plain_text.h"
#include "d3d/formats.h"
#include "d3d/notation.h"
#include "image/encoder.h"
#include "image/picture.h"
#include "image/png.h"
#include "rules/rule.h"

namespace dp2trace::json {
namespace {

constexpr std::string_view kTexels = "texels";
constexpr std::string_view kPng = "png";
constexpr size_t kRgbaSize = 4;

// The format of the object's member, or `format`; null after a finding.
const d3d::FormatInfo* ReadFormat(Values& values, ObjectReader& object, const Node& node,
                                  uint32_t format) {
  if (format == 0) format = static_cast<uint32_t>(d3d::Format::A8R8G8B8);
  const Node* const member = object.Find("format");
  if (member != nullptr && !values.Format(*member, format)) return nullptr;
  const d3d::FormatInfo* const info = d3d::FindFormat(static_cast<d3d::Format>(format));
  if (info != nullptr && image::Encoder(*info).can_encode()) return info;
  const Node& place = member != nullptr ? *member : node;
  values.Fail(place, Rule::kJson011,
              fmt::format("texels of {} cannot be written as colours: use base64 or \"file\"",
                          info != nullptr ? info->name : "this format"));
  return nullptr;
}

bool ReadRow(Values& values, const Node& node, std::span<uint8_t> rgba) {
  if (!values.ExpectCount(node, static_cast<uint32_t>(rgba.size() / kRgbaSize))) return false;
  ElementIterator elements(values.tape(), node);
  for (size_t at = 0; at < rgba.size(); at += kRgbaSize) {
    uint32_t argb = 0;
    if (!values.Color(*elements.Next(), argb)) return false;
    std::ranges::copy(d3d::RgbaOf(argb), rgba.begin() + static_cast<ptrdiff_t>(at));
  }
  return true;
}

// The first row says how wide the picture is.
bool ReadRows(Values& values, const Node& node, image::Picture& picture) {
  if (!values.Expect(node, NodeType::kArray)) return false;
  ElementIterator rows(values.tape(), node);
  const Node* const first = rows.Next();
  if (first == nullptr) return values.Fail(node, Rule::kJson016, "there are no rows of texels");
  if (!values.Expect(*first, NodeType::kArray)) return false;
  if (!values.arena().Charge(uint64_t{kRgbaSize} * first->size * node.size))
    return values.FailMemory(node);
  picture = image::Picture(first->size, node.size);
  uint32_t y = 0;
  for (const Node* row = first; row != nullptr; row = rows.Next(), ++y) {
    const size_t size = kRgbaSize * picture.width;
    if (!ReadRow(values, *row, std::span(picture.rgba).subspan(y * size, size))) return false;
  }
  return true;
}

bool ReadPngFile(Values& values, const Node& node, image::Picture& picture) {
  std::vector<uint8_t> bytes;
  if (!values.FileBytes(node, bytes)) return false;
  image::PngLimits limits;
  limits.max_pixels = std::min(limits.max_pixels, values.max_memory() / kRgbaSize);
  Result<image::Picture> decoded = image::DecodePng(bytes, limits);
  if (!decoded.ok()) {
    return values.Fail(
        node, Rule::kJson013,
        fmt::format("\"{}\": {}", Plain(node.string()), decoded.status().diagnostic().message));
  }
  picture = std::move(*decoded);
  return values.arena().Charge(picture.rgba.size()) || values.FailMemory(node);
}

bool Encode(Values& values, const Node& node, const image::Picture& picture,
            const d3d::FormatInfo& format, std::optional<uint32_t>& pitch, Bytes& out) {
  const uint64_t row_size = uint64_t{picture.width} * format.block_size;
  const uint32_t longest = pitch.value_or(UINT32_MAX);
  if (row_size > longest) {
    return values.Fail(node, Rule::kJson009, "a row of texels is longer than the pitch",
                       Counted(row_size, "byte"), fmt::format("{} at most", longest));
  }
  if (!pitch) pitch = static_cast<uint32_t>(row_size);
  const uint64_t size =
      picture.height == 0 ? 0 : uint64_t{*pitch} * (picture.height - 1) + row_size;
  uint8_t* const bytes = values.arena().Allocate(size);
  if (bytes == nullptr) return values.FailMemory(node);
  std::memset(bytes, 0, size);
  const image::Encoder encoder(format);
  for (uint32_t y = 0; y < picture.height; ++y) {
    for (uint32_t x = 0; x < picture.width; ++x) {
      image::Texel texel = {};
      std::ranges::transform(picture.at(x, y), texel.begin(),
                             [](uint8_t value) { return static_cast<float>(value) / 255.0F; });
      encoder.Encode(texel, bytes + uint64_t{*pitch} * y + uint64_t{format.block_size} * x);
    }
  }
  out = {bytes, static_cast<size_t>(size)};
  return true;
}

}  // namespace

bool IsTexels(const Values& values, const Node& node) {
  return node.type == NodeType::kObject && (values.Has(node, kTexels) || values.Has(node, kPng));
}

bool ReadTexels(Values& values, Node& node, uint32_t event_format, std::optional<uint32_t>& pitch,
                Bytes& out) {
  ObjectReader object(values, node);
  const Node* const rows = object.Find(kTexels);
  const Node* const png = rows == nullptr ? object.Find(kPng) : nullptr;
  const d3d::FormatInfo* const format = ReadFormat(values, object, node, event_format);
  if (format == nullptr || !object.Finish()) return false;
  image::Picture picture;
  if (rows != nullptr ? !ReadRows(values, *rows, picture) : !ReadPngFile(values, *png, picture))
    return false;
  return Encode(values, node, picture, *format, pitch, out);
}

}  // namespace dp2trace::json
