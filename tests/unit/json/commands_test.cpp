#include "json/commands.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "json/token_values.h"
#include "json_texts.h"
#include "opcode/opcode.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

void CheckCanonical(std::string_view token) {
  CAPTURE(token);
  CHECK(CanonicalToken(token) == token);
}

bool IsPlainName(std::string_view name) {
  return std::ranges::all_of(name,
                             [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; });
}

}  // namespace

TEST_CASE("Commands: no two members of a token have the same name") {
  for (const opcode::OpInfo& op : opcode::AllOps()) {
    CAPTURE(op.name);
    CHECK(IsPlainName(op.name));
    std::multiset<std::string_view> names = {"op", "count", "reserved", "raw", "prefix"};
    std::multiset<std::string_view> record_names;
    if (op.fixed != nullptr) {
      for (size_t i = 0; i < op.fixed->fields.size(); ++i) {
        if (i != op.first_record_field) names.insert(op.fixed->fields[i].name);
      }
    }
    if (op.record != nullptr) {
      names.insert(op.list_name);
      for (const opcode::FieldDesc& field : op.record->fields)
        record_names.insert(field.name);
    }
    for (const opcode::TailDesc& tail : op.tails) {
      std::multiset<std::string_view>& host = op.record != nullptr ? record_names : names;
      host.insert(tail.name);
      if (tail.counting == opcode::TailCount::kVertices) host.insert("padding");
      if (tail.is_shader_code) host.insert("assembly");
    }
    CHECK(std::set(names.begin(), names.end()).size() == names.size());
    CHECK(std::set(record_names.begin(), record_names.end()).size() == record_names.size());
  }
}

TEST_CASE("Commands: a record with tails or a single value has its JSON form from the table") {
  CheckCanonical(R"({"op":"RENDERSTATE","records":[{"render_state":"FILLMODE","state":"SOLID"}]})");
  CheckCanonical(
      R"({"op":"RENDERSTATE","records":[{"render_state":"FOGSTART","state":0.25},{"render_state":"FOGCOLOR","state":"#ff00aa11"}]})");
  CheckCanonical(
      R"({"op":"RENDERSTATE","records":[{"render_state":"LINEPATTERN","state":[3,65535]},{"render_state":300,"state":1}]})");
  CheckCanonical(R"({"op":"TRIANGLELIST","count":12,"v_start":3})");
  CheckCanonical(R"({"op":"TRIANGLELIST","v_start":3})");
  CheckCanonical(R"({"op":"INDEXEDTRIANGLESTRIP","v_start":0,"indices":[0,1,2,3]})");
  CheckCanonical(
      R"({"op":"INDEXEDTRIANGLELIST","records":[{"v1":0,"v2":1,"v3":2,"flags":["EDGEENABLE1",64]}]})");
  CheckCanonical(
      R"({"op":"CLEAR","flags":["TARGET"],"fill_color":"#ff102030","fill_depth":1,"fill_stencil":0,"rects":[[0,0,64,64]]})");
  CheckCanonical(R"({"op":"SETSCISSORRECT","rects":[[-1,0,64,64]]})");
  CheckCanonical(R"({"op":"RENDERSTATE","reserved":7})");
  CheckCanonical(
      R"({"op":"SETVERTEXSHADERCONST","records":[{"register":0,"count":1,"values":[[1,2,3,4]]}]})");
  CheckCanonical(
      R"({"op":"CREATEPIXELSHADER","records":[{"handle":1,"code_size":3,"code":"AQID"}]})");
}

TEST_CASE("Commands: beside the code of a shader stands its assembly, as far as it can be read") {
  const std::string start =
      R"({"op":"CREATEPIXELSHADER","records":[{"handle":1,"code_size":20,"code":")";
  CheckCanonical(start + R"(AQH//wEAAAAAAA+AAADkkP//AAA=","assembly":["ps_1_1","mov r0, v0"]}]})");
  CheckCanonical(
      start +
      R"(AQH//wEAAAAAAA+AAADkkGMAAAA=","assembly":["ps_1_1","mov r0, v0"]}]})");  // opcode 99
  CheckCanonical(
      R"({"op":"CREATEVERTEXSHADER","records":[{"handle":3,"decl_size":0,"code_size":20,"code":"AQH+/wEAAAAAAA/AAADkkP//AAA=","assembly":["vs_1_1","mov oPos, v0"]}]})");
  CheckCanonical(
      R"({"op":"CREATEVERTEXSHADERFUNC","records":[{"handle":3,"size":20,"code":"AQH+/wEAAAAAAA/AAADkkP//AAA=","assembly":["vs_1_1","mov oPos, v0"]}]})");
}

TEST_CASE("Commands: assembly is a comment that is not read back") {
  const std::string start =
      R"({"op":"CREATEPIXELSHADER","records":[{"handle":1,"code_size":3,"code":"AQID")";
  const std::string plain = start + "}]}";
  CHECK(CanonicalToken(start + R"(,"assembly":["ps_1_1","mov r0, v0"]}]})") == plain);
  CHECK(CanonicalToken(start + R"(,"assembly":[]}]})") == plain);
  CHECK(CanonicalToken(
            R"({"op":"CREATEPIXELSHADER","records":[{"handle":1,"assembly":["ps_1_1"]}]})") ==
        R"({"op":"CREATEPIXELSHADER","records":[{"handle":1,"code_size":0}]})");
  CHECK(CanonicalToken(start + R"(,"assembly":"ps_1_1"}]})") ==
        "JSON-008 /1/commands/0/records/0/assembly");
  CHECK(CanonicalToken(start + R"(,"assembly":[1]}]})") ==
        "JSON-008 /1/commands/0/records/0/assembly/0");
}

TEST_CASE("Commands: CLEAR counts its rectangles, none of them when the count is 0") {
  const std::string start = R"({"op":"CLEAR",)";
  const std::string rest =
      R"("flags":["TARGET"],"fill_color":"#00000000","fill_depth":0,"fill_stencil":0,"rects":[[1,2,3,4]]})";
  CheckCanonical(start + rest);
  CheckCanonical(start + R"("count":0,)" + rest);
  CHECK(
      CanonicalToken(start + R"("flags":1})") ==
      R"({"op":"CLEAR","count":0,"flags":["TARGET"],"fill_color":"#00000000","fill_depth":0,"fill_stencil":0,"rects":[[0,0,0,0]]})");
}

TEST_CASE("Commands: what has a natural default may be left out") {
  CHECK(CanonicalToken(R"({"op":"TRIANGLELIST"})") == R"({"op":"TRIANGLELIST","v_start":0})");
  CHECK(CanonicalToken(R"({"op":"RENDERSTATE","records":[{"render_state":7}]})") ==
        R"({"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":"FALSE"}]})");
  CHECK(CanonicalToken(R"({"op":"CREATEPIXELSHADER","records":[{"handle":1,"code":"AQID"}]})") ==
        R"({"op":"CREATEPIXELSHADER","records":[{"handle":1,"code_size":3,"code":"AQID"}]})");
  CHECK(
      CanonicalToken(
          R"({"op":"SETVERTEXSHADERCONST","records":[{"values":[[1,2,3,4],[5,6,7,8]]}]})") ==
      R"({"op":"SETVERTEXSHADERCONST","records":[{"register":0,"count":2,"values":[[1,2,3,4],[5,6,7,8]]}]})");
}

TEST_CASE("Commands: other spellings of a value are accepted") {
  CHECK(
      CanonicalToken(
          R"({"op":"RENDERSTATE","records":[{"render_state":"0x1b","state":true},{"render_state":"FILLMODE","state":3}]})") ==
      R"({"op":"RENDERSTATE","records":[{"render_state":"ALPHABLENDENABLE","state":1},{"render_state":"FILLMODE","state":"SOLID"}]})");
  CHECK(CanonicalToken(
            R"({"records":[{"state":"SOLID","render_state":"FILLMODE"}],"op":"RENDERSTATE"})") ==
        R"({"op":"RENDERSTATE","records":[{"render_state":"FILLMODE","state":"SOLID"}]})");
  CHECK(
      CanonicalToken(
          R"({"op":"CLEAR","flags":["TARGET","0x2"],"fill_color":4278190080,"rects":[[0,0,1,1]]})") ==
      R"({"op":"CLEAR","flags":["TARGET","ZBUFFER"],"fill_color":"#ff000000","fill_depth":0,"fill_stencil":0,"rects":[[0,0,1,1]]})");
}

TEST_CASE("Commands: a state whose numbers mean other things in old runtimes is a number") {
  CheckCanonical(
      R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"MIPFILTER","value":1}]})");
  CHECK(
      CanonicalToken(
          R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"MIPFILTER","value":"LINEAR"}]})") ==
      "JSON-008 /1/commands/0/records/0/value");
}

