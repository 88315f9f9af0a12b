// Overlays by what is presented: no surface of the program ever holds them.
#include "screen.h"

using namespace dp2trace::runtime::ddraw;  // NOLINT(google-build-using-namespace): test file
using dp2trace::d3d::ColorKey;
using dp2trace::d3d::Rect;

namespace {

constexpr uint32_t kPrimary = ddscaps::kPrimarySurface;

// A primary surface with surface 2 over its middle.
struct Overlaid {
  Screen screen;
  Surface& primary = screen.Letters(1, {"abcd", "efgh"}, kPrimary);
  Surface& overlay = screen.Letters(2, {"XY"});
  SurfaceTable& surfaces = screen.model.surfaces();

  SurfaceTable::OverlayCall Call(uint32_t flags = ddover::kShow) {
    return {.overlay = &overlay, .dest = &primary, .dest_rect = Rect{1, 0, 3, 1}, .flags = flags};
  }
  // What was presented last.
  std::string Shown() {
    (void)screen.Rows(primary);
    return screen.shown.empty() ? "" : screen.shown.back();
  }
  size_t PresentCount() {
    (void)screen.Rows(primary);
    return screen.shown.size();
  }
};

}  // namespace

TEST_CASE("Overlay: seen in what is presented, in no memory of the program") {
  Overlaid o;
  CHECK(o.surfaces.UpdateOverlay(o.Call()));
  CHECK(o.Shown() == "aXYdefgh");
  CHECK(o.screen.Rows(o.primary) == "abcd efgh");
  CHECK(o.screen.SurfaceCount() == 2);
  CHECK(o.surfaces.UpdateOverlay(o.Call(ddover::kHide)));
  CHECK(o.Shown() == "abcdefgh");
  CHECK(o.PresentCount() == 2);
  // Hidden already: nothing is seen that was not.
  CHECK(o.surfaces.UpdateOverlay(o.Call(ddover::kHide)));
  CHECK(o.PresentCount() == 2);
}

TEST_CASE("Overlay: without SHOW it changes only while it is shown") {
  Overlaid o;
  CHECK(o.surfaces.UpdateOverlay(o.Call(0)));
  CHECK(o.PresentCount() == 0);
  CHECK(o.surfaces.UpdateOverlay(o.Call()));
  SurfaceTable::OverlayCall call = o.Call(0);
  call.source_rect = Rect{1, 0, 2, 1};
  call.dest_rect = Rect{0, 1, 4, 2};
  CHECK(o.surfaces.UpdateOverlay(call));
  CHECK(o.Shown() == "abcdYYYY");
}

TEST_CASE("Overlay: blits to the primary surface are presented below it") {
  Overlaid o;
  Surface& source = o.screen.Letters(3, {"1234", "5678"});
  CHECK(o.surfaces.UpdateOverlay(o.Call()));
  SurfaceTable::BltCall blt;
  blt.dest = &o.primary;
  blt.source = &source;
  CHECK(o.surfaces.Blt(blt));
  CHECK(o.Shown() == "1XY45678");
  CHECK(o.screen.Rows(o.primary) == "1234 5678");
}

