#include <vector>

#include "d3d/formats.h"
#include "d3d/interface.h"
#include "recording.h"

using namespace dp2trace::runtime::ddraw;  // NOLINT(google-build-using-namespace): test file
using dp2trace::Bytes;
namespace trace = dp2trace::trace;

namespace {

constexpr const char* kDisplayFormat =
    "pixel_format={flags=RGB bit_count=32 red_mask=0x00ff0000 green_mask=0x0000ff00 blue_mask=0x000000ff} ";

SurfaceTable::BltCall Copy(Surface& dest, Surface& source, uint32_t flags = 0) {
  SurfaceTable::BltCall call;
  call.dest = &dest;
  call.source = &source;
  call.flags = flags;
  return call;
}

SurfaceDescription Chain(uint32_t back_buffers) {
  SurfaceDescription description =
      Recording::Sized(640, 480, ddscaps::kPrimarySurface | ddscaps::kFlip | ddscaps::kComplex);
  description.flags |= ddsd::kBackBufferCount;
  description.back_buffer_count = back_buffers;
  return description;
}

}  // namespace

TEST_CASE("SurfaceTable: a surface without a format has that of the display") {
  Recording recording;
  recording.Plain(1);
  CHECK(recording.Lines() == "surface_create handle=1 kind=plain caps=OFFSCREENPLAIN " +
                                 std::string(kDisplayFormat) + "width=640 height=480\n");
  recording.model.ObjectOf(Recording::kDraw).mode = {800, 600, 16};
  recording.model.CreateSurface(Recording::kDraw, {}, 2);
  CHECK(
      recording.Lines() ==
      "surface_create handle=2 kind=plain pixel_format={flags=RGB bit_count=16 red_mask=0x0000f800 green_mask=0x000007e0 "
      "blue_mask=0x0000001f} width=800 height=600\n");
}

TEST_CASE("SurfaceTable: depth of 24 bits a pixel lies in 32") {
  Recording recording;
  SurfaceDescription depth = Recording::Sized(8, 8, ddscaps::kZBuffer);
  depth.flags |= ddsd::kPixelFormat;
  depth.format = {.flags = 0x400, .bit_count = 24, .green_mask = 0xFFFFFF};
  recording.Lines();
  recording.model.CreateSurface(Recording::kDraw, depth, 5);
  CHECK(recording.Lines().find("flags=ZBUFFER bit_count=32 green_mask=0x00ffffff") !=
        std::string::npos);
}

TEST_CASE("SurfaceTable: a display of 8 bits has palettised surfaces") {
  Recording recording;
  recording.model.ObjectOf(Recording::kDraw).mode = {640, 480, 8};
  Surface* const surface = recording.model.CreateSurface(Recording::kDraw, {}, 1);
  REQUIRE(surface != nullptr);
  CHECK(FormatOf(surface->format)->name == "P8");
  CHECK(
      recording.Lines() ==
      "surface_create handle=1 kind=plain pixel_format={flags=PALETTEINDEXED8|RGB bit_count=8} width=640 height=480\n");
}

TEST_CASE("SurfaceTable: a mip chain is one create with a handle per level") {
  Recording recording;
  Surface& root = *recording.model.CreateSurface(
      Recording::kDraw,
      Recording::Sized(4, 2, ddscaps::kTexture | ddscaps::kMipMap | ddscaps::kComplex), 1);
  CHECK(recording.Lines() ==
        "surface_create handle=1 caps=COMPLEX|TEXTURE|MIPMAP " + std::string(kDisplayFormat) +
            "width=4 height=2 levels=3 sub_surfaces=[{handle=2 level=1} {handle=3 level=2}]\n");
  Surface* const second = SurfaceTable::FindAttached(root, ddscaps::kTexture | ddscaps::kMipMap,
                                                     ddscaps2::kMipMapSubLevel);
  REQUIRE(second != nullptr);
  CHECK(second->level == 1);
  CHECK(second->width == 2);
  CHECK(second->height == 1);
}

TEST_CASE("SurfaceTable: a cube map has its faces as attachments") {
  Recording recording;
  SurfaceDescription description = Recording::Sized(8, 8, ddscaps::kTexture | ddscaps::kComplex);
  description.caps[1] = ddscaps2::kCubeMap | 0x0400 | 0x2000;  // +X, -Y
  Surface& root = *recording.model.CreateSurface(Recording::kDraw, description, 1);
  CHECK(recording.Lines().find("faces=POSITIVEX|NEGATIVEY sub_surfaces=[{handle=2 face=3}]\n") !=
        std::string::npos);
  CHECK(SurfaceTable::FindAttached(root, ddscaps::kTexture, ddscaps2::kCubeMap | 0x2000)->face ==
        3);
}

