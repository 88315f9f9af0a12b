// What table fog goes by.
// Source: lib/raster/rendering-geometry.md 2.7.
#pragma once

#include "device/state.h"

namespace dp2trace::device {

// Table fog by w = 1/rhw in place of z. `is_projected`: the vertices go through the projection of the state (untransformed fixed
// function); for others an identity projection means that the stream has none.
bool TableFogUsesW(const State& state, bool is_projected);

}  // namespace dp2trace::device
