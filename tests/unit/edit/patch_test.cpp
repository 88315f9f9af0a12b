#include "edit/patch.h"

#include <doctest/doctest.h>

#include <fstream>

#include "image/png.h"
#include "opcode/opcode.h"
#include "stream/stream.h"
#include "support/test_folder.h"

using namespace dp2trace;        // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::edit;  // NOLINT(google-build-using-namespace): test file

namespace {

Patch Read(const std::string& text) {
  Patch patch;
  const Status status = ReadPatch(text, "", patch);
  INFO((status.ok() ? std::string() : status.diagnostic().message));
  REQUIRE(status.ok());
  return patch;
}

std::string Fault(const std::string& text) {
  Patch patch;
  const Status status = ReadPatch(text, "", patch);
  return status.ok() ? std::string() : status.diagnostic().message;
}

// The change of a word of --set.
Change SetOf(const std::string& word) {
  const Result<std::string> text = PatchOfSet(word);
  REQUIRE(text.ok());
  return Read(*text).front();
}

// The last word of its only token: the value.
uint32_t ValueOf(const Change& change) {
  REQUIRE(change.tokens.size() == 12);
  const uint8_t* const at = change.tokens.data() + 8;
  return static_cast<uint32_t>(at[0]) | static_cast<uint32_t>(at[1]) << 8 |
         static_cast<uint32_t>(at[2]) << 16 | static_cast<uint32_t>(at[3]) << 24;
}

}  // namespace

TEST_CASE("Patch: the reader accepts and refuses the published cases") {
  std::ifstream cases(DP2TRACE_SOURCE_DIR "/tests/unit/edit/patches.jsonl");
  std::string line;
  size_t count = 0;
  while (std::getline(cases, line)) {
    CAPTURE(line);
    const size_t space = line.find(' ');
    REQUIRE(space != std::string::npos);
    Patch patch;
    CHECK(ReadPatch(line.substr(space + 1), "", patch).ok() == (line.substr(0, space) == "accept"));
    ++count;
  }
  CHECK(count > 30);
}

TEST_CASE("Patch: values of states are written as dump shows them, or as numbers") {
  CHECK(ValueOf(SetOf("draw=5,ZENABLE=FALSE")) == 0);
  CHECK(ValueOf(SetOf("draw=5,ALPHABLENDENABLE=TRUE")) == 1);
  CHECK(ValueOf(SetOf("draw=5,ZFUNC=ALWAYS")) == 8);
  CHECK(ValueOf(SetOf("draw=5,ZFUNC=8")) == 8);
  CHECK(ValueOf(SetOf("draw=5,TEXTUREFACTOR=#80ff0010")) == 0x80FF0010);
  CHECK(ValueOf(SetOf("draw=5,TEXTUREFACTOR=0x80FF0010")) == 0x80FF0010);
  CHECK(ValueOf(SetOf("draw=5,FOGSTART=0.5")) == 0x3F000000);
  CHECK(ValueOf(SetOf("draw=5,COLORWRITEENABLE=RED|ALPHA")) == 9);
  CHECK(ValueOf(SetOf("draw=5,stage 0 TEXCOORDINDEX=1:3")) == 0x30001);
  CHECK(ValueOf(SetOf("draw=5,3.COLOROP=DISABLE")) == 1);
  const Change stage = SetOf("draw=5-7,stage 3 COLOROP=DISABLE");
  CHECK(ValueOf(stage) == 1);
  CHECK(stage.tokens[4] == 3);
  CHECK(stage.draws.Contains(6));
  CHECK_FALSE(stage.draws.Contains(8));
}

TEST_CASE("Patch: a word that is not a change says what is expected") {
  for (const char* const word :
       {"", "draw=5", "draw=5,ZENABLE", "draw=5,ZENABLE=", "event=5,ZENABLE=1",
        "draw=5,x.COLOROP=1", "draw=5,stage COLOROP=1", "draw=5,stage x COLOROP=1"}) {
    CAPTURE(word);
    CHECK_FALSE(PatchOfSet(word).ok());
  }
  for (const char* const word : {"", "7", "draw=", "event=7"}) {
    CAPTURE(word);
    CHECK_FALSE(PatchOfDrop(word).ok());
  }
  for (const char* const word : {"", "texture=3", "texture=3,0", "texture=a,0,x.png",
                                 "surface=3,0,x.png", "texture=3,b,x.png"}) {
    CAPTURE(word);
    CHECK_FALSE(PatchOfReplace(word).ok());
  }
}

