// How the tiles of a draw test depth and store colours, from its plan. Source: lib/raster/rendering-output.md 5.4 to 5.9.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "fast/tile/draw_queue.h"
#include "raster/pixel/clear.h"

namespace dp2trace::fast {

// Each empty, or the name of what only the reference draws: multisampling, wireframe, depth by w, of floats or of 32 bits.
std::string_view PlanDepth(QueuedDraw& draw);
std::string_view PlanTargets(QueuedDraw& draw);

// The draw's program with fog, and when its depth is tested. After PlanDepth and PlanTargets.
void FinishDraw(const std::shared_ptr<const PixelCode>& code, QueuedDraw& draw);

// Nothing where the pixels of the surface are not each by itself in memory.
std::optional<QueuedClear> PlanClear(const raster::ClearFill& fill);

// Which of its components are perspective, and which are colours.
void SetComponentMasks(QueuedDraw& draw);

}  // namespace dp2trace::fast
