// What of a trace a picture is compared with, as a question names it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dp2trace::live {

// The numbers of "12-3-44"; nothing where it is something else.
std::optional<std::vector<uint64_t>> NumbersOf(std::string_view text);

struct PicturePlace {
  enum class Kind : uint8_t { kFrame, kDraw, kRead, kSurface };
  Kind kind = Kind::kFrame;
  uint64_t frame = 0;                         // but for kRead
  uint64_t number = 0;                        // of the draw or read
  uint32_t surface = 0, face = 0, level = 0;  // of kSurface, at the end of the frame
  uint8_t tolerance = 0;                      // of each channel
};

// "frame/FRAME", "draw/FRAME-DRAW", "read/READ", "surface/FRAME-HANDLE-FACE-LEVEL"; a tolerance may follow after a slash. Nothing where it is
// something else.
std::optional<PicturePlace> ParsePlace(std::string_view text);
// "frame 3", "draw 17", "read 2", "surface 7".
std::string TextOf(const PicturePlace& place);

}  // namespace dp2trace::live
