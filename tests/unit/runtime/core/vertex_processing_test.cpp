#include "runtime/core/vertex_processing.h"

#include <cstring>
#include <map>

#include "../direct3d/device_fixture.h"
#include "d3d/fvf.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::RenderState;
using d3d::TextureStageState;

constexpr uint32_t kXyzRhw = 0x004, kDiffuse = 0x040, kSpecular = 0x080, kTex1 = 0x100;

// A state of defaults, but for what a test sets.
struct TestState {
  std::map<uint32_t, uint32_t> render_states;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> stage_states;
  std::map<uint32_t, vertex::Matrix> transforms;
  VertexState state;

  TestState() {
    state.render_state = [this](RenderState number) {
      const auto found = render_states.find(d3d::Value(number));
      return found != render_states.end() ? found->second
                                          : d3d::DefaultRenderState(d3d::Value(number), 9);
    };
    state.stage_state = [this](uint32_t stage, TextureStageState number) {
      const auto found = stage_states.find({stage, d3d::Value(number)});
      return found != stage_states.end()
                 ? found->second
                 : d3d::DefaultTextureStageState(d3d::Value(number), stage, 5);
    };
    state.transform = [this](uint32_t number) {
      const auto found = transforms.find(number);
      return found != transforms.end() ? found->second : vertex::kIdentity;
    };
    state.viewport = {.x = 64, .y = 64, .width = 128, .height = 128};
  }
  void Set(RenderState number, uint32_t value) { render_states[d3d::Value(number)] = value; }
  std::vector<uint8_t> Process(const SourceVertex& vertex, uint32_t fvf, bool is_lit = false,
                               bool copies_data = true) const {
    const VertexProcessing processing(
        state, {.dest_fvf = fvf, .is_lit = is_lit, .copies_data = copies_data});
    std::vector<uint8_t> out(processing.dest_size(), 0xCC);
    processing.Process(vertex, out.data());
    return out;
  }
  uint32_t SpecularAlphaOf(const SourceVertex& vertex) const {
    return Process(vertex, kXyzRhw | kDiffuse | kSpecular, true)[23];
  }
};

std::array<float, 4> PositionOf(const std::vector<uint8_t>& out) {
  return {Load<float>(out.data()), Load<float>(out.data() + 4), Load<float>(out.data() + 8),
          Load<float>(out.data() + 12)};
}

SourceVertex At(float x, float y, float z) {
  SourceVertex vertex;
  vertex.position = {x, y, z, 1};
  return vertex;
}

}  // namespace

TEST_CASE("VertexProcessing: positions land in the viewport (G15)") {
  const TestState test;
  const auto at = [&](float x, float y, float z) {
    return PositionOf(test.Process(At(x, y, z), kXyzRhw));
  };
  CHECK(at(0, 0, 0) == std::array<float, 4>{128, 128, 0, 1});
  CHECK(at(1, 1, 1) == std::array<float, 4>{192, 64, 1, 1});
  CHECK(at(-1, -1, 0.5F) == std::array<float, 4>{64, 192, 0.5F, 1});
  CHECK(at(0.5F, -0.5F, 0.25F) == std::array<float, 4>{160, 160, 0.25F, 1});
}

TEST_CASE("VertexProcessing: fog replaces the alpha of the specular colour (F30 to F32)") {
  TestState test;
  test.state.material.specular[3] = 0.5F;
  test.Set(RenderState::SpecularMaterialSource, 0);
  test.Set(RenderState::FogEnable, 1);
  const SourceVertex vertex = At(0.5F, 0, 0.375F);
  CHECK(test.SpecularAlphaOf(vertex) == 0x80);
  constexpr uint32_t kModes[] = {1, 2, 3};
  constexpr uint32_t kByDepth[] = {0xAF, 0xDE, 0x9F};
  constexpr uint32_t kByRange[] = {0x88, 0xAD, 0x60};
  for (size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    test.Set(RenderState::FogVertexMode, kModes[i]);
    test.Set(RenderState::RangeFogEnable, 0);
    CHECK(test.SpecularAlphaOf(vertex) == kByDepth[i]);
    test.Set(RenderState::RangeFogEnable, 1);
    CHECK(test.SpecularAlphaOf(vertex) == kByRange[i]);
  }
}

