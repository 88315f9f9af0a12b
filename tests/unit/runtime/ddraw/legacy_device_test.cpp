// Devices of Direct3D 2 to 6: what reaches a driver of level 6.
#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "recording.h"

using namespace dp2trace::runtime::ddraw;  // NOLINT(google-build-using-namespace): test file
using dp2trace::Bytes;
using dp2trace::runtime::Bits;
namespace trace = dp2trace::trace;

namespace {

constexpr ObjectId kDevice = 100, kViewport = 200, kMaterial = 210, kLight = 220, kBuffer = 230;

// A device with a viewport of the whole target; its events are forgotten.
LegacyDevice& MakeDevice(Recording& recording, DeviceVersion version,
                         DeviceClass device_class = DeviceClass::kHardware) {
  recording.Plain(1, ddscaps::k3dDevice);
  LegacyDevice& device = *recording.model.CreateLegacyDevice(1, kDevice, version, device_class);
  LegacyDirect3D& legacy = recording.model.legacy();
  legacy.CreateViewport(kViewport);
  CHECK(legacy.AddViewport(device, kViewport));
  legacy.FindViewport(kViewport)->area = AreaOfClipVolume(0, 0, 640, 480, {-1, 1, 2, 2}, {0, 1});
  CHECK(legacy.SetCurrentViewport(device, kViewport));
  recording.Lines();
  return device;
}

void Put(std::vector<uint8_t>& bytes, std::initializer_list<float> values) {
  for (const float value : values) {
    const auto words = std::bit_cast<std::array<uint8_t, 4>>(value);
    bytes.insert(bytes.end(), words.begin(), words.end());
  }
}

// Positions only: XYZ.
std::vector<uint8_t> Positions(std::initializer_list<std::array<float, 3>> places) {
  std::vector<uint8_t> bytes;
  for (const auto& [x, y, z] : places)
    Put(bytes, {x, y, z});
  return bytes;
}

}  // namespace

TEST_CASE(
    "LegacyDevice: creation makes a context of its runtime with the defaults of the interface") {
  const auto created = [](DeviceVersion version) {
    Recording recording;
    recording.Plain(1, ddscaps::k3dDevice);
    recording.Lines();
    REQUIRE(recording.model.CreateLegacyDevice(1, kDevice, version, DeviceClass::kSoftware) !=
            nullptr);
    return recording.Lines();
  };
  const std::string first = created(DeviceVersion::k1);
  CHECK(first.find("runtime_version=0") != std::string::npos);
  CHECK(first.find("COLORKEYENABLE state=TRUE") != std::string::npos);
  CHECK(first.find("ZRANGE") == std::string::npos);
  const std::string second = created(DeviceVersion::k2);
  CHECK(second.find("runtime_version=1") != std::string::npos);
  CHECK(second.find("SPECULARENABLE state=TRUE") != std::string::npos);
  const std::string third = created(DeviceVersion::k3);
  CHECK(third.find("runtime_version=2") != std::string::npos);
  CHECK(third.find("TEXTURESTAGESTATE") == std::string::npos);
}

TEST_CASE("LegacyDevice: the states of textures become those of stage 0") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k2);
  device.SetRenderState(44, 3);   // TEXTUREADDRESSU CLAMP
  device.SetRenderState(18, 4);   // TEXTUREMIN MIPLINEAR
  device.SetRenderState(43, 5);   // BORDERCOLOR
  device.SetRenderState(6, 1);    // WRAPV
  device.SetRenderState(42, 1);   // OLDALPHABLENDENABLE
  device.SetRenderState(136, 0);  // CLIPPING is the runtime's
  CHECK(Commands(recording.Lines()) ==
        "TEXTURESTAGESTATE 4 {stage=0 ts_state=ADDRESSU value=CLAMP} {stage=0 ts_state=MINFILTER "
        "value=LINEAR} {stage=0 ts_state=MIPFILTER value=POINT} {stage=0 ts_state=BORDERCOLOR "
        "value=#00000005}\n"
        "RENDERSTATE 2 {render_state=WRAP0 state=V} {render_state=ALPHABLENDENABLE state=TRUE}\n");
}

