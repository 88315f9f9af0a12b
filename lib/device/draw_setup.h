// What legacy, stream and patch draws share: limits, layouts, and whether the vertices that they name exist. Internal to this folder.
// Source: lib/opcode/dp2.md 1.3, 5 and 6.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "device/draw.h"
#include "device/layout.h"
#include "device/token.h"

namespace dp2trace::device {

// Bits of streams: all.
inline constexpr uint32_t kAllStreams = (1U << kStreamCount) - 1;

// The layout that the context's vertex program gives: that of an object, or of an FVF, which is built here.
struct ProgramLayout {
  VertexLayout of_fvf;
  const VertexLayout* layout = nullptr;
  bool is_programmable = false;  // a vertex shader with code is bound
};
// False after a report: DP2-DRAW-004, or an FVF that cannot be drawn.
bool FindProgramLayout(const Token& token, const stream::Record& record, ProgramLayout& program);

// "the vertex format is 0x42 (XYZ|DIFFUSE)": for messages.
std::string NameFormat(uint32_t fvf);

// The level whose FVF rules hold: bit 0x20 is padding for runtimes below 8.
uint32_t FvfLevel(const Context& context);

// Fills the streams that the layout uses from the bindings. `streams_allowed`: bits of the streams that the token reads.
// False after a report. Streams without buffer stay empty and read as 0.
bool BindStreams(const Token& token, const stream::Record& record, const VertexLayout& layout,
                 uint32_t streams_allowed, Draw& draw);

// The bytes that a vertex must have. What lies after the stride belongs to the next vertex and may be missing after the last one.
uint32_t NeededBytes(uint32_t stride, uint32_t element_end);

// All used streams hold the vertices first to last (base added), and the instances. False after a report of `rule` at `word`; user memory
// has a rule of its own.
bool CheckVertices(const Token& token, const stream::Record& record, const stream::Word& word,
                   const Draw& draw, int64_t first, int64_t last, Rule rule);

// False after a report: DP2-DRAW-003 (vertex count).
bool CheckPrimitiveCount(const Token& token, const stream::Record& record, const Draw& draw);
// False after a report of REPLAY-DRAW-001. Asked last: a limit of this program does not hide what is wrong with the stream.
bool IsWithinLimit(const Token& token, const stream::Record& record, const Draw& draw);

// Smallest and largest index of the draw.
struct IndexRange {
  uint32_t first = 0, last = 0;
};
IndexRange FindIndexRange(const Draw& draw, uint64_t first_k, uint64_t count);

}  // namespace dp2trace::device
