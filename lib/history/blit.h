// Which blits and uploads reach a pixel, and what they take it from.
// Source: lib/opcode/dp2.md 16; lib/design.md 3.
#pragma once

#include <optional>
#include <vector>

#include "device/device.h"
#include "history/operation.h"
#include "trace/events.h"

namespace dp2trace::history {

// A face and level in memory, and a pixel of it.
struct Watched {
  device::SurfaceRef surface;
  uint32_t x = 0, y = 0;
  uint32_t slice = 0;  // of a volume
};

// The last record of the token that covers the pixel. The token has not been applied; illegal records do nothing.
std::optional<BlitSource> FindBlit(const device::Context& context, const stream::Command& command,
                                   const Watched& watched);
std::optional<BlitSource> FindBlit(const device::Device& device, const trace::Blt& blt,
                                   const Watched& watched);
// A copy from a face and level to another, or (without a source) a fill.
struct BlitPair {
  device::SurfaceRef destination, source;
  image::Area from = {}, to = {};
};
// Of all legal records, in order; of chains of levels the first pair. What RESZ copies is one. The token or event has not been applied.
std::vector<BlitPair> BlitsOf(const device::Context& context, const stream::Command& command);
std::vector<BlitPair> BlitsOf(const device::Device& device, const trace::Blt& blt);

// True where the update covers the pixel.
bool Covers(const device::Device& device, const trace::SurfaceUpdate& update,
            const Watched& watched);

}  // namespace dp2trace::history
