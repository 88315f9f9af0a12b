// What a draw reads beside its states: the bytes of its vertices, and the texels of its textures.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "device/context.h"
#include "device/draw.h"

namespace dp2trace::blame {

// Hashes; those of equal bytes are equal.
struct TextureContent {
  uint32_t slot = 0;
  uint32_t handle = 0;
  uint64_t texels = 0;  // of all levels and faces
  bool operator==(const TextureContent&) const = default;
};
struct Content {
  uint64_t vertices = 0;  // in the order in which the draw reads them
  std::vector<TextureContent> textures;
  bool operator==(const Content&) const = default;
};

class ContentReader {
 public:
  Content OfDraw(const device::Context& context, const device::Draw& draw);
  Content OfPatch(const device::Context& context, const device::PatchDraw& patch);

 private:
  void AddTextures(const device::Context& context, Content& content);

  struct Hashed {
    uint64_t generation = 0;
    uint64_t texels = 0;
  };
  std::map<uint64_t, Hashed> surfaces_;  // by id
};

}  // namespace dp2trace::blame
