#include "edit/editor.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "image/png.h"
#include "json/base64.h"
#include "replay/replayer.h"
#include "runtime/core/token.h"
#include "shader/assembler.h"
#include "support/test_folder.h"
#include "trace_file/source.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint64_t kMemory = uint64_t{1} << 30;

// A texture of 2x2 red texels over a target, twice: left by draw 2, right by draw 3. Blending is only on for draw 3.
const std::string kTrace = R"([
{"event":"header"},
{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":4},
{"event":"surface_create","handle":2,"kind":"texture","format":"A8R8G8B8","width":2,"height":2},
{"event":"surface_update","handle":2,"data":"AAD//wAA//8AAP//AAD//w=="},
{"event":"context_create","context":1,"target":1},
{"event":"dp2","context":1,"vertex_type":"XYZRHW|TEX1","vertex_size":24,"vertices":[
[0,0,0,1,0,0],[4,0,0,1,1,0],[0,4,0,1,0,1],[4,4,0,1,1,1],
[4,0,0,1,0,0],[8,0,0,1,1,0],[4,4,0,1,0,1],[8,4,0,1,1,1]],
"commands":[
{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF000020","rects":[[0,0,8,4]]},
{"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":"FALSE"},{"render_state":"CULLMODE","state":"NONE"}]},
{"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":2},{"stage":0,"ts_state":"COLOROP","value":"SELECTARG1"}]},
{"op":"TRIANGLESTRIP","count":2,"v_start":0},
{"op":"TRIANGLESTRIP","count":2,"v_start":4}]},
{"event":"present","handle":1}]
)";

class Pictures final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    if (info.kind == replay::ImageKind::kFrame) frame = picture;
    return OkStatus();
  }
  image::Picture frame;
};

std::unique_ptr<trace_file::Source> Open(const std::string& path, DiagnosticList& findings) {
  trace_file::OpenError error;
  auto source = trace_file::Source::Open(path, kMemory, findings, error);
  REQUIRE(source != nullptr);
  return source;
}

image::Picture FrameOf(const std::string& path) {
  DiagnosticList findings;
  Pictures pictures;
  const auto source = Open(path, findings);
  replay::Replayer replayer({}, findings, pictures);
  for (trace::EventRecord record; source->Next(record);)
    REQUIRE(replayer.OnEvent(record.number, record.event).ok());
  REQUIRE(replayer.Finish().ok());
  REQUIRE(pictures.frame.width == 8);
  return pictures.frame;
}

// Red, green and blue of a pixel.
uint32_t ColorAt(const image::Picture& picture, uint32_t x) {
  const auto pixel = picture.at(x, 1);
  return static_cast<uint32_t>(pixel[0]) << 16 | static_cast<uint32_t>(pixel[1]) << 8 | pixel[2];
}

class Edited {
 public:
  explicit Edited(const std::string& changes, const std::string& trace = kTrace) {
    WriteText(folder_ / "in.json", trace);
    edit::Patch patch;
    const Status read = edit::ReadPatch("{\"changes\":[" + changes + "]}", folder_ / "", patch);
    INFO((read.ok() ? std::string() : read.diagnostic().message));
    REQUIRE(read.ok());
    Run(patch);
  }
  explicit Edited(const edit::Patch& patch) {
    WriteText(folder_ / "in.json", kTrace);
    Run(patch);
  }
  image::Picture frame() const { return FrameOf(folder_ / "out.json"); }
  std::string text() const { return ReadText(folder_ / "out.json"); }

  edit::EditResult result;
  std::string failure;

 private:
  void Run(const edit::Patch& patch) {
    DiagnosticList findings;
    const auto source = Open(folder_ / "in.json", findings);
    const Result<edit::EditResult> done = edit::EditTrace(*source, patch, folder_ / "out.json",
                                                          kMemory, {}, trace_model::WalkQuietly);
    if (done.ok())
      result = *done;
    else
      failure = done.status().diagnostic().message;
  }

  TestFolder folder_;
};

}  // namespace

TEST_CASE("Editor: a state is set at its draws, and is afterwards what it was") {
  const Edited edited(
      R"({"draws":"2","set":[{"op":"RENDERSTATE","records":[{"render_state":"COLORWRITEENABLE","state":["GREEN"]}]}]})");
  CHECK(edited.result.matches == std::vector<uint64_t>{1});
  CHECK(edited.result.draws == 3);
  CHECK(ColorAt(edited.frame(), 1) == 0x000020);  // red is not written
  CHECK(ColorAt(edited.frame(), 5) == 0xFF0000);
}

