// A device that records into lines, for the tests of runtime::Device.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../core/recording.h"
#include "runtime/core/token.h"
#include "runtime/direct3d/device.h"

namespace dp2trace::runtime {

inline bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct DeviceFixture {
  explicit DeviceFixture(uint32_t level = 9, bool has_depth = true)
      : recorder(sink, {.level = level, .runtime_version = level - 4}) {
    device = std::make_unique<Device>(recorder, level, Parameters(64, 48, has_depth));
    recorder.Flush();
    creation = sink.Take();
  }
  static PresentParameters Parameters(uint32_t width, uint32_t height, bool has_depth = true) {
    PresentParameters parameters;
    parameters.width = width;
    parameters.height = height;
    parameters.format = 21;
    parameters.has_depth = has_depth;
    parameters.depth_format = 75;
    return parameters;
  }
  // All lines since the last call.
  std::string Lines() {
    recorder.Flush();
    return sink.Take();
  }
  // The tokens since the last call.
  std::string Tokens() { return Commands(Lines()); }
  std::shared_ptr<Resource> Texture(uint32_t levels = 1, uint32_t usage = 0,
                                    Pool pool = Pool::kDefault) {
    ResourceDescription description;
    description.type = ResourceType::kTexture;
    description.width = description.height = 8;
    description.levels = levels;
    description.format = 21;
    description.usage = usage;
    description.pool = pool;
    auto texture = std::make_shared<Resource>(device->link(), description);
    Lines();
    return texture;
  }

  LineSink sink;
  Recorder recorder;
  std::unique_ptr<Device> device;
  std::string creation;
};

}  // namespace dp2trace::runtime
