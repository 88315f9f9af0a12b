#include "import/hex/hex_trace.h"

#include <doctest/doctest.h>

#include <string>

#include "json/writer.h"
#include "rules/rule.h"
#include "support/random.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// One line of JSON for each event, then "LINE: message" where the text is not understood.
std::string Import(std::string_view text) {
  std::string out;
  const Status status = import::ReadHexTrace(text, [&](const trace::Event& event) {
    out += json::ToText(event, json::Vertices::kReadable) + "\n";
    return OkStatus();
  });
  if (!status.ok())
    out += std::to_string(status.diagnostic().line) + ": " + status.diagnostic().message;
  return out;
}

// The last line.
std::string ErrorOf(std::string_view text) {
  const std::string all = Import(text);
  const size_t end = all.rfind('\n');
  return end == std::string::npos ? all : all.substr(end + 1);
}

constexpr std::string_view kTriangle = R"(# a triangle
level 7
target 64x48 R5G6B5
fvf XYZRHW|DIFFUSE
vertices
0012ff40  41000000 41000000 00000000 3f800000
0012ff50  ffff0000 42600000 41000000 00000000
0012ff60  3f800000 ff00ff00 42000000 42200000
0012ff70  00000000 3f800000 ff0000ff
commands
00000000: 12 00 01 00 00 00                                ......
)";

}  // namespace

TEST_CASE("HexTrace: a triangle out of a debug log is a whole trace") {
  CHECK(Import(kTriangle) ==
        R"({"event":"header","generator":"dp2trace import-hex","driver_level":7,"start":"bare"}
{"event":"surface_create","handle":1,"kind":"target","format":"R5G6B5","width":64,"height":48}
{"event":"context_create","context":1,"target":1,"runtime_version":3}
{"event":"dp2","context":1,"vertex_type":"XYZRHW|DIFFUSE","vertex_size":20,"commands":[{"op":"TRIANGLELIST","v_start":0}],"vertices":[[8,8,0,1,"#ffff0000"],[56,8,0,1,"#ff00ff00"],[32,40,0,1,"#ff0000ff"]]}
{"event":"present","handle":1}
)");
}

TEST_CASE("HexTrace: carriage returns change nothing") {
  const std::string prompts = "=>\n=> md.b 0 6\n" + std::string(kTriangle) + "=>\n";
  std::string windows;
  for (const char c : prompts)
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(Import(prompts).ends_with("{\"event\":\"present\",\"handle\":1}\n"));
  CHECK(Import(windows) == Import(prompts));
}

TEST_CASE("HexTrace: depth, textures, several calls and frames") {
  CHECK(Import(R"(level 8
runtime 3
start beginning
target 7 32x32 A8R8G8B8
depth D24S8
texture 5 1x2 A8R8G8B8
01 02 03 04 05 06 07 08
marker first call
stride 24
fvf 0x44
vertices
00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
stride 24
commands
11 00 01 00 00 00
present
commands
11 00 01 00 00 00
)") ==
        R"({"event":"header","generator":"dp2trace import-hex","driver_level":8}
{"event":"surface_create","handle":7,"kind":"target","format":"A8R8G8B8","width":32,"height":32}
{"event":"surface_create","handle":2,"kind":"depth","format":"D24S8","width":32,"height":32}
{"event":"context_create","context":1,"target":7,"depth":2,"runtime_version":3}
{"event":"surface_create","handle":5,"format":"A8R8G8B8","width":1,"height":2}
{"event":"surface_update","handle":5,"data":"AQIDBAUGBwg="}
{"event":"marker","text":"first call"}
{"event":"dp2","context":1,"vertex_type":"XYZRHW|DIFFUSE","vertex_size":24,"commands":[{"raw":"110001000000"}],"vertices":[[0,0,0,0,"#00000000"]]}
{"event":"present","handle":7}
{"event":"dp2","context":1,"vertex_type":"XYZRHW|DIFFUSE","vertex_size":24,"commands":[{"raw":"110001000000"}],"vertices":[[0,0,0,0,"#00000000"]]}
{"event":"present","handle":7}
)");
}

