// Blits by what they leave on surfaces: clip lists, edges, mirrors.
#include "runtime/ddraw/blt_placement.h"

#include "screen.h"

using namespace dp2trace::runtime::ddraw;  // NOLINT(google-build-using-namespace): test file
using dp2trace::d3d::Rect;

namespace {

constexpr uint32_t kMirrorLeftRight = 0x2, kMirrorUpDown = 0x4, kRotate180 = 0x10, kRotate90 = 0x40;

SurfaceTable::BltCall Copy(Surface& dest, Surface& source, uint32_t effects = 0) {
  SurfaceTable::BltCall call;
  call.dest = &dest;
  call.source = &source;
  call.flags = effects == 0 ? 0 : ddblt::kEffects;
  call.effects = BltEffects{.effects = effects};
  return call;
}

}  // namespace

TEST_CASE("Blt: mirrors turn the image, and need no surface besides where sizes agree") {
  Screen screen;
  Surface& source = screen.Letters(1, {"abc", "def"});
  Surface& dest = screen.Letters(2, {"...", "..."});
  SurfaceTable& surfaces = screen.model.surfaces();
  CHECK(surfaces.Blt(Copy(dest, source, kMirrorLeftRight)));
  CHECK(screen.Rows(dest) == "cba fed");
  CHECK(screen.blits == 3);
  CHECK(surfaces.Blt(Copy(dest, source, kMirrorUpDown)));
  CHECK(screen.Rows(dest) == "def abc");
  CHECK(surfaces.Blt(Copy(dest, source, kMirrorLeftRight | kMirrorUpDown)));
  CHECK(screen.Rows(dest) == "fed cba");
  CHECK(surfaces.Blt(Copy(dest, source)));
  CHECK(surfaces.Blt(Copy(dest, source, kRotate180)));
  CHECK(screen.Rows(dest) == "fed cba");
  CHECK(surfaces.Blt(Copy(dest, source, kRotate180 | kMirrorUpDown)));
  CHECK(screen.Rows(dest) == "cba fed");
  CHECK(screen.SurfaceCount() == 2);
}

TEST_CASE("Blt: a mirror without DDBLT_DDFX is none; quarter turns and fills with mirrors") {
  Screen screen;
  Surface& source = screen.Letters(1, {"abc", "def"});
  Surface& dest = screen.Letters(2, {"...", "..."});
  SurfaceTable::BltCall call = Copy(dest, source, kMirrorLeftRight);
  call.flags = 0;
  CHECK(screen.model.surfaces().Blt(call));
  CHECK(screen.Rows(dest) == "abc def");
  CHECK_FALSE(screen.model.surfaces().Blt(Copy(dest, source, kRotate90)));
  CHECK(screen.Rows(dest) == "abc def");
  call.flags = ddblt::kEffects | ddblt::kColorFill;
  call.effects->fill = 'x';
  CHECK(screen.model.surfaces().Blt(call));
  CHECK(screen.Rows(dest) == "xxx xxx");
}

TEST_CASE("Blt: a mirrored blit within one surface takes what was there before") {
  Screen screen;
  Surface& surface = screen.Letters(1, {"abcd", "efgh"});
  CHECK(screen.model.surfaces().Blt(Copy(surface, surface, kMirrorLeftRight)));
  CHECK(screen.Rows(surface) == "dcba hgfe");
  CHECK(screen.SurfaceCount() == 1);
}

TEST_CASE("Blt: mirrors with colour keys, stretched, and of a part") {
  Screen screen;
  Surface& source = screen.Letters(1, {"ab#c", "defg"});
  Surface& dest = screen.Letters(2, {"........", "........"});
  SurfaceTable::BltCall call = Copy(dest, source, kMirrorLeftRight);
  call.flags |= ddblt::kKeySrcOverride;
  call.effects->source_key = {'#', '#'};
  call.dest_rect = Rect{2, 0, 6, 2};
  CHECK(screen.model.surfaces().Blt(call));
  CHECK(screen.Rows(dest) == "..c.ba.. ..gfed..");
  screen.Fill(dest, {"........", "........"});
  call.dest_rect = std::nullopt;
  CHECK(screen.model.surfaces().Blt(call));
  CHECK(screen.Rows(dest) == "cc..bbaa ggffeedd");
  call.effects->effects = kMirrorLeftRight | kMirrorUpDown;
  call.source_rect = Rect{1, 0, 3, 2};
  screen.Fill(dest, {"........", "........"});
  CHECK(screen.model.surfaces().Blt(call));
  CHECK(screen.Rows(dest) == "ffffeeee ....bbbb");
  CHECK(screen.SurfaceCount() == 2);
}

