#include "device/place.h"

namespace dp2trace::device {

SurfaceRef FindPlace(const Device& device, uint32_t space, uint32_t handle, uint32_t face,
                     uint32_t level) {
  const Space* const owner = device.FindSpace(space);
  SurfaceRef found = owner != nullptr ? owner->Find(handle) : SurfaceRef{};
  if (!found) return {};
  if (found.resource->handle == handle) found.face = face;
  const uint64_t number = uint64_t{found.level} + level;
  const image::SurfaceDescription& description = found.surface().description();
  if (found.face >= description.faces || number >= description.levels) return {};
  found.level = static_cast<uint32_t>(number);
  return found;
}

SurfaceRef FindPicture(const Device& device, const trace::SurfaceRead& read) {
  if (read.range || read.box) return {};
  const SurfaceRef found = FindPlace(device, read.space, read.handle, read.face, read.level);
  return found && !found.resource->is_buffer() ? found : SurfaceRef{};
}

}  // namespace dp2trace::device
