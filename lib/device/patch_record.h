// What a record of DRAWRECTPATCH or DRAWTRIPATCH asks for, and what is wrong with it as far as the bound streams do not matter.
// Source: lib/opcode/dp2.md 17.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "device/context.h"
#include "device/defect.h"
#include "device/draw.h"
#include "stream/records.h"

namespace dp2trace::device {

struct PatchRecord {
  uint32_t handle = 0;
  bool is_triangle = false;
  std::optional<PatchInfo> info;  // HASINFO
  bool has_segments = false;      // HASSEGS: counts of the token; else PATCHSEGMENTS for all edges
  uint32_t segment_count = 4;     // edges: 4 or 3
  std::array<float, 4> segments = {};  // counts in effect
};

PatchRecord ReadPatch(const State& state, const stream::Record& record, bool is_triangle);

// A segment count of the token, and a field of its info.
stream::Word SegmentWord(const stream::Record& record, uint32_t edge);
stream::Word InfoWord(const stream::Record& record, stream::FieldRef field);

// What keeps the patch from being drawn.
RecordDefects FindPatchDefects(const Context& context, const stream::Record& record,
                               const PatchRecord& patch);

}  // namespace dp2trace::device
