// What a replay knows of a frame when somebody else's picture of it is wrong: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "blame/content.h"
#include "blame/facts.h"
#include "blame/layer_map.h"
#include "history/frame_finder.h"
#include "history/operation.h"
#include "history/refused_draws.h"
#include "image/picture.h"
#include "trace/marker_text.h"

namespace dp2trace::blame {

// An operation reads a surface that the frame wrote before: its texture, or the source of a blit.
struct Reading {
  uint32_t written = 0;  // place in Frame::written
  uint32_t count = 0;    // of its writers: those in front of the operation
  std::string as;        // "texture 0", "blit source"
};

// Something that may have changed the surface that the frame shows, or one that it reads.
struct Operation {
  history::Kind kind = history::Kind::kOther;
  uint64_t event = 0;
  std::optional<uint64_t> offset;  // of the token, from the start of the command buffer
  std::string name;                // of the operation or event: "CLEAR", "surface_update"
  uint64_t draw = 0;               // number of the draw; 0: it is none
  std::optional<trace::MarkerText> marker;
  Facts facts = {};
  std::optional<Content> content = {};  // of a draw, where RecorderOptions ask for it
  std::vector<Reading> reads = {};
};

// What wrote to a surface beside that of the picture, in order, since something wrote to all of it. The operations have no facts.
struct WrittenSurface {
  uint32_t handle = 0;
  std::vector<Operation> by;
};

// The place of a token, or (without an offset) of an event.
struct TokenPlace {
  uint64_t event = 0;
  std::optional<uint64_t> offset;
  bool operator==(const TokenPlace&) const = default;
};

// The last thing that was done to the picture: a blit made all of it.
struct PictureCopy {
  TokenPlace place;
  history::FrameSpan source;  // what it took, as if it were what the frame shows
};

struct Frame {
  uint64_t number = 0;
  bool is_unfinished = false;  // it ends with the trace and not with a present
  uint64_t read = 0;       // the picture is that of this read of the CPU; 0: it is not one of those
  uint64_t last_draw = 0;  // the picture is the one after this draw; 0: that of the frame
  uint32_t surface = 0;    // handle of what the picture shows
  std::string format;
  image::Picture picture;  // of layers.area()
  std::vector<Operation> operations;
  std::vector<WrittenSurface> written;
  std::optional<PictureCopy> copy;
  std::vector<Operation>
      copies;  // blits that brought the picture to where the frame shows it, the last first
  std::vector<history::RefusedDraw> refused;
  FactTable facts;
  LayerMap layers;
  std::string absence;  // why there is no picture; else empty
};

}  // namespace dp2trace::blame