TEST_CASE(
    "LegacyDevice: MODULATE takes the alpha of a texture that has one, else that of the vertex") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k2);
  SurfaceDescription description = Recording::Sized(8, 8, ddscaps::kTexture);
  description.flags |= ddsd::kPixelFormat;
  description.format = {.flags = 0x41,
                        .bit_count = 32,
                        .red_mask = 0xFF0000,
                        .green_mask = 0xFF00,
                        .blue_mask = 0xFF,
                        .alpha_mask = 0xFF000000};
  recording.model.CreateSurface(Recording::kDraw, description, 10);
  CHECK(recording.model.legacy().NameTexture(device, 7, 10));
  recording.Lines();
  device.SetRenderState(1, 7);  // TEXTUREHANDLE
  const std::string bound = Commands(recording.Lines());
  CHECK(bound.find("ts_state=TEXTUREMAP value=2") != std::string::npos);
  CHECK(bound.find("OP value") == std::string::npos);
  CHECK(device.device().stage_state(0, 1) == 4);  // COLOROP MODULATE
  CHECK(device.device().stage_state(0, 4) == 2);  // ALPHAOP SELECTARG1
  recording.Plain(11, ddscaps::kTexture);
  CHECK(recording.model.legacy().NameTexture(device, 8, 11));
  device.SetRenderState(1, 8);
  const std::string opaque = Commands(recording.Lines());
  CHECK(opaque.find("ts_state=ALPHAOP value=SELECTARG2") != std::string::npos);
  device.SetRenderState(1, 0);
  CHECK(Commands(recording.Lines()) ==
        "TEXTURESTAGESTATE 1 {stage=0 ts_state=TEXTUREMAP value=0}\n");
}

TEST_CASE(
    "LegacyDevice: TEXTUREMAPBLEND determines stage 0 until a state of it changes, and when it changes itself") {
  constexpr uint32_t kColorOp = 1;
  constexpr uint32_t kColorArg2 = 3;
  constexpr uint32_t kAlphaOp = 4;
  constexpr uint32_t kModulate = 4;
  constexpr uint32_t kSelectArg1 = 2;
  constexpr uint32_t kSelectArg2 = 3;
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k3);
  Surface& opaque = recording.Plain(10, ddscaps::kTexture);
  const auto alpha_op = [&] {
    device.SetTexture(0, nullptr);
    device.SetTexture(0, &opaque);
    return device.device().stage_state(0, kAlphaOp);
  };
  CHECK(device.device().stage_state(0, kAlphaOp) == kSelectArg1);
  CHECK(alpha_op() == kSelectArg2);
  device.SetStageState(0, kColorOp, kModulate);  // as it was
  device.SetStageState(0, kColorArg2, 1);        // CURRENT is DIFFUSE
  device.SetStageState(1, kAlphaOp, kModulate);
  CHECK(alpha_op() == kSelectArg2);
  device.SetStageState(0, kAlphaOp, kSelectArg1);
  CHECK(alpha_op() == kSelectArg1);
  device.SetRenderState(21, 2);  // TEXTUREMAPBLEND MODULATE, as it was
  CHECK(alpha_op() == kSelectArg1);
  device.SetRenderState(21, 8);
  device.SetRenderState(21, 2);
  CHECK(alpha_op() == kSelectArg2);
}

TEST_CASE("LegacyDevice: hardware takes no texture from a surface without the capability") {
  const auto bound = [](DeviceClass device_class, uint32_t caps) {
    Recording recording;
    LegacyDevice& device = MakeDevice(recording, DeviceVersion::k3, device_class);
    Surface& surface = recording.Plain(10, caps);
    recording.model.legacy().NameTexture(device, 7, 10);
    device.SetTexture(0, &surface);
    const bool by_stage = device.device().texture(0) == &surface;
    device.SetTexture(0, nullptr);
    device.SetRenderState(1, 7);  // TEXTUREHANDLE
    CHECK(by_stage == (device.device().texture(0) == &surface));
    return by_stage;
  };
  CHECK(bound(DeviceClass::kHardware, ddscaps::kTexture));
  CHECK_FALSE(bound(DeviceClass::kHardware, 0x40));
  CHECK(bound(DeviceClass::kSoftware, 0x40));
}