TEST_CASE("SurfaceTable: a surface lives as long as any interface, and its handle is used again") {
  Recording recording;
  recording.Plain(1);
  CHECK(recording.model.AddInterface(1, 7));
  recording.Lines();
  CHECK(recording.model.SetReferences(1, 0));
  CHECK(recording.Lines().empty());
  CHECK(recording.model.SetReferences(7, 0));
  CHECK(recording.Lines() == "surface_destroy handle=1\n");
  CHECK_FALSE(recording.model.SetReferences(7, 0));
  CHECK(recording.Plain(1).handle == 1);
}

TEST_CASE("SurfaceTable: an attached depth surface lives with its holder") {
  Recording recording;
  recording.Plain(1);
  recording.Plain(2, ddscaps::kZBuffer);
  CHECK(recording.model.Attach(1, 2));
  CHECK(recording.model.SetReferences(2, 1));
  recording.Lines();
  CHECK(recording.model.SetReferences(1, 0));
  CHECK(recording.Lines() == "surface_destroy handle=1\nsurface_destroy handle=2\n");
}

TEST_CASE("SurfaceTable: a pointer that comes back for a new surface ends the old one") {
  Recording recording;
  recording.Plain(1);
  recording.Lines();
  recording.Plain(1);
  CHECK(recording.Lines().ends_with("surface_destroy handle=1\n"));
}

TEST_CASE("SetColorKey: repeats the create, and is one value without DDCKEY_COLORSPACE") {
  Recording recording;
  Surface& surface = recording.Plain(1);
  recording.Lines();
  recording.model.surfaces().SetColorKey(surface, ddckey::kSourceBlt,
                                         dp2trace::d3d::ColorKey{0xFF, 1});
  CHECK(recording.Lines().ends_with("color_key={low=0x000000ff high=0x000000ff}\n"));
  recording.model.surfaces().SetColorKey(surface, ddckey::kSourceBlt | ddckey::kColorSpace,
                                         dp2trace::d3d::ColorKey{1, 9});
  CHECK(recording.Lines().ends_with("color_key={low=0x00000001 high=0x00000009}\n"));
  recording.model.surfaces().SetColorKey(surface, ddckey::kSourceBlt, std::nullopt);
  CHECK(recording.Lines().find("color_key") == std::string::npos);
}

TEST_CASE("Flip: presents the back buffer, then the handles follow the memory") {
  Recording recording;
  Surface& front = *recording.model.CreateSurface(Recording::kDraw, Chain(2), 1);
  Surface* const back = SurfaceTable::FindAttached(front, ddscaps::kBackBuffer, 0);
  REQUIRE(back != nullptr);
  CHECK(recording.Lines().find("flip_chain=[2 3]") != std::string::npos);
  CHECK(recording.model.Flip(1, 0));
  CHECK(recording.Lines() == "present handle=2\n");
  CHECK(front.handle == 2);
  CHECK(back->handle == 3);
  CHECK(recording.model.Flip(1, 0));
  CHECK(recording.Lines() == "present handle=3\n");
}

TEST_CASE("Flip: an override exchanges two surfaces; a surface without a chain does not flip") {
  Recording recording;
  Surface& front = *recording.model.CreateSurface(Recording::kDraw, Chain(2), 1);
  Surface* const second = front.complex->chain[2];
  recording.model.surfaces().AddInterface(9, *second);
  recording.Lines();
  CHECK(recording.model.Flip(1, 9));
  CHECK(recording.Lines() == "present handle=3\n");
  CHECK(front.handle == 3);
  CHECK(second->handle == 1);
  recording.Plain(20);
  CHECK_FALSE(recording.model.Flip(20, 0));
}

TEST_CASE("Flip: a device whose target got other memory binds it") {
  Recording recording;
  SurfaceDescription description = Chain(1);
  description.caps[0] |= ddscaps::k3dDevice;
  Surface& front = *recording.model.CreateSurface(Recording::kDraw, description, 1);
  recording.model.surfaces().AddInterface(2, *front.complex->chain[1]);
  recording.model.CreateDevice(2, 100);
  recording.Lines();
  CHECK(recording.model.Flip(1, 0));
  CHECK(recording.Lines() ==
        "present handle=2\n"
        "dp2 context=1 commands=12 bytes\n"
        "  0x0000 SETRENDERTARGET 1 {render_target=1 z_buffer=0}\n");
}

