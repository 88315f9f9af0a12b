#include "device/legal_states.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): one file

namespace {

constexpr uint32_t kValues[] = {
    0,       1,       2,          3,          4,          5,         6,     7,     8,
    13,      14,      15,         16,         17,         18,        24,    25,    26,
    27,      31,      32,         33,         255,        256,       0x101, 0x104, 0x105,
    0x10000, 0x50000, 0x3F800000, 0x3F000000, 0x7FC00000, 0xFFFFFFFF};

}  // namespace

TEST_CASE("LegalStates: what is certain is what IsLegal() says") {
  for (uint32_t level = 6; level <= 9; ++level) {
    for (uint32_t runtime = 0; runtime <= 5; ++runtime) {
      const device::LegalStates legal(level, false, runtime);
      for (const d3d::StateInfo& info : d3d::AllRenderStates()) {
        for (const uint32_t value : kValues) {
          CAPTURE(info.name);
          CAPTURE(value);
          if (legal.IsSurelyLegalRender(info.code, value)) CHECK(legal.IsLegal(info, value));
          if (value < 32 && legal.IsLegal(info, value) && info.type == d3d::ValueType::kEnum)
            CHECK(legal.IsSurelyLegalRender(info.code, value));
        }
      }
      for (const d3d::StateInfo& info : d3d::AllTextureStageStates()) {
        for (const uint32_t value : kValues) {
          CAPTURE(info.name);
          CAPTURE(value);
          if (legal.IsSurelyLegalStage(info.code, value)) CHECK(legal.IsLegal(info, value));
        }
      }
    }
  }
}

TEST_CASE("LegalStates: numbers without a row are not certain") {
  const device::LegalStates legal(9, false, 5);
  CHECK_FALSE(legal.IsSurelyLegalRender(63, 0));
  CHECK_FALSE(legal.IsSurelyLegalRender(256, 0));
  CHECK_FALSE(legal.IsSurelyLegalRender(0xFFFFFFFF, 0));
  CHECK_FALSE(legal.IsSurelyLegalStage(35, 0));
}

TEST_CASE("LegalStates: states that do more than to be stored are not plain") {
  const device::LegalStates legal(9, false, 5);
  for (const uint32_t number :
       {1U, 3U, 5U, 6U, 17U, 18U, 21U, 43U, 44U, 45U, 46U, 49U, 50U, 61U, 62U, 169U})
    CHECK_FALSE(legal.IsPlainRender(number));
  for (const uint32_t number : {7U, 19U, 27U, 128U, 151U, 168U, 209U})
    CHECK(legal.IsPlainRender(number));
  CHECK_FALSE(legal.IsPlainStage(0));
  CHECK_FALSE(legal.IsPlainStage(12));
  CHECK(legal.IsPlainStage(1));
}

TEST_CASE("LegalStates: stages of combiner and sampler states") {
  const device::LegalStates nine(9, false, 5);
  CHECK(nine.HasStage(1, 7));
  CHECK_FALSE(nine.HasStage(1, 8));
  CHECK(nine.HasStage(13, 15));
  CHECK_FALSE(nine.HasStage(13, 16));
  const device::LegalStates eight(8, false, 4);
  CHECK(eight.HasStage(13, 7));
  CHECK_FALSE(eight.HasStage(13, 8));
}

TEST_CASE("LegalStates: a NaN tessellation level is not a value below 1") {
  const device::LegalStates legal(9, false, 5);
  const d3d::StateInfo& info = d3d::Info(d3d::RenderState::MinTessellationLevel);
  CHECK(legal.IsLegal(info, 0x7FC00000));
  CHECK(legal.IsLegal(info, 0x3F800000));
  CHECK_FALSE(legal.IsLegal(info, 0x3F7FFFFF));
}