TEST_CASE("LegacyDevice: exchanged handles rebind the texture that is bound") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k2);
  Surface& a = recording.Plain(10, ddscaps::kTexture);
  Surface& b = recording.Plain(11, ddscaps::kTexture);
  CHECK(recording.model.legacy().NameTexture(device, 1, 10));
  CHECK(recording.model.legacy().NameTexture(device, 2, 11));
  device.SetRenderState(1, 1);
  recording.Lines();
  device.SwapTextures(a, b);
  CHECK(device.FindTexture(1) == &b);
  CHECK(device.FindTexture(2) == &a);
  CHECK(Commands(recording.Lines()) ==
        "TEXTURESTAGESTATE 1 {stage=0 ts_state=TEXTUREMAP value=3}\n");
}

TEST_CASE("LegacyDevice: a viewport clears its own area with its background") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k2);
  LegacyDirect3D& legacy = recording.model.legacy();
  legacy.CreateMaterial(kMaterial);
  legacy.FindMaterial(kMaterial)->material.diffuse = {1, 0.5F, 0, 1};
  CHECK(legacy.NameMaterial(device, 1, kMaterial));
  LegacyViewport& viewport = *legacy.FindViewport(kViewport);
  viewport.area = AreaOfClipVolume(100, 100, 20, 20, {-1, 1, 2, 2}, {0, 1});
  viewport.background = 1;
  const std::array<dp2trace::d3d::Rect, 1> rects = {dp2trace::d3d::Rect{90, 90, 110, 110}};
  device.ClearToBackground(viewport, rects, 1);
  CHECK(Commands(recording.Lines()) ==
        "CLEAR 1 {flags=TARGET fill_color=#ffff8000 fill_depth=1 fill_stencil=0 rects=[left=100 "
        "top=100 right=110 bottom=110]}\n");
  device.ClearToBackground(viewport, {}, 1);
  CHECK(Commands(recording.Lines()).empty());
}

TEST_CASE("LegacyDevice: a background depth is copied where Clear asks for depth") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k2);
  LegacyDirect3D& legacy = recording.model.legacy();
  SurfaceDescription description = Recording::Sized(320, 240, ddscaps::kZBuffer);
  description.flags |= ddsd::kPixelFormat;
  description.format = {.flags = 0x400, .bit_count = 16, .green_mask = 0xFFFF};
  CHECK(recording.model.CreateSurface(Recording::kDraw, description, 20) != nullptr);
  description.width = 640;
  description.height = 480;
  CHECK(recording.model.CreateSurface(Recording::kDraw, description, 21) != nullptr);
  CHECK(recording.model.Attach(1, 21));
  LegacyViewport& viewport = *legacy.FindViewport(kViewport);
  viewport.device = &device;
  viewport.area = AreaOfClipVolume(100, 100, 400, 20, {-1, 1, 2, 2}, {0, 1});
  CHECK_FALSE(legacy.SetBackgroundDepth(kViewport, 22));
  CHECK_FALSE(legacy.SetBackgroundDepth(22, 20));
  CHECK(legacy.SetBackgroundDepth(kViewport, 20));
  recording.Lines();
  const std::array<dp2trace::d3d::Rect, 1> rects = {dp2trace::d3d::Rect{0, 90, 640, 110}};
  CHECK(legacy.ClearToBackground(viewport, rects, 3));
  const std::string lines = recording.Lines();
  CHECK(Commands(lines) ==
        "CLEAR 1 {flags=TARGET fill_color=#00000000 fill_depth=1 fill_stencil=0 rects=[left=100 "
        "top=100 right=500 bottom=110]}\n");
  CHECK(lines.ends_with(
      "blt src=2 src_rect={left=100 top=100 right=320 bottom=110} dest=3 dest_rect={left=100 top=100 right=320 bottom=110}\n"));
  CHECK(legacy.ClearToBackground(viewport, rects, 1));
  CHECK(recording.Lines().find("blt") == std::string::npos);
  // Without the surface, depth 1.
  CHECK(recording.model.SetReferences(20, 0));
  recording.Lines();
  CHECK(legacy.ClearToBackground(viewport, rects, 2));
  CHECK(Commands(recording.Lines()) ==
        "CLEAR 1 {flags=ZBUFFER fill_color=#00000000 fill_depth=1 fill_stencil=0 rects=[left=100 "
        "top=100 right=500 bottom=110]}\n");
}

