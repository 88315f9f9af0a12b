#include "replay/pictures.h"

#include <doctest/doctest.h>

#include "replay_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// Pictures of surface 5 at the end of a trace that creates it.
ReplayRun PicturesOf(std::string_view create) {
  replay::Options options;
  options.surface = 5;
  return Replay(create, options);
}

}  // namespace

TEST_CASE("Pictures: one per face") {
  const ReplayRun run = PicturesOf(
      R"({"event":"surface_create","handle":5,"format":"A8R8G8B8","width":2,"height":2,"caps2":["CUBEMAP"],)"
      R"("faces":["POSITIVEX","NEGATIVEX","POSITIVEY","NEGATIVEY","POSITIVEZ","NEGATIVEZ"]})");
  CHECK(run.images.size() == 6);
  CHECK(run.images.back().info.file == "surface-5-f5-l0.png");
}

TEST_CASE("Pictures: one per slice of a volume") {
  const ReplayRun run = PicturesOf(
      R"({"event":"surface_create","handle":5,"format":"A8R8G8B8","width":2,"height":2,"depth":2,"caps2":["VOLUME"]})");
  CHECK(run.Files() == "surface-5-f0-l0-s0.png surface-5-f0-l0-s1.png");
}

TEST_CASE("Pictures: depth and stencil of one surface, with the hash of the stored bits") {
  const ReplayRun run = PicturesOf(
      R"({"event":"surface_create","handle":5,"kind":"depth","format":"D24S8","width":2,"height":2})");
  CHECK(run.Files() == "surface-5-f0-l0.png surface-5-f0-l0-stencil.png");
  CHECK(run.images[0].info.raw_hash.size() == 32);
}

TEST_CASE("Pictures: a buffer has none") {
  CHECK(
      PicturesOf(
          R"({"event":"surface_create","handle":5,"kind":"vertex_buffer","format":"VERTEXDATA","width":64})")
          .images.empty());
}