TEST_CASE("Overlay: keys of the surfaces, and those of the call") {
  Overlaid o;
  // Keys that nobody set: the call would fail.
  CHECK_FALSE(o.surfaces.UpdateOverlay(o.Call(ddover::kShow | ddover::kKeyDest)));
  CHECK_FALSE(o.surfaces.UpdateOverlay(o.Call(ddover::kShow | ddover::kKeySrc)));
  CHECK(o.PresentCount() == 0);
  o.surfaces.SetColorKey(o.primary, ddckey::kDestOverlay, ColorKey{'c', 'c'});
  CHECK(o.surfaces.UpdateOverlay(o.Call(ddover::kShow | ddover::kKeyDest)));
  CHECK(o.Shown() == "abYdefgh");
  o.surfaces.SetColorKey(o.overlay, ddckey::kSourceOverlay, ColorKey{'Y', 'Y'});
  CHECK(o.surfaces.UpdateOverlay(o.Call(ddover::kKeySrc)));
  CHECK(o.Shown() == "aXcdefgh");
  SurfaceTable::OverlayCall call = o.Call(ddover::kKeySrcOverride | ddover::kKeyDestOverride);
  call.effects = OverlayEffects{.dest_key = {'b', 'b'}, .source_key = {'Y', 'Y'}};
  CHECK(o.surfaces.UpdateOverlay(call));
  CHECK(o.Shown() == "aXcdefgh");
  call.effects = OverlayEffects{.dest_key = {'c', 'c'}, .source_key = {'Y', 'Y'}};
  CHECK(o.surfaces.UpdateOverlay(call));
  CHECK(o.Shown() == "abcdefgh");
}

TEST_CASE("Overlay: keys of blits are not those of overlays") {
  Overlaid o;
  o.surfaces.SetColorKey(o.overlay, ddckey::kSourceBlt, ColorKey{'Y', 'Y'});
  CHECK(o.surfaces.UpdateOverlay(o.Call()));
  CHECK(o.Shown() == "aXYdefgh");
  CHECK_FALSE(o.surfaces.UpdateOverlay(o.Call(ddover::kKeySrc)));
}

TEST_CASE("Overlay: mirrors, positions, and the part beyond the edge") {
  Overlaid o;
  SurfaceTable::OverlayCall call = o.Call(ddover::kShow | ddover::kEffects);
  call.effects = OverlayEffects{.effects = 2};
  CHECK(o.surfaces.UpdateOverlay(call));
  CHECK(o.Shown() == "aYXdefgh");
  CHECK(o.surfaces.SetOverlayPosition(o.overlay, 3, 1));
  CHECK(o.Shown() == "abcdefgY");
  CHECK_FALSE(o.surfaces.SetOverlayPosition(o.overlay, INT32_MAX, 0));
  CHECK_FALSE(o.surfaces.SetOverlayPosition(o.primary, 0, 0));
}

TEST_CASE("Overlay: several lie in their order, which can be changed") {
  Overlaid o;
  Surface& second = o.screen.Letters(3, {"PQ"});
  Surface& third = o.screen.Letters(4, {"RS"});
  CHECK(o.surfaces.UpdateOverlay(o.Call()));
  SurfaceTable::OverlayCall call = o.Call();
  call.overlay = &second;
  CHECK(o.surfaces.UpdateOverlay(call));
  CHECK(o.Shown() == "aPQdefgh");
  CHECK(o.surfaces.SetOverlayOrder(o.overlay, OverlayOrder::kSendToFront, nullptr));
  CHECK(o.Shown() == "aXYdefgh");
  CHECK(o.surfaces.SetOverlayOrder(o.overlay, OverlayOrder::kSendToBack, nullptr));
  CHECK(o.Shown() == "aPQdefgh");
  CHECK(o.surfaces.SetOverlayOrder(o.overlay, OverlayOrder::kMoveForward, nullptr));
  CHECK(o.Shown() == "aXYdefgh");
  CHECK(o.surfaces.SetOverlayOrder(o.overlay, OverlayOrder::kMoveBackward, nullptr));
  CHECK(o.Shown() == "aPQdefgh");
  CHECK(o.surfaces.SetOverlayOrder(o.overlay, OverlayOrder::kInsertInFrontOf, &second));
  CHECK(o.Shown() == "aXYdefgh");
  CHECK(o.surfaces.SetOverlayOrder(o.overlay, OverlayOrder::kInsertInBackOf, &second));
  CHECK(o.Shown() == "aPQdefgh");
  CHECK_FALSE(o.surfaces.SetOverlayOrder(o.overlay, OverlayOrder::kInsertInFrontOf, &third));
  CHECK_FALSE(o.surfaces.SetOverlayOrder(third, OverlayOrder::kSendToFront, nullptr));
}