TEST_CASE("Patch: a change is one thing, and its states are known") {
  CHECK(Fault(R"({"changes":[{"draws":"5"}]})").find("one of") != std::string::npos);
  CHECK(Fault(R"({"changes":[{"draws":"5","drop":true,"set":[]}]})").find("one of") !=
        std::string::npos);
  CHECK_FALSE(Fault(R"({"changes":[{"draws":"last","drop":true}]})").empty());
  CHECK_FALSE(Fault(R"({"changes":[{"draws":"","drop":true}]})").empty());
  CHECK_FALSE(
      Fault(R"({"changes":[{"draws":"5","set":[{"op":"CLEAR","flags":["TARGET"]}]}]})").empty());
  for (const char* const record :
       {R"("RENDERSTATE","records":[{"render_state":70000,"state":1}])",
        R"("RENDERSTATE","records":[{"render_state":264,"state":1}])",
        R"("TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":999,"value":1}])",
        R"("TEXTURESTAGESTATE","records":[{"stage":99,"ts_state":1,"value":1}])"}) {
    CAPTURE(record);
    CHECK_FALSE(
        Fault(R"({"changes":[{"draws":"5","set":[{"op":)" + std::string(record) + "}]}]}").empty());
  }
  CHECK_FALSE(Fault(R"({"changes":[{"draws":"5","colour":1,"drop":true}]})").empty());
  CHECK_FALSE(Fault(R"({"changes":7})").empty());
  CHECK_FALSE(Fault("[]").empty());
  CHECK_FALSE(Fault(R"({"changes":[{"texture":3,"file":"/nowhere/x.png"}]})").empty());
}

TEST_CASE("Patch: an instruction of a shader") {
  const Change change = SetOf("draw=5,ps.3=mul r0, v0, c1; nop");
  CHECK(change.kind == ChangeKind::kInstruction);
  CHECK(change.is_pixel);
  CHECK(change.instruction == 3);
  CHECK(change.assembly == "mul r0, v0, c1; nop");
  CHECK_FALSE(SetOf("draw=5,vs.12=nop").is_pixel);
  CHECK(SetOf("draw=5,vs.12=").assembly.empty());
  CHECK(SetOf("draw=5,vs.c1=1,0,0,1").kind == ChangeKind::kSet);
  CHECK_FALSE(PatchOfSet("draw=5,gs.3=nop").ok());
  CHECK(Fault(*PatchOfSet("draw=5,ps.0=nop")) == "\"instruction\" is a number from 1 on");
  CHECK(Fault(R"({"changes":[{"draws":"5","shader":"pixel"}]})").find("from 1 on") !=
        std::string::npos);
  CHECK(Fault(R"({"changes":[{"draws":"5","shader":"hull","instruction":1}]})") ==
        "\"shader\" is 'hull', expected \"vertex\" or \"pixel\"");
  CHECK(Fault(R"({"changes":[{"draws":"5","shader":"pixel","instruction":1,"drop":true}]})")
            .find("one of") != std::string::npos);
}

TEST_CASE("Patch: pictures lie beside the file of the patch") {
  const testing::TestFolder folder;
  REQUIRE(image::WritePng(folder / "wood.png", image::Picture(2, 2)).ok());
  testing::WriteText(folder / "patch.json",
                     R"({"changes":[{"texture":3,"level":1,"face":2,"file":"wood.png"}]})");
  Patch patch;
  REQUIRE(ReadPatchFile(folder / "patch.json", patch).ok());
  CHECK(patch.front().kind == ChangeKind::kReplace);
  CHECK(patch.front().picture.width == 2);
  CHECK(patch.front().level == 1);
  CHECK(patch.front().face == 2);
  CHECK_FALSE(ReadPatchFile(folder / "none.json", patch).ok());
}