TEST_CASE("Editor: a state of a texture stage, over several draws") {
  const Edited edited(
      R"({"draws":"2-","set":[{"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"COLOROP","value":"DISABLE"}]}]})");
  CHECK(edited.result.matches == std::vector<uint64_t>{2});
  CHECK(ColorAt(edited.frame(), 1) == 0xFFFFFF);  // the diffuse colour of vertices without one
  CHECK(ColorAt(edited.frame(), 5) == 0xFFFFFF);
}

TEST_CASE("Editor: draws are left out, and the others keep their numbers meanwhile") {
  const Edited edited(
      R"({"draws":"2","drop":true},{"draws":"3","set":[{"op":"RENDERSTATE","records":[{"render_state":"COLORWRITEENABLE","state":["BLUE"]}]}]})");
  CHECK(edited.result.matches == std::vector<uint64_t>{1, 1});
  CHECK(ColorAt(edited.frame(), 1) == 0x000020);
  CHECK(ColorAt(edited.frame(), 5) == 0x000000);  // the blue of red
}

TEST_CASE("Editor: tokens that are inserted stay in force") {
  const Edited edited(
      R"({"draws":"2","insert":[{"op":"RENDERSTATE","records":[{"render_state":"COLORWRITEENABLE","state":["BLUE"]}]}]})");
  CHECK(ColorAt(edited.frame(), 1) == 0x000000);
  CHECK(ColorAt(edited.frame(), 5) == 0x000000);
}

TEST_CASE("Editor: several changes of one draw, taken back in reverse") {
  const std::string green =
      R"({"draws":"2","set":[{"op":"RENDERSTATE","records":[{"render_state":"COLORWRITEENABLE","state":["GREEN"]}]}]})";
  const std::string red =
      R"({"draws":"2","set":[{"op":"RENDERSTATE","records":[{"render_state":"COLORWRITEENABLE","state":["RED"]}]}]})";
  const Edited edited(green + "," + red);
  CHECK(ColorAt(edited.frame(), 1) == 0xFF0020);
  CHECK(ColorAt(edited.frame(), 5) == 0xFF0000);
}

TEST_CASE("Editor: a picture takes the place of what a texture holds") {
  edit::Change change;
  change.kind = edit::ChangeKind::kReplace;
  change.text = "texture=2";
  change.handle = 2;
  change.picture = image::Picture(2, 2);
  for (uint32_t i = 0; i < 4; ++i) {
    change.picture.at(i % 2, i / 2)[1] = 255;
    change.picture.at(i % 2, i / 2)[3] = 255;
  }
  const Edited edited(edit::Patch{change});
  CHECK(edited.result.matches == std::vector<uint64_t>{1});
  CHECK(ColorAt(edited.frame(), 1) == 0x00FF00);

  change.picture = image::Picture(4, 2);
  const Edited other(edit::Patch{change});
  CHECK(other.failure.find("the picture is 4x2, expected 2x2") != std::string::npos);
}

TEST_CASE(
    "Editor: a change that matches nothing writes nothing, and one that changes nothing gives the trace") {
  const Edited missing(R"({"draws":"9","drop":true})");
  CHECK(missing.result.matches == std::vector<uint64_t>{0});
  CHECK(missing.result.draws == 3);
  CHECK(missing.result.events == 0);
  const Edited same(R"({"draws":"1","insert":[]})");
  CHECK(same.frame() == Edited(R"({"draws":"1","set":[]})").frame());
  CHECK(ColorAt(same.frame(), 1) == 0xFF0000);
}

TEST_CASE("Editor: a picture in the patch itself; one of a file is refused where no file is read") {
  image::Picture green(2, 2);
  for (uint32_t i = 0; i < 4; ++i)
    green.at(i % 2, i / 2)[1] = green.at(i % 2, i / 2)[3] = 255;
  std::string base64;
  json::AppendBase64(*image::EncodePng(green), base64);
  const Edited edited(R"({"texture":2,"level":0,"png":")" + base64 + "\"}");
  CHECK(edited.result.matches == std::vector<uint64_t>{1});
  CHECK(ColorAt(edited.frame(), 1) == 0x00FF00);
  edit::Patch patch;
  for (const char* const wrong :
       {R"({"changes":[{"texture":2,"png":"AAAA"}]})", R"({"changes":[{"texture":2,"png":"?"}]})",
        R"({"changes":[{"texture":2,"file":"x.png","png":"AAAA"}]})",
        R"({"changes":[{"texture":2,"png":{"file":"x.png"}}]})",
        R"({"changes":[{"texture":2,"file":"x.png"}]})"}) {
    CAPTURE(wrong);
    const Status status = edit::ReadPatch(wrong, std::nullopt, patch);
    REQUIRE_FALSE(status.ok());
    CHECK_FALSE(status.diagnostic().message.empty());
  }
}

