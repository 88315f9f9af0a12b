// The pictures that a replay makes, and where they go.
// Source: lib/design.md 3 and 7.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "d3d/formats.h"
#include "image/picture.h"

namespace dp2trace::replay {

enum class ImageKind : uint8_t { kFrame, kRead, kDraw, kSurface };
// "frame", "read", "draw", "surface".
std::string_view Name(ImageKind kind);

struct ImageInfo {
  ImageKind kind = ImageKind::kFrame;
  // Number of the frame, read or draw, from 1; of surface pictures the number of the picture.
  uint64_t sequence = 0;
  uint64_t event = 0;
  uint32_t target = 0;   // of kDraw: number of the render target
  std::string file;      // "frame-000001.png"
  uint32_t surface = 0;  // the handle that was named
  uint32_t face = 0;
  uint32_t level = 0;
  std::optional<uint32_t> slice;                 // of volumes
  bool is_stencil = false;                       // the stencil part of a depth surface
  uint32_t x = 0, y = 0, width = 0, height = 0;  // the area, in pixels of the level
  d3d::Format format = d3d::Format::Unknown;
  std::string hash;            // XXH3-128 of the picture
  std::string raw_hash;        // of the stored bits; empty where the picture holds them all
  bool is_unfinished = false;  // drawing after the last present
};

class ImageSink {
 public:
  virtual ~ImageSink() = default;
  // A failure ends the replay.
  virtual Status OnImage(const ImageInfo& info, const image::Picture& picture) = 0;
};

}  // namespace dp2trace::replay
