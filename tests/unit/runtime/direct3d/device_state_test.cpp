#include "device_fixture.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kOne = 0x3F800000;
constexpr uint32_t kTwo = 0x40000000;

std::vector<uint32_t> Scale(uint32_t bits) {
  return {bits, 0, 0, 0, 0, bits, 0, 0, 0, 0, bits, 0, 0, 0, 0, kOne};
}

}  // namespace

TEST_CASE(
    "Device state: a value that is set again is filtered, the first set is not even with the default") {
  DeviceFixture fixture;
  fixture.device->SetWord(StateKind::kRenderState, 22, 0, 3);
  fixture.device->SetWord(StateKind::kRenderState, 22, 0, 3);
  CHECK(fixture.Tokens() == "RENDERSTATE 1 {render_state=CULLMODE state=CCW}\n");
}

TEST_CASE("Device state: sampler states travel as texture stage states") {
  DeviceFixture fixture;
  fixture.device->SetSampler(0, 1, 3);     // ADDRESSU
  fixture.device->SetSampler(0, 3, 3);     // ADDRESSW
  fixture.device->SetSampler(9, 7, 2);     // MIPFILTER
  fixture.device->SetSampler(257, 11, 1);  // SRGBTEXTURE of the first vertex sampler
  fixture.device->SetSampler(0, 99, 1);    // no such state
  CHECK(
      fixture.Tokens() ==
      "TEXTURESTAGESTATE 4 {stage=0 ts_state=ADDRESSU value=CLAMP} {stage=0 ts_state=ADDRESSW value=CLAMP} "
      "{stage=9 ts_state=MIPFILTER value=LINEAR} {stage=257 ts_state=SRGBTEXTURE value=1}\n");
}

TEST_CASE("Device state: viewport and z range are two tokens, each only where it changes") {
  DeviceFixture fixture;
  fixture.device->SetWords(StateKind::kViewport, 0, {0, 0, 32, 48, 0, kOne});
  CHECK(fixture.Tokens() == "VIEWPORTINFO 1 {x=0 y=0 width=32 height=48}\n");
  fixture.device->SetWords(StateKind::kViewport, 0, {0, 0, 32, 48, 0, 0});
  CHECK(fixture.Tokens() == "ZRANGE 1 {min_z=0 max_z=0}\n");
}

TEST_CASE(
    "Device state: a light is created before its first use, with its default where it has no data") {
  DeviceFixture fixture;
  fixture.device->SetWord(StateKind::kLightEnable, 3, 0, 1);
  const std::string first = fixture.Tokens();
  CHECK(first.starts_with(
      "CREATELIGHT 1 {index=3}\nSETLIGHT 1 {index=3 data_type=DATA} light=[{type=DIRECTIONAL diffuse=[1 1 1 0]"));
  CHECK(first.ends_with("SETLIGHT 1 {index=3 data_type=ENABLE}\n"));
  fixture.device->SetWords(StateKind::kLight, 3, std::vector<uint32_t>(26, kOne));
  fixture.device->SetWord(StateKind::kLightEnable, 3, 0, 0);
  const std::string second = fixture.Tokens();
  CHECK_FALSE(Has(second, "CREATELIGHT"));
  CHECK(second.ends_with("SETLIGHT 1 {index=3 data_type=DISABLE}\n"));
}

TEST_CASE("Device state: MULTIPLYTRANSFORM carries the given matrix, the product is the state") {
  DeviceFixture fixture;
  fixture.device->SetWords(StateKind::kTransform, 2, Scale(kTwo));
  fixture.device->MultiplyTransform(2, Scale(kTwo));
  CHECK(Has(fixture.Tokens(),
            "MULTIPLYTRANSFORM 1 {transform=VIEW matrix=[2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1]}"));
  CHECK(fixture.device->Current({StateKind::kTransform, 2, 0}).words == Scale(0x40800000));
}

TEST_CASE(
    "Device state: FVF and declaration share a token at level 9, shaders of level 8 have another") {
  DeviceFixture fixture;
  const uint8_t elements[] = {0, 0, 0, 0, 2, 0, 0, 0};
  fixture.device->SetWord(StateKind::kVertexFormat, 0, 0, 0x42);
  fixture.device->SetObject(StateKind::kVertexFormat, 0,
                            std::make_shared<Shader>(fixture.device->link(),
                                                     ShaderKind::kDeclaration, elements, Bytes()));
  const std::string tokens = fixture.Tokens();
  CHECK(tokens.starts_with(
      "SETVERTEXSHADERDECL 1 {handle=XYZ|DIFFUSE}\nCREATEVERTEXSHADERDECL 1 {handle=1 num_vertex_elements=1} elements=["));
  CHECK(Has(tokens, "SETVERTEXSHADERDECL 1 {handle=1}\n"));
  DeviceFixture old(8);
  old.device->SetWord(StateKind::kVertexFormat, 0, 0, 0x42);
  CHECK(old.Tokens() == "SETVERTEXSHADER 1 {handle=XYZ|DIFFUSE}\n");
}

TEST_CASE("Device state: constants are one token, none when all registers hold the values") {
  DeviceFixture fixture;
  const std::vector<uint32_t> words = {kOne, 0, 0, 0, kTwo, 0, 0, 0};
  fixture.device->SetConstants(StateKind::kVertexFloat, 4, words);
  fixture.device->SetConstants(StateKind::kVertexFloat, 5, std::span(words).subspan(4));
  CHECK(fixture.Tokens() ==
        "SETVERTEXSHADERCONST 1 {register=4 count=2} values=[[1 0 0 0] [2 0 0 0]]\n");
}

