#include "json/excerpt.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "json/reader.h"
#include "rules/rule_info.h"

namespace dp2trace::json {
namespace {

// "TOKEN" with the mark as '^' below it.
std::string Marked(std::string_view text, size_t at) {
  Excerpt excerpt;
  ExcerptLine(text, at, excerpt);
  return excerpt.token + "\n" + std::string(excerpt.caret - 1, ' ') + "^";
}

// The text must outlive it.
TextSource SourceOf(std::string_view text) {
  return [text](std::span<uint8_t> out) mutable -> Result<size_t> {
    const size_t size = std::min(out.size(), text.size());
    std::memcpy(out.data(), text.data(), size);
    text.remove_prefix(size);
    return size;
  };
}

// "RULE LINE:COLUMN POINTER" of each error of a text.
std::vector<std::string> Errors(std::string_view text) {
  Reader reader(SourceOf(text));
  trace::Event event;
  Result<bool> next = reader.Next(event);
  while (next.ok() && *next)
    next = reader.Next(event);
  std::vector<std::string> errors;
  for (Status error = next.status(); !error.ok(); error = reader.FurtherError()) {
    const Diagnostic& finding = error.diagnostic();
    errors.push_back(std::string(Info(finding.rule).id) + " " + std::to_string(finding.line) + ":" +
                     std::to_string(finding.column) + " " + finding.path);
  }
  return errors;
}

TEST_CASE("ExcerptLine: the line of the place, with its blanks cut off") {
  CHECK(Marked("ab\n  cde\nf", 6) == "cde\n ^");
  CHECK(Marked("ab", 0) == "ab\n^");
  CHECK(Marked("ab", 2) == "ab\n  ^");
  CHECK(Marked("ab", 9) == "ab\n  ^");
  CHECK(Marked("", 0) == "\n^");
  CHECK(Marked("a\r\nb", 0) == "a\n^");
}

TEST_CASE("ExcerptLine: a long line is cut around the place, between characters") {
  const std::string many(100, 'x');
  CHECK(Marked(many + "!" + many, 100) == "..." + std::string(48, 'x') + "!" +
                                              std::string(47, 'x') + "...\n" +
                                              std::string(51, ' ') + "^");
  std::string wide;
  for (int i = 0; i < 60; ++i)
    wide += "\xC3\xA4";
  const std::string marked = Marked(wide + "!", 120);
  CHECK(marked.starts_with("...\xC3\xA4"));
  CHECK(marked.ends_with("!\n" + std::string(27, ' ') + "^"));
}

TEST_CASE(
    "ExcerptLine: what would steer a terminal is escaped, and the mark stands below it all the same") {
  CHECK(Marked("\x1b[1m!", 4) == "\\u001b[1m!\n" + std::string(9, ' ') + "^");
}

TEST_CASE("DescribeHabit: comments and commas that JSON does not have") {
  CHECK(DescribeHabit("[1, // x", 4).starts_with("'/' starts a comment"));
  CHECK(DescribeHabit("# x", 0).starts_with("'#' starts a comment"));
  CHECK(DescribeHabit("[1, \n]", 5) == "trailing comma before ']': remove it");
  CHECK(DescribeHabit("{\"a\":1,}", 7) == "trailing comma before '}': remove it");
  CHECK(DescribeHabit("[]", 1).empty());
}

TEST_CASE("DescribeHabit: words and numbers of other languages") {
  CHECK(DescribeHabit("[True]", 1) == "JSON does not have True: write true");
  CHECK(DescribeHabit("[NaN]", 1) == "JSON does not have NaN: write \"0x7fc00000\"");
  CHECK(DescribeHabit("[nan]", 2) == "JSON does not have nan: write \"0x7fc00000\"");
  CHECK(DescribeHabit("[0x1f]", 2) == "a hexadecimal number is in double quotes: \"0x1f\"");
  CHECK(DescribeHabit("{event : 1}", 1) == "a key is in double quotes: \"event\"");
  CHECK(DescribeHabit("{'a':1}", 1) == "strings need double quotes, not single ones");
  CHECK(DescribeHabit("[.5]", 1) == "a number begins with a digit: write 0.5 for .5");
  CHECK(DescribeHabit("[+1]", 1) == "a number does not begin with '+': remove it");
  CHECK(DescribeHabit("[tru]", 4).empty());
  CHECK(DescribeHabit("{\"a\" \"b\":1}", 6).empty());
  CHECK(DescribeHabit("[1", 2).empty());
}

TEST_CASE("Reader: a missing comma is reported where it belongs") {
  for (const auto& [json, column] :
       std::vector<std::pair<std::string, int>>{{R"([{"event":"header" "driver_level":7}])", 20},
                                                {R"([{"event":"marker","text":["a" "b"]}])", 32},
                                                {R"([{"event":"marker","text":[1 -2]}])", 30}}) {
    const std::string& text = json;  // lambdas take no structured bindings
    CAPTURE(text);
    Reader reader(SourceOf(text));
    trace::Event event;
    const Result<bool> next = reader.Next(event);
    REQUIRE_FALSE(next.ok());
    CHECK(next.status().diagnostic().message == "a comma is missing");
    CHECK(next.status().diagnostic().column == static_cast<uint64_t>(column));
  }
}

TEST_CASE("Reader: after an error the errors of later events are found, too") {
  CHECK(Errors("[{\"event\":\"header\"}]").empty());
  CHECK(
      Errors(
          "[{\"event\":\"header\"},\n{\"event\":\"marker\",\"txt\":1},\n{\"event\":\"marker\",\"text\":\"\"},\n"
          "{\"event\":\"present\",\"handle\":-1}\n]") ==
      std::vector<std::string>{"JSON-006 2:19 /1/txt", "JSON-009 4:29 /3/handle"});
}

TEST_CASE(
    "Reader: the errors of all members and tokens of an event are found, and nothing that follows from one") {
  CHECK(
      Errors(
          "[{\"event\":\"header\"},\n"
          R"({"event":"dp2","context":-1,"commands":[{"op":"CLEAR","fill_colr":1,"fill_stencil":-1},)"
          "\n"
          R"({"op":"CLEER","flags":[]},{"op":"RENDERSTATE","records":[{"render_state":"ZENABEL","state":"TRU"},)"
          "\n"
          R"({"render_state":"ZFUNC","state":"LESSS"},{"stat":"ZFUNC","state":1}]}],"presend":1},)"
          "\n{\"event\":\"present\",\"handle\":-1}]") ==
      std::vector<std::string>{
          "JSON-009 2:26 /1/context", "JSON-006 2:55 /1/commands/0/fill_colr",
          "JSON-009 2:84 /1/commands/0/fill_stencil", "JSON-011 3:7 /1/commands/1/op",
          "JSON-011 3:74 /1/commands/2/records/0/render_state",
          "JSON-011 4:33 /1/commands/2/records/1/state", "JSON-007 4:42 /1/commands/2/records/2",
          "JSON-006 4:72 /1/presend", "JSON-009 5:29 /2/handle"});
}

TEST_CASE("Reader: without the format of vertices neither they nor the tokens are errors") {
  CHECK(
      Errors(
          "[{\"event\":\"header\"},\n"
          R"({"event":"dp2","vertex_type":"XYS","vertices":[[1,2]],"commands":[{"op":"TRIANGLEFAN_IMM","vertices":[[1,2]]}]}])") ==
      std::vector<std::string>{"JSON-011 2:30 /1/vertex_type"});
}

TEST_CASE("Reader: after a wrong token the padding of the next ones is not measured") {
  CHECK(
      Errors(
          "[{\"event\":\"header\"},\n"
          R"({"event":"dp2","vertex_size":4,"commands":[{"raw":"1"},{"op":"TRIANGLEFAN_IMM","padding":"000000","vertices":""}]}])") ==
      std::vector<std::string>{"JSON-012 2:44 /1/commands/0/raw"});
}

TEST_CASE("Reader: an event has as many errors as a text") {
  std::string list;
  for (size_t i = 0; i < 2 * json::kMaxErrors; ++i)
    list += std::string(i == 0 ? "" : ",") + R"({"op":"NONE"})";
  CHECK(Errors("[{\"event\":\"header\"},{\"event\":\"dp2\",\"commands\":[" + list + "]}]").size() ==
        json::kMaxErrors);
}

TEST_CASE("Reader: a wrong number is marked where it begins, whatever follows it") {
  for (const auto& [event, place] : std::vector<std::pair<std::string, std::string>>{
           {R"({"event":"present","handle":-1,"space":0})", "JSON-009 2:29 /1/handle"},
           {R"({"event":"present","handle":-1 ,"space":0})", "JSON-009 2:29 /1/handle"},
           {R"({"event":"present","handle": -1})", "JSON-009 2:30 /1/handle"},
           {R"({"event":"present","handle":2.5,"space":0})", "JSON-010 2:29 /1/handle"},
           {R"({"event":"present","handle":1e+50,"space":0})", "JSON-010 2:29 /1/handle"},
           {R"({"event":"present","handle":true,"space":0})", "JSON-008 2:29 /1/handle"},
           {R"({"event":"present","handle":5,"spice":[1]})", "JSON-006 2:31 /1/spice"}}) {
    const std::string& text = event;  // lambdas take no structured bindings
    CAPTURE(text);
    CHECK(Errors("[{\"event\":\"header\"},\n" + text + "]") == std::vector<std::string>{place});
  }
}

TEST_CASE("Reader: nothing is looked for after an event without an end") {
  CHECK(Errors("[{\"event\":\"header\"},{\"event\":\"marker\",},{\"event\":\"a\"") ==
        std::vector<std::string>{"JSON-001 1:39 /1", "JSON-002 1:53 /2"});
  CHECK(Errors("[{\"event\":\"header\"} 5,{\"event\":\"b\"}]") ==
        std::vector<std::string>{"JSON-001 1:21 /1"});
}

TEST_CASE("Reader: without a comma between two events the later errors are found, too") {
  CHECK(
      Errors(
          "[{\"event\":\"header\"}\n{\"event\":\"marker\",\"text\":Tru},\n{\"event\":\"present\",}]") ==
      std::vector<std::string>{"JSON-001 2:1 /1", "JSON-001 2:26 /1", "JSON-001 3:20 /2"});
  CHECK(Errors("[").size() == 1);
}

}  // namespace
}  // namespace dp2trace::json
