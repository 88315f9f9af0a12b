#include "shader/checker.h"

#include "check_helpers.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::shader;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Checker: shaders as compilers write them are clean") {
  CheckClean(
      "vs_1_1; dcl_position v0; dcl_color v1; def c4, 0, 1, 2, 3; m4x4 oPos, v0, c0; mov oD0, v1; mov a0.x, c4.y;"
      "mov oT0.xy, c[a0.x + 5]; expp r0.y, c4.z; mov oFog, r0.y; frc r1.xy, v0; add oT1.xy, r1, c4");
  CheckClean(
      "vs_2_0; dcl_position v0; def c9, 1, 0, 0, 0; defi i0, 4, 0, 1, 0; mov r0, c9.y; loop aL, i0; add r0, r0, c[aL + 1];"
      "endloop; if b0; mul r0, r0, c9.x; endif; mova a0.x, r0.x; rcp r1.x, r0.w; mad oPos, r1.x, v0, c[a0.x]");
  CheckClean(
      "vs_3_0; dcl_position v0; dcl_texcoord1 v1; dcl_position o0; dcl_color o1; dcl_texcoord o2.xy; dcl_2d s0;"
      "texldl r0, v1, s0; mov o0, v0; mov_sat o1, -r0_abs; mov o2.xy, r0");
  CheckClean(
      "ps_1_1; def c0, 1, 0, 0, 0; tex t0; tex t1; mul r0.rgb, t0, v0; +mov r0.a, t1.b; mad_x2_sat r0, r0, 1-c0, -t1_bx2");
  CheckClean(
      "ps_1_3; tex t0; texm3x3pad t1, t0_bx2; texm3x3pad t2, t0_bx2; texm3x3spec t3, t0_bx2, c0; mov r0, t3");
  CheckClean(
      "ps_1_4; texld r0, t0; texcrd r1.rgb, t1_dw.xyw; phase; texld r2, r1; mul r0.rgb, r0, v0; mov r0.a, v0.a; add_d8 r0, r0, r2");
  CheckClean(
      "ps_2_0; def c0, 1, 2, 3, 4; dcl t0.xy; dcl v0; dcl_2d s0; texld r0, t0, s0; mul r0, r0, v0; pow r0.w, r0.x, c0.y;"
      "mov oC0, r0; mov oDepth, r0.x");
  CheckClean(
      "ps_3_0; def c0, 0, 1, 2, 3; dcl_texcoord v0.xy; dcl_color v1; dcl vPos.xy; dcl vFace; dcl_2d s0; texld_pp r0, v0, s0;"
      "dsx r1, r0; if_gt r1.x, c0.x; texldd r0, v0, s0, r1, r1; endif; cmp oC0, vFace.x, r0, v1");
}

TEST_CASE("DP2-SHADER-010 fires where the other language belongs") {
  DiagnosticList findings;
  CheckStage(ProgramOf("ps_1_1; mov r0, v0"), false, findings);
  CHECK(IdsOf(findings) == std::vector<std::string_view>{"DP2-SHADER-010"});
  CheckStage(ProgramOf("ps_1_1; mov r0, v0"), true, findings);
  CHECK(findings.items().size() == 1);
}

