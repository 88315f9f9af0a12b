// Every JSON rule: a text that breaks it, where the finding stands, and a text that barely passes.
#include <doctest/doctest.h>

#include <set>

#include "json_texts.h"
#include "rules/rule.h"
#include "rules/rule_info.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

struct RuleCase {
  Rule rule;
  std::string rejected;  // a whole text
  std::string path;      // of the finding
  uint64_t line;
  std::string accepted;
};

std::string Nested(int depth) {
  const auto count = static_cast<size_t>(depth);
  return WithHeader("{\"event\":\"marker\",\"text\":" + std::string(count, '[') +
                    std::string(count, ']') + "}");
}

const std::vector<RuleCase>& Cases() {
  static const std::vector<RuleCase> cases = {
      {Rule::kJson001, WithHeader(R"({"event":"marker",})"), "/1", 3,
       WithHeader(R"({"event":"marker"})")},
      {Rule::kJson001, WithHeader(R"({"event":"marker","position":01})"), "/1", 3,
       WithHeader(R"({"event":"marker","position":1})")},
      {Rule::kJson001, WithHeader("{\"event\":\"marker\",\"text\":\"\xFF\"}"), "/1", 3,
       WithHeader(R"({"event":"marker","text":"\uFFFF"})")},
      {Rule::kJson001, WithHeader("{\"event\":\"marker\"},"), "/2", 4,
       WithHeader("{\"event\":\"marker\"}")},
      {Rule::kJson001, WithHeader("{\"event\":\"marker\"} {\"event\":\"marker\"}"), "/2", 3,
       WithHeader(R"({"event":"marker"} , {"event":"marker"})")},
      {Rule::kJson001, WithHeader("{\"event\":\"marker\"}") + "x", "/2", 5,
       WithHeader("{\"event\":\"marker\"}") + " \t\r\n"},
      {Rule::kJson001,
       "[\n{\"event\":\"header\"},\n{\"event\":\"marker\"\n{\"event\":\"marker\"}\n]\n", "/1", 4,
       WithHeader(R"({"event":"marker"})")},
      {Rule::kJson002, "[{\"event\":\"header\"}\n", "/1", 2, "[{\"event\":\"header\"}]\n"},
      {Rule::kJson003, "{\"event\":\"header\"}", "/0", 1, "\xEF\xBB\xBF [{\"event\":\"header\"}]"},
      {Rule::kJson003, WithHeader("17"), "/1", 3, WithHeader(R"({"event":"marker"})")},
      {Rule::kJson004, Nested(31), "/1", 3, ""},
      {Rule::kJson005, WithHeader(R"({"event":"marker","text":"a","text":"a"})"), "/1/text", 3,
       WithHeader(R"({"event":"marker","text":"a"})")},
      {Rule::kJson005, WithHeader(R"({"event":"marker","event":"marker"})"), "/1/event", 3,
       WithHeader(R"({"event":"marker"})")},
      {Rule::kJson006, WithHeader(R"({"event":"marker","a~/b":1})"), "/1/a~0~1b", 3,
       WithHeader(R"({"event":"marker"})")},
      {Rule::kJson006, WithHeader(R"({"event":"blt","src_color_key":{"low":1,"middle":2}})"),
       "/1/src_color_key/middle", 3,
       WithHeader(R"({"event":"blt","src_color_key":{"low":1,"high":2}})")},
      {Rule::kJson007, WithHeader(R"({"text":"a"})"), "/1", 3,
       WithHeader(R"({"text":"a","event":"marker"})")},
      {Rule::kJson007, WithHeader(R"({"event":"unknown"})"), "/1", 3,
       WithHeader(R"({"event":"unknown","kind":7})")},
      {Rule::kJson007,
       WithHeader(R"({"event":"dp2","commands":[{"op":"RENDERSTATE","records":[{"state":1}]}]})"),
       "/1/commands/0/records/0", 3,
       WithHeader(
           R"({"event":"dp2","commands":[{"op":"RENDERSTATE","records":[{"render_state":7}]}]})")},
      {Rule::kJson008, WithHeader(R"({"event":"marker","text":1})"), "/1/text", 3,
       WithHeader(R"({"event":"marker","text":"1"})")},
      {Rule::kJson008, WithHeader(R"({"event":"marker","position":null})"), "/1/position", 3,
       WithHeader(R"({"event":"marker","position":0})")},
      {Rule::kJson008, WithHeader(R"({"event":"marker","position":"0x"})"), "/1/position", 3,
       WithHeader(R"({"event":"marker","position":"0x0"})")},
      {Rule::kJson008, WithHeader(R"({"event":"resource_open","external":1})"), "/1/external", 3,
       WithHeader(R"({"event":"resource_open","external":true})")},
      {Rule::kJson008, WithHeader(R"({"event":"dp2","commands":"00"})"), "/1/commands", 3,
       WithHeader(R"({"event":"dp2","commands":[]})")},
      {Rule::kJson009, WithHeader(R"({"event":"present","handle":4294967296})"), "/1/handle", 3,
       WithHeader(R"({"event":"present","handle":4294967295})")},
      {Rule::kJson009, WithHeader(R"({"event":"present","handle":-1})"), "/1/handle", 3,
       WithHeader(R"({"event":"present","handle":"0xFFFFffff"})")},
      {Rule::kJson009, WithHeader(R"({"event":"present","handle":"0x100000000"})"), "/1/handle", 3,
       WithHeader(R"({"event":"present","handle":"0x00000000ffffffff"})")},
      {Rule::kJson009, WithHeader(R"({"event":"present","rect":[0,0,2147483648,0]})"), "/1/rect/2",
       3, WithHeader(R"({"event":"present","rect":[-2147483648,0,2147483647,0]})")},
      {Rule::kJson009, WithHeader(R"({"event":"marker","position":"0x10000000000000000"})"),
       "/1/position", 3, WithHeader(R"({"event":"marker","position":18446744073709551615})")},
      {Rule::kJson010, WithHeader(R"({"event":"marker","position":18446744073709551616})"),
       "/1/position", 3, WithHeader(R"({"event":"marker","position":18446744073709551615})")},
      {Rule::kJson010, WithHeader(R"({"event":"present","handle":1.0})"), "/1/handle", 3,
       WithHeader(R"({"event":"present","handle":1})")},
      {Rule::kJson010, WithHeader(R"({"event":"present","handle":1e2})"), "/1/handle", 3,
       WithHeader(R"({"event":"present","handle":100})")},
      {Rule::kJson011, WithHeader(R"({"event":"marke"})"), "/1/event", 3,
       WithHeader(R"({"event":"marker"})")},
      {Rule::kJson011, WithHeader(R"({"event":"surface_create","kind":"Texture"})"), "/1/kind", 3,
       WithHeader(R"({"event":"surface_create","kind":"depth"})")},
      {Rule::kJson011, WithHeader(R"({"event":"surface_create","caps":["TEXTURE","X"]})"),
       "/1/caps/1", 3, WithHeader(R"({"event":"surface_create","caps":["TEXTURE"]})")},
      {Rule::kJson011, WithHeader(R"({"event":"surface_create","format":"D3DFMT_R5G6B5"})"),
       "/1/format", 3, WithHeader(R"({"event":"surface_create","format":"R5G6B5"})")},
      {Rule::kJson011, WithHeader(R"({"event":"dp2","commands":[{"op":"RENDERSTATES"}]})"),
       "/1/commands/0/op", 3, WithHeader(R"({"event":"dp2","commands":[{"op":"RENDERSTATE"}]})")},
      {Rule::kJson011, WithHeader(R"({"event":"dp2","commands":[{"op":"RESPONSEQUERY"}]})"),
       "/1/commands/0/op", 3, WithHeader(R"({"event":"dp2","commands":[{"op":"CREATEQUERY"}]})")},
      {Rule::kJson012, WithHeader(R"({"event":"dp2","vertices":"AAA"})"), "/1/vertices", 3,
       WithHeader(R"({"event":"dp2","vertices":"AAA="})")},
      {Rule::kJson012, WithHeader(R"({"event":"dp2","response":"0"})"), "/1/response", 3,
       WithHeader(R"({"event":"dp2","response":"0A"})")},
      {Rule::kJson012, WithHeader(R"({"event":"dp2","response":"0g"})"), "/1/response", 3,
       WithHeader(R"({"event":"dp2","response":"0f"})")},
      {Rule::kJson013, WithHeader(R"({"event":"dp2","vertices":{"file":"../x.bin"}})"),
       "/1/vertices/file", 3, ""},
      {Rule::kJson014, WithHeader(R"({"event":"marker","text":")" + std::string(2000, 'x') + "\"}"),
       "/1", 3, WithHeader(R"({"event":"marker"})")},
      {Rule::kJson014,
       WithHeader(
           R"({"event":"surface_create","flip_chain":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]})"),
       "/1", 3, WithHeader(R"({"event":"surface_create","flip_chain":[0]})")},
      {Rule::kJson015, "[]", "", 0, "[{\"event\":\"header\"}]"},
      {Rule::kJson015, "[{\"event\":\"marker\"}]", "/0", 1, "[{\"event\":\"header\"}]"},
      {Rule::kJson016, WithHeader(R"({"event":"present","rect":[0,0,0]})"), "/1/rect", 3,
       WithHeader(R"({"event":"present","rect":[0,0,0,0]})")},
      {Rule::kJson016, WithHeader(R"({"event":"surface_read","box":[0,0,0,0]})"), "/1/box", 3,
       WithHeader(R"({"event":"surface_read","box":[0,0,0,0,0,0]})")},
  };
  return cases;
}

