#include <array>
#include <vector>

#include "recording.h"

using namespace dp2trace::runtime::ddraw;  // NOLINT(google-build-using-namespace): test file
using dp2trace::Bytes;
using dp2trace::runtime::Bits;
namespace trace = dp2trace::trace;

namespace {

// XYZRHW: 16 bytes each.
Vertices Points(uint32_t count) {
  static const std::vector<uint8_t> bytes(16 * 64);
  return {0x4, count, Bytes(bytes).first(size_t{count} * 16)};
}

Matrix Scaling(float factor) {
  Matrix matrix = IdentityMatrix();
  matrix[0] = Bits(factor);
  return matrix;
}

}  // namespace

TEST_CASE("Device: creation makes a context of runtime 7 with the attached depth surface") {
  Recording recording;
  recording.Plain(1, ddscaps::k3dDevice);
  recording.Plain(2, ddscaps::kZBuffer);
  CHECK(recording.model.Attach(1, 2));
  recording.Lines();
  REQUIRE(recording.model.CreateDevice(1, 100) != nullptr);
  CHECK(recording.Lines() ==
        "context_create context=1 target=1 depth=2 runtime_version=3\n"
        "dp2 context=1 commands=32 bytes\n"
        "  0x0000 VIEWPORTINFO 1 {x=0 y=0 width=640 height=480}\n"
        "  0x0014 ZRANGE 1 {min_z=0 max_z=1}\n");
}

TEST_CASE("Device: the last Release destroys the context, then what only the device held") {
  Recording recording;
  recording.MakeDevice();
  CHECK(recording.model.SetReferences(2, 1));
  CHECK(recording.model.SetReferences(1, 1));  // the device's
  recording.Lines();
  CHECK(recording.model.SetReferences(100, 0));
  CHECK(recording.Lines() ==
        "context_destroy context=1\nsurface_destroy handle=1\nsurface_destroy handle=2\n");
}

TEST_CASE("Device: equal states are sent once; legacy aliases always") {
  Recording recording;
  Device& device = recording.MakeDevice();
  device.SetRenderState(7, 0);
  device.SetRenderState(7, 0);
  device.SetStageState(0, 1, 2);
  device.SetStageState(0, 1, 2);
  device.SetRenderState(21, 2);  // TEXTUREMAPBLEND
  device.SetStageState(0, 1, 2);
  CHECK(Commands(recording.Lines()) ==
        "RENDERSTATE 1 {render_state=ZENABLE state=FALSE}\n"
        "TEXTURESTAGESTATE 1 {stage=0 ts_state=COLOROP value=SELECTARG1}\n"
        "RENDERSTATE 1 {render_state=TEXTUREMAPBLEND state=MODULATE}\n"
        "TEXTURESTAGESTATE 1 {stage=0 ts_state=COLOROP value=SELECTARG1}\n");
}

TEST_CASE("Device: a bound texture outlives its last interface") {
  Recording recording;
  Device& device = recording.MakeDevice();
  device.SetTexture(1, &recording.Plain(3, ddscaps::kTexture));
  CHECK(recording.Lines().ends_with("TEXTURESTAGESTATE 1 {stage=1 ts_state=TEXTUREMAP value=3}\n"));
  CHECK(recording.model.SetReferences(3, 0));
  CHECK(recording.Lines().empty());
  device.SetTexture(1, nullptr);
  CHECK(
      recording.Lines() ==
      "dp2 context=1 commands=12 bytes\n  0x0000 TEXTURESTAGESTATE 1 {stage=1 ts_state=TEXTUREMAP value=0}\nsurface_destroy handle=3\n");
}

TEST_CASE("Device: clears are cut to the viewport, and nothing is recorded where nothing is left") {
  Recording recording;
  Device& device = recording.MakeDevice();
  device.SetViewport({320, 240, 320, 240, 0, Bits(1.0F)});
  recording.Lines();
  device.Clear(std::nullopt, 1, 0xFF0000FF, 0, 0);
  CHECK(
      Commands(recording.Lines()) ==
      "CLEAR 1 {flags=TARGET fill_color=#ff0000ff fill_depth=0 fill_stencil=0 rects=[left=320 top=240 right=640 bottom=480]}\n");
  device.Clear(
      std::vector<dp2trace::d3d::Rect>{{160, 120, 480, 360}, {0, 0, 10, 10}, {400, 400, 350, 300}},
      3, 0, Bits(1.0F), 0);
  CHECK(
      Commands(recording.Lines()) ==
      "CLEAR 1 {flags=TARGET|ZBUFFER fill_color=#00000000 fill_depth=1 fill_stencil=0 rects=[left=320 top=240 right=480 bottom=360]}\n");
  device.Clear(std::vector<dp2trace::d3d::Rect>{}, 1, 0, 0, 0);
  CHECK(recording.Lines().empty());
}