TEST_CASE(
    "VertexProcessing: a directional light over a material; no light from behind or through a singular world (L8)") {
  TestState test;
  test.state.lights.push_back({.diffuse = {1, 0.5F, 0, 0}, .direction = {0, 0, 1}});
  SourceVertex vertex = At(0, 0, 0);
  vertex.normal = Float3{0, 0, -1};
  const auto diffuse = [&] {
    return LoadU32(test.Process(vertex, kXyzRhw | kDiffuse, true).data() + 16);
  };
  CHECK(diffuse() == 0xFFFF8000);
  vertex.normal = Float3{0, 0, 1};
  CHECK(diffuse() == 0xFF000000);
  vertex.normal = Float3{0, 0, -1};
  test.transforms[256] = vertex::Matrix{};
  CHECK(diffuse() == 0xFF000000);
}

TEST_CASE(
    "VertexProcessing: without lighting colours are copied, white and 0 where there are none, or stay where copying is forbidden") {
  const TestState test;
  SourceVertex vertex = At(0, 0, 0);
  constexpr uint32_t kFormat = kXyzRhw | kDiffuse | kSpecular;
  CHECK(LoadU32(test.Process(vertex, kFormat).data() + 16) == 0xFFFFFFFF);
  CHECK(LoadU32(test.Process(vertex, kFormat).data() + 20) == 0);
  vertex.diffuse = vertex::FromColor(0x11223344);
  CHECK(LoadU32(test.Process(vertex, kFormat).data() + 16) == 0x11223344);
  CHECK(LoadU32(test.Process(vertex, kFormat, false, false).data() + 16) == 0xCCCCCCCC);
}

TEST_CASE(
    "VertexProcessing: coordinates are copied, generated and transformed; components that are not made stay") {
  TestState test;
  SourceVertex vertex = At(3, 4, 5);
  vertex.coordinates[0] = {{0.25F, 0.5F, 0, 1}, 2};
  constexpr uint32_t kFormat = kXyzRhw | kTex1 | 0x10000;  // 3 floats
  const auto floats = [&] {
    const std::vector<uint8_t> out = test.Process(vertex, kFormat);
    return std::array<float, 2>{Load<float>(out.data() + 16), Load<float>(out.data() + 20)};
  };
  CHECK(floats() == std::array<float, 2>{0.25F, 0.5F});
  CHECK(LoadU32(test.Process(vertex, kFormat).data() + 24) == 0xCCCCCCCC);
  // Camera space position.
  test.stage_states[{0, d3d::Value(TextureStageState::TexcoordIndex)}] = 0x20000;
  CHECK(floats() == std::array<float, 2>{3, 4});
  CHECK(Load<float>(test.Process(vertex, kFormat).data() + 24) == 5);
  test.stage_states[{0, d3d::Value(TextureStageState::TexcoordIndex)}] = 0;
  test.stage_states[{0, d3d::Value(TextureStageState::TextureTransformFlags)}] = 2;
  // Row 3 moves a set of two.
  test.transforms[16] = vertex::Matrix{2, 0, 0, 0, 0, 2, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1};
  CHECK(floats() == std::array<float, 2>{1.5F, 2.0F});
}

TEST_CASE("VertexProcessing: weights blend world matrices") {
  TestState test;
  test.Set(RenderState::VertexBlend, 1);
  test.transforms[257] = vertex::Matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1};
  SourceVertex vertex = At(0, 0, 0);
  vertex.weights[0] = 0.75F;
  CHECK(PositionOf(test.Process(vertex, kXyzRhw))[0] == 144);  // 0.25 * 64 right of the middle
  CHECK(VertexProcessing::IsPossible(kXyzRhw));
  CHECK_FALSE(VertexProcessing::IsPossible(0x002));
}

TEST_CASE("VertexProcessing: tweening goes from the first position and normal to the second") {
  TestState test;
  test.Set(RenderState::VertexBlend, 255);
  test.Set(RenderState::TweenFactor, std::bit_cast<uint32_t>(0.25F));
  SourceVertex vertex = At(0, 0, 0);
  const float middle = PositionOf(test.Process(vertex, kXyzRhw))[0];
  vertex.second_position = Float4{1, 0, 0, 1};
  CHECK(PositionOf(test.Process(vertex, kXyzRhw))[0] == middle + 16);  // 0.25 * 64
  test.Set(RenderState::VertexBlend, 0);
  CHECK(PositionOf(test.Process(vertex, kXyzRhw))[0] == middle);
}

