// What touched a pixel in a frame: plain data, in the order of the trace.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/draw.h"
#include "history/pixel_value.h"
#include "history/refused_draws.h"
#include "image/surface.h"
#include "raster/probe/probe.h"
#include "shader/program.h"
#include "trace/marker_text.h"

namespace dp2trace::history {

// A pixel of a face and level, in pixels of the level.
struct Pixel {
  uint32_t space = 0;
  uint32_t handle = 0;  // as it was named
  uint32_t face = 0, level = 0;
  uint32_t x = 0, y = 0;
  uint32_t slice = 0;  // of a volume
};

enum class Kind : uint8_t {
  kClear,
  kDraw,
  kBlit,     // from a surface or with a colour, in the stream or outside of it
  kUpload,   // surface_update
  kSurface,  // the surface is made, made anew or destroyed
  kOther,    // a token that changed the value in another way
};
// "clear", "draw", ...
std::string_view Name(Kind kind);

// Where a blit takes the pixel from.
struct BlitSource {
  uint32_t handle = 0;  // 0: a fill
  uint32_t face = 0, level = 0;
  image::Area from, to;
  std::optional<uint32_t> fill;
  // Where the blit neither stretches nor mirrors: the pixel of the source.
  std::optional<std::pair<uint32_t, uint32_t>> pixel;
};

struct Operation {
  Kind kind = Kind::kOther;
  uint64_t event = 0;
  std::optional<uint64_t> offset;  // of the token, from the start of the command buffer
  std::string name;                // of the operation or event: "CLEAR", "surface_update"
  uint64_t draw = 0;               // number of the draw; 0: it is none
  std::optional<trace::MarkerText> marker;
  // Of the pixel around the operation; nothing where the surface does not exist.
  std::optional<PixelValue> before, after;
  bool writes = false;  // it stored a value, be it the one that was there

  std::optional<raster::ProbedClear> clear;
  std::optional<BlitSource> blit;
  // Of a draw. Programs are null for fixed function.
  std::vector<raster::ProbedFragment> fragments;
  std::shared_ptr<const shader::Program> vertex_shader, pixel_shader;
  device::VertexLayout layout;
  std::string depth_format, target_format;
};

// A draw whose primitives all lie outside of the view volume, each behind one of its planes.
struct OutsideDraw {
  uint64_t draw = 0;
  uint64_t event = 0;
  uint64_t offset = 0;
  raster::ProbedOutside primitives;
};

struct History {
  uint64_t frame = 0;
  uint64_t read = 0;  // up to this read of the CPU; 0: to the end of the frame
  Pixel pixel;
  std::string format;  // of the surface, as it was last
  uint32_t width = 0, height = 0, samples = 1;
  std::optional<PixelValue> before, after;  // of the frame
  std::vector<Operation> operations;
  std::vector<OutsideDraw> outside;  // of the draws into the surface, at most 1024
  std::vector<RefusedDraw> refused;  // of the frame
  uint64_t dropped_fragments = 0;    // beyond what is kept
  std::string absence;         // why there is nothing to tell: the pixel is not there; else empty
  bool is_unfinished = false;  // the frame ends with the trace and not with a present
  bool is_cut = false;  // the trace took more work than it may: what came afterwards is not known
};

}  // namespace dp2trace::history
