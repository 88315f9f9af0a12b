#include "d3d/caps.h"

#include <doctest/doctest.h>

using namespace dp2trace::d3d;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Caps: rows are the members of D3DCAPS9 in order") {
  CHECK(AllCaps().size() == 76);
  CHECK(Info(Cap::DeviceType).offset() == 0);
  CHECK(Info(Cap::MaxTextureWidth).offset() == 88);
  CHECK(Info(Cap::FvfCaps).offset() == 140);
  CHECK(Info(Cap::VertexShaderVersion).offset() == 196);
  CHECK(Info(Cap::MaxPixelShader30InstructionSlots).offset() == 300);
}

TEST_CASE("Caps: every row is found by its name") {
  for (const CapInfo& row : AllCaps()) {
    CAPTURE(row.name);
    CHECK(FindCap(row.name) == &row);
    CHECK(&Info(row.cap) == &row);
  }
  CHECK(FindCap("MaxTextureWidth") == nullptr);
  CHECK(FindCap("") == nullptr);
  REQUIRE(FindCap("max_point_size") != nullptr);
  CHECK(FindCap("max_point_size")->type == CapType::kF32);
  CHECK(FindCap("num_simultaneous_rts")->spelling == "NumSimultaneousRTs");
}
