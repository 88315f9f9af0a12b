// The recorder once more, by only 32-bit arithmetic, and for this file.
#define D2C_API static
#define D2C_PORTABLE
#define D2C_IMPLEMENTATION
#include "portable_hash.h"

namespace dp2trace::testing {

HashFunctions PortableHash() {
  return {d2c_hash_begin, d2c_hash_add, d2c_hash_end};
}

}  // namespace dp2trace::testing