TEST_CASE("Device: MultiplyTransform sends the product, given matrix first") {
  Recording recording;
  Device& device = recording.MakeDevice();
  Matrix moved = IdentityMatrix();
  moved[12] = Bits(3.0F);
  device.SetTransform(2, moved);
  recording.Lines();
  device.MultiplyTransform(2, Scaling(2));
  // Row 4 of scaling * moved is that of moved: 3, not 6.
  CHECK(Commands(recording.Lines()) ==
        "SETTRANSFORM 1 {transform=VIEW matrix=[2 0 0 0 0 1 0 0 0 0 1 0 3 0 0 1]}\n");
}

TEST_CASE("Device: a light is created once, and LightEnable makes one with default data") {
  Recording recording;
  Device& device = recording.MakeDevice();
  device.EnableLight(2, true);
  const std::string first = Commands(recording.Lines());
  CHECK(
      first.find(
          "CREATELIGHT 1 {index=2}\nSETLIGHT 1 {index=2 data_type=DATA} light=[{type=DIRECTIONAL diffuse=[1 1 1 0]") !=
      std::string::npos);
  CHECK(first.find("direction=[0 0 1]") != std::string::npos);
  CHECK(first.ends_with("SETLIGHT 1 {index=2 data_type=ENABLE}\n"));
  device.SetLight(2, {});
  device.EnableLight(2, false);
  const std::string second = Commands(recording.Lines());
  CHECK(second.find("CREATELIGHT") == std::string::npos);
  CHECK(second.ends_with("SETLIGHT 1 {index=2 data_type=DISABLE}\n"));
}

TEST_CASE("Device: draws become legacy tokens with the vertices of the call") {
  Recording recording;
  Device& device = recording.MakeDevice();
  CHECK(device.Draw(PrimitiveType::TriangleList, Points(7)));
  CHECK(device.Draw(PrimitiveType::TriangleStrip, Points(4)));
  CHECK(device.Draw(PrimitiveType::PointList, Points(3)));
  CHECK(device.Draw(PrimitiveType::LineStrip, Points(2)));
  const std::string lines = recording.Lines();
  CHECK(lines.starts_with("dp2 context=1 flags=USERMEMVERTICES vertex_type=XYZRHW vertex_size=16"));
  CHECK(
      Commands(lines) ==
      "TRIANGLELIST 2 {v_start=0}\nTRIANGLESTRIP 2 {v_start=7}\nPOINTS 1 {count=3 v_start=11}\nLINESTRIP 1 {v_start=14}\n");
  // Bytes for one vertex only: no triangle.
  CHECK_FALSE(device.Draw(PrimitiveType::TriangleList, {0x4, 3, Points(1).bytes}));
  CHECK(recording.Lines().empty());
}

TEST_CASE("Device: indexed draws keep the indices and name the first vertex") {
  Recording recording;
  Device& device = recording.MakeDevice();
  CHECK(device.Draw(PrimitiveType::TriangleList, Points(3)));
  CHECK(device.DrawIndexed(PrimitiveType::TriangleList, Points(4),
                           std::array<uint16_t, 7>{0, 1, 2, 2, 1, 3, 0}));
  CHECK(device.DrawIndexed(PrimitiveType::TriangleFan, Points(4),
                           std::array<uint16_t, 4>{3, 2, 1, 0}));
  const std::string commands = Commands(recording.Lines());
  CHECK(commands.find("INDEXEDTRIANGLELIST2 2 {v_start=3} {v1=0 v2=1 v3=2} {v1=2 v2=1 v3=3}\n") !=
        std::string::npos);
  CHECK(commands.find("INDEXEDTRIANGLEFAN 2 {v_start=7} ") != std::string::npos);
  CHECK_FALSE(
      device.DrawIndexed(PrimitiveType::LineList, Points(2), std::array<uint16_t, 2>{0, 2}));
}

