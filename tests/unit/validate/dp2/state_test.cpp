// What single traces do not show: what is said once, what is forgotten, and records of one token that depend on each other.
#include <doctest/doctest.h>

#include "../helpers.h"
#include "rules/rule.h"

namespace dp2trace::validate {
namespace {

trace::SurfaceCreate Target() {
  trace::SurfaceCreate target;
  target.handle = 2;
  target.kind = d3d::SurfaceKind::kTarget;
  target.format = static_cast<uint32_t>(d3d::Format::X8R8G8B8);
  target.width = target.height = 64;
  return target;
}

// The rules that fire on a call with these commands, with three vertices XYZRHW|DIFFUSE.
Ids IdsAtLevel(uint32_t level, std::string_view commands) {
  const std::vector<uint8_t> bytes = Hex(commands);
  const std::vector<uint8_t> vertices(60, 0x3F);
  trace::Header header;
  header.driver_level = level;
  trace::Dp2 call;
  call.context = 2;
  call.flags = 1;  // USERMEMVERTICES
  call.vertex_type = 0x44;
  call.vertex_size = 20;
  call.vertices = vertices;
  call.commands = bytes;
  play::RunnerOptions options;
  options.rules.Disable(Rule::kDp2Stream012);  // TRIANGLELIST has 6 bytes
  options.rules.Disable(Rule::kDp2Stream014);
  options.rules.Disable(Rule::kDp2Ctx004);
  const trace::ContextCreate context{
      .context = 2, .target = 2, .runtime_version = level - 4, .ddrval = {}};
  Ids ids;
  for (std::string& id : IdsOf(FindingsOf(header, {Target(), context, call}, options))) {
    if (!id.starts_with("DP2-FVF")) ids.push_back(std::move(id));
  }
  return ids;
}

constexpr const char* kDraw = "12000100 0000";
constexpr const char* kFogStart1 = "08000100 24000000 0000803f";
// FOGENABLE, FOGTABLEMODE LINEAR.
constexpr const char* kFogOn = "08000200 1c000000 01000000 23000000 03000000";
constexpr const char* kFogStart0 = "08000100 24000000 00000000";

Ids Ids7(std::initializer_list<const char*> parts) {
  std::string commands;
  for (const char* part : parts)
    commands += part;
  return IdsAtLevel(7, commands);
}

}  // namespace

TEST_CASE("DP2-RS-015: said at the first of several draws, and again when it comes back") {
  CHECK(Ids7({kFogOn, kFogStart1, kDraw, kDraw}) == Ids{"DP2-RS-015"});
  CHECK(Ids7({kFogOn, kFogStart1, kDraw, kFogStart0, kDraw, kFogStart1, kDraw}) ==
        Ids{"DP2-RS-015", "DP2-RS-015"});
  CHECK(Ids7({kFogOn, kFogStart1, kFogStart0, kDraw})
            .empty());  // never at the token that sets one half
}

TEST_CASE("DP2-RS-039: records of one token, other values, blocks and draws between") {
  constexpr const char* kZFunc4 = "08000100 17000000 04000000";
  constexpr const char* kZFunc8 = "08000100 17000000 08000000";
  CHECK(Ids7({"08000200 17000000 04000000 17000000 04000000"}) == Ids{"DP2-RS-039"});
  CHECK(Ids7({kZFunc4, kZFunc4}) == Ids{"DP2-RS-039"});
  CHECK(Ids7({kZFunc4, kZFunc8, kZFunc4}).empty());
  CHECK(Ids7({kZFunc4, kDraw, kZFunc4}).empty());
  // BEGIN 1, ZFUNC 8, END, then ZFUNC 4, EXECUTE 1, ZFUNC 4: the block changed it.
  CHECK(Ids7({"27000100 00000000 01000000 00000000", kZFunc8, "27000100 01000000 01000000 00000000",
              kZFunc4, "27000100 03000000 01000000 00000000", kZFunc4})
            .empty());
  // WRAPU changes WRAP0.
  CHECK(Ids7({"08000300 80000000 00000000 05000000 01000000 80000000 00000000"}) ==
        Ids{"DP2-RS-003"});
}

TEST_CASE("DP2-SBLK-012: END and EXECUTE in one token, and an empty block in one token") {
  constexpr const char* kZFunc4 = "08000100 17000000 04000000";
  CHECK(Ids7({"27000100 00000000 01000000 00000000", kZFunc4,
              "27000200 01000000 01000000 00000000 03000000 01000000 00000000"})
            .empty());
  CHECK(Ids7({"27000200 00000000 01000000 00000000 01000000 01000000 00000000"}) ==
        Ids{"DP2-SBLK-012"});
}

TEST_CASE("DP2-LIGHT-012: a token sees what its records before did") {
  // CREATELIGHT 0; SETLIGHT ENABLE, DISABLE, DISABLE
  CHECK(Ids7({"23000100 00000000",
              "22000300 00000000 00000000 00000000 01000000 00000000 01000000"}) ==
        Ids{"DP2-LIGHT-012"});
}

TEST_CASE("DP2-XFORM-008: a matrix of a state block counts as set") {
  std::string identity;
  for (int i = 0; i < 16; ++i)
    identity += i % 5 == 0 ? "0000803f" : "00000000";
  const std::string set = "24000100 02000000" + identity;
  const std::string multiply = "41000100 02000000" + identity;
  CHECK(IdsAtLevel(8, multiply) == Ids{"DP2-XFORM-008"});
  CHECK(IdsAtLevel(8, "27000100 00000000 01000000 00000000" + set +
                          "27000200 01000000 01000000 00000000 03000000 01000000 00000000" +
                          multiply)
            .empty());
}

}  // namespace dp2trace::validate
