// Writing by hand: vertices as numbers, formats by their names, and what is said of names that do not exist.
#include "json/vertices.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "d3d/fvf.h"
#include "round_trip.h"
#include "support/random.h"
#include "trace/codec.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// The line that the readable form of the event is.
std::string Readable(std::string_view event) {
  const std::string text = WithHeader(event);
  const TextResult result = ParseText(text, {}, SIZE_MAX, {.vertices = json::Vertices::kReadable});
  if (!result.status.ok()) return result.status.diagnostic().message;
  return result.lines.at(1);
}

std::string MessageOf(std::string_view event) {
  const TextResult result = ParseText(WithHeader(event));
  return result.status.ok() ? std::string() : result.status.diagnostic().message;
}

void CheckReadable(std::string_view event) {
  CAPTURE(event);
  CHECK(Readable(event) == event);
}

}  // namespace

TEST_CASE("Vertices: names and numbers are read, and written with --vertices readable") {
  CheckReadable(
      R"({"event":"dp2","vertex_type":"XYZRHW|DIFFUSE","vertex_size":20,"vertices":[[8,8.5,0,1,"#ffff0000"],[-0.0,1e-45,0,1,"#00000001"]]})");
  CheckReadable(
      R"json({"event":"dp2","vertex_type":"XYZB2|LASTBETA_UBYTE4|TEX1|TEXCOORDSIZE1(0)","vertex_size":24,"vertices":[[1,2,3,0.5,"0x00010203",7]]})json");
  CheckReadable(
      R"({"event":"render","dp2_env":{"vertex_type":"XYZ","vertex_size":12,"vertex_source":"inline","vertices":[[1,2,3]]}})");
  CheckReadable(
      R"({"event":"dp2","vertex_type":"XYZ","vertex_size":12,"commands":[{"op":"TRIANGLEFAN_IMM","edge_flags":7,"vertices":[[1,2,3],[4,5,6],[7,8,9]]}]})");
}

TEST_CASE("Colours: #rrggbb and #aarrggbb wherever a D3DCOLOR stands") {
  const TextResult result = ParseText(
      WithHeader(
          R"json({"event":"dp2","vertex_type":"XYZRHW|DIFFUSE","vertex_size":20,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"#80102030","fill_depth":0,"fill_stencil":0,"rects":[]},{"op":"RENDERSTATE","records":[{"render_state":"FOGCOLOR","state":"#0000ff"}]}],"vertices":[[1,2,3,1,"#fF8000"]]})json"),
      {}, SIZE_MAX, {.vertices = json::Vertices::kReadable});
  REQUIRE(result.status.ok());
  const std::string& line = result.lines.at(1);
  CHECK(line.find(R"("fill_color":"#80102030")") != std::string::npos);
  CHECK(line.find(R"("state":"#ff0000ff")") != std::string::npos);
  CHECK(line.find(R"([1,2,3,1,"#ffff8000"])") != std::string::npos);
  for (const char* const color : {"#12345", "#1234567", "#12345g", "#"}) {
    CAPTURE(color);
    const std::string message = MessageOf(fmt::format(
        R"({{"event":"dp2","commands":[{{"op":"RENDERSTATE","records":[{{"render_state":"FOGCOLOR","state":"{}"}}]}}]}})",
        color));
    CHECK(message.find("\"#rrggbb\"") != std::string::npos);
  }
}

TEST_CASE(
    "Vertices: formats that tokens set are names; handles of shaders and declarations stay numbers") {
  CheckReadable(
      R"({"event":"dp2","commands":[{"op":"SETVERTEXSHADER","records":[{"handle":"XYZ|DIFFUSE|TEX1"},{"handle":3},{"handle":0}]}]})");
  CheckReadable(
      R"({"event":"dp2","commands":[{"op":"SETVERTEXSHADERDECL","records":[{"handle":"XYZRHW|DIFFUSE"},{"handle":5}]}]})");
  const std::string by_name =
      R"({"event":"dp2","commands":[{"op":"SETVERTEXSHADER","records":[{"handle":"XYZ|DIFFUSE|TEX1"}]}]})";
  const TextResult canonical = ParseText(WithHeader(by_name));
  REQUIRE(canonical.status.ok());
  CHECK(canonical.lines.at(1) ==
        R"({"event":"dp2","commands":[{"op":"SETVERTEXSHADER","records":[{"handle":322}]}]})");
  CHECK(Readable(canonical.lines.at(1)) == by_name);
  for (uint32_t shift = 0; shift < 32; ++shift) {  // bits that have no name, too
    const std::string text = fmt::format(
        R"({{"event":"dp2","commands":[{{"op":"SETVERTEXSHADER","records":[{{"handle":{}}}]}}]}})",
        1u << shift);
    const TextResult again = ParseText(WithHeader(Readable(text)));
    REQUIRE(again.status.ok());
    CHECK(again.lines.at(1) == text);
  }
}

TEST_CASE("Vertices: no byte is lost") {
  CheckReadable(  // NaN with a payload, infinity
      R"({"event":"dp2","vertex_type":"XYZ","vertex_size":12,"vertices":[["0x7fc00001","0xff800000",1]]})");
  CheckReadable(  // a vertex that is longer than its format
      R"({"event":"dp2","vertex_type":"XYZ","vertex_size":15,"vertices":[[1,2,3,{"raw":"010000"}],[1,2,3]]})");
  CheckReadable(  // bytes after the last whole vertex
      R"({"event":"dp2","vertex_type":"XYZ","vertex_size":12,"vertices":[[1,2,3],{"raw":"0102030405"}]})");
}

TEST_CASE("Vertices: with words of their own they are read without a format, in uploads too") {
  const std::string floats_and_bits = "AACAPwAAAEAAAP//";
  const auto canonical = [](std::string_view event) {
    const TextResult result = ParseText(WithHeader(event));
    return result.status.ok() ? result.lines.at(1) : result.status.diagnostic().message;
  };
  CHECK(
      canonical(
          R"({"event":"dp2","vertex_size":12,"vertices":[{"words":"ffx"},[1,2,"0xffff0000"]]})") ==
      fmt::format(R"({{"event":"dp2","vertex_size":12,"vertices":"{}"}})", floats_and_bits));
  CHECK(canonical(
            R"({"event":"dp2","vertex_size":12,"vertices":[{"words":"ffc"},[1,2,"#ffff0000"]]})") ==
        fmt::format(R"({{"event":"dp2","vertex_size":12,"vertices":"{}"}})", floats_and_bits));
  CHECK(
      canonical(
          R"({"event":"surface_update","handle":1,"data":[{"words":"ffx"},[1,2,"0xffff0000"]]})") ==
      fmt::format(R"({{"event":"surface_update","handle":1,"data":"{}"}})", floats_and_bits));
  CHECK(
      canonical(
          R"({"event":"dp2","vertex_size":8,"vertices":[{"words":"f"},[1],[2],{"raw":"0000ffff"}]})")
          .find(floats_and_bits) != std::string::npos);
}

TEST_CASE("Vertices: words of their own that are none are refused") {
  CHECK(MessageOf(R"({"event":"dp2","vertices":[{"words":"fg"},[1,2]]})") ==
        "words are one to 16384 letters f, c or x");
  CHECK(MessageOf(R"({"event":"dp2","vertices":[{"words":""}]})") ==
        "words are one to 16384 letters f, c or x");
  CHECK(MessageOf(R"({"event":"dp2","vertices":[{"words":"ff"},[1]]})") ==
        "a vertex of the words ff has the wrong number of elements: expected 2, found 1");
  CHECK(MessageOf(R"({"event":"surface_update","handle":1,"data":[[1,2]]})") ==
        R"(the first element of these vertices says what their words are, as {"words":"fffx"})");
}

TEST_CASE("Vertices: what has no format stays bytes") {
  CheckReadable(R"({"event":"dp2","vertex_type":66,"vertices":"AAAA"})");  // no size
  CheckReadable(R"({"event":"dp2","vertex_type":"XYZ","vertex_size":11,"vertices":"AAAA"})");
  CheckReadable(R"({"event":"dp2","vertex_type":"XYZ|0x1","vertex_size":12,"vertices":"AAAA"})");
  CheckReadable(R"({"event":"dp2","vertex_size":12,"vertices":"AAAA"})");
}

TEST_CASE("Vertices: the size of a vertex follows from its format") {
  const std::string_view canonical =
      R"({"event":"dp2","vertex_type":66,"vertex_size":16,"vertices":"AACAPwAAAEAAAEBA/wAAAA=="})";
  CHECK(
      Canonical(R"({"event":"dp2","vertices":[[1,2,3,255]],"vertex_type":"D3DFVF_XYZ|DIFFUSE"})") ==
      canonical);
  CHECK(Canonical(R"({"event":"dp2","vertex_type":"0x42","vertices":[[1.0,2,3,"0xFF"]]})") ==
        canonical);
  CHECK(Canonical(R"({"event":"dp2","vertex_type":"XYZ"})") ==
        R"({"event":"dp2","vertex_type":2,"vertex_size":12})");
  CHECK(Canonical(R"({"event":"dp2","vertex_type":"XYZ","vertex_size":0})") ==
        R"({"event":"dp2","vertex_type":2})");
  CHECK(Canonical(R"({"event":"dp2","vertex_type":2})") == R"({"event":"dp2","vertex_type":2})");
}

TEST_CASE("Vertices: tokens take the names of a format, too") {
  CHECK(CanonicalToken(R"({"op":"SETVERTEXSHADER","records":[{"handle":"XYZRHW|TEX1"}]})") ==
        CanonicalToken(R"({"op":"SETVERTEXSHADER","records":[{"handle":260}]})"));
}

TEST_CASE("Vertices: random vertices of random formats keep their bytes in both forms") {
  Random random(14);
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    trace::Dp2 event;
    event.vertex_type = static_cast<uint32_t>(random.Next());
    if (random.Below(4) != 0) event.vertex_type &= 0xFFFFFFFE;
    const uint32_t longer = random.Below(3) == 0 ? static_cast<uint32_t>(random.Below(9)) : 0;
    event.vertex_size = d3d::FvfVertexSize(event.vertex_type) + longer;
    std::vector<uint8_t> bytes(random.Below(5 * event.vertex_size + 1));
    for (uint8_t& byte : bytes)
      byte = random.Below(3) == 0 ? uint8_t{0} : static_cast<uint8_t>(random.Next());
    event.vertices = bytes;
    CheckRoundTrip({trace::Header{}, event}, {.vertices = json::Vertices::kReadable});
  }
}

TEST_CASE("Vertices: what is wrong is said at its place") {
  CHECK(Canonical(R"({"event":"dp2","vertex_type":"XYZ","vertices":[[1,2,3],[1,2]]})") ==
        "JSON-016 /1/vertices/1");
  CHECK(Canonical(R"({"event":"dp2","vertex_type":"XYZ","vertices":[[1,2,3,4]]})") ==
        "JSON-016 /1/vertices/0");
  CHECK(Canonical(R"({"event":"dp2","vertex_type":"XYZ","vertices":[[1,2,3,{"raw":"00"}]]})") ==
        "JSON-016 /1/vertices/0/3");
  CHECK(Canonical(R"({"event":"dp2","vertex_type":"XYZ","vertex_size":8,"vertices":[[1,2,3]]})") ==
        "JSON-016 /1/vertices");
  CHECK(Canonical(R"({"event":"dp2","vertices":[[1,2,3]]})") == "JSON-007 /1/vertices");
  CHECK(Canonical(R"({"event":"dp2","vertex_type":"XYZ","vertices":[[1,2,true]]})") ==
        "JSON-008 /1/vertices/0/2");
  CHECK(Canonical(R"({"event":"dp2","vertex_type":"XYZ","vertices":[{"raw":"00"},[1,2,3]]})") ==
        "JSON-008 /1/vertices/0");
  CHECK(Canonical(R"({"event":"dp2","vertex_type":"XYZ|XYZRHW"})") == "JSON-011 /1/vertex_type");
}

TEST_CASE("Vertices: a size that no vertex has is refused before its memory is taken") {
  const TextResult result = ParseText(
      WithHeader(
          R"({"event":"dp2","vertex_type":"XYZ","vertex_size":4000000000,"vertices":[[1,2,3]]})"),
      {.max_memory = 1 << 20});
  CHECK(result.rule() == Rule::kJson016);
}

TEST_CASE("Names: the nearest right one is suggested") {
  const auto has = [](std::string_view event, std::string_view hint) {
    const std::string message = MessageOf(event);
    CAPTURE(message);
    CHECK(message.find(hint) != std::string::npos);
  };
  has(R"({"event":"presnt"})", "did you mean present?");
  has(R"({"event":"present","handel":1})", "did you mean handle?");
  has(R"({"event":"marker","colour":1})", "known are event, text");
  has(R"({"event":"surface_create","kind":"Target"})", "did you mean target?");
  has(R"({"event":"surface_create","caps":["TEXTUR"]})", "did you mean TEXTURE?");
  has(R"({"event":"surface_create","format":"D3DFMT_R5G6B5"})", "did you mean R5G6B5?");
  has(R"({"event":"dp2","vertex_type":"XYZRWH|DIFFUSE"})",
      "\"XYZRWH\" is not a name of D3DFVF; did you mean XYZRHW?");
  has(R"({"event":"dp2","commands":[{"op":"RENDERSTATES"}]})", "did you mean RENDERSTATE?");
  has(R"({"event":"dp2","commands":[{"op":"RENDERSTATE","records":[{"render_state":"D3DRS_ZENABEL"}]}]})",
      "did you mean ZENABLE?");
  has(R"({"event":"dp2","commands":[{"op":"RENDERSTATE","records":[{"render_state":"FILLMODE","state":"SOLD"}]}]})",
      "did you mean SOLID?");
  has(R"({"event":"dp2","commands":[{"op":"CLEAR","fill_colour":0}]})", "did you mean fill_color?");
}