namespace {

// The texts of tokens around draw 2 of the trace with this change, without those of other operations.
std::vector<std::string> TokensOf(const Edited& edited, const std::string& op) {
  std::vector<std::string> tokens;
  const std::string text = edited.text();
  const std::string start = "{\"op\":\"" + op + "\"";
  for (size_t at = text.find(start); at != std::string::npos; at = text.find(start, at + 1))
    tokens.push_back(text.substr(at + start.size(), text.find("}]}", at) - at - start.size()));
  return tokens;
}

}  // namespace

TEST_CASE("Editor: a draw comes before another one, with its own states") {
  const auto color = [](const char* value) {
    return R"({"op":"RENDERSTATE","records":[{"render_state":"TEXTUREFACTOR","state":")" +
           std::string(value) + R"("}]},)";
  };
  const std::string quad = R"({"op":"TRIANGLESTRIP","count":2,"v_start":0})";
  const std::string start = R"([{"event":"header"},
{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":4},
{"event":"context_create","context":1,"target":1},)";
  const std::string call =
      R"({"event":"dp2","context":1,"vertex_type":"XYZRHW","vertex_size":16,"vertices":[[0,0,0,1],[8,0,0,1],[0,4,0,1],[8,4,0,1]],"commands":[
{"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":"FALSE"},{"render_state":"CULLMODE","state":"NONE"}]},
{"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"COLOROP","value":"SELECTARG1"},{"stage":0,"ts_state":"COLORARG1","value":"TFACTOR"}]},)";
  const std::string end = R"(]},{"event":"present","handle":1}])";
  const std::string trace = start + call + color("0xFFFF0000") + quad + "," + color("0xFF00FF00") +
                            quad + "," + color("0xFF0000FF") + quad + end;
  CHECK(ColorAt(Edited("", trace).frame(), 3) == 0x0000FF);
  const Edited earlier(R"({"draws":"3","before":1})", trace);
  CHECK(earlier.failure.empty());
  CHECK(earlier.result.matches == std::vector<uint64_t>{1});
  CHECK(ColorAt(earlier.frame(), 3) == 0x00FF00);
  const Edited later(R"({"draws":"1","before":3},{"draws":"3","drop":true})", trace);
  CHECK(ColorAt(later.frame(), 3) == 0xFF0000);
  // The draws between are drawn as before.
  CHECK(ColorAt(Edited(R"({"draws":"3","before":1},{"draws":"2","drop":true})", trace).frame(),
                3) == 0xFF0000);
  // Two that come before the same draw do so in the order of the patch; what is set at a draw goes with it.
  CHECK(ColorAt(
            Edited(R"({"draws":"3","before":1},{"draws":"2","before":1},{"draws":"1","drop":true})",
                   trace)
                .frame(),
            3) == 0x00FF00);
  CHECK(ColorAt(
            Edited(R"({"draws":"2","before":1},{"draws":"3","before":1},{"draws":"1","drop":true})",
                   trace)
                .frame(),
            3) == 0x0000FF);
  const std::string set =
      R"(,{"draws":"3","set":[{"op":"RENDERSTATE","records":[{"render_state":"TEXTUREFACTOR","state":"0xFF808080"}]}]})";
  CHECK(ColorAt(
            Edited(R"({"draws":"3","before":1},{"draws":"1-2","drop":true})" + set, trace).frame(),
            3) == 0x808080);
  CHECK(ColorAt(Edited(R"({"draws":"3","before":2})" + set, trace).frame(), 3) == 0x00FF00);
  // One that is moved and left out.
  CHECK(ColorAt(Edited(R"({"draws":"1","before":3},{"draws":"1","drop":true})", trace).frame(),
                3) == 0x0000FF);
  CHECK(Edited(R"({"draws":"3","before":9})", trace).result.matches == std::vector<uint64_t>{0});
  CHECK(Edited(R"({"draws":"3","before":3})", trace).failure ==
        "changes/0: a draw does not come before itself");
  CHECK(Edited(R"({"draws":"2-3","before":1})", trace).failure ==
        "changes/0: one draw is moved at a time");
  const std::string second = "]}," + call;
  const std::string calls = start + call + quad + second + quad + end;
  CHECK(Edited(R"({"draws":"2","before":1})", calls).failure.find("the vertices of its call") !=
        std::string::npos);
  for (const char* const wrong :
       {"", "draw=7", "draw=7,before=", "draw=7-9,before=1", "draw=7,after=3", "draw=0,before=1"})
    CHECK_FALSE(edit::PatchOfMove(wrong).ok());
  CHECK(*edit::PatchOfMove("draw=7,before=3") == R"({"changes":[{"draws":"7","before":3}]})");
}