json::ReaderOptions OptionsFor(Rule rule) {
  json::ReaderOptions options;
  if (rule == Rule::kJson014) options.max_memory = 1000;
  return options;
}

}  // namespace

TEST_CASE("JSON rules: each text breaks its rule, at this place") {
  for (const RuleCase& test : Cases()) {
    CAPTURE(test.rejected);
    const TextResult result = ParseText(test.rejected, OptionsFor(test.rule));
    REQUIRE_FALSE(result.status.ok());
    const Diagnostic& diagnostic = result.status.diagnostic();
    CAPTURE(diagnostic.message);
    CHECK(Info(diagnostic.rule).id == Info(test.rule).id);
    CHECK(diagnostic.path == test.path);
    CHECK(diagnostic.line == test.line);
    CHECK_FALSE(diagnostic.event.has_value());
    CHECK_FALSE(diagnostic.message.empty());
    if (diagnostic.offset) CHECK(*diagnostic.offset <= test.rejected.size());
  }
}

TEST_CASE("JSON rules: a text that barely keeps the rule is read") {
  for (const RuleCase& test : Cases()) {
    if (test.accepted.empty()) continue;  // has a test of its own
    CAPTURE(test.accepted);
    const TextResult result = ParseText(test.accepted, OptionsFor(test.rule));
    if (!result.status.ok()) FAIL(FormatDiagnostic("text", result.status.diagnostic()));
  }
}

