// One line of the timeline of a frame: a draw, a clear, a blit, an upload, what is presented.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/rule.h"
#include "trace/marker_text.h"

namespace dp2trace::inspect {

enum class ItemKind : uint8_t {
  kDraw,
  kClear,
  kBlit,
  kUpload,
  kSurface,  // created, or destroyed
  kRead,     // by the CPU
  kPresent,
  kOther,
  kSkipped,  // several that were not chosen, or are beyond a limit
};
// "draw", "clear", ...
std::string_view Name(ItemKind kind);

struct Item {
  ItemKind kind{};
  std::string name;  // of the operation or event
  uint64_t event = 0;
  std::optional<uint64_t> offset = {};  // of the token, from the start of the command buffer
  uint64_t end = 0;                     // of that token; only where it has an offset
  uint64_t draw = 0;                    // its number; 0: none
  uint64_t read = 0;                    // its number; 0: none
  std::optional<trace::MarkerText> marker = {};
  std::optional<uint32_t> target = {}, depth = {};  // places in TargetWatch::targets()
  std::string primitive = {};                       // "TRIANGLELIST"
  uint64_t primitives = 0;                          // of all instances; a patch is one
  uint64_t pixels = 0;                              // that passed all tests
  uint64_t steps = 0;                               // vertices, primitives, pixels and texels
  uint64_t count = 0;                               // of kSkipped
  std::string surface = {};                         // that an event names, in words
  std::string refused = {};  // why a draw was not drawn: the error and its rule
  std::array<uint64_t, kSeverityCount> findings = {};
  std::set<std::string> rules = {};
  // "render_state.ZENABLE=TRUE": changed since the draw before.
  std::vector<std::string> states = {};
  std::vector<uint32_t> textures = {};  // handles of what is bound
};

}  // namespace dp2trace::inspect
