// Programs of texture stages that were made lately: draws whose states and textures are the same share one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fast/machine/recent.h"
#include "fast/native/native_cache.h"
#include "fast/pixel/pixel_code.h"
#include "fast/texture/texture_cache.h"
#include "raster/pixel/fog.h"
#include "raster/pixel/stage_plan.h"

namespace dp2trace::fast {

class StageCache {
 public:
  // With the fog and all that FinishCode() adds. Null for what only the reference draws.
  std::shared_ptr<const PixelCode> Find(const raster::TextureStages& stages,
                                        const raster::FogPlan& fog, TextureCache& textures,
                                        NativeCache& native);
  // Forgets all; draws keep what they have.
  void Clear() { entries_.Clear(); }

 private:
  struct Entry {
    std::vector<uint32_t> key;
    std::shared_ptr<const PixelCode> code;
  };
  Recent<Entry, 32> entries_;
  std::vector<uint32_t> key_;
};

}  // namespace dp2trace::fast
