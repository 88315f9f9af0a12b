#include "dump/drawn_vertices.h"

#include <doctest/doctest.h>

#include <string>

#include "unit/state/state_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("DrawnVertices: of the draws of the last event, where it may be shown") {
  const std::string draw = Call(
      R"({"op":"TRIANGLELIST","v_start":0})",
      R"(,"vertex_type":"XYZRHW|DIFFUSE","vertex_size":20,"vertices":[[1,2,0.5,1,"0xFF102030"],[5,2,0.5,1,"0x80FF0000"],[1,6,0.5,2,"0x00000000"]])");
  dump::DrawnVertices vertices{Selection()};
  std::vector<std::string> lines;
  ForEachEventOf(std::string(kTarget) + draw + "," + draw,
                 [&](uint64_t number, const trace::Event& event) {
                   trace::EventRecord record;
                   record.number = number;
                   record.event = event;
                   DP2TRACE_RETURN_IF_ERROR(vertices.OnEvent(record, number == 4));
                   std::string text;
                   vertices.AppendTo(text, {.number = 2});
                   lines.push_back(text);
                   return OkStatus();
                 });
  REQUIRE(lines.size() == 5);
  CHECK(lines[3].empty());
  CHECK(lines[4].starts_with("    draw 2, record 0: TRIANGLELIST of 1\n      stream 0 offset 0"));
}
