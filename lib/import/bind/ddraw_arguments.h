// The structures of DirectDraw and Direct3D 2 to 7 calls as the runtime model takes them. Arguments are found by position (0 = this),
// since their names differ between the versions of an interface.
// Source: apitrace docs/FORMAT.markdown; Microsoft's DirectDraw 7 API reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "d3d/enums.h"
#include "import/bind/call_args.h"
#include "runtime/ddraw/types.h"

namespace dp2trace::import {

// The argument, or null where it is absent or NULL.
const Value* ArgumentAt(const Call& call, size_t index);
uint64_t ObjectAt(const Call& call, size_t index);
uint32_t NumberAt(const Call& call, size_t index);
// A float as bits, whatever kind of number was recorded.
uint32_t FloatBitsAt(const Call& call, size_t index);
// What the call returned through a pointer; 0 for none.
uint64_t ReturnedAt(const Call& call, size_t index);
Bytes BlobAt(const Call& call, size_t index);
std::vector<uint32_t> WordsAt(const Call& call, size_t index);
// RECT; none for NULL.
std::optional<d3d::Rect> RectAt(const Call& call, size_t index);
// WORD indices, as many as were recorded.
std::vector<uint16_t> IndicesAt(const Call& call, size_t index);
// PALETTEENTRY array: red in the low byte, as many as were recorded.
std::vector<uint32_t> PaletteEntriesAt(const Call& call, size_t index);
// DDSURFACEDESC or DDSURFACEDESC2; all zero for NULL.
runtime::ddraw::SurfaceDescription DescriptionAt(const Call& call, size_t index);
// D3DPRIMITIVETYPE; none for a value that has no meaning.
std::optional<d3d::PrimitiveType> PrimitiveTypeAt(const Call& call, size_t index);
// lpSurface of the description.
uint64_t SurfacePointerAt(const Call& call, size_t index);
std::optional<runtime::ddraw::BltEffects> EffectsAt(const Call& call, size_t index);
std::optional<runtime::ddraw::OverlayEffects> OverlayEffectsAt(const Call& call, size_t index);
std::optional<d3d::ColorKey> ColorKeyAt(const Call& call, size_t index);
// The name of an interface or device class that a QueryInterface or CreateDevice asked for: "IID_IDirect3DHALDevice"; empty where the
// recorder did not know it.
std::string_view InterfaceNameAt(const Call& call, size_t index);
// The elements of D3DDRAWPRIMITIVESTRIDEDDATA as vertices of the format; empty where the capture holds addresses only.
std::vector<uint8_t> StridedVerticesAt(const Call& call, size_t index, uint32_t fvf,
                                       uint32_t count);
// The first words of a structure that may have more in another version; none where there are fewer.
template <size_t N>
std::optional<std::array<uint32_t, N>> PrefixAt(const Call& call, size_t index) {
  const std::vector<uint32_t> words = WordsAt(call, index);
  if (words.size() < N) return std::nullopt;
  std::array<uint32_t, N> structure = {};
  std::copy_n(words.begin(), N, structure.begin());
  return structure;
}
// Words of a structure of a known size; none where the capture holds another number.
template <size_t N>
std::optional<std::array<uint32_t, N>> StructureAt(const Call& call, size_t index) {
  const std::vector<uint32_t> words = WordsAt(call, index);
  if (words.size() != N) return std::nullopt;
  std::array<uint32_t, N> structure = {};
  std::ranges::copy(words, structure.begin());
  return structure;
}

}  // namespace dp2trace::import