TEST_CASE("LegacyDevice: vertices reach the driver in screen coordinates") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k3);
  const std::vector<uint8_t> bytes = Positions({{-1, -1, 0.5F}, {0, 1, 0.25F}, {1, -1, 0.5F}});
  CHECK(device.Draw(PrimitiveType::TriangleList, {0x2, 3, bytes}, 0));
  const std::string lines = recording.Lines();
  CHECK(lines.find("vertex_type=XYZRHW|DIFFUSE|SPECULAR") != std::string::npos);
  CHECK(Commands(lines) == "TRIANGLELIST 1 {v_start=0}\n");
  // (-1, -1): left, bottom; 0.5; 1 / w.
  std::vector<uint8_t> first;
  Put(first, {0, 480, 0.5F, 1});
  first.insert(first.end(), {0xFF, 0xFF, 0xFF, 0xFF});
  REQUIRE(recording.vertices.size() == 3 * 24);
  CHECK(std::equal(first.begin(), first.end(), recording.vertices.begin()));
}

TEST_CASE("LegacyDevice: without a viewport nothing is drawn") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k3);
  device.SetViewport(nullptr);
  const std::vector<uint8_t> bytes = Positions({{-1, -1, 0}, {0, 1, 0}, {1, -1, 0}});
  CHECK_FALSE(device.Draw(PrimitiveType::TriangleList, {0x2, 3, bytes}, 0));
  CHECK(recording.Lines().empty());
}

TEST_CASE("LegacyDevice: a triangle through the near plane is cut, unless clipping is off") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k3);
  const std::vector<uint8_t> bytes = Positions({{-1, -1, 0.5F}, {0, 1, -0.5F}, {1, -1, 0.5F}});
  CHECK(device.Draw(PrimitiveType::TriangleList, {0x2, 3, bytes}, 0));
  // Two corners behind the plane stay, two come: edges 3-0 and the cut are none of the fan's inside.
  CHECK(Commands(recording.Lines()) ==
        "INDEXEDTRIANGLELIST 2 {v1=0 v2=1 v3=2 flags=EDGEENABLE1} {v1=0 v2=2 v3=3 "
        "flags=EDGEENABLE2|EDGEENABLE3}\n");
  CHECK(device.Draw(PrimitiveType::TriangleList, {0x2, 3, bytes}, d3ddp::kDoNotClip));
  CHECK(Commands(recording.Lines()) == "TRIANGLELIST 1 {v_start=0}\n");
  const std::vector<uint8_t> behind = Positions({{-1, -1, -1}, {0, 1, -1}, {1, -1, -1}});
  CHECK(device.Draw(PrimitiveType::TriangleList, {0x2, 3, behind}, 0));
  CHECK(Commands(recording.Lines()).empty());
}

