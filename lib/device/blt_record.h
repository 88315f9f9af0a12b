// What the records of BLT, SURFACEBLT and COLORFILL ask for, and what is wrong with them.
// Source: lib/opcode/dp2.md 16.4 to 16.6.
#pragma once

#include <cstdint>
#include <optional>

#include "device/blt.h"
#include "device/defect.h"
#include "device/resource.h"
#include "stream/records.h"

namespace dp2trace::device {

// One side of a blit.
struct BltSide {
  SurfaceRef surface;
  BltPlace place;

  bool is_empty() const { return place.area.width() == 0 || place.area.height() == 0; }
};

struct BltRecord {
  BltSide source, destination;
  uint32_t flags = 0;
};

// Each function fills the structure as far as the record is legal, and returns what is wrong with it.
RecordDefects ReadBlt(const Space& space, const stream::Record& record, BltRecord& blt);
RecordDefects ReadSurfaceBlt(const Space& space, const stream::Record& record, BltRecord& blt);
RecordDefects ReadColorFill(const Space& space, const stream::Record& record, BltSide& side);

}  // namespace dp2trace::device