TEST_CASE("Blt: a mirrored blit that is cut shows the same part of the image as one that is not") {
  Screen screen;
  Surface& source = screen.Letters(1, {"abcd"});
  Surface& dest = screen.Letters(2, {"...."});
  SurfaceTable::BltCall call = Copy(dest, source, kMirrorLeftRight);
  call.dest_rect = Rect{-1, 0, 3, 1};  // "dcba", one to the left
  CHECK(screen.model.surfaces().Blt(call));
  CHECK(screen.Rows(dest) == "cba.");
}

TEST_CASE("Blt: the clip list of the destination cuts copies and fills, not those of a window") {
  Screen screen;
  Surface& source = screen.Letters(1, {"abcd", "efgh"});
  Surface& dest = screen.Letters(2, {"....", "...."});
  DirectDraw& model = screen.model;
  CHECK_FALSE(model.SetClipper(2, 50));
  CHECK_FALSE(model.SetClipList(50, Rect{}));
  CHECK_FALSE(model.SetClipWindow(50, true));
  model.CreateClipper(50);
  CHECK(model.SetClipper(2, 50));
  CHECK(model.surfaces().Blt(Copy(dest, source)));
  CHECK(screen.Rows(dest) == "abcd efgh");
  CHECK(model.SetClipList(50, Rect{1, 0, 3, 1}));
  screen.Fill(dest, {"....", "...."});
  CHECK(model.surfaces().Blt(Copy(dest, source)));
  CHECK(screen.Rows(dest) == ".bc. ....");
  CHECK(model.surfaces().Blt(Copy(dest, source, kMirrorLeftRight)));
  CHECK(screen.Rows(dest) == ".cb. ....");
  SurfaceTable::BltCall fill = Copy(dest, source);
  fill.flags = ddblt::kColorFill;
  fill.effects->fill = 'x';
  CHECK(model.surfaces().Blt(fill));
  CHECK(screen.Rows(dest) == ".xx. ....");
  // The window goes before the list, which stays.
  CHECK(model.SetClipWindow(50, true));
  CHECK(model.surfaces().Blt(Copy(dest, source)));
  CHECK(screen.Rows(dest) == "abcd efgh");
  CHECK(model.SetClipWindow(50, false));
  CHECK(model.surfaces().Blt(fill));
  CHECK(screen.Rows(dest) == "axxd efgh");
  // The surface holds the clipper.
  CHECK(model.SetReferences(50, 0));
  CHECK_FALSE(model.SetClipList(50, std::nullopt));
  CHECK(model.surfaces().Blt(Copy(dest, source)));
  CHECK(screen.Rows(dest) == "abcd efgh");
  CHECK(model.surfaces().Blt(fill));
  CHECK(screen.Rows(dest) == "axxd efgh");
  CHECK(model.SetClipper(2, 0));
  CHECK(model.surfaces().Blt(fill));
  CHECK(screen.Rows(dest) == "xxxx xxxx");
}

TEST_CASE("Blt: nothing of a blit outside the clip list is drawn or shown") {
  Screen screen;
  Surface& source = screen.Letters(1, {"abcd"});
  Surface& dest = screen.Letters(2, {"...."}, ddscaps::kPrimarySurface);
  screen.model.CreateClipper(50);
  CHECK(screen.model.SetClipper(2, 50));
  CHECK(screen.model.SetClipList(50, Rect{0, 5, 4, 9}));
  CHECK(screen.model.surfaces().Blt(Copy(dest, source)));
  CHECK(screen.Rows(dest) == "....");
  CHECK(screen.shown.empty());
}

