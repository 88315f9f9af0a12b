// The checksum of the recorder in its two forms: as this machine compiles it, and by only 32-bit arithmetic.
#pragma once

#include "dp2trace_capture.h"

namespace dp2trace::testing {

struct HashFunctions {
  void (*begin)(d2c_hash*);
  void (*add)(d2c_hash*, const void*, d2c_u32);
  d2c_u64 (*end)(d2c_hash*);
};

HashFunctions PortableHash();

}  // namespace dp2trace::testing