TEST_CASE("Editor: a vertex of the call is another one") {
  const auto frame_of = [](const std::string& word) {
    const Result<std::string> text = edit::PatchOfSet(word);
    REQUIRE(text.ok());
    edit::Patch patch;
    REQUIRE(edit::ReadPatch(*text, std::nullopt, patch).ok());
    const Edited edited(patch);
    CHECK(edited.failure.empty());
    CHECK(edited.result.matches == std::vector<uint64_t>{1});
    return edited.frame();
  };
  CHECK(ColorAt(Edited("").frame(), 3) == 0xFF0000);
  const image::Picture moved = frame_of("draw=2,vertex.3.POSITIONT=0,4,0,1");
  CHECK(ColorAt(moved, 1) == 0xFF0000);
  CHECK(ColorAt(moved, 3) == 0x000020);
  CHECK(ColorAt(moved, 5) == 0xFF0000);
  // The numbers of the patch, and a vertex that the draw does not have an element of, or does not reach.
  CHECK(frame_of("draw=2,vertex.1.TEXCOORD0=0.5 0.5") == frame_of("draw=2,ZENABLE=FALSE"));
  for (const char* const change :
       {R"({"draws":"2","vertex":3,"element":"NORMAL","values":[0,0,1]})",
        R"({"draws":"2","vertex":99,"element":"TEXCOORD0","values":[0,0]})",
        R"({"draws":"1","vertex":3,"element":"TEXCOORD0","values":[0,0]})"}) {
    CAPTURE(change);
    CHECK(Edited(change).result.matches == std::vector<uint64_t>{0});
  }
  CHECK(Edited(R"({"draws":"2","vertex":3,"element":"POSITIONT","values":[0,0,1]})").failure ==
        "changes/0: POSITIONT has 4 numbers");
  CHECK(Edited(R"({"draws":"2","vertex":3,"element":"POSITIONT","color":"0xFF00FF00"})").failure ==
        "changes/0: POSITIONT is not a colour");
}