TEST_CASE("Blt: keys come from the call, the source, or the destination") {
  Recording recording;
  SurfaceTable& surfaces = recording.model.surfaces();
  Surface& dest = recording.Plain(1);
  Surface& source = recording.Plain(2);
  surfaces.SetColorKey(source, ddckey::kSourceBlt, dp2trace::d3d::ColorKey{1, 1});
  surfaces.SetColorKey(source, ddckey::kDestBlt, dp2trace::d3d::ColorKey{2, 2});
  surfaces.SetColorKey(dest, ddckey::kDestBlt, dp2trace::d3d::ColorKey{3, 3});
  recording.Lines();
  CHECK(surfaces.Blt(Copy(dest, source, ddblt::kKeySrc)));
  CHECK(recording.Lines() ==
        "blt src=2 dest=1 flags=0x00008000 src_color_key={low=0x00000001 high=0x00000001}\n");
  SurfaceTable::BltCall call = Copy(dest, source, ddblt::kKeyDest);
  CHECK(surfaces.Blt(call));
  CHECK(recording.Lines() ==
        "blt src=2 dest=1 flags=0x00002000 dest_color_key={low=0x00000003 high=0x00000003}\n");
  call.takes_source_dest_key = true;
  CHECK(surfaces.Blt(call));
  CHECK(recording.Lines() ==
        "blt src=2 dest=1 flags=0x00002000 dest_color_key={low=0x00000002 high=0x00000002}\n");
  call = Copy(dest, source, ddblt::kKeySrcOverride);
  call.effects = BltEffects{.source_key = {4, 5}};
  CHECK(surfaces.Blt(call));
  CHECK(recording.Lines() ==
        "blt src=2 dest=1 flags=0x00010000 src_color_key={low=0x00000004 high=0x00000005}\n");
}

TEST_CASE("Blt: fills need no source") {
  Recording recording;
  SurfaceTable::BltCall call;
  call.dest = &recording.Plain(1);
  call.dest_rect = dp2trace::d3d::Rect{1, 2, 3, 4};
  call.flags = ddblt::kColorFill;
  call.effects = BltEffects{.fill = 0x11};
  recording.Lines();
  CHECK(recording.model.surfaces().Blt(call));
  CHECK(
      recording.Lines() ==
      "blt kind=color_fill dest=1 dest_rect={left=1 top=2 right=3 bottom=4} flags=0x00000400 fill=0x00000011\n");
  call.flags = ddblt::kDepthFill;
  call.dest_rect.reset();
  CHECK(recording.model.surfaces().Blt(call));
  CHECK(recording.Lines() == "blt kind=depth_fill dest=1 flags=0x02000000 fill=0x00000011\n");
}

TEST_CASE("Blt: what sticks out of the destination is cut, the source in proportion") {
  Recording recording;
  Surface& dest = recording.Plain(1);
  SurfaceTable::BltCall call = Copy(dest, recording.Plain(2));
  recording.Lines();
  call.dest_rect = dp2trace::d3d::Rect{-100, 0, 100, 480};
  call.source_rect = dp2trace::d3d::Rect{0, 0, 100, 480};
  CHECK(recording.model.surfaces().Blt(call));
  CHECK(
      recording.Lines() ==
      "blt src=2 src_rect={left=50 right=100 bottom=480} dest=1 dest_rect={right=100 bottom=480}\n");
  call.dest_rect = dp2trace::d3d::Rect{700, 0, 800, 480};
  CHECK(recording.model.surfaces().Blt(call));
  CHECK(recording.Lines().empty());
}

TEST_CASE("Blt: a blit to the primary surface shows a frame") {
  Recording recording;
  Surface& primary = recording.Plain(1, ddscaps::kPrimarySurface);
  SurfaceTable::BltCall call = Copy(primary, recording.Plain(2));
  call.dest_rect = dp2trace::d3d::Rect{10, 20, 650, 500};
  recording.Lines();
  CHECK(recording.model.surfaces().Blt(call));
  CHECK(
      recording.Lines().ends_with("present handle=1 rect={left=10 top=20 right=640 bottom=480}\n"));
}

