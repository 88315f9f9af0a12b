// Vertices whose elements lie in arrays of their own, as one array (DrawPrimitiveStrided).
// Source: Microsoft's DirectX 6 and 7 API reference (D3DDRAWPRIMITIVESTRIDEDDATA).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "d3d/fvf.h"

namespace dp2trace::runtime::ddraw {

// D3DDP_PTRSTRIDE.
struct StridedElement {
  Bytes bytes;
  uint32_t stride = 0;
};

// D3DDRAWPRIMITIVESTRIDEDDATA.
struct StridedData {
  StridedElement position, normal, diffuse, specular;
  std::array<StridedElement, d3d::kMaxTextureSets> coordinates;
};

// The vertices in the format; elements that are not there are 0. As many as the positions hold, at most `count`.
std::vector<uint8_t> AssembleVertices(uint32_t fvf, uint32_t count, const StridedData& data);

}  // namespace dp2trace::runtime::ddraw
