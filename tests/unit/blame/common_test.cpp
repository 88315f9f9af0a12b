#include "blame/common.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "blame_run.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// A frame of triangles, each with a value of ALPHAREF and of ZFUNC.
blame::Frame FrameOfDraws(const std::vector<std::pair<int, std::string>>& draws) {
  std::string events =
      R"({"event":"surface_create","handle":1,"kind":"target","format":"A8R8G8B8","width":8,"height":8},
{"event":"surface_create","handle":2,"kind":"depth","format":"D16","width":8,"height":8},
{"event":"context_create","context":1,"target":1,"depth":2},)";
  for (const auto& [reference, function] : draws) {
    events += fmt::format(
        R"({{"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":68,"vertex_size":20,"commands":[
{{"op":"RENDERSTATE","records":[{{"render_state":"CULLMODE","state":"NONE"}},{{"render_state":"ALPHATESTENABLE","state":1}},{{"render_state":"ALPHAREF","state":{}}},
{{"render_state":"ZENABLE","state":"TRUE"}},{{"render_state":"ZFUNC","state":"{}"}}]}},
{{"op":"SETVERTEXSHADERDECL","records":[{{"handle":68}}]}},{{"op":"SETSTREAMSOURCEUM","records":[{{"stream":0,"stride":20}}]}},
{{"op":"DRAWPRIMITIVE","records":[{{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1}}]}}],
"vertices":[[0,0,0,1,"0xFFFFFFFF"],[8,0,0,1,"0xFFFFFFFF"],[0,8,0,1,"0xFFFFFFFF"]]}},)",
        reference, function);
  }
  return FrameOf(TraceOf(events + R"({"event":"present","handle":1})"), 1);
}

// Places of draws (from 1) among the operations: the surface comes first.
std::vector<std::string> Sentences(const blame::Frame& frame, const std::vector<uint32_t>& wrong,
                                   const std::vector<uint32_t>& right) {
  const blame::Common common = blame::FindCommon(frame, wrong, right);
  std::vector<std::string> sentences;
  for (const blame::SharedFact& shared : common.facts)
    sentences.push_back(blame::SentenceOf(common, shared, frame.facts));
  return sentences;
}

}  // namespace

TEST_CASE("common: what all wrong draws have and no right one") {
  const blame::Frame frame =
      FrameOfDraws({{1, "LESS"}, {1, "ALWAYS"}, {2, "LESS"}, {2, "ALWAYS"}, {1, "ALWAYS"}});
  REQUIRE(frame.operations.size() == 6);
  CHECK(Sentences(frame, {1, 3}, {2, 4, 5}) ==
        std::vector<std::string>{
            "both draws whose pixels are wrong have ZFUNC = LESS; none of the 3 right ones does"});
  CHECK(Sentences(frame, {2}, {1}) ==
        std::vector<std::string>{
            "the draw whose pixels are wrong has ZFUNC = ALWAYS; the right one does not"});
  CHECK(Sentences(frame, {2, 4, 5}, {1, 3}) ==
        std::vector<std::string>{"all 3 draws whose pixels are wrong have ZFUNC = ALWAYS; none of "
                                 "the 2 right ones does"});
}

TEST_CASE("common: where nothing tells all apart, what tells most apart, from a half on") {
  const blame::Frame frame = FrameOfDraws(
      {{1, "LESS"}, {1, "LESS"}, {1, "LESS"}, {1, "ALWAYS"}, {1, "ALWAYS"}, {1, "LESS"}});
  // LESS: 3 of 3 wrong ones, 1 of 3 right ones: two thirds.
  CHECK(Sentences(frame, {1, 2, 3}, {4, 5, 6}) ==
        std::vector<std::string>{"all 3 draws whose pixels are wrong have ZFUNC = LESS; 1 of the 3 "
                                 "right ones does, too"});
  // LESS: 2 of 3, ALWAYS: 1 of 3; neither by a half.
  CHECK(Sentences(frame, {1, 2, 4}, {3, 5}).empty());
}

TEST_CASE("common: nothing is said where one side is empty") {
  const blame::Frame frame = FrameOfDraws({{1, "LESS"}, {2, "ALWAYS"}});
  CHECK(Sentences(frame, {1, 2}, {}).empty());
  CHECK(Sentences(frame, {}, {1, 2}).empty());
}

TEST_CASE("common: of more facts than are kept the rest is counted") {
  blame::Frame frame = FrameOfDraws({{1, "LESS"}, {2, "ALWAYS"}});
  const blame::Facts all = frame.operations[1].facts;
  frame.operations[2].facts.clear();  // as if it were of another kind
  const std::vector<uint32_t> wrong = {1};
  const std::vector<uint32_t> right = {2};
  const blame::Common common = blame::FindCommon(frame, wrong, right);
  CHECK(common.facts.size() == blame::kMaxSharedFacts);
  CHECK(common.further_facts == all.size() - blame::kMaxSharedFacts);
}
