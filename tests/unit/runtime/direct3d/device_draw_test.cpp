#include "device_fixture.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file

namespace {

std::vector<d3d::Rect> One(const d3d::Rect& rect) {
  return {rect};
}

SurfaceRef Sized(DeviceFixture& fixture, uint32_t width, uint32_t height, uint32_t format,
                 uint32_t usage) {
  ResourceDescription description;
  description.width = width;
  description.height = height;
  description.format = format;
  description.usage = usage;
  return {std::make_shared<Resource>(fixture.device->link(), description), 0, 0};
}

}  // namespace

TEST_CASE("Clear: without rectangles the viewport, cut by the scissor rectangle where it is on") {
  DeviceFixture fixture;
  fixture.device->SetWords(StateKind::kViewport, 0, {8, 8, 16, 100, 0, Bits(1.0f)});
  fixture.device->SetWords(StateKind::kScissor, 0, {0, 0, 12, 48});
  fixture.Lines();
  fixture.device->Clear(std::nullopt, 1, 0xFF0000FF, 0, 0);
  CHECK(Has(
      fixture.Tokens(),
      "CLEAR 1 {flags=TARGET fill_color=#ff0000ff fill_depth=0 fill_stencil=0 rects=[left=8 top=8 right=24 bottom=48]}"));
  fixture.device->SetWord(StateKind::kRenderState, 174, 0, 1);
  fixture.device->Clear(std::nullopt, 1, 0, 0, 0);
  CHECK(Has(fixture.Tokens(), "rects=[left=8 top=8 right=12 bottom=48]"));
}

TEST_CASE("Clear: rectangles are cut to the target; inverted, empty and outside ones are dropped") {
  DeviceFixture fixture;
  fixture.device->Clear(
      std::vector<d3d::Rect>{{-5, 0, 10, 100}, {20, 30, 10, 40}, {0, 0, 0, 9}, {64, 0, 70, 9}}, 1,
      0, 0, 0);
  CHECK(Has(
      fixture.Tokens(),
      "CLEAR 1 {flags=TARGET fill_color=#00000000 fill_depth=0 fill_stencil=0 rects=[left=0 top=0 right=10 bottom=48]}"));
  fixture.device->Clear(One({20, 30, 10, 40}), 1, 0, 0, 0);
  fixture.device->Clear(std::vector<d3d::Rect>{}, 1, 0, 0, 0);  // count 0 with a pointer
  CHECK(fixture.Tokens().empty());
}

TEST_CASE(
    "Clear: parts that the depth surface lacks are not asked for; after the target the depth surface is cleared apart") {
  DeviceFixture fixture;
  fixture.device->SetDepth(Sized(fixture, 128, 96, 77, kUsageDepthStencil));  // D24X8
  fixture.device->SetWords(StateKind::kViewport, 0, {0, 0, 128, 96, 0, Bits(1.0f)});
  fixture.Lines();
  fixture.device->Clear(std::nullopt, 6, 0, Bits(1.0f), 0);
  CHECK(
      fixture.Tokens() ==
      "CLEAR 1 {flags=ZBUFFER fill_color=#00000000 fill_depth=1 fill_stencil=0 rects=[left=0 top=0 right=128 bottom=96]}\n");
  fixture.device->Clear(std::nullopt, 3, 0, Bits(1.0f), 0);
  CHECK(
      fixture.Tokens() ==
      "CLEAR 1 {flags=TARGET fill_color=#00000000 fill_depth=1 fill_stencil=0 rects=[left=0 top=0 right=64 bottom=48]}\n"
      "CLEAR 1 {flags=ZBUFFER fill_color=#00000000 fill_depth=1 fill_stencil=0 rects=[left=0 top=0 right=128 bottom=96]}\n");
  fixture.device->SetDepth({});
  fixture.Lines();
  fixture.device->Clear(std::nullopt, 6, 0, Bits(1.0f), 0);
  CHECK(fixture.Tokens().empty());
}

TEST_CASE("Clear: reaches as far as the largest target") {
  DeviceFixture fixture;
  fixture.device->SetTarget(1, Sized(fixture, 16, 96, 21, kUsageRenderTarget));  // A8R8G8B8
  fixture.device->SetWords(StateKind::kViewport, 0, {0, 0, 128, 128, 0, Bits(1.0f)});
  fixture.Lines();
  fixture.device->Clear(std::nullopt, 1, 0, Bits(1.0f), 0);
  CHECK(
      fixture.Tokens() ==
      "CLEAR 1 {flags=TARGET fill_color=#00000000 fill_depth=1 fill_stencil=0 rects=[left=0 top=0 right=64 bottom=96]}\n");
}

