// Vertex layouts from declarations; those of FVF codes are in draw.h.
// Source: lib/opcode/dp2.md 18.2 and 18.3; lib/raster/rendering-geometry.md 2.1.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "device/draw.h"

namespace dp2trace::device {

// A constant register that a level 8 declaration loads (CONSTMEM).
struct DeclaredConstant {
  uint32_t index = 0;
  std::array<uint32_t, 4> words = {};  // bits of four f32
  bool operator==(const DeclaredConstant&) const = default;
};

struct TokenDeclaration {
  VertexLayout layout;
  std::vector<DeclaredConstant> constants;
};

// Level 8 declaration tokens. Fails: DP2-VSH-007 END is missing or not last, -008 token, register or stream out of range, -009 data
// before a stream, -010 constants or extension run past the end.
Result<TokenDeclaration> ReadDeclarationTokens(Bytes declaration);

// Level 9 elements, with or without the end marker. Fails: DP2-VSH-015 a member out of range, -016 end marker not last or too many
// elements, -019 two elements for one usage.
Result<VertexLayout> LayoutOfElements(Bytes bytes);

// The FVF rule that keeps this code from being drawn, or nothing. Source: lib/opcode/dp2.md 6.1 and 1.5.
std::optional<Rule> FindFvfDefect(uint32_t fvf, uint32_t level);
// What such a rule demands, in words.
std::string_view LegalFvf(Rule defect);

// Bytes from the start of a vertex to the end of its last element, by stream; 0 where the layout does not use the stream.
std::array<uint32_t, kStreamCount> ElementEnds(const VertexLayout& layout);
// Bit s: an element lies in stream s.
uint32_t UsedStreams(const VertexLayout& layout);

}  // namespace dp2trace::device
