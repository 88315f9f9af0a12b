// One face and level of a surface, as events name it.
#pragma once

#include <cstdint>
#include <optional>

#include "device/device.h"

namespace dp2trace::device {

// The face counts for the root of a surface, a sub-surface has its own; the level counts from that of the handle on. Empty where the
// surface, its face or its level does not exist.
SurfaceRef FindPlace(const Device& device, uint32_t space, uint32_t handle, uint32_t face,
                     uint32_t level);

// What a read by the CPU takes as a picture. Empty for bytes of a buffer, for a part of a volume, and where there is no such place.
SurfaceRef FindPicture(const Device& device, const trace::SurfaceRead& read);

// As many bytes as an update of the place can use: its area with the padding of all rows. Nothing where the area cannot be, or its format
// says too little.
std::optional<uint64_t> LargestUpdate(const trace::SurfaceUpdate& update, const SurfaceRef& place);

}  // namespace dp2trace::device