TEST_CASE("Commands: immediate vertices are aligned by the command offset") {
  const std::string event =
      R"({"event":"dp2","vertex_size":4,"command_offset":2,"commands":[{"op":"LINELIST_IMM","padding":"0100","vertices":"AAAAAAEAAAA="}]})";
  CHECK(Canonical(event) == event);
  CHECK(
      Canonical(
          R"({"event":"dp2","vertex_size":4,"command_offset":1,"commands":[{"op":"LINELIST_IMM","padding":"0100","vertices":"AAAAAAEAAAA="}]})") ==
      "JSON-016 /1/commands/0/padding");
}

TEST_CASE("Commands: bytes that are no tokens are hexadecimal digits, at any place on input") {
  CheckCanonical(R"({"raw":"ff000000"})");
  CHECK(CanonicalToken(R"({"raw":"1200"},{"raw":"01000300"})") ==
        R"({"op":"TRIANGLELIST","v_start":3})");
  CHECK(CanonicalToken(R"({"raw":"ff"},{"op":"TRIANGLELIST"})") == R"({"raw":"ff120001000000"})");
}

TEST_CASE(
    "Commands: the bytes before the first command of a packet are zeros where they are not given") {
  CHECK(
      Canonical(
          R"({"event":"render","command_offset":4,"command_buffer":[{"prefix":"00000000"},{"op":"TRIANGLELIST"}]})") ==
      R"({"event":"render","command_offset":4,"command_buffer":[{"op":"TRIANGLELIST","v_start":0}]})");
  const std::string event =
      R"({"event":"render","command_offset":4,"command_buffer":[{"prefix":"00000001"},{"op":"TRIANGLELIST","v_start":0}]})";
  CHECK(Canonical(event) == event);
  CHECK(Canonical(R"({"event":"render","command_offset":4000000000,"command_buffer":[]})") ==
        "JSON-007 /1/command_buffer");
  CHECK(Canonical(R"({"event":"dp2","command_offset":4,"commands":[{"prefix":"00000000"}]})") ==
        "JSON-007 /1/commands/0");
}

TEST_CASE("Commands: every state and every name can be written without escapes") {
  for (const d3d::StateInfo& state : d3d::AllRenderStates())
    CHECK(IsPlainName(state.name));
  for (const d3d::StateInfo& state : d3d::AllTextureStageStates())
    CHECK(IsPlainName(state.name));
  for (const EnumInfo* info : d3d::AllEnums()) {
    for (const EnumValue& row : info->values)
      CHECK(IsPlainName(row.name));
  }
}
