#include "validate/dp2/shader_link.h"

#include <doctest/doctest.h>

#include <array>

#include "../helpers.h"
#include "device/device.h"
#include "shader/decoder.h"
#include "support/shader_assembler.h"

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint8_t kDrawPrimitive = 52, kDrawIndexedPrimitive = 53, kTriangleList = 18;
constexpr uint8_t kPosition = 0, kTexcoord = 5, kPositionT = 9, kColor = 10;

// A context with shaders in it, and one token that draws.
class LinkScene {
 public:
  LinkScene()
      : context_(9, false,
                 trace::ContextCreate{.context = 1, .target = 0, .depth = 0, .ddrval = {}},
                 space_) {}

  device::Context& context() { return context_; }
  device::State& state() { return context_.state; }

  // Handles 2 and 3.
  void BindVertex(std::string_view text) {
    context_.vertex_functions[2] = Object(text);
    state().vertex_program.function = 2;
  }
  void BindPixel(std::string_view text) {
    context_.pixel_shaders[3] = Object(text);
    state().pixel_shader = 3;
  }
  // Elements of (usage, index).
  void BindDeclaration(std::initializer_list<std::array<uint8_t, 2>> elements) {
    device::ShaderObject& object = context_.declarations[5] = Object({});
    for (const auto& [usage, index] : elements) {
      object.layout.elements.push_back({.usage = usage, .usage_index = index});
      if (usage == kPositionT) object.layout.is_transformed = true;
    }
    state().vertex_program.format = 5;
  }

  // The rules that one command breaks.
  Ids Draw(uint8_t op = kDrawPrimitive) {
    const std::vector<uint8_t> bytes = {op, 0, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0,
                                        0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const stream::Environment environment{.command_offset = 8, .vertex_size = 0, .event = {}};
    stream::Decoder decoder(bytes, environment, nullptr);
    stream::Command command;
    REQUIRE(decoder.Next(command));
    DiagnosticList list;
    {
      EventFindings findings(list, rules_, 7);
      check_.Check(context_, command, findings);
    }
    findings_ = list.items();
    return IdsOf(findings_);
  }
  const std::vector<Diagnostic>& findings() const { return findings_; }

 private:
  device::ShaderObject Object(std::string_view text) {
    device::ShaderObject object;
    if (!text.empty()) {
      DiagnosticList ignored;
      object.code = testing::AssembleShader(text);
      object.program =
          std::make_shared<const shader::Program>(shader::Decode(object.code, ignored));
    }
    object.number = ++context_.shader_count;
    return object;
  }

  device::Space space_;
  device::Context context_;
  RuleSet rules_;
  ShaderLinkCheck check_;
  std::vector<Diagnostic> findings_;
};

constexpr std::string_view kVertex = "vs_2_0; dcl_position v0; mov oPos, v0";

}  // namespace

TEST_CASE("Shader link: a combination is reported once, at the place of the first draw") {
  LinkScene scene;
  scene.BindVertex(kVertex);
  scene.BindPixel("ps_2_0; dcl t3; mov oC0, t3");
  scene.BindDeclaration({{kColor, 0}});
  CHECK(scene.Draw() == Ids{"DP2-SHADER-073", "DP2-SHADER-072"});
  for (const Diagnostic& finding : scene.findings()) {
    CHECK(finding.event == 7);
    CHECK(finding.offset == 8);
    CHECK(finding.path == "commands/0");
  }
  CHECK(scene.Draw() == Ids{});
  CHECK(scene.Draw(kDrawIndexedPrimitive) == Ids{});
  // The same handle with another shader is another combination, as another declaration is.
  scene.BindPixel("ps_2_0; dcl t3; mov oC0, t3");
  CHECK(scene.Draw() == Ids{"DP2-SHADER-073", "DP2-SHADER-072"});
  scene.BindDeclaration({{kPosition, 0}});
  CHECK(scene.Draw() == Ids{"DP2-SHADER-072"});
}

TEST_CASE("Shader link: versions and semantics of 3.0") {
  LinkScene scene;
  scene.BindDeclaration({{kPosition, 0}, {kTexcoord, 1}});
  scene.BindVertex(
      "vs_3_0; dcl_position v0; dcl_texcoord1 v1; dcl_position o0; dcl_texcoord o1.xy; mov o0, v0; mov o1.xy, v1");
  scene.BindPixel("ps_3_0; dcl_texcoord v0.xy; mov oC0, v0.xyxy");
  CHECK(scene.Draw() == Ids{});
  scene.BindPixel("ps_3_0; dcl_texcoord v0.xyz; mov oC0, v0.xyzz");
  CHECK(scene.Draw() == Ids{"DP2-SHADER-071"});
  scene.BindPixel("ps_2_0; dcl t0; mov oC0, t0");
  CHECK(scene.Draw() == Ids{"DP2-SHADER-070"});
}

TEST_CASE("Shader link: an FVF gives the elements where there is no declaration") {
  LinkScene scene;
  scene.BindVertex("vs_2_0; dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1");
  scene.state().vertex_program.format = 0x042;  // XYZ, DIFFUSE
  CHECK(scene.Draw() == Ids{});
  scene.state().vertex_program.format = 0x002;
  CHECK(scene.Draw() == Ids{"DP2-SHADER-073"});
  scene.state().vertex_program.format = 0;  // nothing to draw with is another rule
  CHECK(scene.Draw() == Ids{});
}

TEST_CASE("Shader link: what does not run through a vertex shader is not checked") {
  LinkScene scene;
  scene.BindPixel("ps_3_0; dcl_texcoord v0; mov oC0, v0");
  scene.BindDeclaration({{kPosition, 0}});
  CHECK(scene.Draw() == Ids{});
  scene.BindVertex(kVertex);
  CHECK(scene.Draw(kTriangleList) == Ids{});
  scene.BindDeclaration({{kPositionT, 0}});
  CHECK(scene.Draw() == Ids{});
  scene.state().vertex_program.function = 9;  // does not exist
  CHECK(scene.Draw() == Ids{});
}

TEST_CASE("Shader link: damaged code is not judged") {
  LinkScene scene;
  scene.BindVertex(kVertex);
  scene.BindPixel("ps_2_0; dcl t3; mov oC0, t3");
  scene.BindDeclaration({{kPosition, 0}});
  shader::Program damaged = *scene.context().pixel_shaders[3].program;
  damaged.is_executable = false;
  scene.context().pixel_shaders[3].program =
      std::make_shared<const shader::Program>(std::move(damaged));
  CHECK(scene.Draw() == Ids{});
}
