#include "blame/layer_map.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using blame::Layer;
using blame::LayerMap;

namespace {

std::vector<Layer> At(const LayerMap& map, uint32_t x, uint32_t y) {
  std::vector<Layer> layers;
  map.Find(x, y, layers);
  return layers;
}

}  // namespace

TEST_CASE("LayerMap: an operation hides those before it, or stands above them") {
  LayerMap map({2, 3, 10, 8});
  CHECK(At(map, 2, 3).empty());
  map.Write(5, 6, 1, false);
  map.Write(5, 6, 2, false);
  map.HoldBack(5, 6, 3);
  CHECK(At(map, 5, 6) == std::vector<Layer>{{1, false}, {2, false}, {3, true}});
  CHECK(At(map, 4, 6).empty());
  map.Write(5, 6, 4, true);
  CHECK(At(map, 5, 6) == std::vector<Layer>{{4, false}});
  map.WriteAll(5);
  CHECK(At(map, 5, 6) == std::vector<Layer>{{5, false}});
  CHECK(At(map, 9, 7) == std::vector<Layer>{{5, false}});
}

TEST_CASE("LayerMap: pixels outside of the area are nobody's") {
  LayerMap map({2, 3, 4, 5});
  map.Write(1, 3, 1, true);
  map.Write(4, 3, 1, true);
  map.HoldBack(2, 5, 1);
  for (uint32_t y = 3; y < 5; ++y) {
    for (uint32_t x = 2; x < 4; ++x)
      CHECK(At(map, x, y).empty());
  }
}

TEST_CASE("LayerMap: of many layers those that were held back go first, then the oldest") {
  LayerMap map({0, 0, 1, 1});
  REQUIRE(map.layers_kept() == LayerMap::kMaxLayers);
  map.Write(0, 0, 0, false);
  map.HoldBack(0, 0, 1);
  for (uint32_t i = 2; i < LayerMap::kMaxLayers + 2; ++i)
    map.Write(0, 0, i, false);
  CHECK(map.dropped() == 2);
  const std::vector<Layer> layers = At(map, 0, 0);
  REQUIRE(layers.size() == LayerMap::kMaxLayers);
  CHECK(layers.front() == Layer{2, false});
  CHECK(layers.back() == Layer{LayerMap::kMaxLayers + 1, false});
}

TEST_CASE("LayerMap: large areas keep fewer layers") {
  const LayerMap map({0, 0, 8192, 2048});
  CHECK(map.layers_kept() == 4);
}