TEST_CASE(
    "Blt: surfaces of two DirectDraw objects, quarter turns and missing sources are not recorded") {
  Recording recording;
  Surface& dest = recording.Plain(1);
  Surface& foreign = *recording.model.CreateSurface(2000, Recording::Sized(640, 480, 0), 3);
  recording.Lines();
  CHECK(foreign.space != dest.space);
  CHECK_FALSE(recording.model.surfaces().Blt(Copy(dest, foreign)));
  SurfaceTable::BltCall call = Copy(dest, dest, ddblt::kEffects);
  call.effects = BltEffects{.effects = 0x20};
  CHECK_FALSE(recording.model.surfaces().Blt(call));
  call = Copy(dest, dest);
  call.source = nullptr;
  CHECK_FALSE(recording.model.surfaces().Blt(call));
  CHECK(recording.Lines().empty());
}

TEST_CASE("Lock: writes become updates of whole rows and parts of rows") {
  Recording recording;
  Surface& surface = *recording.model.CreateSurface(Recording::kDraw, Recording::Sized(4, 3, 0), 1);
  SurfaceDescription locked;
  locked.pitch = 32;
  const auto area = SurfaceTable::AreaOf(surface, std::nullopt, locked, 0);
  REQUIRE(area);
  CHECK(area->size() == 96);
  recording.Lines();
  const std::vector<uint8_t> bytes(96);
  recording.model.surfaces().Write(surface, *area, 0, bytes);
  CHECK(recording.Lines().starts_with("surface_update handle=1 pitch=32 data=80 bytes"));
  // From pixel 2 of row 0 to pixel 1 of row 1, both inclusive.
  recording.model.surfaces().Write(surface, *area, 8, Bytes(bytes).first(32));
  const std::string lines = recording.Lines();
  CHECK(lines.find("rect={left=2 right=4 bottom=1} pitch=32 data=8 bytes") != std::string::npos);
  CHECK(lines.find("rect={top=1 right=2 bottom=2} pitch=32 data=8 bytes") != std::string::npos);
}

TEST_CASE("Lock: a rectangle is written within its columns, and reads name it") {
  Recording recording;
  Surface& surface = recording.Plain(1);
  SurfaceDescription locked;
  locked.pitch = 2560;
  const auto area = SurfaceTable::AreaOf(surface, dp2trace::d3d::Rect{10, 20, 12, 22}, locked,
                                         dp2trace::d3d::kLockReadOnly);
  REQUIRE(area);
  recording.Lines();
  const std::vector<uint8_t> bytes(5120);
  recording.model.surfaces().Write(surface, *area, 0, bytes);
  CHECK(recording.Lines().starts_with(
      "surface_update handle=1 rect={left=10 top=20 right=12 bottom=22} pitch=2560 flags=READONLY data=2568 bytes"));
  recording.model.surfaces().Read(surface, *area);
  CHECK(recording.Lines() ==
        "surface_read handle=1 rect={left=10 top=20 right=12 bottom=22} flags=READONLY\n");
  CHECK_FALSE(SurfaceTable::AreaOf(surface, dp2trace::d3d::Rect{0, 0, 641, 1}, locked, 0));
  CHECK_FALSE(SurfaceTable::AreaOf(surface, dp2trace::d3d::Rect{5, 5, 5, 6}, locked, 0));
}

TEST_CASE("Lock: block formats are updated by rows of blocks") {
  Recording recording;
  SurfaceDescription description = Recording::Sized(8, 8, ddscaps::kTexture);
  description.flags |= ddsd::kPixelFormat;
  description.format = {.flags = 4, .four_cc = 0x31545844};
  Surface& surface = *recording.model.CreateSurface(Recording::kDraw, description, 1);
  SurfaceDescription locked;
  locked.flags = ddsd::kLinearSize;
  locked.pitch = 32;
  const auto area = SurfaceTable::AreaOf(surface, std::nullopt, locked, 0);
  REQUIRE(area);
  CHECK(area->pitch == 16);
  CHECK(area->rows == 2);
  recording.Lines();
  const std::vector<uint8_t> bytes(32);
  recording.model.surfaces().Write(surface, *area, 16, Bytes(bytes).first(16));
  CHECK(recording.Lines().starts_with(
      "surface_update handle=1 rect={top=4 right=8 bottom=8} data=16 bytes"));
}