TEST_CASE("LegacyDevice: normals are lit by the lights of the viewport when a material is set") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k2);
  LegacyDirect3D& legacy = recording.model.legacy();
  std::vector<uint8_t> bytes;
  Put(bytes, {0, 0, 0.5F, 0, 0, -1, 0, 0});
  const auto diffuse = [&](uint32_t flags) {
    CHECK(device.Draw(PrimitiveType::PointList, {kFvfVertex, 1, bytes}, flags));
    recording.Lines();
    REQUIRE(recording.vertices.size() == 32);
    return dp2trace::LoadU32(recording.vertices.data() + 16);
  };
  CHECK(diffuse(0) == 0xFFFFFFFF);  // no material: unlit
  legacy.CreateMaterial(kMaterial);
  legacy.FindMaterial(kMaterial)->material.diffuse = {1, 0, 0, 1};
  CHECK(legacy.NameMaterial(device, 1, kMaterial));
  device.SetLightState(1, 1);
  CHECK(diffuse(0) == 0xFF000000);  // no light
  legacy.CreateLight(kLight);
  legacy.FindLight(kLight)->is_set = true;
  CHECK(legacy.AddLight(kViewport, kLight));
  CHECK(diffuse(0) == 0xFFFF0000);
  CHECK(diffuse(d3ddp::kDoNotLight) == 0xFFFFFFFF);
  CHECK(legacy.DeleteLight(kViewport, kLight));
  CHECK(diffuse(0) == 0xFF000000);
}

TEST_CASE("LegacyDevice: Begin, Vertex and End draw what was collected") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k2);
  const std::vector<uint8_t> vertex(32);
  CHECK_FALSE(device.AddVertex(vertex));
  device.Begin(PrimitiveType::LineList, kFvfTLVertex, 0);
  CHECK(device.AddVertex(vertex));
  CHECK(device.AddVertex(vertex));
  CHECK_FALSE(device.AddVertex(Bytes(vertex).first(4)));
  CHECK(device.End());
  CHECK(Commands(recording.Lines()) == "LINELIST 1 {v_start=0}\n");
  CHECK_FALSE(device.End());
}

TEST_CASE("LegacyDevice: a device of the first interface ends with its surface") {
  Recording recording;
  MakeDevice(recording, DeviceVersion::k1);
  CHECK(recording.model.SetReferences(1, 0));
  CHECK(recording.Lines() == "context_destroy context=1\nsurface_destroy handle=1\n");
  CHECK(recording.model.FindLegacyDevice(kDevice) == nullptr);
}

TEST_CASE("ViewportArea: scales and clip volumes give the same places") {
  const ViewportArea scales = AreaOfScales(0, 0, 640, 480, {320, 240}, {0, 1});
  const ViewportArea volume = AreaOfClipVolume(0, 0, 640, 480, {-1, 1, 2, 2}, {0, 1});
  CHECK(scales.scale == volume.scale);
  CHECK(scales.offset == volume.offset);
  const ViewportArea deep = AreaOfClipVolume(0, 0, 64, 64, {0, 1, 2, 2}, {1, 3});
  CHECK(deep.offset[0] == -1);
  CHECK(deep.scale[2] == 0.5F);
  CHECK(deep.offset[2] == -0.5F);
}