TEST_CASE("Checker: operands") {
  CheckFires("DP2-SHADER-011", "ps_1_1; mov r0, v0; frc r0, r0");
  CheckFires("DP2-SHADER-012", "vs_1_1; mov oPos, v0; mov r0, oPos");
  CheckFires("DP2-SHADER-012", "ps_1_4; texld r0, t0; mul r0, r0, t1");
  CheckFires("DP2-SHADER-013", "ps_1_1; mov r0, v0; mov v1, r0");
  CheckFires("DP2-SHADER-013", "ps_2_0; def c0, 1, 1, 1, 1; mov oC0, c0; add oC1, c0, c0");
  CheckFires("DP2-SHADER-014", "ps_1_1; mov r0, v0; mov r2, v0");
  CheckFires("DP2-SHADER-014", "ps_1_1; mov r0, c8");
  CheckFires("DP2-SHADER-016", "vs_1_1; mov oPos, v0_bx2");
  CheckFires("DP2-SHADER-016", "ps_2_0; mov r0, c0_abs; mov oC0, r0");
  CheckFires("DP2-SHADER-017", "vs_2_0; dcl_position v0; mov_sat oPos, v0");
  CheckFires("DP2-SHADER-018", "ps_2_0; mov_x2 r0, c0; mov oC0, r0");
  CheckFires("DP2-SHADER-018", "ps_1_1; mov_x8 r0, c0");
  CheckFires("DP2-SHADER-019", "ps_1_1; mov r0, c0.r");
  CheckFires("DP2-SHADER-019", "ps_2_0; mov r0, c0.yyxx; mov oC0, r0");
  CheckFires("DP2-SHADER-020", "vs_2_0; rcp r0, c0; mov oPos, r0");
  CheckFires("DP2-SHADER-021", "ps_3_0; loop aL, i0; mov r0, c[aL]; endloop; mov oC0, r0");
  CheckFires("DP2-SHADER-022", "vs_2_0; dcl_position v0; mov oPos, v0; mov r0, c[a1.x]");
}

TEST_CASE("DP2-SHADER-015 fires without a write mask") {
  const DiagnosticList findings =
      FindingsOfWords({0xFFFF0101, 1, 0x800F0000, 0x90E40000, 1, 0x80000000, 0x90E40000, 0xFFFF});
  CHECK(IdsOf(findings) == std::vector<std::string_view>{"DP2-SHADER-015"});
  CHECK(findings.items()[0].offset == 16);
}

TEST_CASE("Checker: single instructions") {
  CheckFires("DP2-SHADER-023", "vs_2_0; dcl_position v0; (p0) mov oPos, v0");
  CheckFires("DP2-SHADER-024", "vs_1_1; mov oPos, v0; +mov r0, v0");
  CheckFires("DP2-SHADER-024", "ps_1_1; +mov r0, v0");
  CheckFires("DP2-SHADER-025", "ps_3_0; setp p0, c0, c0; mov oC0, c0");
  CheckFires("DP2-SHADER-027", "vs_1_1; add oPos, c0, c1");
  CheckFires("DP2-SHADER-027", "vs_1_1; mov a0.x, c0.x; add oPos, c1, c[a0.x + 1]");
  CheckFires("DP2-SHADER-027", "ps_1_1; mad r0, c0, c1, c2");
  CheckClean("vs_1_1; add oPos, c1, c1");
  CheckFires("DP2-SHADER-028", "vs_1_1; m4x4 oPos, v0, c253");
  CheckClean("vs_1_1; m4x4 oPos, v0, c252");
  CheckFires("DP2-SHADER-029",
             "vs_2_0; dcl_position v0; mov oPos, v0; mov r0, v0; crs r0.xyz, r0, v0");
  CheckFires("DP2-SHADER-030", "vs_1_1; mov oPos, v0; frc r0.z, v0");
  CheckFires("DP2-SHADER-030", "ps_2_0; mov r0, c0; crs r1, r0, c0; mov oC0, r0");
  CheckFires("DP2-SHADER-043", "ps_2_0; mov oC0, c0; mov oC1.x, c0");
}

TEST_CASE("DP2-SHADER-026 warns about control bits without meaning") {
  const DiagnosticList findings =
      FindingsOfWords({0xFFFF0101, 0x00010001, 0x800F0000, 0x90E40000, 0xFFFF});
  CHECK(IdsOf(findings) == std::vector<std::string_view>{"DP2-SHADER-026"});
}

TEST_CASE("Checker: declarations and definitions") {
  CheckFires("DP2-SHADER-031", "ps_1_1; mov r0, v0; def c0, 1, 1, 1, 1");
  CheckFires("DP2-SHADER-032", "ps_1_1; def c0, 1, 1, 1, 1; def c0, 1, 1, 1, 1; mov r0, v0");
  CheckFires("DP2-SHADER-033", "ps_2_0; dcl t0; dcl t0.x; mov oC0, t0");
  CheckClean("ps_3_0; dcl_texcoord v0.xy; dcl_texcoord1 v0.zw; mov oC0, v0");
  CheckFires("DP2-SHADER-035", "ps_2_0; dcl s0; mov oC0, c0");
  CheckFires("DP2-SHADER-036", "vs_2_0; mov oPos, v0");
  CheckFires("DP2-SHADER-036", "ps_2_0; dcl t0; texld r0, t0, s0; mov oC0, r0");
  CheckFires("DP2-SHADER-036", "ps_3_0; mov oC0, vPos.xyxy");
  CheckFires("DP2-SHADER-037", "vs_2_0; dcl_position v0; dcl_position v1; mov oPos, v0");
}