TEST_CASE("Overlay: a flip of its chain shows the next buffer") {
  Overlaid o;
  SurfaceDescription description;
  description.flags = ddsd::kWidth | ddsd::kHeight | ddsd::kPixelFormat | ddsd::kBackBufferCount;
  description.width = 2;
  description.height = 1;
  description.back_buffer_count = 1;
  description.format = o.primary.format;
  description.caps[0] = ddscaps::kFlip | ddscaps::kComplex;
  Surface& front = *o.screen.model.CreateSurface(1000, description, 5);
  o.screen.Fill(front, {"12"});
  o.screen.Fill(*front.attached.front(), {"34"});
  SurfaceTable::OverlayCall call = o.Call();
  call.overlay = &front;
  CHECK(o.surfaces.UpdateOverlay(call));
  CHECK(o.Shown() == "a12defgh");
  CHECK(o.screen.model.Flip(5, 0));
  CHECK(o.Shown() == "a34defgh");
  CHECK(o.PresentCount() == 2);
}

TEST_CASE("Overlay: the colours of video are those of the screen") {
  Screen screen;
  SurfaceDescription description;
  description.flags = ddsd::kWidth | ddsd::kHeight | ddsd::kPixelFormat;
  description.width = 2;
  description.height = 1;
  description.caps[0] = ddscaps::kPrimarySurface;
  description.format = {.flags = dp2trace::d3d::ddpf::kRgb,
                        .bit_count = 32,
                        .red_mask = 0xFF0000,
                        .green_mask = 0xFF00,
                        .blue_mask = 0xFF};
  Surface& primary = *screen.model.CreateSurface(1000, description, 1);
  description.caps[0] = 0x80;  // DDSCAPS_OVERLAY
  description.format = {.flags = dp2trace::d3d::ddpf::kFourCc, .four_cc = 0x32595559};  // YUY2
  Surface& overlay = *screen.model.CreateSurface(1000, description, 2);
  screen.Fill(overlay, {"\x4C\x54\x4C\xFF"});  // red
  CHECK(screen.model.surfaces().UpdateOverlay(
      {.overlay = &overlay, .dest = &primary, .flags = ddover::kShow}));
  (void)screen.Rows(primary);
  REQUIRE(screen.shown.size() == 1);
  const std::string& shown = screen.shown.back();
  REQUIRE(shown.size() == 8);
  CHECK(static_cast<int>(shown[0]) == 0);
  CHECK(static_cast<int>(shown[1]) == 0);
  CHECK(static_cast<uint8_t>(shown[2]) >= 0xF0);
}

TEST_CASE("Overlay: a released one is seen no more; what cannot be shown is refused") {
  Overlaid o;
  SurfaceTable::OverlayCall call = o.Call(ddover::kShow | 0x10);  // DDOVER_ALPHASRC
  CHECK_FALSE(o.surfaces.UpdateOverlay(call));
  call = o.Call();
  call.source_rect = Rect{1, 0, 3, 1};
  CHECK_FALSE(o.surfaces.UpdateOverlay(call));
  call = o.Call();
  call.dest = &o.screen.Letters(3, {"...."});
  CHECK_FALSE(o.surfaces.UpdateOverlay(call));
  call.dest = nullptr;
  CHECK_FALSE(o.surfaces.UpdateOverlay(call));
  CHECK(o.PresentCount() == 0);
  CHECK(o.surfaces.UpdateOverlay(o.Call()));
  CHECK(o.surfaces.SetReferences(2, 0));
  SurfaceTable::BltCall fill;
  fill.dest = &o.primary;
  fill.flags = ddblt::kColorFill;
  fill.effects = BltEffects{.fill = 'z'};
  CHECK(o.surfaces.Blt(fill));
  CHECK(o.Shown() == "zzzzzzzz");
}
