// A DirectDraw model whose surface events a device carries out: what blits leave on surfaces.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

#include "device/device.h"
#include "runtime/ddraw/ddraw.h"

namespace dp2trace::runtime::ddraw {

class Screen : private EventSink {
 public:
  Screen() : device_({}), recorder_(*this, Options()), model(recorder_) {}

  // A surface of 8 bits a pixel with these rows of letters.
  Surface& Letters(ObjectId id, const std::vector<std::string>& rows, uint32_t caps = 0x40) {
    SurfaceDescription description;
    description.flags = ddsd::kWidth | ddsd::kHeight | ddsd::kPixelFormat;
    description.width = static_cast<uint32_t>(rows.front().size());
    description.height = static_cast<uint32_t>(rows.size());
    description.caps[0] = caps;
    description.format = {.flags = d3d::ddpf::kRgb,
                          .bit_count = 8,
                          .red_mask = 0xE0,
                          .green_mask = 0x1C,
                          .blue_mask = 0x03};
    Surface& surface = *model.CreateSurface(1000, description, id);
    Fill(surface, rows);
    return surface;
  }
  void Fill(const Surface& surface, const std::vector<std::string>& rows) {
    std::string text;
    for (const std::string& row : rows)
      text += row;
    const auto area = SurfaceTable::AreaOf(surface, std::nullopt, {}, 0);
    REQUIRE(area);
    model.surfaces().Write(surface, *area, 0, AsBytes(text));
  }
  // The rows of the surface, joined by spaces.
  std::string Rows(const Surface& surface) { return RowsOf(surface.root->handle, surface.width); }
  std::string RowsOf(uint32_t handle, uint32_t width) {
    recorder_.Flush();
    CHECK(recorder_.status().ok());
    const device::SurfaceRef ref = device_.space(0).Find(handle);
    const std::vector<uint8_t> bytes =
        *ref.surface().Read(ref.face, 0, ref.surface().WholeLevel(0));
    std::string rows;
    for (size_t at = 0; at < bytes.size(); ++at) {
      if (at != 0 && at % width == 0) rows += ' ';
      rows += static_cast<char>(bytes[at]);
    }
    return rows;
  }
  // Surfaces that live.
  size_t SurfaceCount() const { return live_; }
  size_t blits = 0;
  // The pixels of the whole surface at each `present`.
  std::vector<std::string> shown;

 private:
  static RecorderOptions Options() {
    RecorderOptions options;
    options.level = 7;
    options.runtime_version = 3;
    return options;
  }
  static Bytes AsBytes(const std::string& text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
  }
  Status OnEvent(const trace::Event& event) override {
    device::Defects defects;
    if (const auto* header = std::get_if<trace::Header>(&event)) device_.OnHeader(*header);
    if (const auto* create = std::get_if<trace::SurfaceCreate>(&event)) {
      defects = device_.OnSurfaceCreate(*create);
      ++live_;
    }
    if (const auto* destroy = std::get_if<trace::SurfaceDestroy>(&event)) {
      defects = device_.OnSurfaceDestroy(*destroy);
      --live_;
    }
    if (const auto* update = std::get_if<trace::SurfaceUpdate>(&event))
      defects = device_.OnSurfaceUpdate(*update);
    if (const auto* blt = std::get_if<trace::Blt>(&event)) {
      defects = device_.OnBlt(*blt);
      ++blits;
    }
    if (const auto* present = std::get_if<trace::Present>(&event)) {
      const device::SurfaceRef ref = device_.space(0).Find(present->handle);
      const std::vector<uint8_t> bytes =
          *ref.surface().Read(ref.face, 0, ref.surface().WholeLevel(0));
      shown.emplace_back(bytes.begin(), bytes.end());
    }
    CHECK(defects.empty());
    return OkStatus();
  }

  device::Device device_;
  Recorder recorder_;
  size_t live_ = 0;

 public:
  DirectDraw model;
};

}  // namespace dp2trace::runtime::ddraw
