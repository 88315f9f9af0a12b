// ProcessVertices with vertex shaders, and with declarations of level 8: the bytes that the destination gets.
#include "runtime/direct3d/vertex_program.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "d3d/fvf.h"
#include "d3d/states.h"
#include "device_fixture.h"
#include "support/shader_assembler.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kXyzDiffuse = 0x042, kScreen = 0x1C4;  // XYZRHW, DIFFUSE, SPECULAR, TEX1
constexpr uint32_t kEnd = 0x0000FFFF;

std::vector<uint8_t> BytesOf(const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  for (const uint32_t word : words)
    writer.Write(word);
  return bytes;
}

// mov oPos, v0; mov oD0, v[color]; mov oFog, c0.x; mov oT0, c1; `declared`: with dcl instructions.
std::vector<uint8_t> Code(uint32_t color, bool is_declared) {
  std::vector<uint32_t> words = {0xFFFE0101};
  if (is_declared)
    words.insert(words.end(), {0x1F, 0x80000000, 0x900F0000, 0x1F, 0x8000000A, 0x900F0000 | color});
  words.insert(words.end(), {1, 0xC00F0000, 0x90E40000, 1, 0xD00F0000, 0x90E40000 | color, 1,
                             0xC0010001, 0xA0000000, 1, 0xE00F0000, 0xA0E40001, kEnd});
  return BytesOf(words);
}

struct ProgramFixture : DeviceFixture {
  explicit ProgramFixture(uint32_t level) : DeviceFixture(level) {
    device->link()->keeps_vertices = true;
    source = Buffer(kXyzDiffuse);
    dest = Buffer(kScreen);
    // Vertex 1: (0.5, 0, 0.25), half transparent red.
    MemoryWrite write{16, BytesOf({Bits(0.5F), 0, Bits(0.25F), 0x80FF0000})};
    WriteBuffer(*source, 0, 0, {&write, 1});
    StateValue stream;
    stream.object = source;
    stream.words = {0, 16};
    device->Set({StateKind::kStream, 0, 0}, stream);
  }
  std::shared_ptr<Resource> Buffer(uint32_t fvf) {
    ResourceDescription description;
    description.type = ResourceType::kVertexBuffer;
    description.width = 2 * d3d::FvfVertexSize(fvf);
    description.format = 100;
    description.fvf = fvf;
    return std::make_shared<Resource>(device->link(), description);
  }
  // The words of vertex 1 of the destination.
  std::vector<uint32_t> Result() {
    const size_t size = d3d::FvfVertexSize(kScreen);
    std::vector<uint32_t> words;
    for (size_t at = size; at < 2 * size; at += 4)
      words.push_back(LoadU32(dest->memory().data() + at));
    return words;
  }
  std::shared_ptr<Shader> Make(ShaderKind kind, const std::vector<uint8_t>& declaration,
                               const std::vector<uint8_t>& code) {
    return std::make_shared<Shader>(device->link(), kind, declaration, code);
  }
  std::shared_ptr<Resource> source, dest;
};

// Of a target of 64 x 48: (0.5, 0, 0.25, 1).
const std::vector<uint32_t> kPosition = {Bits(48.0F), Bits(24.0F), Bits(0.25F), Bits(1.0F)};

}  // namespace

TEST_CASE("ProcessVertices: a shader of level 9 writes position, colour, fog and coordinates") {
  ProgramFixture fixture(9);
  Device& device = *fixture.device;
  device.SetWord(StateKind::kVertexFormat, 0, 0, kXyzDiffuse);
  device.SetObject(StateKind::kVertexShader, 0,
                   fixture.Make(ShaderKind::kVertexFunction, {}, Code(1, true)));
  device.SetConstants(StateKind::kVertexFloat, 0,
                      std::array{Bits(0.2F), 0U, 0U, 0U, Bits(3.0F), Bits(4.0F), 0U, 0U});
  REQUIRE(device.ProcessVertices({1, 1, 1}, *fixture.dest));
  std::vector<uint32_t> expected = kPosition;
  expected.insert(expected.end(), {0x80FF0000, 0x33000000, Bits(3.0F), Bits(4.0F)});
  CHECK(fixture.Result() == expected);
  // The same through a declaration; the other vertex stays as it was.
  MemoryWrite erase{0, std::vector<uint8_t>(fixture.dest->memory().size(), 0x55)};
  WriteBuffer(*fixture.dest, 0, 0, {&erase, 1});
  device.SetObject(StateKind::kVertexFormat, 0,
                   fixture.Make(ShaderKind::kDeclaration,
                                {0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 12, 0, 4, 0, 10, 0}, {}));
  REQUIRE(device.ProcessVertices({1, 1, 1}, *fixture.dest));
  CHECK(fixture.Result() == expected);
  CHECK(fixture.dest->memory()[0] == 0x55);
}