TEST_CASE("DP2-SHADER-034 fires on a usage that is not defined") {
  const DiagnosticList findings = FindingsOfWords(
      {0xFFFE0200, 0x0200001F, 0x8000000E, 0x900F0000, 0x02000001, 0xC00F0000, 0x90E40000, 0xFFFF});
  CHECK(IdsOf(findings) == std::vector<std::string_view>{"DP2-SHADER-034"});
}

TEST_CASE("DP2-SHADER-038 and -039 fire where a version has no more slots") {
  const auto repeated = [](std::string text, std::string_view line, int count) {
    for (int i = 0; i < count; ++i)
      text += std::string(line) + ";";
    return text;
  };
  CheckClean(repeated("vs_1_1;", "mov oPos, v0", 128));
  CheckFires("DP2-SHADER-038", repeated("vs_1_1;", "mov oPos, v0", 129));
  CheckFires("DP2-SHADER-038", repeated("vs_1_1;", "m4x4 oPos, v0, c0", 33));
  CheckClean(repeated("ps_1_1;", "mov r0, v0", 8));
  CheckClean(repeated("ps_1_1;", "mov r0.rgb, v0; +mov r0.a, v0", 8));
  CheckFires("DP2-SHADER-038", repeated("ps_1_1;", "mov r0, v0", 9));
  CheckClean(repeated("ps_1_4;", "mov r0, c0", 8) + "phase;" + repeated("", "mov r0, c0", 8));
  CheckFires("DP2-SHADER-038", repeated("ps_2_0; dcl v0;", "mov r0, v0", 64) + "mov oC0, r0");
  CheckFires("DP2-SHADER-039",
             repeated("ps_2_0; dcl t0; dcl_2d s0; mov oC0, c0;", "texld r0, t0, s0", 33));
}

TEST_CASE("DP2-SHADER-040 fires where a temporary register is read before it is written") {
  CheckFires("DP2-SHADER-040", "ps_1_1; add r0, r0, v0");
  CheckFires("DP2-SHADER-040", "ps_2_0; mov r0.xy, c0; dp3 r1, r0, c0; mov oC0, r1");
  CheckClean("ps_2_0; mov r0.xy, c0; dp2add r1, r0, c0, c0.x; mov oC0, r1");
  CheckClean("vs_2_0; mov r1, c0; rep i0; mov oPos, r0; mov r0, r1; endrep");
}

TEST_CASE("DP2-SHADER-041 and -042 fire where the main output is missing") {
  CheckFires("DP2-SHADER-041", "vs_1_1; mov oD0, v0");
  CheckFires("DP2-SHADER-041", "vs_3_0; dcl_color o0; mov o0, c0");
  CheckFires("DP2-SHADER-042", "ps_1_1; mov r1, v0");
  CheckFires("DP2-SHADER-042", "ps_3_0; mov oC1, c0");
}

TEST_CASE("Checker: pixel shaders 1.x") {
  CheckFires("DP2-SHADER-044", "ps_1_4; phase; phase; mov r0, v0");
  CheckFires("DP2-SHADER-045", "ps_1_1; mov r0, v0; tex t0");
  CheckFires("DP2-SHADER-046", "ps_1_1; tex t0; tex t0; mov r0, t0");
  CheckFires("DP2-SHADER-047", "ps_1_1; tex t0; texm3x2pad t1, t0; mov r0, t0");
  CheckFires("DP2-SHADER-047", "ps_1_1; tex t0; texm3x2tex t1, t0; mov r0, t1");
  CheckFires("DP2-SHADER-047", "ps_1_1; tex t0; texm3x2pad t1, t0; texm3x2tex t3, t0; mov r0, t3");
  CheckFires("DP2-SHADER-048", "ps_1_1; tex t1; texbem t0, t1; mov r0, t0");
  CheckFires("DP2-SHADER-048", "ps_1_1; texbem t1, t0; mov r0, t1");
  CheckFires("DP2-SHADER-049", "ps_1_1; mov r0, v0; +mov r0.a, v0");
  CheckFires("DP2-SHADER-050", "ps_1_4; mov r0, v0; phase; mov r0, v0");
}

