// What a renderer has done so far, for whoever measures it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>

namespace dp2trace::raster {

// Where the time of a draw goes.
enum class Stage : uint8_t {
  kNone,    // elsewhere
  kDecode,  // the event, in front of the renderer as the next two
  kCheck,   // the token's frame, and the rules
  kApply,   // what the token does to the device
  kVertex,  // fetch and processing, and what prepares the draw
  kSetup,   // clipping and planes
  kBin,     // which tile sees which triangle
  kCover,   // coverage and depth
  kShade,   // interpolation, textures, shader
  kOutput,  // blending and storing
  kWait,    // for other threads that draw
};
inline constexpr size_t kStageCount = 11;
// "decode", "check", ...; "none".
std::string_view Name(Stage stage);

// Nanoseconds by stage, of all threads together.
using StageTimes = std::array<uint64_t, kStageCount>;

struct RendererStatistics {
  uint64_t pixels = 0;  // that passed all tests: the unit of occlusion queries
  // Colours that those pixels read, one of each texture that their draw samples.
  uint64_t texels = 0;
  // Draws, clears and patches that another renderer had to draw, by what this one has no kernels for.
  std::map<std::string_view, uint64_t> handed_on;
  // Draws with a part that is done pixel by pixel, by that part; a draw may count under several.
  std::map<std::string_view, uint64_t> slow;
  StageTimes times = {};  // only while times are measured

  void Add(const RendererStatistics& other);
};

}  // namespace dp2trace::raster
