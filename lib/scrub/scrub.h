// A trace whose pictures, vertices and texts are no longer those of the program that was recorded, and that still does the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "scrub/noise.h"
#include "trace/command_stream.h"
#include "trace_model/scratch_device.h"
#include "trace_model/walk.h"

namespace dp2trace::scrub {

struct ScrubOptions {
  bool keeps_geometry = false;  // vertices
  bool keeps_textures = false;  // texels, palettes, pictures of drivers
  bool keeps_shaders = false;   // comments in shaders, with names of constants among them
};

// Colour keys that blits bring along, by space and handle of the surface that they are compared with.
using BlitKeys = std::map<std::pair<uint32_t, uint32_t>, std::vector<d3d::ColorKey>>;

// Gives each event without its content. Sizes, counts and places stay: a finding is where it was.
class Scrubber {
 public:
  Scrubber(const ScrubOptions& options, BlitKeys keys, const trace_model::WorkBounds& bounds = {})
      : options_(options), keys_(std::move(keys)), scratch_(bounds) {}

  // The next event of the trace, in order. The result lives until the next call.
  const trace::Event& Scrub(const trace::Event& event);
  // Fails once the trace took more work than it may.
  Status CheckWork() const { return scratch_.CheckWork(); }

 private:
  void On(trace::Header& header);
  void On(trace::SurfaceUpdate& update);
  void On(trace::Picture& picture);
  void On(trace::Dp2& call);
  void On(trace::Render& packet);
  void On(trace::Marker& marker);
  void On(trace::KmtContextCreate& context);
  void On(trace::AllocationCreate& create);
  void On(trace::ResourceOpen& open);
  void On(trace::SubmitCommand& submit);
  void On(trace::Unknown& unknown);
  template <class T>
  void On(T& /*other*/) {}

  // A copy of the bytes, which takes their place and may be changed.
  std::span<uint8_t> Own(Bytes& bytes);
  void Clear(Bytes& bytes);
  void ScrubCommands(const trace::CommandStream& stream, Bytes& commands);
  void ScrubVertexBytes(const Noise& noise, uint64_t first, Bytes& bytes);

  ScrubOptions options_;
  BlitKeys keys_;
  trace_model::ScratchDevice scratch_;  // surfaces as they are after the event
  trace::NamingContext naming_;
  trace::Event event_;
  std::vector<std::vector<uint8_t>> storage_;
};

// Changes the tokens of a stream in place; `commands` holds its bytes.
void ScrubTokens(const trace::CommandStream& stream, const ScrubOptions& options,
                 std::span<uint8_t> commands);
// Comments become 0, and what comes after the end.
void ScrubShader(std::span<uint8_t> code);

struct ScrubResult {
  uint64_t events = 0;
  uint64_t findings = 0;               // before
  std::vector<Diagnostic> gone, came;  // findings by rule and place that the other trace lacks
  bool is_partial = false;             // there were more findings than are compared
};

// Writes the scrubbed trace to `output`, whose name says the form and which appears whole or not at all, and compares findings.
// `open` gives the trace as it is, null where it cannot be read again.
Result<ScrubResult> ScrubTrace(const trace_model::Open& open, const ScrubOptions& options,
                               const std::string& output, uint64_t max_memory,
                               const trace_model::WorkBounds& bounds,
                               const trace_model::Walk& walk);

}  // namespace dp2trace::scrub