TEST_CASE("Checker: flow control") {
  CheckFires("DP2-SHADER-056", "vs_2_0; rep i0; rep i1; mov oPos, c0; endrep; endrep");
  CheckClean("vs_3_0; dcl_position o0; rep i0; rep i1; mov o0, c0; endrep; endrep");
  CheckFires("DP2-SHADER-060", "vs_2_0; mov oPos, c0; ret; label l0; ret; label l1; call l0; ret");
  CheckFires("DP2-SHADER-061",
             "vs_2_0; mov oPos, c0; call l0; ret; label l0; call l1; ret; label l1; ret");
  CheckFires("DP2-SHADER-062", "vs_2_0; mov oPos, c[aL]");
  CheckFires("DP2-SHADER-063", "vs_2_0; call l0; mov oPos, c0; label l0; ret");
  CheckFires("DP2-SHADER-063", "vs_2_0; call l0; mov oPos, c0; ret; label l0; mov r0, c0");
  CheckClean(
      "vs_2_0; defi i0, 1, 2, 3, 4; loop aL, i0; call l0; endloop; ret; label l0; mov oPos, c[aL]; ret");
}

TEST_CASE("Checker: shaders that draw together") {
  const auto link = [](std::string_view vertex, std::string_view pixel) {
    DiagnosticList findings;
    CheckLink(ProgramOf(vertex), ProgramOf(pixel), findings);
    return IdsOf(findings);
  };
  using Ids = std::vector<std::string_view>;
  const std::string_view vs30 =
      "vs_3_0; dcl_position o0; dcl_texcoord1 o1.xy; mov o0, c0; mov o1.xy, c0";
  CHECK(link(vs30, "ps_3_0; dcl_texcoord1 v0.xy; mov oC0, v0").empty());
  CHECK(link(vs30, "ps_3_0; dcl_texcoord1 v0; mov oC0, v0") == Ids{"DP2-SHADER-071"});
  CHECK(link(vs30, "ps_3_0; dcl_texcoord v0; mov oC0, v0") == Ids{"DP2-SHADER-071"});
  CHECK(link(vs30, "ps_2_0; dcl t1; mov oC0, t1") == Ids{"DP2-SHADER-070"});
  CHECK(link("vs_1_1; mov oPos, c0; mov oT0.xy, c0", "ps_1_1; tex t0; mov r0, t0").empty());
  CHECK(link("vs_1_1; mov oPos, c0; mov oT0.xy, c0", "ps_1_1; tex t1; mov r0, v0") ==
        Ids{"DP2-SHADER-072", "DP2-SHADER-072"});
}

TEST_CASE("DP2-SHADER-073 warns about inputs that the declaration lacks") {
  const Program program = ProgramOf("vs_2_0; dcl_position v0; dcl_texcoord2 v1; add oPos, v0, v1");
  DiagnosticList findings;
  const std::vector<Semantic> all = {{d3d::DeclUsage::Position, 0}, {d3d::DeclUsage::Texcoord, 2}};
  CheckInputs(program, all, findings);
  CHECK(findings.empty());
  CheckInputs(program, std::span(all).first(1), findings);
  CHECK(IdsOf(findings) == std::vector<std::string_view>{"DP2-SHADER-073"});
  // Without declarations v5 is the diffuse colour.
  const std::vector<Semantic> colored = {{d3d::DeclUsage::Position, 0}, {d3d::DeclUsage::Color, 0}};
  DiagnosticList old;
  CheckInputs(ProgramOf("vs_1_1; mov oPos, v0; mov oD0, v5"), colored, old);
  CHECK(old.empty());
  CheckInputs(ProgramOf("vs_1_1; mov oPos, v0; mov oD0, v6"), colored, old);
  CHECK(IdsOf(old) == std::vector<std::string_view>{"DP2-SHADER-073"});
}
