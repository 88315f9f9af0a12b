// Which varying slot carries which semantic between the vertex and the pixel side.
// Source: lib/raster/rendering-shaders.md 8.8 and 8.9.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "raster/vertex/vertex.h"
#include "shader/semantics.h"

namespace dp2trace::raster {

// Colours and coordinates have the slots of fixed function; other inputs of a 3.0 pixel shader get what is left.
class VaryingSlots {
 public:
  // `pixel` is null for the texture stages.
  explicit VaryingSlots(const shader::Program* pixel);

  // Nothing for what the pixel side does not read.
  std::optional<uint32_t> Find(const shader::Semantic& semantic) const;

 private:
  struct Entry {
    shader::Semantic semantic;
    uint32_t slot = 0;
    uint8_t mask = 0;
  };
  void Add(const shader::LinkedRegister& input);

  bool has_entries_;  // else the slots of fixed function, all of them
  std::vector<Entry> entries_;
};

// Bit s: slot s carries an input that the pixel shader declares with _centroid.
uint32_t CentroidSlots(const shader::Program& pixel);

// What a pixel shader below 3.0 reads of a semantic that the vertex side does not write at all. Those of 3.0 read 0.
Float4 UnwrittenVarying(const shader::Semantic& semantic);

}  // namespace dp2trace::raster