TEST_CASE("Device state: a recorded block does not reach the driver until it is applied") {
  DeviceFixture fixture;
  fixture.device->BeginStateBlock();
  fixture.device->SetWord(StateKind::kRenderState, 22, 0, 1);
  fixture.device->SetConstants(StateKind::kPixelFloat, 0, std::vector<uint32_t>{kOne, 0, 0, 0});
  StateBlock block = fixture.device->EndStateBlock();
  CHECK(fixture.Tokens().empty());
  fixture.device->Apply(block);
  CHECK(fixture.Tokens() ==
        "RENDERSTATE 1 {render_state=CULLMODE state=NONE}\n"
        "SETPIXELSHADERCONST 1 {register=0 count=1} values=[[1 0 0 0]]\n");
  fixture.device->SetWord(StateKind::kRenderState, 22, 0, 2);
  fixture.device->Capture(block);
  CHECK(block.at({StateKind::kRenderState, 22, 0}).word == 2);
}

TEST_CASE(
    "Device state: a block of a kind holds defaults of what was never set, and only its kind") {
  DeviceFixture fixture;
  fixture.device->SetWord(StateKind::kRenderState, 22, 0, 1);
  const StateBlock vertex = fixture.device->CreateStateBlock(StateBlockType::kVertex);
  CHECK(vertex.at({StateKind::kRenderState, 22, 0}).word == 1);
  CHECK(vertex.at({StateKind::kRenderState, 137, 0}).word == 1);  // LIGHTING
  CHECK_FALSE(vertex.contains({StateKind::kRenderState, 7, 0}));
  CHECK_FALSE(vertex.contains({StateKind::kTexture, 0, 0}));
  const StateBlock pixel = fixture.device->CreateStateBlock(StateBlockType::kPixel);
  CHECK(pixel.contains({StateKind::kRenderState, 7, 0}));
  CHECK_FALSE(pixel.contains({StateKind::kRenderState, 22, 0}));
  CHECK_FALSE(pixel.contains({StateKind::kViewport, 0, 0}));
  const StateBlock all = fixture.device->CreateStateBlock(StateBlockType::kAll);
  CHECK(all.contains({StateKind::kViewport, 0, 0}));
  CHECK(all.contains({StateKind::kTexture, 0, 0}));
}

TEST_CASE("Device state: a palette is attached to a palettised texture when either is set") {
  DeviceFixture fixture;
  ResourceDescription description;
  description.type = ResourceType::kTexture;
  description.width = description.height = 4;
  description.format = 41;
  auto texture = std::make_shared<Resource>(fixture.device->link(), description);
  fixture.Lines();
  fixture.device->SetPaletteEntries(2, std::vector<uint32_t>{0xFF112233});
  fixture.device->SetCurrentPalette(2);
  fixture.device->SetObject(StateKind::kTexture, 0, texture);
  CHECK(fixture.Tokens() ==
        "UPDATEPALETTE 1 {palette_handle=3 start_index=0 num_entries=1} entries=[0xff112233]\n"
        "SETPALETTE 1 {palette_handle=3 palette_flags=ALPHA surface_handle=3}\n"
        "TEXTURESTAGESTATE 1 {stage=0 ts_state=TEXTUREMAP value=3}\n");
}

TEST_CASE("Device: numbers that no interface has, or a later one, stay with the runtime") {
  DeviceFixture fixture(8);
  fixture.device->SetWord(StateKind::kRenderState, 999, 0, 1);
  fixture.device->SetWord(StateKind::kRenderState, 194, 0, 1);  // SRGBWRITEENABLE, level 9
  fixture.device->SetWord(StateKind::kTextureStage, 0, 99, 1);
  CHECK(fixture.Tokens().empty());
}

TEST_CASE("Device: a declaration or shader lives as long as the driver has it set") {
  for (const uint32_t level : {8U, 9U}) {
    DeviceFixture fixture(level);
    const auto kind = level == 9 ? ShaderKind::kDeclaration : ShaderKind::kVertexShader8;
    const std::vector<uint8_t> declaration(8);
    auto format = std::make_shared<Shader>(fixture.device->link(), kind, declaration, Bytes());
    fixture.device->SetObject(StateKind::kVertexFormat, 0, format);
    fixture.Lines();
    format.reset();
    fixture.device->SetObject(StateKind::kVertexFormat, 0, nullptr);
    fixture.device->Reset(DeviceFixture::Parameters(64, 48));
    CHECK(fixture.Tokens().find("VERTEXSHADER") == std::string::npos);
    fixture.device->SetWord(StateKind::kVertexFormat, 0, 0, 0x42);
    const std::string tokens = fixture.Tokens();
    CHECK(tokens.find("DELETEVERTEXSHADER") != std::string::npos);
    CHECK(tokens.find("SETVERTEXSHADER") < tokens.find("DELETEVERTEXSHADER"));
  }
}

TEST_CASE("Device: scenes are reported") {
  DeviceFixture fixture;
  fixture.device->Scene(true);
  fixture.device->Scene(false);
  CHECK(
      fixture.Tokens() ==
      "RENDERSTATE 2 {render_state=SCENECAPTURE state=TRUE} {render_state=SCENECAPTURE state=FALSE}\n");
}
