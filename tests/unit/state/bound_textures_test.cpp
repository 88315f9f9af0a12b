#include "state/bound_textures.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "image/png.h"
#include "state_run.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

class WritingVisitor final : public state::DrawVisitor {
 public:
  explicit WritingVisitor(std::string folder) : folder_(std::move(folder)) {}
  Status OnDraw(const state::FoundDraw& draw, const device::Device& device,
                const device::Context& context) override {
    status = state::WriteBoundTextures(folder_, draw, device, context);
    return OkStatus();
  }
  Status status;

 private:
  std::string folder_;
};

Status WriteTextures(const std::string& folder) {
  const std::string events =
      std::string(kTarget) +
      R"({"event":"surface_create","handle":5,"kind":"target","caps":["TEXTURE","3DDEVICE"],"format":"A8R8G8B8","width":8,"height":8,"levels":2},
{"event":"surface_create","handle":6,"format":"X8R8G8B8","width":2,"height":2,"faces":6},)" +
      Call(
          R"({"op":"SETRENDERTARGET2","records":[{"rt_index":0,"render_target":5}]},{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF00FF00","rects":[[0,0,8,8]]},)"
          R"({"op":"SETRENDERTARGET2","records":[{"rt_index":0,"render_target":1}]},{"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":5},{"stage":3,"ts_state":"TEXTUREMAP","value":6}]},)" +
          std::string(kClear));
  std::string error;
  state::FinderOptions options;
  options.draws = *Selection::Parse("2", error);
  options.draws_pixels = true;
  WritingVisitor visitor(folder);
  VisitDraws(events, options, visitor);
  return visitor.status;
}

}  // namespace

TEST_CASE("WriteBoundTextures: all levels and faces, with what was drawn into them") {
  const TestFolder folder;
  const std::string path = folder / "bound";
  REQUIRE(WriteTextures(path).ok());
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(path))
    names.insert(file.path().filename().string());
  CHECK(names.size() == 2 + 2 + 6);  // with the list of files
  CHECK(names.contains("stage-3-surface-6-f5-l0.png"));
  CHECK(ReadText(path + "/textures.txt") ==
        "textures bound at draw 2\n"
        "stage 0: 5: A8R8G8B8 8x8, 2 levels\n"
        "stage 3: 6: X8R8G8B8 2x2 cube\n");
  const Result<image::Picture> drawn = image::ReadPng(path + "/stage-0-surface-5-f0-l0.png");
  REQUIRE(drawn.ok());
  CHECK(drawn->at(3, 3)[1] == 255);
  CHECK(drawn->at(3, 3)[0] == 0);
}

TEST_CASE("WriteBoundTextures: its own folder is replaced, another one is not") {
  const TestFolder folder;
  const std::string path = folder / "bound";
  REQUIRE(WriteTextures(path).ok());
  CHECK(WriteTextures(path).ok());
  const std::string other = folder / "other";
  std::filesystem::create_directory(other);
  WriteText(other + "/precious.txt", "text");
  CHECK_FALSE(WriteTextures(other).ok());
  CHECK(ReadText(other + "/precious.txt") == "text");
}
