#include "json/document.h"

#include <doctest/doctest.h>

#include <vector>

#include "json/members.h"
#include "rules/rule.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

Diagnostic FindingOf(std::string text, json::DocumentLimits limits = {}) {
  json::Document document(limits);
  const Status status = document.Parse(std::move(text));
  REQUIRE_FALSE(status.ok());
  return status.diagnostic();
}

}  // namespace

TEST_CASE("Document: members and elements are read by checked getters") {
  json::Document document;
  REQUIRE(document.Parse(R"({"name":"a\u0062","list":[1,18446744073709551615]})").ok());
  json::ObjectReader object = document.root_object();
  const json::Node* const name = object.Require("name");
  const json::Node* const list = object.Require("list");
  REQUIRE(name != nullptr);
  REQUIRE(list != nullptr);
  std::string_view text;
  CHECK(document.values().String(*name, text));
  CHECK(text == "ab");
  CHECK(document.values().Expect(*list, json::NodeType::kArray));
  std::vector<uint64_t> numbers;
  json::ElementIterator elements = document.Elements(*list);
  while (const json::Node* const element = elements.Next()) {
    REQUIRE(document.values().Unsigned(*element, UINT64_MAX, numbers.emplace_back()));
  }
  CHECK(numbers == std::vector<uint64_t>{1, UINT64_MAX});
  CHECK(object.Finish());
  CHECK(document.status().ok());
}

TEST_CASE("Document: a syntax error names line, column and offset") {
  const Diagnostic finding = FindingOf("{\n  \"a\": 1,\n  \"b\" 2}");
  CHECK(finding.rule == Rule::kJson001);
  CHECK(finding.line == 3);
  CHECK(finding.offset == 18);  // 2 + 10 + 6 bytes stand before the 2
  CHECK(finding.message.ends_with("(column 7)"));
}

TEST_CASE("Document: an empty text is an error, not an empty document") {
  CHECK(FindingOf("").rule == Rule::kJson001);
}

TEST_CASE("Document: what a getter refuses has line and pointer") {
  json::Document document;
  REQUIRE(document.Parse("{\"a\":\n[0,\n\"x\"]}").ok());
  json::ObjectReader object = document.root_object();
  json::ElementIterator elements = document.Elements(*object.Require("a"));
  uint32_t number = 0;
  CHECK(document.values().U32(*elements.Next(), number));
  CHECK_FALSE(document.values().U32(*elements.Next(), number));
  REQUIRE_FALSE(document.status().ok());
  CHECK(document.status().diagnostic().rule == Rule::kJson008);
  CHECK(document.status().diagnostic().line == 3);
  CHECK(document.status().diagnostic().path == "/a/1");
}

TEST_CASE("Document: unknown and repeated keys are found") {
  json::Document document;
  REQUIRE(document.Parse(R"({"a":1,"b":2})").ok());
  json::ObjectReader object = document.root_object();
  CHECK(object.Require("a") != nullptr);
  CHECK_FALSE(object.Finish());
  CHECK(document.status().diagnostic().rule == Rule::kJson006);

  REQUIRE(document.Parse(R"({"a":1,"a":2})").ok());
  CHECK(document.status().ok());  // the finding went with the document before
  json::ObjectReader repeated = document.root_object();
  CHECK(repeated.Require("a") != nullptr);
  CHECK_FALSE(repeated.Finish());
  CHECK(document.status().diagnostic().rule == Rule::kJson005);
}

TEST_CASE("Document: depth and memory are bounded") {
  CHECK(FindingOf("[[[0]]]", {.max_depth = 2}).rule == Rule::kJson004);
  CHECK(FindingOf("[1,2,3,4,5,6,7,8,9]", {.max_memory = 100}).rule == Rule::kJson014);
  CHECK(FindingOf("[1,2,3,4,5,6,7,8,9]", {.max_memory = 10}).rule == Rule::kJson014);
  json::Document document({.max_depth = 3});
  CHECK(document.Parse("[[[0]]]").ok());
}

TEST_CASE("Document: lines of a file keep their places") {
  json::Document document;
  const Status status = document.Parse("{\"a\":}", 7, 100);
  REQUIRE_FALSE(status.ok());
  CHECK(status.diagnostic().line == 7);
  CHECK(status.diagnostic().offset == 105);
}

TEST_CASE("Document: the caller's own findings are placed") {
  json::Document document;
  REQUIRE(document.Parse("{\n\"a\":1}").ok());
  json::ObjectReader object = document.root_object();
  const Status status = document.Fail(*object.Require("a"), Rule::kJson009, "too small");
  CHECK(status.diagnostic().path == "/a");
  CHECK(status.diagnostic().line == 2);
}

TEST_CASE("Document: a missing file says so") {
  json::Document document;
  CHECK(document.Read("/nonexistent/file.json").diagnostic().rule == Rule::kTrace001);
}

TEST_CASE("Members: absent members keep their variables, wrong ones are findings") {
  json::Document document;
  REQUIRE(document.Parse(R"({"a":1,"names":["x","y"],"on":true})").ok());
  json::Members members(document, document.root());
  uint64_t a = 0;
  uint64_t b = 7;
  bool on = false;
  std::vector<std::string> names;
  CHECK(members.Require("a", a));
  CHECK(members.Find("b", b));
  CHECK(members.Find("names", names));
  CHECK(members.Find("on", on));
  CHECK(members.Finish());
  CHECK(a == 1);
  CHECK(b == 7);
  CHECK(on);
  CHECK(names == std::vector<std::string>{"x", "y"});

  REQUIRE(document.Parse(R"({"a":300})").ok());
  json::Members limited(document, document.root());
  CHECK_FALSE(limited.Require("a", a, 255));
  CHECK_FALSE(limited.Finish());
  CHECK(document.status().diagnostic().rule == Rule::kJson009);
}
