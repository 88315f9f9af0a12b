// Random drawing with the reference and the fast renderer, which with one and three threads gives the same pictures, findings and counts.
#include <cstdint>
#include <cstdio>
#include <string>

#include "compare_renderers.h"
#include "draw_scene.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test program
  Choices choices(std::span<const uint8_t>(data, size));
  const std::string scene = MakeDrawScene(choices);
  const Comparison comparison = CompareRenderers(scene);
  if (!comparison.difference.empty()) (void)std::fputs(scene.c_str(), stderr);
  Require(comparison.error.empty(), comparison.error.c_str());
  Require(comparison.difference.empty(), comparison.difference.c_str());
  return 0;
}
