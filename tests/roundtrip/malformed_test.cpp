// Each case of a rule that breaks it gives exactly its findings, each other one does not break the rule.
//
// The cases of traces/rules are files here: malformed/RULE/NAME.json, with a line in NAME.expected for each finding, and
// accepted/RULE/NAME.json. A line is "RULE POSITION": "EVENT+0xOFFSET" in a command buffer, "EVENT" for a whole event, "0xOFFSET" in a
// container, "LINE:POINTER" in a JSON text, "-" without a place. In packets/negative the position is "*".
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <sstream>

#include "json/reader.h"
#include "play/runner.h"
#include "rules/rule_info.h"
#include "rules/silent_rules.h"
#include "traces.h"
#include "verify/verifier.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// Rules that `verify` reports, and no lint.
bool IsAboutRecordings(const std::string& path) {
  return path.find("/RECORD-") != std::string::npos;
}

// What the rules find in an event, one after the other.
class Checker {
 public:
  Checker(bool is_recording, DiagnosticList& findings) {
    if (is_recording) {
      verifier_.emplace(verify::Options{}, findings);
    } else {
      runner_.emplace(play::RunnerOptions{}, findings, observer_);
    }
  }
  void OnEvent(uint64_t number, const trace::Event& event) {
    (void)(verifier_ ? verifier_->OnEvent(number, event) : runner_->OnEvent(number, event));
  }
  void Finish(bool has_end = true) {
    if (verifier_) {
      (void)verifier_->Finish(has_end);
    } else {
      runner_->Finish();
    }
  }

 private:
  play::Observer observer_;
  std::optional<play::Runner> runner_;
  std::optional<verify::Verifier> verifier_;
};

// What reading and the rules find in a JSON text.
DiagnosticList CheckJson(const std::string& path) {
  const std::string text = ReadTextFile(path);
  DiagnosticList findings;
  json::Reader reader(
      [rest = std::string_view(text)](std::span<uint8_t> out) mutable -> Result<size_t> {
        const size_t count = std::min(out.size(), rest.size());
        std::memcpy(out.data(), rest.data(), count);
        rest.remove_prefix(count);
        return count;
      },
      {.folder = FolderOf(path)});
  Checker validator(IsAboutRecordings(path), findings);
  trace::Event event;
  while (true) {
    const uint64_t number = reader.event_count();
    const Result<bool> next = reader.Next(event);
    if (!next.ok()) findings.Add(next.status().diagnostic());
    if (!next.ok() || !*next) break;
    validator.OnEvent(number, event);
  }
  validator.Finish();
  return findings;
}

// The same of a container.
DiagnosticList CheckContainer(const std::string& path) {
  const std::vector<uint8_t> bytes = ReadTraceFile(path);
  DiagnosticList findings;
  Result<trace::Reader> reader = trace::Reader::FromBytes(bytes, findings);
  if (!reader.ok()) {
    findings.Add(reader.status().diagnostic());
    return findings;
  }
  Checker validator(IsAboutRecordings(path), findings);
  trace::EventRecord record;
  while (reader->Next(record))
    validator.OnEvent(record.number, record.event);
  validator.Finish(verify::HasEnd(findings));
  return findings;
}

DiagnosticList Check(const std::string& path) {
  return path.ends_with(".json") ? CheckJson(path) : CheckContainer(path);
}

std::string Position(const Diagnostic& finding) {
  if (finding.line != 0) return fmt::format("{}:{}", finding.line, finding.path);
  std::string text = finding.event ? fmt::format("{}", *finding.event) : "";
  if (finding.offset) text += fmt::format("{}{:#x}", text.empty() ? "" : "+", *finding.offset);
  // A JSON text without a place has no line either.
  const bool has_place = !Info(finding.rule).id.starts_with("JSON-") && !text.empty();
  return has_place ? text : "-";
}

std::string Describe(const DiagnosticList& findings) {
  std::string text;
  for (const Diagnostic& finding : findings.items()) {
    text += fmt::format("{} {}\n", Info(finding.rule).id, Position(finding));
  }
  return text;
}

std::vector<std::string> ExpectedLines(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(ReadTextFile(path));
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("#")) lines.push_back(line);
  }
  return lines;
}

// The trace that an .expected file belongs to.
std::string TraceOf(const std::string& expected) {
  const std::string stem = expected.substr(0, expected.size() - std::strlen(".expected"));
  return HasTraceFile(stem + ".json") ? stem + ".json" : stem + ".dp2t";
}