TEST_CASE("Device: a long indexed strip goes on with the same winding") {
  Recording recording;
  Device& device = recording.MakeDevice();
  const std::vector<uint16_t> indices(65540, 0);  // 65538 triangles
  CHECK(device.DrawIndexed(PrimitiveType::TriangleStrip, Points(3), indices));
  const std::string commands = Commands(recording.Lines());
  CHECK(commands.starts_with("INDEXEDTRIANGLESTRIP 65534 "));
  CHECK(commands.find("\nINDEXEDTRIANGLESTRIP 4 ") != std::string::npos);
}

TEST_CASE("State block: what is recorded is not sent, and Apply sends it") {
  Recording recording;
  Device& device = recording.MakeDevice();
  device.SetRenderState(8, 3);
  recording.Lines();
  device.BeginStateBlock();
  device.SetRenderState(8, 2);
  device.SetTexture(0, &recording.Plain(3, ddscaps::kTexture));
  device.EndStateBlock(55);
  CHECK(recording.Lines().find("dp2") == std::string::npos);
  CHECK(device.ApplyStateBlock(55));
  CHECK(
      Commands(recording.Lines()) ==
      "RENDERSTATE 1 {render_state=FILLMODE state=WIREFRAME}\nTEXTURESTAGESTATE 1 {stage=0 ts_state=TEXTUREMAP value=3}\n");
  device.SetRenderState(8, 1);
  CHECK(device.CaptureStateBlock(55));
  device.SetRenderState(8, 3);
  recording.Lines();
  CHECK(device.ApplyStateBlock(55));
  CHECK(Commands(recording.Lines()) == "RENDERSTATE 1 {render_state=FILLMODE state=POINT}\n");
  CHECK(device.DeleteStateBlock(55));
  CHECK_FALSE(device.ApplyStateBlock(55));
}

TEST_CASE("State block: CreateStateBlock holds defaults of what was never set") {
  Recording recording;
  Device& device = recording.MakeDevice();
  device.CreateStateBlock(1, StateBlockType::kPixelState);
  device.SetRenderState(25, 1);   // ALPHAFUNC, a pixel state
  device.SetRenderState(139, 7);  // AMBIENT, a vertex state
  recording.Lines();
  CHECK(device.ApplyStateBlock(1));
  const std::string lines = recording.Lines();
  CHECK(lines.find("{render_state=ALPHAFUNC state=ALWAYS}") != std::string::npos);
  CHECK(lines.find("AMBIENT") == std::string::npos);
}

TEST_CASE("Device: Load is a TEXBLT of the whole texture unless an area is named") {
  Recording recording;
  Device& device = recording.MakeDevice();
  Surface& source = *recording.model.CreateSurface(Recording::kDraw,
                                                   Recording::Sized(16, 8, ddscaps::kTexture), 3);
  Surface& dest = *recording.model.CreateSurface(Recording::kDraw,
                                                 Recording::Sized(16, 8, ddscaps::kTexture), 4);
  recording.Lines();
  CHECK(device.Load(&dest, {0, 0}, source, std::nullopt, 0xFC00));
  CHECK(device.Load(&dest, {1, 2}, source, dp2trace::d3d::Rect{3, 4, 5, 6}, 0));
  CHECK(device.Load(nullptr, {0, 0}, source, std::nullopt, 0));
  const std::string commands = Commands(recording.Lines());
  CHECK(
      commands.find(
          "dest_surface=4 src_surface=3 dest_point=[x=0 y=0] src_rect=[left=0 top=0 right=16 bottom=8] flags=0x") !=
      std::string::npos);
  CHECK(commands.find("dest_point=[x=1 y=2] src_rect=[left=3 top=4 right=5 bottom=6]") !=
        std::string::npos);
  CHECK(commands.find("dest_surface=0 src_surface=3") != std::string::npos);
}

TEST_CASE("CopyProperties: keys and palette entries go with a Load") {
  Recording recording;
  recording.MakeDevice();
  Surface& source = recording.Plain(3, ddscaps::kTexture);
  Surface& dest = recording.Plain(4, ddscaps::kTexture);
  source.source_key = dp2trace::d3d::ColorKey{1, 2};
  recording.model.CreatePalette(50, 0, 256, {0x00332211});
  recording.model.CreatePalette(51, 0, 256, {});
  CHECK(recording.model.SetPalette(3, 50));
  CHECK(recording.model.SetPalette(4, 51));
  recording.Lines();
  recording.model.CopyProperties(source, dest);
  const std::string lines = recording.Lines();
  CHECK(lines.find("color_key={low=0x00000001 high=0x00000002}\n") != std::string::npos);
  CHECK(
      lines.find(
          "UPDATEPALETTE 1 {palette_handle=2 start_index=0 num_entries=1} entries=[0xff112233]") !=
      std::string::npos);
}