TEST_CASE("Editor: a vertex of a buffer is another one during the call") {
  std::vector<uint8_t> bytes;
  for (const auto& [x, y] : {std::pair(0.F, 0.F), {4.F, 0.F}, {0.F, 4.F}, {4.F, 4.F}}) {
    for (const float value : {x, y, 0.F, 1.F}) {
      const auto* const at = reinterpret_cast<const uint8_t*>(&value);
      bytes.insert(bytes.end(), at, at + sizeof value);
    }
    bytes.insert(bytes.end(), {0x00, 0x00, 0xFF, 0xFF});  // red
  }
  std::string data;
  json::AppendBase64(bytes, data);
  const std::string call =
      R"({"event":"dp2","context":1,"vertex_type":"XYZRHW|DIFFUSE","vertex_size":20,"vertex_buffer":3,
"commands":[{"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":"FALSE"},{"render_state":"CULLMODE","state":"NONE"}]},
{"op":"TRIANGLESTRIP","count":2,"v_start":0}]},)";
  const std::string trace = R"([{"event":"header"},
{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":4},
{"event":"surface_create","handle":3,"kind":"vertex_buffer","width":80},
{"event":"surface_update","handle":3,"data":")" +
                            data + R"("},
{"event":"context_create","context":1,"target":1},)" +
                            call + R"({"event":"present","handle":1}])";
  const std::string red = R"({"draws":"1","vertex":3,"element":"COLOR0","color":"0xFF0000FF"},)";
  const std::string change =
      red + R"({"draws":"1","vertex":3,"element":"POSITIONT","values":[0,4,0,1]})";
  CHECK(ColorAt(Edited("", trace).frame(), 3) == 0xFF0000);
  const Edited edited(change, trace);
  CHECK(edited.failure.empty());
  CHECK(edited.result.matches == std::vector<uint64_t>{1, 1});
  CHECK(ColorAt(edited.frame(), 1) == 0xFF0000);
  CHECK(ColorAt(edited.frame(), 3) == 0);
  // The same call again has the buffer as it was.
  std::string twice = trace;
  twice.insert(twice.find(R"({"event":"present")"), call);
  CHECK(ColorAt(Edited(change, twice).frame(), 3) == 0xFF0000);
  // From level 8 on a draw can go to another call, where the buffer is as it was.
  const std::string of_stream =
      R"({"event":"dp2","context":1,"commands":[{"op":"SETVERTEXSHADER","records":[{"handle":68}]},
{"op":"SETSTREAMSOURCE","records":[{"stream":0,"vb_handle":3,"stride":20}]},
{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLESTRIP","v_start":0,"primitive_count":2}]}]},)";
  std::string streams = trace;
  streams.replace(streams.find(call), call.size(), of_stream + of_stream);
  streams.replace(streams.find(R"("header")"), 8, R"("header","driver_level":8)");
  const std::string move = R"({"draws":"2","before":1})";
  CHECK(Edited(move, streams).failure.empty());
  CHECK(Edited(move + "," + red +
                   R"({"draws":"2","vertex":3,"element":"COLOR0","color":"0xFF00FF00"})",
               streams)
            .failure ==
        "changes/0: a vertex of the draw is changed, and the other draw is of another call");
}

TEST_CASE("Editor: transforms, materials and shader constants are set at a draw and set back") {
  struct Case {
    std::string word, op, set, back;
  };
  for (const Case& one :
       {Case{"draw=2,vs.c4=1,0,0,1", "SETVERTEXSHADERCONST",
             "\"register\":4,\"count\":1,\"values\":[[1,0,0,1]]",
             "\"register\":4,\"count\":1,\"values\":[[0,0,0,0]]"},
        Case{"draw=2,ps.c0=1 2 3 4", "SETPIXELSHADERCONST",
             "\"register\":0,\"count\":1,\"values\":[[1,2,3,4]]",
             "\"register\":0,\"count\":1,\"values\":[[0,0,0,0]]"},
        Case{"draw=2,vs.b1=1", "SETVERTEXSHADERCONSTB", "\"register\":1,\"count\":1,\"values\":[1]",
             "\"register\":1,\"count\":1,\"values\":[0]"},
        Case{"draw=2,VIEW=2,0,0,0, 0,2,0,0, 0,0,2,0, 0,0,0,1", "SETTRANSFORM",
             "\"transform\":\"VIEW\",\"matrix\":[2,0,0,0,0,2,0,0,0,0,2,0,0,0,0,1]",
             "\"transform\":\"VIEW\",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"}}) {
    CAPTURE(one.word);
    const Result<std::string> text = edit::PatchOfSet(one.word);
    REQUIRE(text.ok());
    edit::Patch patch;
    REQUIRE(edit::ReadPatch(*text, std::nullopt, patch).ok());
    const Edited edited(patch);
    const std::vector<std::string> tokens = TokensOf(edited, one.op);
    REQUIRE(tokens.size() == 2);
    CHECK(tokens[0].find(one.set) != std::string::npos);
    CHECK(tokens[1].find(one.back) != std::string::npos);
  }
}

TEST_CASE("PatchOfSet: what is not a change is refused") {
  for (const char* const wrong :
       {"draw=2", "draw=2,ZENABLE", "draw=2,vs.c=1,0,0,1", "draw=2,vs.c4=1,0,0",
        "draw=2,vs.c4=1,0,0,x", "draw=2,vs.x4=1,0,0,1", "draw=2,gs.c4=1,0,0,1", "draw=2,VIEW=1",
        "draw=2,ps.b0=1,1", "draw=2,vs.=1", "draw=2,vertex.POSITION=1",
        "draw=2,vertex.x.POSITION=1", "draw=2,vertex.1.POSITION=x"}) {
    CAPTURE(wrong);
    CHECK_FALSE(edit::PatchOfSet(wrong).ok());
  }
  // A register that is not there.
  edit::Patch patch;
  CHECK_FALSE(
      edit::ReadPatch(*edit::PatchOfSet("draw=2,vs.c4000000000=1,0,0,1"), std::nullopt, patch)
          .ok());
}