namespace {

// Little-endian words and halves.
void Word(std::vector<uint8_t>& out, uint32_t value) {
  for (int i = 0; i < 4; ++i)
    out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

void Instruction(std::vector<uint8_t>& out, uint8_t opcode, uint8_t size, uint16_t count) {
  out.push_back(opcode);
  out.push_back(size);
  out.push_back(static_cast<uint8_t>(count));
  out.push_back(static_cast<uint8_t>(count >> 8));
}

// An execute buffer with three D3DLVERTEX and the instructions after them.
bool Execute(Recording& recording, LegacyDevice& device, const std::vector<uint8_t>& instructions) {
  std::vector<uint8_t> bytes;
  for (const auto& [x, y] :
       {std::pair(-1.0F, -1.0F), std::pair(0.0F, 1.0F), std::pair(1.0F, -1.0F)}) {
    Put(bytes, {x, y, 0.5F, 0});
    Word(bytes, 0xFF112233);
    Word(bytes, 0);
    Put(bytes, {0, 0});
  }
  LegacyDirect3D& legacy = recording.model.legacy();
  const auto start = static_cast<uint32_t>(bytes.size());
  bytes.insert(bytes.end(), instructions.begin(), instructions.end());
  legacy.CreateExecuteBuffer(kBuffer, static_cast<uint32_t>(bytes.size()));
  ExecuteBuffer& buffer = *legacy.FindExecuteBuffer(kBuffer);
  buffer.bytes = bytes;
  buffer.data = {0, 3, start, static_cast<uint32_t>(instructions.size()), 0};
  return recording.model.Execute(device, kBuffer, kViewport, 1);
}

}  // namespace

TEST_CASE("ExecuteBufferRun: vertices are processed and drawn with their edge flags") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k1);
  std::vector<uint8_t> instructions;
  Instruction(instructions, 8, 8, 1);  // STATERENDER CULLMODE NONE
  Word(instructions, 22);
  Word(instructions, 1);
  Instruction(instructions, 9, 16, 1);  // PROCESSVERTICES TRANSFORM
  for (const uint32_t word : {1U, 0U, 3U, 0U})
    Word(instructions, word);
  Instruction(instructions, 3, 8, 1);  // TRIANGLE 0 1 2
  Word(instructions, 0x00010000);
  Word(instructions, 0x03000002);
  Instruction(instructions, 11, 0, 0);  // EXIT
  CHECK(Execute(recording, device, instructions));
  const std::string lines = recording.Lines();
  CHECK(lines.find("vertex_type=XYZRHW|DIFFUSE|SPECULAR|TEX1") != std::string::npos);
  CHECK(Commands(lines) ==
        "RENDERSTATE 1 {render_state=CULLMODE state=NONE}\n"
        "INDEXEDTRIANGLELIST 1 {v1=0 v2=1 v3=2 flags=EDGEENABLE1|EDGEENABLE2}\n");
}

TEST_CASE("ExecuteBufferRun: a branch skips what its status says; status and matrices are kept") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k1);
  device.SetMatrix(1, IdentityMatrix());
  device.SetMatrix(2, IdentityMatrix());
  std::vector<uint8_t> instructions;
  Instruction(instructions, 14, 24, 1);  // SETSTATUS 0x10
  for (const uint32_t word : {1U, 0x10U, 0U, 0U, 0U, 0U})
    Word(instructions, word);
  Instruction(instructions, 12, 16, 1);  // BRANCHFORWARD over the next instruction
  for (const uint32_t word : {0x10U, 0x10U, 0U, 32U})
    Word(instructions, word);
  Instruction(instructions, 8, 8, 1);  // FILLMODE WIREFRAME
  Word(instructions, 8);
  Word(instructions, 2);
  Instruction(instructions, 5, 12, 1);  // MATRIXMULTIPLY 1 = 2 * 3: no such matrix
  for (const uint32_t word : {1U, 2U, 3U})
    Word(instructions, word);
  Instruction(instructions, 8, 8, 1);  // SHADEMODE FLAT
  Word(instructions, 9);
  Word(instructions, 1);
  Instruction(instructions, 11, 0, 0);
  CHECK_FALSE(Execute(recording, device, instructions));  // the matrix
  CHECK(Commands(recording.Lines()) == "RENDERSTATE 1 {render_state=SHADEMODE state=FLAT}\n");
}

TEST_CASE("ExecuteBufferRun: what lies after the end of the buffer ends the run") {
  Recording recording;
  LegacyDevice& device = MakeDevice(recording, DeviceVersion::k1);
  std::vector<uint8_t> instructions;
  Instruction(instructions, 8, 8, 9);  // nine records, one is there
  Word(instructions, 22);
  Word(instructions, 1);
  CHECK_FALSE(Execute(recording, device, instructions));
  CHECK_FALSE(Execute(recording, device, {}));
  instructions.clear();
  Instruction(instructions, 3, 8, 1);  // vertices that nobody processed
  Word(instructions, 0x00010000);
  Word(instructions, 2);
  Instruction(instructions, 11, 0, 0);
  CHECK_FALSE(Execute(recording, device, instructions));
  CHECK(Commands(recording.Lines()).empty());
}