TEST_CASE("Device: SetRenderTarget and a new depth surface rebind both") {
  Recording recording;
  recording.MakeDevice();
  recording.Plain(5, ddscaps::k3dDevice);
  recording.Plain(6, ddscaps::kZBuffer);
  recording.Lines();
  CHECK(recording.model.SetTarget(100, 5));
  CHECK(Commands(recording.Lines()) == "SETRENDERTARGET 1 {render_target=3 z_buffer=0}\n");
  CHECK(recording.model.Attach(5, 6));
  CHECK(Commands(recording.Lines()) == "SETRENDERTARGET 1 {render_target=3 z_buffer=4}\n");
  CHECK(recording.model.Detach(5, 0));
  CHECK(Commands(recording.Lines()) == "SETRENDERTARGET 1 {render_target=3 z_buffer=0}\n");
}

TEST_CASE("Palette: entries are kept until there is a context, in the order of the trace") {
  Recording recording;
  recording.Plain(1, ddscaps::k3dDevice);
  recording.Plain(3, ddscaps::kTexture);
  recording.model.CreatePalette(50, 0, 256, {0x00332211, 0x00665544});
  CHECK(recording.model.SetPalette(3, 50));
  recording.Lines();
  recording.model.CreateDevice(1, 100);
  const std::string commands = Commands(recording.Lines());
  CHECK(
      commands.find(
          "UPDATEPALETTE 1 {palette_handle=1 start_index=0 num_entries=2} entries=[0xff112233 0xff445566]\n") !=
      std::string::npos);
  CHECK(commands.find("SETPALETTE 1 {palette_handle=1 palette_flags=256 surface_handle=2}\n") !=
        std::string::npos);
  CHECK(recording.model.SetEntries(50, 1, {0x00030201}));
  CHECK(Commands(recording.Lines()).find("start_index=1 num_entries=1} entries=[0xff010203]") !=
        std::string::npos);
}

TEST_CASE("SetLOD: reaches devices that are there, and those that come later") {
  Recording recording;
  recording.Plain(1, ddscaps::k3dDevice);
  recording.Plain(3, ddscaps::kTexture);
  CHECK(recording.model.SetLod(3, 2));
  recording.Lines();
  recording.model.CreateDevice(1, 100);
  CHECK(Commands(recording.Lines()).ends_with("SETTEXLOD 1 {surface=2 lod=2}\n"));
  CHECK(recording.model.SetLod(3, 0));
  CHECK(Commands(recording.Lines()) == "SETTEXLOD 1 {surface=2 lod=0}\n");
}

TEST_CASE("ProcessVertices: positions go through the matrices into the viewport") {
  Recording recording;
  Device& device = recording.MakeDevice();
  device.SetTransform(1, Scaling(0.5F));
  recording.model.CreateVertexBuffer(60, 0x42, 1);  // XYZ, DIFFUSE
  recording.model.CreateVertexBuffer(61, 0x44, 2);  // XYZRHW, DIFFUSE
  std::vector<uint8_t>& source = recording.model.FindVertexBuffer(60)->bytes;
  const std::array<float, 3> position = {1.0F, 1.0F, 0.25F};
  std::memcpy(source.data(), position.data(), 12);
  dp2trace::Store(source.data() + 12, uint32_t{0x11223344});
  CHECK(recording.model.ProcessVertices(
      {.device = 100, .dest = 61, .source = 60, .dest_index = 1, .count = 1}));
  const uint8_t* const out = recording.model.FindVertexBuffer(61)->bytes.data() + 20;
  CHECK(dp2trace::Load<float>(out) == 480.0F);    // (1 + 0.5) * 320
  CHECK(dp2trace::Load<float>(out + 4) == 0.0F);  // (1 - 1) * 240
  CHECK(dp2trace::Load<float>(out + 8) == 0.25F);
  CHECK(dp2trace::Load<float>(out + 12) == 1.0F);
  CHECK(dp2trace::LoadU32(out + 16) == 0x11223344);
  CHECK_FALSE(recording.model.ProcessVertices(
      {.device = 100, .dest = 61, .source = 60, .dest_index = 2, .count = 1}));
}