TEST_CASE("HexTrace: without a target a dump from the middle has what it names invented") {
  CHECK(Import("commands\n11 00 01 00 00 00\n") ==
        R"({"event":"header","generator":"dp2trace import-hex","driver_level":7,"start":"bare"}
{"event":"dp2","context":1,"commands":[{"raw":"110001000000"}]}
{"event":"present","handle":1}
)");
}

TEST_CASE("HexTrace: what is wrong is said with its line") {
  CHECK(ErrorOf("") == "1: there is no call: a line \"commands\" and a dump below it");
  CHECK(ErrorOf("\n\nvertexes\n") == "3: unexpected text: \"vertexes\"; did you mean vertices?");
  CHECK(ErrorOf("vertices\n00 00\ncomands\n") ==
        "3: unexpected text: \"comands\"; did you mean commands?");
  CHECK(ErrorOf("00 00\n").starts_with("1: unexpected text: \"00\"; expected a dump or one of "));
  CHECK(ErrorOf("level 7\nmarker na\xEFve\n") == "2: the text of the marker is not UTF-8");
  CHECK(ErrorOf("level 5\n") == "1: level takes one number from 6 to 9");
  CHECK(ErrorOf("target 640\n") == "1: target needs a size: target 640x480 X8R8G8B8");
  CHECK(ErrorOf("target 4x4 R8G8B9\n") ==
        "1: \"R8G8B9\" is not a handle, a size (640x480) or a format; did you mean R8G8B8?");
  CHECK(ErrorOf("fvf XYZ|DIFUSE\n") ==
        "1: \"DIFUSE\" is not a name of D3DFVF, or excludes another one; did you mean DIFFUSE?");
  CHECK(ErrorOf("commands\n\nlevel 7\n") == "1: no dump follows \"commands\"");
  CHECK(ErrorOf("commands\n11\nlevel 7\n") ==
        "3: level must come before the first dump: move this line up");
  CHECK(ErrorOf("commands 11 00\n") == "1: put the dump on the lines below \"commands\"");
  CHECK(ErrorOf("commands\n10: 11 00\n20: 00 00\n") ==
        "3: the offset is 0x20, expected 0x12: lines are missing or duplicated");
  CHECK(ErrorOf("start beginning\ncommands\n11\n") == "2: a target is needed: target 640x480");
  const std::string vertices =
      "target 4x4\nfvf XYZ\nvertices\n00000000: 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00\n";
  CHECK(ErrorOf(vertices + "commands\n00 00\n") ==
        "3: the dump of the vertices has 16 bytes, expected a multiple of 12: that is the size of "
        "a vertex of XYZ");
  CHECK(ErrorOf(vertices + "stride 7\ncommands\n00 00\n") ==
        "3: the dump of the vertices has 16 bytes, expected a multiple of 7: that is the size of "
        "a vertex");
  CHECK(ErrorOf(vertices + "stride 8\ncommands\n00 00\n").empty());
}

TEST_CASE("HexTrace: a failing sink ends it") {
  const Status status = import::ReadHexTrace(
      kTriangle, [](const trace::Event&) { return Status(MakeDiagnostic(kCannotWrite, "full")); });
  CHECK_FALSE(status.ok());
}

TEST_CASE("HexTrace: any text ends with a trace or a line") {
  testing::Random random(21);
  constexpr std::string_view kPieces[] = {"commands\n",
                                          "vertices\n",
                                          "00",
                                          " ",
                                          "0x",
                                          "*\n",
                                          "\n",
                                          "12ff: ",
                                          "`",
                                          "|",
                                          "-",
                                          "fvf XYZ\n",
                                          "target 4x4\n",
                                          "ffffffff",
                                          ",",
                                          ":",
                                          "texture 5 2x2 P8\n"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (uint32_t n = random.Below(30); n != 0; --n)
      text += kPieces[random.Below(std::size(kPieces))];
    CAPTURE(text);
    const Status status =
        import::ReadHexTrace(text, [](const trace::Event&) { return OkStatus(); });
    if (!status.ok()) CHECK(status.diagnostic().line > 0);
  }
}
