// The recorder once more, with a lock of its user around each call.
#pragma once

#include <cstdint>
#include <vector>

namespace dp2trace::testing {

// The file of a recorder that several threads give markers to at once, each `count`.
std::vector<uint8_t> RecordLocked(uint32_t threads, uint32_t count);

}  // namespace dp2trace::testing