TEST_CASE("ProcessVertices: what a shader does not write stays; without its code nothing is done") {
  ProgramFixture fixture(9);
  Device& device = *fixture.device;
  MemoryWrite erase{0, std::vector<uint8_t>(fixture.dest->memory().size(), 0x55)};
  WriteBuffer(*fixture.dest, 0, 0, {&erase, 1});
  device.SetWord(StateKind::kVertexFormat, 0, 0, kXyzDiffuse);
  // dcl_position v0; mov oPos, v0
  const std::vector<uint8_t> code =
      BytesOf({0xFFFE0101, 0x1F, 0x80000000, 0x900F0000, 1, 0xC00F0000, 0x90E40000, kEnd});
  device.SetObject(StateKind::kVertexShader, 0,
                   fixture.Make(ShaderKind::kVertexFunction, {}, code));
  REQUIRE(device.ProcessVertices({1, 1, 1}, *fixture.dest));
  std::vector<uint32_t> expected = kPosition;
  expected.insert(expected.end(), 4, 0x55555555);
  CHECK(fixture.Result() == expected);
  CHECK_FALSE(device.ProcessVertices({1, 1, 2}, *fixture.dest));
  device.link()->keeps_vertices = false;
  device.SetObject(StateKind::kVertexShader, 0,
                   fixture.Make(ShaderKind::kVertexFunction, {}, code));
  CHECK_FALSE(device.ProcessVertices({1, 1, 1}, *fixture.dest));
}

TEST_CASE(
    "ProcessVertices: a shader of model 3 writes the vertices that a declaration describes, by usage") {
  ProgramFixture fixture(9);
  Device& device = *fixture.device;
  device.SetWord(StateKind::kVertexFormat, 0, 0, kXyzDiffuse);
  const std::vector<uint8_t> code = testing::AssembleShader(
      "vs_3_0; dcl_position v0; dcl_color v1; dcl_position o0; dcl_color o1; dcl_tangent3 o2.xyz;"
      "dcl_psize o3.x; dcl_fog o4.x; dcl_color1 o5; mov o0, v0; mov o1, v1; mov o2.xyz, c0;"
      "mov o3.x, c1.x; mov o4.x, c1.y; mov o5, c0");
  device.SetObject(StateKind::kVertexShader, 0,
                   fixture.Make(ShaderKind::kVertexFunction, {}, code));
  device.SetConstants(
      StateKind::kVertexFloat, 0,
      std::array{Bits(0.25F), Bits(-3.0F), Bits(5.0F), 0U, Bits(2.0F), Bits(0.5F), 0U, 0U});
  // TANGENT 3 FLOAT2 at 0; COLOR 0 D3DCOLOR at 8; BINORMAL 0 FLOAT1, which nobody writes, at 12; POSITIONT FLOAT4 at 16; FOG FLOAT1 at 32;
  // PSIZE FLOAT1 at 36.
  const std::vector<uint8_t> elements = {0, 0, 0,  0, 1, 0, 6,  3, 0, 0, 8,  0, 4, 0, 10, 0,
                                         0, 0, 12, 0, 0, 0, 7,  0, 0, 0, 16, 0, 3, 0, 9,  0,
                                         0, 0, 32, 0, 0, 0, 11, 0, 0, 0, 36, 0, 0, 0, 4,  0};
  const auto declaration = fixture.Make(ShaderKind::kDeclaration, elements, {});
  fixture.dest->memory().assign(80, 0x55);
  REQUIRE(device.ProcessVertices({1, 1, 1}, *fixture.dest, declaration.get()));
  std::vector<uint32_t> words;
  for (size_t at = 40; at < 80; at += 4)
    words.push_back(LoadU32(fixture.dest->memory().data() + at));
  std::vector<uint32_t> expected = {Bits(0.25F), Bits(-3.0F), 0x80FF0000, 0x55555555};
  expected.insert(expected.end(), kPosition.begin(), kPosition.end());
  expected.insert(expected.end(), {Bits(0.5F), Bits(2.0F)});
  CHECK(words == expected);
  CHECK(std::ranges::all_of(std::span(fixture.dest->memory()).first(40),
                            [](uint8_t byte) { return byte == 0x55; }));
  // A vertex of 40 bytes: there is no third one.
  CHECK_FALSE(device.ProcessVertices({1, 2, 1}, *fixture.dest, declaration.get()));
  // Without a declaration the format of the buffer says what is written: COLOR1 has the fog factor.
  fixture.dest->memory().assign(80, 0x55);
  REQUIRE(device.ProcessVertices({1, 1, 1}, *fixture.dest));
  CHECK(fixture.Result() == std::vector<uint32_t>{kPosition[0], kPosition[1], kPosition[2],
                                                  kPosition[3], 0x80FF0000, 0x804000FF, 0x55555555,
                                                  0x55555555});
}

