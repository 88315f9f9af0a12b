// What a replay knows of a frame when somebody else's picture of it is wrong: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "blame/facts.h"
#include "blame/layer_map.h"
#include "history/operation.h"
#include "image/picture.h"
#include "trace/marker_text.h"

namespace dp2trace::blame {

// Something that may have changed the surface that the frame shows.
struct Operation {
  history::Kind kind = history::Kind::kOther;
  uint64_t event = 0;
  std::optional<uint64_t> offset;  // of the token, from the start of the command buffer
  std::string name;                // of the operation or event: "CLEAR", "surface_update"
  uint64_t draw = 0;               // number of the draw; 0: it is none
  std::optional<trace::MarkerText> marker;
  Facts facts;
};

struct Frame {
  uint64_t number = 0;
  bool is_unfinished = false;  // it ends with the trace and not with a present
  uint64_t last_draw = 0;      // the picture is the one behind this draw; 0: that of the frame
  uint32_t surface = 0;        // handle of what the picture shows
  std::string format;
  image::Picture picture;  // of layers.area()
  std::vector<Operation> operations;
  FactTable facts;
  LayerMap layers;
  std::string absence;  // why there is no picture; else empty
};

}  // namespace dp2trace::blame
