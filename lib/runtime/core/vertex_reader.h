// Reads vertices of a flexible vertex format or of a declaration from the memory of the runtime.
// Source: lib/opcode/dp2.md 6 and 18.3; lib/raster/rendering-geometry.md 2.1.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "d3d/enums.h"
#include "d3d/fvf.h"
#include "vertex/math.h"

namespace dp2trace::runtime {

using vertex::Float3;
using vertex::Float4;

// What fixed-function processing takes of a vertex. Absent elements stay empty.
struct SourceVertex {
  struct Coordinates {
    Float4 value = {0, 0, 0, 1};
    uint32_t count = 0;  // components that the vertex has
  };
  Float4 position = {0, 0, 0, 1};
  Float4 weights = {};
  std::array<uint8_t, 4> matrix_indices = {};
  std::optional<Float3> normal;
  // POSITION 1 and NORMAL 1, to which tweening goes.
  std::optional<Float4> second_position;
  std::optional<Float3> second_normal;
  std::optional<Float4> diffuse, specular;  // red, green, blue, alpha
  std::optional<float> point_size;
  std::array<Coordinates, d3d::kMaxTextureSets> coordinates;
};

class VertexReader {
 public:
  // The bytes of a stream; reads past their end give 0.
  struct Stream {
    Bytes bytes;
    uint64_t offset = 0;  // of vertex 0
    uint32_t stride = 0;
  };

  // None where the vertices have no position that can be transformed.
  static std::optional<VertexReader> OfFvf(uint32_t fvf);
  // `elements`: of a level 9 declaration, 8 bytes each, without the end marker. None also for element types beyond floats, colours and bytes.
  static std::optional<VertexReader> OfDeclaration(Bytes elements);

  // `tokens`: of a level 8 declaration for the fixed function, with END.
  static std::optional<VertexReader> OfTokens(Bytes tokens);

  // Streams by number; a stream that is not there gives 0.
  SourceVertex Read(std::span<const Stream> streams, uint64_t index) const;

 private:
  struct Element {
    uint32_t stream = 0;
    uint32_t offset = 0;
    d3d::DeclType type = d3d::DeclType::Float3;
    d3d::DeclUsage usage = d3d::DeclUsage::Position;
    uint32_t usage_index = 0;
  };
  static void Store(const Element& element, const std::array<uint8_t, 16>& raw,
                    SourceVertex& vertex);

  std::vector<Element> elements_;
};

}  // namespace dp2trace::runtime