TEST_CASE("Draw: user memory is bound once, vertices of later draws follow in the same call") {
  DeviceFixture fixture;
  const std::vector<uint8_t> vertices(48, 0);
  fixture.device->DrawUser(4, 1, {vertices, 16});
  fixture.device->DrawUser(4, 1, {vertices, 16});
  const std::string lines = fixture.Lines();
  CHECK(Has(lines, "flags=USERMEMVERTICES vertex_size=16"));
  CHECK(Commands(lines) ==
        "SETSTREAMSOURCEUM 1 {stream=0 stride=16}\n"
        "DRAWPRIMITIVE 1 {prim_type=TRIANGLELIST v_start=0 primitive_count=1}\n"
        "DRAWPRIMITIVE 1 {prim_type=TRIANGLELIST v_start=3 primitive_count=1}\n");
}

TEST_CASE("Draw: a stream is bound again after user memory") {
  DeviceFixture fixture;
  ResourceDescription description;
  description.type = ResourceType::kVertexBuffer;
  description.width = 64;
  description.format = 100;
  StateValue stream;
  stream.object = std::make_shared<Resource>(fixture.device->link(), description);
  stream.words = {0, 16};
  fixture.device->Set({StateKind::kStream, 0, 0}, stream);
  fixture.Lines();
  fixture.device->DrawUser(4, 1, {std::vector<uint8_t>(48, 0), 16});
  fixture.device->Set({StateKind::kStream, 0, 0}, stream);
  CHECK(
      fixture.Tokens().ends_with("SETSTREAMSOURCE2 1 {stream=0 vb_handle=3 offset=0 stride=16}\n"));
}

TEST_CASE("Draw: indices of the program's memory go through a buffer of the runtime") {
  DeviceFixture fixture;
  const uint8_t indices[] = {0, 0, 1, 0, 2, 0};
  fixture.device->DrawIndexedUser(4, 0, 3, 1, indices, 101, {std::vector<uint8_t>(48, 0), 16});
  const std::string lines = fixture.Lines();
  CHECK(Has(lines, "surface_create handle=3 kind=index_buffer"));
  CHECK(Has(lines, "format=INDEX16 width=4096"));
  CHECK(Has(lines, "surface_update handle=3 range={size=6} data=6 bytes [00 00 01 00 02 00]"));
  CHECK(
      Commands(lines) ==
      "SETINDICES 1 {vb_handle=3 stride=2}\n"
      "SETSTREAMSOURCEUM 1 {stream=0 stride=16}\n"
      "DRAWINDEXEDPRIMITIVE 1 {prim_type=TRIANGLELIST base_vertex_index=0 min_index=0 num_vertices=3 start_index=0 primitive_count=1}\n");
  fixture.device->DrawIndexedUser(4, 0, 3, 1, indices, 101, {std::vector<uint8_t>(48, 0), 16});
  CHECK_FALSE(Has(fixture.Lines(), "surface_create"));
}

TEST_CASE("Draw: automatic levels are made before the texture is drawn with, once") {
  DeviceFixture fixture;
  const std::shared_ptr<Resource> texture = fixture.Texture(1, kUsageAutoGenMipMap);
  CHECK(texture->description().levels == 4);
  const SurfaceRef top{texture, 0, 0};
  const MemoryWrite write{0, std::vector<uint8_t>(256)};
  WriteArea(top, BeginLock(top, std::nullopt, 32, 0, 0), std::span(&write, 1));
  fixture.device->SetObject(StateKind::kTexture, 0, texture);
  fixture.Lines();
  fixture.device->Draw(4, 0, 1);
  fixture.device->Draw(4, 0, 1);
  CHECK(fixture.Tokens() ==
        "GENERATEMIPSUBLEVELS 1 {surface=3 filter=LINEAR}\n"
        "DRAWPRIMITIVE 1 {prim_type=TRIANGLELIST v_start=0 primitive_count=1}\n"
        "DRAWPRIMITIVE 1 {prim_type=TRIANGLELIST v_start=0 primitive_count=1}\n");
}

