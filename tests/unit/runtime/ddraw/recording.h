// A DirectDraw model whose events become the lines of `dump`, without event numbers.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../core/commands.h"
#include "runtime/ddraw/ddraw.h"
#include "text/dump.h"

namespace dp2trace::runtime::ddraw {

using runtime::Commands;

class Recording : private EventSink {
 public:
  Recording()
      : recorder_(*this, Options()),
        model(recorder_),
        dumper_([this](std::string_view text) { return Take(text); }, {}) {}

  // What was recorded since the last call. Lines of events and commands, each ended by a line feed.
  std::string Lines() {
    recorder_.Flush();
    CHECK(recorder_.status().ok());
    CHECK(dumper_.Finish().ok());
    return std::exchange(lines_, {});
  }
  // A 640 x 480 surface in the display format.
  Surface& Plain(ObjectId id, uint32_t caps = 0x40) {
    return *model.CreateSurface(kDraw, Sized(640, 480, caps), id);
  }
  // Target, depth surface and device 100; their events are forgotten.
  Device& MakeDevice() {
    Plain(1, ddscaps::k3dDevice);
    SurfaceDescription depth = Sized(640, 480, ddscaps::kZBuffer);
    depth.flags |= ddsd::kPixelFormat;
    depth.format = {.flags = 0x400, .bit_count = 32, .green_mask = 0xFFFFFF};
    model.CreateSurface(kDraw, depth, 2);
    CHECK(model.Attach(1, 2));
    Device& device = *model.CreateDevice(1, 100);
    Lines();
    return device;
  }
  static SurfaceDescription Sized(uint32_t width, uint32_t height, uint32_t caps) {
    SurfaceDescription description;
    description.flags = ddsd::kWidth | ddsd::kHeight;
    description.width = width;
    description.height = height;
    description.caps[0] = caps;
    return description;
  }

  static constexpr ObjectId kDraw = 1000;

 private:
  static RecorderOptions Options() {
    RecorderOptions options;
    options.level = 7;
    options.runtime_version = 3;
    return options;
  }
  Status OnEvent(const trace::Event& event) override {
    if (const auto* call = std::get_if<trace::Dp2>(&event))
      vertices.assign(call->vertices.begin(), call->vertices.end());
    return dumper_.Add(number_++, event);
  }
  Status Take(std::string_view text) {
    while (!text.empty()) {
      const size_t end = text.find('\n') + 1;
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end);
      if (!line.starts_with(' ')) line.remove_prefix(line.find(' ') + 1);
      if (!line.starts_with("header")) lines_ += line;
    }
    return OkStatus();
  }

  Recorder recorder_;

 public:
  DirectDraw model;
  std::vector<uint8_t> vertices;  // of the last dp2 event

 private:
  text::Dumper dumper_;
  std::string lines_;
  uint64_t number_ = 0;
};

}  // namespace dp2trace::runtime::ddraw