TEST_CASE(
    "VertexReader: an FVF and a declaration of the same vertex read the same; transformed vertices cannot be read") {
  std::vector<uint8_t> bytes(24);
  for (size_t i = 0; i < 3; ++i)
    dp2trace::Store(bytes.data() + 4 * i, static_cast<float>(i + 1));
  dp2trace::Store(bytes.data() + 12, uint32_t{0x80FF0000});
  dp2trace::Store(bytes.data() + 16, 0.5F);
  // POSITION FLOAT3 at 0, COLOR D3DCOLOR at 12, TEXCOORD FLOAT2 at 16.
  const std::vector<uint8_t> elements = {0, 0, 0,  0, 2, 0, 0,  0, 0, 0, 12, 0,
                                         4, 0, 10, 0, 0, 0, 16, 0, 1, 0, 5,  0};
  const VertexReader::Stream stream{bytes, 0, 24};
  for (const auto& reader : {VertexReader::OfFvf(0x142), VertexReader::OfDeclaration(elements)}) {
    REQUIRE(reader);
    const SourceVertex vertex = reader->Read({&stream, 1}, 0);
    CHECK(vertex.position == Float4{1, 2, 3, 1});
    REQUIRE(vertex.diffuse);
    CHECK((*vertex.diffuse)[0] == 1.0F);
    CHECK(vertex.coordinates[0].count == 2);
    CHECK(vertex.coordinates[0].value[0] == 0.5F);
    CHECK(reader->Read({&stream, 1}, 1).position == Float4{0, 0, 0, 1});  // past the end
  }
  CHECK_FALSE(VertexReader::OfFvf(0x144));
}

TEST_CASE(
    "Device: ProcessVertices writes the destination buffer; without kept contents it cannot") {
  DeviceFixture fixture;
  const auto buffer = [&](uint32_t fvf, uint32_t usage) {
    ResourceDescription description;
    description.type = ResourceType::kVertexBuffer;
    description.width = 2 * d3d::FvfVertexSize(fvf);
    description.format = 100;
    description.fvf = fvf;
    description.usage = usage;
    return std::make_shared<Resource>(fixture.device->link(), description);
  };
  const auto source = buffer(0x002, kUsageSoftwareProcessing);
  const auto dest = buffer(0x004, kUsageSoftwareProcessing);
  MemoryWrite write{12, std::vector<uint8_t>(12)};
  dp2trace::Store(write.bytes.data() + 8, 0.5F);  // vertex 1: (0, 0, 0.5)
  WriteBuffer(*source, 0, 0, {&write, 1});
  const auto bind = [&](const std::shared_ptr<Resource>& stream) {
    StateValue value;
    value.object = stream;
    value.words = {0, 12};
    fixture.device->Set({StateKind::kStream, 0, 0}, value);
  };
  bind(source);
  fixture.device->SetWord(StateKind::kVertexFormat, 0, 0, 0x002);
  fixture.Lines();
  CHECK(fixture.device->ProcessVertices({1, 1, 1}, *dest));
  // (32, 24, 0.5, 1)
  CHECK(fixture.Lines().ends_with(
      "surface_update handle=4 range={offset=16 size=16} data=16 bytes [00 00 00 42 00 00 c0 41 00 00 00 3f 00 00 80 3f]\n"));
  CHECK_FALSE(fixture.device->ProcessVertices({0, 1, 2}, *dest));
  bind(buffer(0x002, 0));
  CHECK_FALSE(fixture.device->ProcessVertices({0, 0, 1}, *dest));
}

TEST_CASE("Recorder: memory that models keep is granted up to the limit and given back") {
  LineSink sink;
  Recorder recorder(sink, {.allowance = std::make_shared<Allowance>(100)});
  {
    const MemoryShare share = recorder.KeepMemory(60);
    CHECK(share.is_granted());
    CHECK_FALSE(recorder.KeepMemory(41).is_granted());
    CHECK(recorder.KeepMemory(40).is_granted());
  }
  CHECK(recorder.KeepMemory(100).is_granted());
}