TEST_CASE("JSON-004 accepts the deepest allowed nesting") {
  // The array of events, the event and 30 more: then the wrong type is what remains to be said.
  CHECK(ParseText(Nested(30)).rule() == Rule::kJson008);
}

TEST_CASE("JSON rules: each one has a case") {
  std::set<Rule> covered;
  for (const RuleCase& test : Cases())
    covered.insert(test.rule);
  for (const RuleInfo& row : AllRules()) {
    if (!row.id.starts_with("JSON-")) continue;
    CAPTURE(row.id);
    CHECK(covered.contains(row.rule));
  }
}

TEST_CASE("JSON-015 is reported when all events have been delivered") {
  const TextResult result =
      ParseText(R"([{"event":"marker","text":"a"},{"event":"header"},{"event":"marker"}])");
  CHECK(result.lines.size() == 3);
  CHECK(result.rule() == Rule::kJson015);
}

TEST_CASE("Reader: events before a finding are delivered") {
  const TextResult result = ParseText(
      "[{\"event\":\"header\"},{\"event\":\"marker\",\"text\":\"a\"},{\"event\":\"x\"},{\"event\":\"marker\"}]");
  CHECK(result.lines.size() == 2);
  CHECK(result.rule() == Rule::kJson011);
  CHECK_FALSE(result.truncated);
}