// The rule that a folder below malformed/ or accepted/ is named after.
std::string FolderRule(const std::string& path) {
  const size_t begin = path.find('/') + 1;
  return path.substr(begin, path.find('/', begin) - begin);
}

// Rules that no case of traces/rules can break, and why.
struct Exception {
  std::string_view id;
  std::string_view reason;
};
// Rules of commands and packets whose findings say less than where, what is there, and what is wanted.
constexpr Exception kRulesWithoutPlace[] = {
    {"DP2-CTX-004", "about the end of the trace"},
    {"DP2-PATCH-026", "about the end of the trace"},
    {"DP2-SBLK-011", "about the end of the trace"},
};

constexpr Exception kRulesWithoutFile[] = {
    {"TRACE-001", "the file is missing"},
    {"TRACE-014", "the writer refuses the event"},
    {"TRACE-018", "the input holds hundreds of megabytes"},
    {"RECORD-LEAK-001", "only where it is asked for"},
    {"IO-001", "about what the program writes"},
    {"IO-002", "about pictures"},
    {"JSON-014", "the input takes gigabytes"},
    {"HEX-001", "about a text that is not a trace"},
    {"DP2-SHADER-002", "only about code: DP2-VSH-012 in a stream"},
    {"DP2-SHADER-003", "only about code: DP2-VSH-012 in a stream"},
    {"DP2-SHADER-004", "only about code: DP2-VSH-012 in a stream"},
    {"DP2-SHADER-006", "only about code: DP2-VSH-013 in a stream"},
    {"DP2-SHADER-010", "only about code: DP2-VSH-011 in a stream"},
};

// What a finding of these rules says by name: flags, values of enumerations, formats.
struct NamedExpectation {
  std::string_view id;
  std::string_view name;
};
constexpr NamedExpectation kNamedExpectations[] = {
    {"DP2-CAPS-007", "CUBEMAP"},
    {"DP2-CAPS-011", "SELECTARG1 (2)"},
    {"DP2-CLEAR-001", "ZBUFFER"},
    {"DP2-DRAW-001", "TRIANGLEFAN (6)"},
    {"DP2-FVF-006", "PSIZE"},
    {"DP2-FVF-009", "LASTBETA_UBYTE4"},
    {"DP2-FVF-010", "TEX1"},
    {"DP2-LIGHT-004", "GLSPOT (5)"},
    {"DP2-LIGHT-011", "fixed"},
    {"DP2-PAL-003", "ALLOW256"},
    {"DP2-PRIM-004", "EDGEENABLE3"},
    {"DP2-PRIM-005", "EDGEENABLE3"},
    {"DP2-RS-004", " to "},
    {"DP2-RS-006", "ZERO (1)"},
    {"DP2-RS-016", "U|V"},
    {"DP2-RS-019", "RED|GREEN|BLUE|ALPHA"},
    {"DP2-TEXBLT-018", "POSITIVEX"},
    {"DP2-TSS-013", "PASSTHRU (0)"},
    {"DP2-TSS-017", "COUNT1|PROJECTED"},
    {"DP2-TSS-029", "TextureFilterCaps"},
    {"DP2-XFORM-001", "WORLD (1)"},
    {"KMT-ALLOC-005", "WriteOperation"},
    {"KMT-ALLOC-006", "AUTO (4)"},
    {"KMT-DP2-020", "WriteOperation"},
    {"KMT-FLAGS-001", "PresentRedirected"},
    {"KMT-OPQ-002", "CLEARTYPEBLEND (7)"},
    {"KMT-PATCH-003", "SlotId"},
    {"KMT-STATE-015", "|"},
    {"KMT-STATE-016", "DML_PYTORCH (20)"},
    {"KMT-SYNC-005", "SignalAtSubmission"},
};

bool HasFile(const RuleInfo& rule) {
  return SilenceOf(rule.rule).empty() &&
         std::ranges::count(kRulesWithoutFile, rule.id, &Exception::id) == 0;
}

// Limits are no business of a trace: traces/hostile breaks them. The files of golden images have tests of their own.
bool IsAboutTraces(std::string_view id) {
  return !id.starts_with("REPLAY-") && !id.starts_with("GOLDEN-");
}

bool HasLegalTwin(std::string_view id) {
  return IsAboutTraces(id) && !id.starts_with("TRACE-") && !id.starts_with("JSON-");
}

}  // namespace