TEST_CASE("Blt: a cut stretched blit shows what the whole one shows there") {
  const std::string whole = [] {
    Screen screen;
    Surface& source = screen.Letters(1, {"abcde"});
    Surface& dest = screen.Letters(2, {"......."});
    CHECK(screen.model.surfaces().Blt(Copy(dest, source)));
    return screen.Rows(dest);
  }();
  for (int32_t left = 0; left < 7; ++left) {
    for (int32_t right = left + 1; right <= 7; ++right) {
      Screen screen;
      Surface& source = screen.Letters(1, {"abcde"});
      Surface& dest = screen.Letters(2, {"......."});
      screen.model.CreateClipper(50);
      CHECK(screen.model.SetClipper(2, 50));
      CHECK(screen.model.SetClipList(50, Rect{left, 0, right, 1}));
      CHECK(screen.model.surfaces().Blt(Copy(dest, source)));
      std::string expected(7, '.');
      for (auto x = static_cast<size_t>(left); x < static_cast<size_t>(right); ++x)
        expected[x] = whole[x];
      CHECK(screen.Rows(dest) == expected);
    }
  }
}

TEST_CASE("Blt: large destinations are cut without a surface of their size") {
  Screen screen;
  Surface& source = screen.Letters(1, {"ab"});
  Surface& dest = screen.Letters(2, {"...."});
  SurfaceTable::BltCall call = Copy(dest, source);
  call.dest_rect = Rect{-2000000000, 0, 2000000000, 1};
  CHECK(screen.model.surfaces().Blt(call));
  CHECK(screen.blits <= 1);
  CHECK(screen.SurfaceCount() == 2);
}

TEST_CASE("Attach: buffers that the program attached by hand are a flip chain") {
  Screen screen;
  Surface& front = screen.Letters(1, {"f"}, ddscaps::kPrimarySurface);
  Surface& first = screen.Letters(2, {"1"});
  Surface& second = screen.Letters(3, {"2"});
  DirectDraw& model = screen.model;
  CHECK_FALSE(model.Flip(1, 0));
  CHECK(model.Attach(1, 2));
  CHECK(model.Attach(2, 3));
  CHECK_FALSE(model.Attach(1, 9));
  CHECK(SurfaceTable::FindAttached(front, 0x40, 0) == &first);
  // The driver side holds them.
  CHECK(model.SetReferences(3, 1));
  CHECK(model.Flip(1, 0));
  CHECK(screen.shown == std::vector<std::string>{"1"});
  CHECK(screen.Rows(front) == "1");
  CHECK(screen.Rows(first) == "2");
  CHECK(screen.Rows(second) == "f");
  CHECK(model.Flip(1, 3));
  CHECK(screen.Rows(front) == "f");
  CHECK(screen.Rows(second) == "1");
  CHECK(model.Detach(1, 2));
  CHECK_FALSE(model.Detach(1, 2));
  CHECK_FALSE(model.Flip(1, 0));
  // Others stay beside the chain.
  screen.Letters(4, {"ab"});
  CHECK(model.Attach(1, 4));
  CHECK_FALSE(model.Flip(1, 0));
  CHECK(SurfaceTable::FindAttached(front, 0x40, 0)->width == 2);
  CHECK(model.Detach(1, 0));
  CHECK(SurfaceTable::FindAttached(front, 0x40, 0) == nullptr);
}

TEST_CASE("Attach: what a surface holds ends with it") {
  Screen screen;
  screen.Letters(1, {"f"});
  screen.Letters(2, {"1"});
  screen.Letters(3, {"2"});
  DirectDraw& model = screen.model;
  CHECK(model.Attach(1, 2));
  CHECK(model.Attach(1, 3));
  CHECK(model.SetReferences(2, 1));  // that of the program is gone, that of the other stays
  CHECK(screen.SurfaceCount() == 3);
  CHECK(model.SetReferences(1, 0));
  CHECK(screen.SurfaceCount() == 1);
}