TEST_CASE("Learn: what a call returns corrects a size that was a guess") {
  Recording recording;
  SurfaceDescription description;
  description.caps[0] = ddscaps::kPrimarySurface;
  Surface& primary = *recording.model.CreateSurface(Recording::kDraw, description, 1);
  Surface& sized = recording.Plain(2);
  recording.Lines();
  SurfaceDescription real = Recording::Sized(1280, 1024, 0);
  real.flags |= ddsd::kPixelFormat;
  real.format = primary.format;
  recording.model.Learn(primary, real);
  // A live surface keeps its layout: the guessed one ends.
  CHECK(recording.Lines().starts_with("surface_destroy handle=1\nsurface_create handle=1 "));
  CHECK(primary.width == 1280);
  recording.model.Learn(primary, real);
  CHECK(recording.Lines().empty());
  real.format.bit_count = 16;
  real.format.red_mask = 0xF800;
  real.format.green_mask = 0x7E0;
  real.format.blue_mask = 0x1F;
  recording.model.Learn(sized, real);
  CHECK(sized.format.bit_count == 16);
}

TEST_CASE(
    "SurfaceTable: a reference held for a device does not touch a new object on the same pointer") {
  Recording recording;
  recording.MakeDevice();
  CHECK(recording.model.SetReferences(1, 0));
  recording.Plain(1);
  recording.Lines();
  CHECK(recording.model.SetReferences(100, 0));
  CHECK(recording.Lines().find("surface_destroy handle=3") == std::string::npos);
  CHECK(recording.model.surfaces().Find(1)->handle == 3);
}

TEST_CASE("SetPalette: without a device a context holds the palettes, until one is made") {
  Recording recording;
  recording.model.ObjectOf(Recording::kDraw).mode = {640, 480, 8};
  Surface* const surface =
      recording.model.CreateSurface(Recording::kDraw, Recording::Sized(4, 4, 0x40), 1);
  REQUIRE(surface != nullptr);
  recording.model.CreatePalette(50, 0x44, 256, {0x00030201, 0x00060504});
  recording.Lines();
  CHECK(recording.model.SetPalette(1, 0));
  CHECK(recording.Lines().empty());
  CHECK(recording.model.SetPalette(1, 50));
  const std::string lines = recording.Lines();
  CHECK(lines.find("context_create context=1 target=2") != std::string::npos);
  CHECK(
      Commands(lines) ==
      "UPDATEPALETTE 1 {palette_handle=1 start_index=0 num_entries=2} entries=[0xff010203 0xff040506]\n"
      "SETPALETTE 1 {palette_handle=1 palette_flags=256 surface_handle=1}\n");
  CHECK(recording.model.SetEntries(50, 1, {0x00090807}));
  CHECK(Commands(recording.Lines()) ==
        "UPDATEPALETTE 1 {palette_handle=1 start_index=1 num_entries=1} entries=[0xff070809]\n");
  CHECK(recording.model.SetPalette(1, 0));
  CHECK(Commands(recording.Lines()) ==
        "SETPALETTE 1 {palette_handle=0 palette_flags=256 surface_handle=1}\n");
  recording.model.ObjectOf(Recording::kDraw).mode = {640, 480, 32};
  recording.Plain(3, ddscaps::k3dDevice);
  recording.Lines();
  REQUIRE(recording.model.CreateDevice(3, 100) != nullptr);
  CHECK(recording.Lines().starts_with("context_destroy context=1\nsurface_destroy handle=2\n"));
}

TEST_CASE("SetPalette: the palette of the primary surface is that of each buffer of its chain") {
  Recording recording;
  recording.model.ObjectOf(Recording::kDraw).mode = {640, 480, 8};
  REQUIRE(recording.model.CreateSurface(Recording::kDraw, Chain(2), 1) != nullptr);
  recording.model.CreatePalette(50, 0x44, 256, {0x00030201});
  recording.Lines();
  CHECK(recording.model.SetPalette(1, 50));
  CHECK(Commands(recording.Lines()) ==
        "UPDATEPALETTE 1 {palette_handle=1 start_index=0 num_entries=1} entries=[0xff010203]\n"
        "SETPALETTE 1 {palette_handle=1 palette_flags=256 surface_handle=1}\n"
        "SETPALETTE 1 {palette_handle=1 palette_flags=256 surface_handle=2}\n"
        "SETPALETTE 1 {palette_handle=1 palette_flags=256 surface_handle=3}\n");
}