TEST_CASE("traces/rules: each case that breaks its rule gives exactly its expected findings") {
  const std::vector<std::string> paths = TraceFiles("malformed", ".expected");
  CHECK(paths.size() > 150);
  for (const std::string& path : paths) {
    INFO(path);
    std::string expected;
    for (const std::string& line : ExpectedLines(path))
      expected += line + "\n";
    CHECK(Describe(Check(TraceOf(path))) == expected);
    CHECK(expected.find(FolderRule(path) + " ") != std::string::npos);
  }
}

TEST_CASE("traces/rules: each finding says where, what is there, and what is wanted") {
  for (const std::string& path : TraceFiles("malformed", ".expected")) {
    const std::string id = FolderRule(path);
    if (!id.starts_with("DP2-") && !id.starts_with("KMT-")) continue;
    INFO(path);
    const DiagnosticList findings = Check(TraceOf(path));
    for (const Diagnostic& finding : findings.items()) {
      if (Info(finding.rule).id != id) continue;
      const bool has_place = finding.offset ? finding.length != 0 : !finding.path.empty();
      CHECK(has_place == (std::ranges::count(kRulesWithoutPlace, id, &Exception::id) == 0));
      CHECK(!finding.actual.empty());
      CHECK(!finding.expected.empty());
    }
  }
}

TEST_CASE("traces/rules: what has a name is expected by name") {
  for (const std::string& path : TraceFiles("malformed", ".expected")) {
    const std::string id = FolderRule(path);
    const auto* const row = std::ranges::find(kNamedExpectations, id, &NamedExpectation::id);
    if (row == std::end(kNamedExpectations)) continue;
    INFO(path);
    const DiagnosticList findings = Check(TraceOf(path));
    for (const Diagnostic& finding : findings.items()) {
      if (Info(finding.rule).id == id)
        CHECK_MESSAGE(finding.expected.find(row->name) != std::string::npos, finding.expected);
    }
  }
}

TEST_CASE("traces/rules: each rule about traces has a case that breaks it") {
  std::set<std::string> broken;
  for (const std::string& path : TraceFiles("malformed", ".expected")) {
    broken.insert(FolderRule(path));
  }
  for (const RuleInfo& rule : AllRules()) {
    if (!IsAboutTraces(rule.id) || !HasFile(rule)) continue;
    INFO(rule.id);
    CHECK(broken.contains(std::string(rule.id)));
  }
}

TEST_CASE(
    "traces/rules: a case without expected findings does not break its rule, and gives no error") {
  std::set<std::string> accepted;
  for (const std::string& path : TraceFiles("accepted", ".json")) {
    INFO(path);
    const DiagnosticList findings = Check(path);
    CHECK(Describe(findings).find(FolderRule(path)) == std::string::npos);
    CHECK(findings.count(Severity::kError) == 0);
    accepted.insert(FolderRule(path));
  }
  for (const RuleInfo& rule : AllRules()) {
    if (!HasLegalTwin(rule.id) || !HasFile(rule)) continue;
    INFO(rule.id);
    CHECK(accepted.contains(std::string(rule.id)));
  }
}

TEST_CASE("Rules: each says why it objects and how to fix it") {
  for (const RuleInfo& rule : AllRules()) {
    INFO(rule.id);
    CHECK_FALSE(rule.reason.empty());
    CHECK_FALSE(rule.remedy.empty());
    CHECK_FALSE(rule.source.empty());
  }
}

TEST_CASE("traces/packets/negative: exactly the named rules fire with severity error") {
  const std::vector<std::string> paths = TraceFiles("packets/negative", ".expected");
  CHECK(paths.size() == 12);
  for (const std::string& path : paths) {
    INFO(path);
    std::set<std::string> expected;
    for (const std::string& line : ExpectedLines(path)) {
      const std::string id = line.substr(0, line.find(' '));
      CHECK(FindRule(id).has_value());
      expected.insert(id);
    }
    std::set<std::string> found;
    const DiagnosticList findings = Check(TraceOf(path));
    for (const Diagnostic& finding : findings.items()) {
      if (finding.severity == Severity::kError) found.insert(std::string(Info(finding.rule).id));
    }
    CHECK(found == expected);
  }
}

TEST_CASE("traces: the good ones give no error") {
  for (const char* const folder : {"opcodes", "examples", "events", "packets"}) {
    for (const std::string& path : TraceFiles(folder, ".json")) {
      if (path.starts_with("packets/negative/")) continue;
      // Observed: example E6 of the specification has a light of type 0, which DP2-LIGHT-004 refuses.
      const uint64_t errors = path.starts_with("examples/e06-") ? 1 : 0;
      INFO(path);
      const DiagnosticList findings = Check(path);
      INFO(Describe(findings));
      CHECK(findings.count(Severity::kError) == errors);
    }
  }
}