namespace {

std::string Base64Of(const std::vector<uint32_t>& words) {
  std::string text;
  json::AppendBase64(runtime::BytesOfWords(words), text);
  return '"' + text + '"';
}

// Tokens of a shader, and their bytes.
std::pair<std::string, size_t> CodeOf(uint32_t version, const std::string& text) {
  shader::Version read;
  REQUIRE(shader::ReadVersion(version, read));
  std::vector<uint32_t> words = *shader::Assemble(read, text);
  words.insert(words.begin(), version);
  words.push_back(0xFFFF);
  return {Base64Of(words), 4 * words.size()};
}

// Two halves of the target, left by draw 1, right by draw 2, after these tokens.
std::string HalvesTrace(int level, const std::string& type, const std::string& tokens) {
  const bool is_screen = type == "XYZRHW";
  std::string vertices;
  for (const int left : {0, 1}) {
    for (const auto& [x, y] : {std::pair(0, 0), {1, 0}, {0, 1}, {1, 1}}) {
      vertices += vertices.empty() ? "" : ",";
      vertices += is_screen ? fmt::format("[{},{},0,1]", 4 * (left + x), 4 * y)
                            : fmt::format("[{},{},0.5]", left + x - 1, 1 - 2 * y);
    }
  }
  return fmt::format(R"([{{"event":"header","driver_level":{}}},
{{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":4}},
{{"event":"context_create","context":1,"target":1}},
{{"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":"{}","vertex_size":{},"vertices":[{}],"commands":[
{{"op":"RENDERSTATE","records":[{{"render_state":"ZENABLE","state":"FALSE"}},{{"render_state":"CULLMODE","state":"NONE"}}]}},
{{"op":"TEXTURESTAGESTATE","records":[{{"stage":0,"ts_state":"COLOROP","value":"DISABLE"}}]}},{},
{{"op":"SETSTREAMSOURCEUM","records":[{{"stream":0,"stride":{}}}]}},
{{"op":"DRAWPRIMITIVE","records":[{{"prim_type":"TRIANGLESTRIP","v_start":0,"primitive_count":2}}]}},
{{"op":"DRAWPRIMITIVE","records":[{{"prim_type":"TRIANGLESTRIP","v_start":4,"primitive_count":2}}]}}]}},
{{"event":"present","handle":1}}])",
                     level, type, is_screen ? 16 : 12, vertices, tokens, is_screen ? 16 : 12);
}

std::string PixelShaderTrace() {
  const auto [code, size] = CodeOf(0xFFFF0200, "def c0, 1, 0, 0, 1; mov r0, c0; mov oC0, r0");
  return HalvesTrace(
      9, "XYZRHW",
      fmt::format(
          R"({{"op":"CREATEPIXELSHADER","records":[{{"handle":1,"code_size":{},"code":{}}}]}},
{{"op":"SETPIXELSHADER","records":[{{"handle":1}}]}},{{"op":"SETVERTEXSHADERDECL","records":[{{"handle":4}}]}})",
          size, code));
}

std::string PixelChange(const std::string& draws, uint32_t number, const std::string& assembly) {
  return fmt::format(R"({{"draws":"{}","shader":"pixel","instruction":{},"assembly":"{}"}})", draws,
                     number, assembly);
}

}  // namespace