TEST_CASE("Draw: patches carry segments and description, N-patches are a state") {
  DeviceFixture fixture;
  fixture.device->DrawPatch(false, 5, std::vector<uint32_t>(4, Bits(2.0f)),
                            std::vector<uint32_t>{0, 0, 4, 4, 4, 0, 3});
  fixture.device->DrawPatch(true, 5, {}, {});
  fixture.device->DeletePatch(5);
  fixture.device->SetPatchMode(Bits(3.0f));
  const std::string tokens = fixture.Tokens();
  CHECK(Has(tokens, "DRAWRECTPATCH 1 {handle=5 flags=HASSEGS|HASINFO} segments=[2 2 2 2] info=[{"));
  CHECK(Has(tokens, "DRAWTRIPATCH 1 {handle=5 flags=0}"));
  CHECK(Has(tokens, "{render_state=DELETERTPATCH state=5} {render_state=PATCHSEGMENTS state=3}"));
}

TEST_CASE("Targets: target 0 resets viewport and scissor rectangle, the others do not") {
  DeviceFixture fixture;
  const SurfaceRef target{fixture.Texture(1, kUsageRenderTarget), 0, 0};
  fixture.device->SetTarget(0, target);
  CHECK(fixture.Tokens() ==
        "SETRENDERTARGET2 1 {rt_index=0 render_target=3}\n"
        "VIEWPORTINFO 1 {x=0 y=0 width=8 height=8}\n"
        "SETSCISSORRECT 1 [left=0 top=0 right=8 bottom=8]\n");
  fixture.device->SetTarget(1, target);
  fixture.device->SetTarget(1, {});
  fixture.device->SetDepth({});
  CHECK(fixture.Tokens() ==
        "SETRENDERTARGET2 1 {rt_index=1 render_target=3}\n"
        "SETRENDERTARGET2 1 {rt_index=1 render_target=0}\n"
        "SETDEPTHSTENCIL 1 {z_buffer=0}\n");
}

TEST_CASE("Targets: level 8 sets both at once and keeps the target for none") {
  DeviceFixture fixture(8);
  fixture.device->SetTargetAndDepth({}, {});
  CHECK(fixture.Tokens() == "SETRENDERTARGET 1 {render_target=1 z_buffer=0}\n");
}

TEST_CASE("Copies: the tokens of level 9") {
  DeviceFixture fixture;
  const SurfaceRef system{fixture.Texture(1, 0, Pool::kSystemMemory), 0, 0};
  const SurfaceRef video{fixture.Texture(), 0, 0};
  fixture.device->Stretch(video, d3d::Rect{0, 0, 4, 4}, video, std::nullopt, 2);
  fixture.device->UpdateSurface(system, d3d::Rect{1, 2, 3, 4}, video, 5, 6);
  fixture.device->UpdateTexture(*system.resource, *video.resource);
  fixture.device->Fill(video, std::nullopt, 0x01020304);
  const std::string tokens = fixture.Tokens();
  CHECK(Has(tokens,
            "BLT 1 {source=4 source_rect=[left=0 top=0 right=4 bottom=4] source_mip_level=0 dest=4 "
            "dest_rect=[left=0 top=0 right=8 bottom=8] dest_mip_level=0 flags=LINEAR}"));
  CHECK(Has(
      tokens,
      "SURFACEBLT 1 {source=3 source_rect=[left=1 top=2 right=3 bottom=4] source_mip_level=0 dest=4 "
      "dest_rect=[left=5 top=6 right=7 bottom=8] dest_mip_level=0 flags="));
  CHECK(Has(
      tokens,
      "TEXBLT 1 {dest_surface=4 src_surface=3 dest_point=[x=0 y=0] src_rect=[left=0 top=0 right=8 bottom=8]"));
  CHECK(
      Has(tokens, "COLORFILL 1 {surface=4 rect=[left=0 top=0 right=8 bottom=8] color=#01020304}"));
}

TEST_CASE("Copies: level 8 copies outside the stream") {
  DeviceFixture fixture(8);
  const SurfaceRef system{fixture.Texture(1, 0, Pool::kSystemMemory), 0, 0};
  fixture.device->CopyRect(fixture.device->target(0), d3d::Rect{0, 0, 2, 2}, system, 3, 4);
  CHECK(Has(
      fixture.Lines(),
      "blt src=1 src_rect={right=2 bottom=2} dest=3 dest_rect={left=3 top=4 right=5 bottom=6}\n"));
}

TEST_CASE("Reads: a read-only lock is an event with its area") {
  DeviceFixture fixture;
  ReadArea(fixture.device->target(0), d3d::Rect{1, 2, 3, 4}, 0x10);
  CHECK(Has(fixture.Lines(),
            "surface_read handle=1 rect={left=1 top=2 right=3 bottom=4} flags=READONLY\n"));
}
