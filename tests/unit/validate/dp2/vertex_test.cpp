// What traces do not show well: that a defect of drawn vertices is news once.
#include "validate/dp2/vertex.h"

#include <doctest/doctest.h>

#include <limits>

#include "../helpers.h"

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr std::string_view kFirst = "12000100 0000 ";   // TRIANGLELIST of vertices 0 to 2
constexpr std::string_view kSecond = "12000100 0300 ";  // of vertices 3 to 5
constexpr uint32_t kXyzRhw = 0x004;

// Six transformed vertices; `value` replaces one float of vertex 1.
std::vector<float> Vertices(size_t part, float value) {
  std::vector<float> floats;
  for (int i = 0; i < 6; ++i)
    floats.insert(floats.end(), {1, 2, 0.5F, 1});
  floats[4 + part] = value;
  return floats;
}

// The rules about vertices that fire on the tokens.
Ids VertexIds(std::string_view tokens, const std::vector<float>& floats) {
  const std::vector<uint8_t> commands = Hex(tokens);
  trace::Dp2 call;
  call.flags = 0x1;
  call.commands = commands;
  call.vertex_type = kXyzRhw;
  call.vertex_size = 16;
  call.vertices =
      Bytes(reinterpret_cast<const uint8_t*>(floats.data()), floats.size() * sizeof(float));
  Ids ids = IdsOf(FindingsOf({}, {call}));
  std::erase_if(ids, [](const std::string& id) { return !id.starts_with("DP2-FVF-"); });
  return ids;
}

}  // namespace

TEST_CASE("Vertices: a defect is news once, until a draw does not show it") {
  const std::vector<float> floats = Vertices(2, 1.5F);
  CHECK(VertexIds(kSecond, floats) == Ids{});
  CHECK(VertexIds(Join({kFirst, kFirst}), floats) == Ids{"DP2-FVF-018"});
  CHECK(VertexIds(Join({kFirst, kSecond, kFirst}), floats) == Ids{"DP2-FVF-018", "DP2-FVF-018"});
}

TEST_CASE("Vertices: what is not finite has no other defect") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  CHECK(VertexIds(kFirst, Vertices(0, kInfinity)) == Ids{"DP2-FVF-016"});
  CHECK(VertexIds(kFirst, Vertices(2, -kInfinity)) == Ids{"DP2-FVF-016"});
  CHECK(VertexIds(kFirst, Vertices(3, std::numeric_limits<float>::quiet_NaN())) ==
        Ids{"DP2-FVF-016"});
}

TEST_CASE("Vertices: the ends of the ranges are legal") {
  CHECK(VertexIds(kFirst, Vertices(2, 0)) == Ids{});
  CHECK(VertexIds(kFirst, Vertices(2, 1)) == Ids{});
  CHECK(VertexIds(kFirst, Vertices(1, -32768)) == Ids{});
  CHECK(VertexIds(kFirst, Vertices(1, -32769)) == Ids{"DP2-FVF-019"});
  CHECK(VertexIds(kFirst, Vertices(3, std::numeric_limits<float>::denorm_min())) == Ids{});
  CHECK(VertexIds(kFirst, Vertices(3, -0.0F)) == Ids{"DP2-FVF-017"});
}