TEST_CASE("Editor: an instruction of a pixel shader is another one at its draw") {
  const std::string trace = PixelShaderTrace();
  CHECK(ColorAt(Edited("", trace).frame(), 1) == 0xFF0000);
  const Edited edited(PixelChange("1", 2, "mov r0, c0.yxzw"), trace);
  CHECK(edited.failure.empty());
  CHECK(edited.result.matches == std::vector<uint64_t>{1});
  CHECK(ColorAt(edited.frame(), 1) == 0x00FF00);
  CHECK(ColorAt(edited.frame(), 5) == 0xFF0000);
  // The changed shader lives under a handle of its own, around the draw.
  const std::string text = edited.text();
  const size_t draw = text.find(R"("DRAWPRIMITIVE")");
  const size_t made = text.find(R"({"op":"CREATEPIXELSHADER","records":[{"handle":2,)");
  const size_t set = text.find(R"({"op":"SETPIXELSHADER","records":[{"handle":2}]})");
  const size_t back = text.find(R"({"op":"SETPIXELSHADER","records":[{"handle":1}]})", draw);
  const size_t gone = text.find(R"({"op":"DELETEPIXELSHADER","records":[{"handle":2}]})");
  REQUIRE(gone != std::string::npos);
  CHECK((made < set && set < draw && draw < back && back < gone));
  // One becomes several; several changes do not move each other.
  const Edited several(PixelChange("1-2", 2, "mov r0, c0; add r0, r0, c0.yxzw") + "," +
                           PixelChange("2", 3, "mov oC0, r0.yyzw") + "," +
                           PixelChange("2", 2, "mov r0, c0.yxzw; ; nop"),
                       trace);
  CHECK(several.failure.empty());
  CHECK(several.result.matches == std::vector<uint64_t>{2, 1, 1});
  CHECK(ColorAt(several.frame(), 1) == 0xFFFF00);
  CHECK(ColorAt(several.frame(), 5) == 0xFFFF00);
  // Left out.
  const Edited less(PixelChange("2", 1, "") + "," + PixelChange("2", 2, "mov r0, c0.yyyy"), trace);
  CHECK(ColorAt(less.frame(), 1) == 0xFF0000);
  CHECK(ColorAt(less.frame(), 5) == 0x000000);
}

TEST_CASE(
    "Editor: an instruction of a vertex shader of level 8; constants of its declaration stay as they were") {
  const auto [code, size] = CodeOf(0xFFFE0101, "mov oPos, v0; mov oD0, c5");
  const std::string declaration =
      Base64Of({0x20000000, 0x40020000, 0x82000005, 0, 0x3F800000, 0, 0x3F800000, 0xFFFFFFFF});
  const std::string trace = HalvesTrace(
      8, "XYZ",
      fmt::format(
          R"({{"op":"CREATEVERTEXSHADER","records":[{{"handle":1,"decl_size":32,"code_size":{},"declaration":{},"code":{}}}]}},
{{"op":"SETVERTEXSHADER","records":[{{"handle":1}}]}},
{{"op":"SETVERTEXSHADERCONST","records":[{{"register":5,"count":1,"values":[[0,0,1,1]]}}]}})",
          size, declaration, code));
  CHECK(ColorAt(Edited("", trace).frame(), 1) == 0x0000FF);
  const std::string change =
      R"({"draws":"1","shader":"vertex","instruction":2,"assembly":"mov oD0, c5.zyxw"})";
  const Edited edited(change, trace);
  CHECK(edited.failure.empty());
  CHECK(ColorAt(edited.frame(), 1) == 0xFF0000);
  CHECK(ColorAt(edited.frame(), 5) == 0x0000FF);
  CHECK(edited.text().find(R"({"op":"SETVERTEXSHADER","records":[{"handle":3}]})") !=
        std::string::npos);
  // With a constant that is set at the same draw.
  const Edited both(
      change +
          R"(,{"draws":"1","set":[{"op":"SETVERTEXSHADERCONST","records":[{"register":5,"count":1,"values":[[0,1,1,1]]}]}]})",
      trace);
  CHECK(ColorAt(both.frame(), 1) == 0xFFFF00);
  CHECK(ColorAt(both.frame(), 5) == 0x0000FF);
}

TEST_CASE("Editor: an instruction that cannot be changed is refused with the reason") {
  const std::string trace = PixelShaderTrace();
  CHECK(Edited(PixelChange("2", 3, "mov oC9, q0"), trace)
            .failure.starts_with("changes/0: column 10: 'q0', expected a register of ps_2_0: "));
  CHECK(Edited(PixelChange("2", 4, "nop"), trace).failure ==
        "changes/0: the pixel shader of draw 2 has 3 instructions, expected 1 to 3");
  CHECK(Edited(R"({"draws":"2","shader":"vertex","instruction":1,"assembly":"nop"})", trace)
            .failure == "changes/0: draw 2 runs no vertex shader: fixed functions draw it");
  CHECK(Edited(PixelChange("2", 1, "nop")).failure ==
        "changes/0: draw 2 runs no pixel shader: fixed functions draw it");
  // What clears runs none.
  CHECK(Edited(PixelChange("1", 1, "nop")).result.matches == std::vector<uint64_t>{0});
}
