// The surfaces that a token or an event names: those that it may write.
#pragma once

#include <optional>
#include <vector>

#include "device/context.h"
#include "inspect/target_watch.h"
#include "trace/events.h"

namespace dp2trace::inspect {

// What BLT, SURFACEBLT and COLORFILL write; of other tokens every face and level of the surfaces in its fields, sources too. Those that do
// not exist are left out.
std::vector<Place> PlacesOf(const device::Context& context, const stream::Command& command,
                            const stream::Environment& environment);
// The render targets and the depth surface.
std::vector<Place> TargetsOf(const device::Context& context);
// What an update or a blit writes; nothing for other events.
std::optional<Place> PlaceOf(const device::Device& device, const trace::Event& event);

}  // namespace dp2trace::inspect
