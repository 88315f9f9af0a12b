// The scenes of tests/fuzz/renderer_fuzz.cpp without libFuzzer: as many as asked for, the same ones each time.
//
// usage: random_scenes [RUNS [FIRST [FOLDER]]]      2000 runs from number 1; scenes that differ are kept in the folder
// exit code: 1 where the renderers differ, or a scene is not a trace
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include "fuzz/compare_renderers.h"
#include "fuzz/draw_scene.h"

int main(int argc, char** argv) {
  using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test program
  const uint64_t runs = argc > 1 ? std::stoull(argv[1]) : 2000;
  const uint64_t first = argc > 2 ? std::stoull(argv[2]) : 1;
  uint64_t differences = 0;
  uint64_t pictures = 0;
  uint64_t drawn = 0;
  for (uint64_t number = first; number < first + runs; ++number) {
    Choices choices(number);
    const std::string scene = MakeDrawScene(choices);
    const Comparison comparison = CompareRenderers(scene);
    pictures += comparison.pictures;
    drawn += comparison.pixels != 0 ? 1 : 0;
    if (comparison.difference.empty() && comparison.error.empty()) continue;
    ++differences;
    std::printf("scene %llu: %s%s\n", static_cast<unsigned long long>(number),
                comparison.difference.c_str(), comparison.error.c_str());
    if (argc > 3)
      std::ofstream(std::string(argv[3]) + "/scene-" + std::to_string(number) + ".json") << scene;
    (void)std::fflush(stdout);
  }
  std::printf("%llu scenes, %llu with pixels, %llu pictures, %llu differences\n",
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(drawn),
              static_cast<unsigned long long>(pictures),
              static_cast<unsigned long long>(differences));
  // A generator that draws nothing would find nothing.
  return differences == 0 && drawn * 2 >= runs ? 0 : 1;
}
