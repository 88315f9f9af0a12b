#include "validate/findings.h"
#include "rules/rule.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

const RuleSet kRules;  // NOLINT(cert-err58-cpp): cannot throw

}  // namespace

TEST_CASE("EventFindings: carries the event number and keeps the order") {
  DiagnosticList list;
  {
    EventFindings findings(list, kRules, 7);
    findings.Add(Rule::kDp2Stream016, Place{12, 4, "commands/1"}, "a");
    findings.Add(Rule::kKmtDec003, "payload", "b", "3");
  }
  REQUIRE(list.items().size() == 2);
  CHECK(list.items()[0].event == 7u);
  CHECK(list.items()[0].offset == 12u);
  CHECK(list.items()[0].severity == Severity::kWarning);
  CHECK_FALSE(list.items()[1].offset.has_value());
  CHECK(list.items()[1].actual == "3");
}

TEST_CASE("EventFindings: what the list does not keep is counted by its rule") {
  DiagnosticList list(DiagnosticLimits{.all = 100, .per_rule = 2});
  {
    EventFindings findings(list, kRules, 7);
    for (int i = 0; i < 500; ++i)
      findings.Add(Rule::kDp2Stream012, fmt::format("commands/{}", i), "a");
    findings.Add(Rule::kDp2Stream013, "commands/9", "b");
  }
  REQUIRE(list.items().size() == 3);
  CHECK(list.items()[2].rule == Rule::kDp2Stream013);
  CHECK(list.dropped_by_rule().at(Rule::kDp2Stream012) == 498);
}

namespace {

// Stands for the text of any token.
void TokenName(std::string& out, const stream::Command&, const stream::Environment&, uint32_t) {
  out += "0x0040 CLEAR 0";
}

}  // namespace

TEST_CASE(
    "EventFindings: an excerpt is whole lines of 16 bytes around the place, at most 64, inside the buffer") {
  std::vector<uint8_t> bytes(200);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(i);
  DiagnosticList list;
  EventFindings findings(list, kRules, 7);
  findings.SetBuffer(bytes, 0x44, 5, TokenName);
  stream::Command command;
  command.offset = 0x44;
  command.bytes = Bytes(bytes).first(32);
  const stream::Environment environment;
  findings.SetToken(&command, &environment);
  findings.Add(Rule::kDp2Stream016, Place{0x46, 2, ""}, "at the start");
  findings.Add(Rule::kDp2Stream016, Place{0x4F, 2, ""}, "over the end of a line");
  findings.Add(Rule::kDp2Stream016, Place{0x50, 1000, ""}, "long");
  findings.Add(Rule::kDp2Stream016, Place{0x44 + 199, 8, ""}, "the last byte, after the token");
  findings.Add(Rule::kDp2Stream016, Place{0x44 + 200, 1, ""}, "outside");
  REQUIRE(list.items().size() == 5);
  const auto excerpt = [&list](size_t i) { return list.items()[i].excerpt; };
  CHECK(excerpt(0).offset == 0x44);
  CHECK(excerpt(0).bytes.size() == 0x50 - 0x44);
  CHECK(excerpt(0).bytes[0] == 0);
  CHECK(excerpt(0).token == "0x0040 CLEAR 0");
  CHECK(excerpt(0).token_offset == 0x44);
  CHECK(excerpt(1).bytes.size() == 0x60 - 0x44);
  CHECK(excerpt(2).offset == 0x50);
  CHECK(excerpt(2).bytes.size() == 64);
  CHECK(excerpt(2).bytes[0] == 0x50 - 0x44);
  CHECK(excerpt(3).offset == 0x100);
  CHECK(excerpt(3).bytes.size() == 0x44 + 200 - 0x100);
  CHECK(excerpt(3).token.empty());
  CHECK(excerpt(4).empty());
}

TEST_CASE("EventFindings: a disabled rule is wanted and counted, and not listed") {
  RuleSet rules;
  rules.Disable(Rule::kDp2Stream016);
  DiagnosticList list;
  {
    EventFindings findings(list, rules, 7);
    CHECK(findings.Wants(Rule::kDp2Stream016));
    findings.Add(Rule::kDp2Stream016, Place{0, 1, ""}, "a");
    findings.Add(Rule::kDp2Stream016, Place{1, 1, ""}, "b");
  }
  CHECK(list.empty());
  CHECK(list.disabled().at(Rule::kDp2Stream016) == 2);
}
