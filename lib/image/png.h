// PNG files. Pixels survive exactly; the compressed bytes are not part of any contract.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "image/picture.h"

namespace dp2trace::image {

// What a PNG may ask for, checked before anything is allocated.
struct PngLimits {
  uint64_t max_file_bytes = uint64_t{256} << 20;
  uint32_t max_dimension = 32768;
  uint64_t max_pixels = uint64_t{1} << 26;
};

// Fails (IO-001) for a picture without pixels and for one beyond the default PngLimits.
Status CheckPngSize(uint32_t width, uint32_t height);

// The picture as a PNG of 8-bit RGBA without gAMA, sRGB and tIME chunks (lib/raster/rendering.md 0.3 rule 13).
// Fails as CheckPngSize does.
Result<std::vector<uint8_t>> EncodePng(const Picture& picture);
// The file appears whole or not at all. Fails (IO-001) with the path in the message.
Status WritePng(const std::string& path, const Picture& picture);
// The same of what EncodePng() returned.
Status WritePng(const std::string& path, const Result<std::vector<uint8_t>>& png);

// Any PNG of up to 8 bits per channel; missing alpha becomes 255, grey and palettes become RGB. Checks every checksum.
// Fails (IO-002).
Result<Picture> DecodePng(Bytes bytes, const PngLimits& limits = {});
// The same from a file; "-" is standard input. Fails with TRACE-001, which names the path, or IO-002, which does not.
Result<Picture> ReadPng(const std::string& path, const PngLimits& limits = {});

}  // namespace dp2trace::image