TEST_CASE("ProcessVertices: an output declaration counts for model 3, and is writable or refused") {
  ProgramFixture fixture(9);
  Device& device = *fixture.device;
  device.SetWord(StateKind::kVertexFormat, 0, 0, kXyzDiffuse);
  // POSITIONT FLOAT4 at 4, after a word that nobody writes.
  const auto process = [&](const std::vector<uint8_t>& elements) {
    const auto declaration = fixture.Make(ShaderKind::kDeclaration, elements, {});
    return device.ProcessVertices({1, 0, 1}, *fixture.dest, declaration.get());
  };
  const std::vector<uint8_t> position = {0, 0, 4, 0, 3, 0, 9, 0};
  device.SetObject(StateKind::kVertexShader, 0,
                   fixture.Make(ShaderKind::kVertexFunction, {}, Code(1, true)));
  fixture.dest->memory().assign(80, 0x55);
  REQUIRE(process(position));
  CHECK(LoadU32(fixture.dest->memory().data()) == kPosition[0]);  // model 1: as the buffer says
  device.SetObject(StateKind::kVertexShader, 0,
                   fixture.Make(ShaderKind::kVertexFunction, {},
                                testing::AssembleShader(
                                    "vs_3_0; dcl_position v0; dcl_position o0; mov o0, v0")));
  fixture.dest->memory().assign(80, 0x55);
  REQUIRE(process(position));
  CHECK(LoadU32(fixture.dest->memory().data()) == 0x55555555);
  CHECK(LoadU32(fixture.dest->memory().data() + 4) == kPosition[0]);
  CHECK_FALSE(process({}));
  CHECK_FALSE(process({0, 0, 0, 0, 2, 0, 9, 0}));                            // three floats
  CHECK_FALSE(process({1, 0, 0, 0, 3, 0, 9, 0}));                            // stream 1
  CHECK_FALSE(process({0, 0, 0, 0, 3, 0, 9, 0, 0, 0, 16, 0, 16, 0, 5, 0}));  // FLOAT16_4
}

TEST_CASE("ProcessVertices: a shader of level 8 loads the constants of its declaration when set") {
  ProgramFixture fixture(8);
  Device& device = *fixture.device;
  // Stream 0; v0 FLOAT3; v5 D3DCOLOR; c1 = (3, 4, 0, 0).
  const std::vector<uint8_t> declaration = BytesOf(
      {0x20000000, 0x40020000, 0x40040005, 0x82000001, Bits(3.0F), Bits(4.0F), 0, 0, 0xFFFFFFFF});
  const auto shader = fixture.Make(ShaderKind::kVertexShader8, declaration, Code(5, false));
  const std::array other = {Bits(7.0F), Bits(8.0F), 0U, 0U};
  device.SetConstants(StateKind::kVertexFloat, 1, other);
  device.SetObject(StateKind::kVertexFormat, 0, shader);
  REQUIRE(device.ProcessVertices({1, 1, 1}, *fixture.dest));
  std::vector<uint32_t> expected = kPosition;
  expected.insert(expected.end(), {0x80FF0000, 0, Bits(3.0F), Bits(4.0F)});
  CHECK(fixture.Result() == expected);
  // The driver has lost what the program set before: the same values reach it again.
  fixture.Lines();
  device.SetConstants(StateKind::kVertexFloat, 1, other);
  CHECK(fixture.Tokens().find("SETVERTEXSHADERCONST") != std::string::npos);
  // Setting it once more loads them once more.
  device.SetObject(StateKind::kVertexFormat, 0, shader);
  CHECK(fixture.Tokens().find("SETVERTEXSHADER ") != std::string::npos);
  REQUIRE(device.ProcessVertices({1, 1, 1}, *fixture.dest));
  CHECK(fixture.Result() == expected);
}

TEST_CASE(
    "ProcessVertices: a declaration of level 8 without code is for the fixed function, tweened") {
  ProgramFixture fixture(8);
  Device& device = *fixture.device;
  device.SetWord(StateKind::kRenderState, d3d::Value(d3d::RenderState::Lighting), 0, 0);
  // Stream 0; v0 FLOAT3; skip the colour of this vertex; v15 FLOAT3: the position of the next one.
  const std::vector<uint8_t> declaration =
      BytesOf({0x20000000, 0x40020000, 0x50010000, 0x4002000F, 0xFFFFFFFF});
  device.SetObject(StateKind::kVertexFormat, 0,
                   fixture.Make(ShaderKind::kVertexShader8, declaration, {}));
  device.SetWord(StateKind::kRenderState, d3d::Value(d3d::RenderState::VertexBlend), 0, 255);
  device.SetWord(StateKind::kRenderState, d3d::Value(d3d::RenderState::TweenFactor), 0, Bits(0.5F));
  // Half way from vertex 0 at the origin to vertex 1.
  REQUIRE(device.ProcessVertices({0, 1, 1, true}, *fixture.dest));
  const std::vector<uint32_t> result = fixture.Result();
  CHECK(std::vector<uint32_t>(result.begin(), result.begin() + 4) ==
        std::vector<uint32_t>{Bits(40.0F), Bits(24.0F), Bits(0.125F), Bits(1.0F)});
}
