#include "trace_file/source.h"

#include <doctest/doctest.h>

#include "rules/rule.h"
#include "support/test_folder.h"
#include "trace_file/sink.h"

using namespace dp2trace;              // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace_file;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint64_t kMaxMemory = uint64_t{1} << 30;

OpenError ErrorOf(const std::string& path) {
  DiagnosticList findings;
  OpenError error;
  CHECK(Source::Open(path, kMaxMemory, findings, error) == nullptr);
  REQUIRE_FALSE(error.status.ok());
  return error;
}

std::string Write(const testing::TestFolder& folder, const std::string& name,
                  std::string_view text) {
  testing::WriteText(folder / name, text);
  return folder / name;
}

constexpr std::string_view kCall = R"([
{"event":"header"},
{"event":"dp2","context":1},
{"event":"call_result","call":1,"ddrval":5,"error_offset":0}
])";

// A trace of `count` events with 300 bytes each, which are contents of a surface or commands.
std::string Trace(int count, bool is_commands) {
  std::string text = R"([{"event":"header"})";
  for (int i = 0; i < count; ++i) {
    text += is_commands ? R"(,{"event":"dp2","context":1,"commands":[{"raw":")" +
                              std::string(600, '0') + R"("}]})"
                        : R"(,{"event":"surface_update","handle":1,"data":")" +
                              std::string(400, 'A') + R"("})";
  }
  return text + "]";
}

struct Reading {
  uint64_t events = 0;
  bool is_incomplete = false;
  DiagnosticList findings;
};

Reading ReadAll(const std::string& path, uint64_t max_memory) {
  Reading result;
  OpenError error;
  const auto source = WithResults(Source::Open(path, max_memory, result.findings, error));
  REQUIRE(source != nullptr);
  trace::EventRecord record;
  while (source->Next(record))
    ++result.events;
  CHECK_FALSE(source->Next(record));
  result.is_incomplete = source->is_incomplete();
  return result;
}

}  // namespace

TEST_CASE("Source: it begins where it is asked to, with the results of the calls there") {
  const testing::TestFolder folder;
  std::string text = R"([{"event":"header"},{"event":"header"})";
  for (int i = 0; i < 2000; ++i)
    text += R"(,{"event":"dp2","context":1},{"event":"call_result","call":)" +
            std::to_string(2 * i + 1) + R"(,"ddrval":5,"error_offset":)" + std::to_string(4 * i) +
            "}";
  const std::string json = Write(folder, "a.json", text + "]");
  const std::string binary = folder / "a.dp2t";
  {
    DiagnosticList findings;
    OpenError error;
    const auto source = Source::Open(json, kMaxMemory, findings, error);
    auto sink = Sink::Create(binary, Form::kBinary, {.container = {.chunk_size = 1}});
    REQUIRE(sink.ok());
    for (trace::EventRecord record; source->Next(record);)
      REQUIRE((*sink)->Add(record.event).ok());
    REQUIRE((*sink)->Finish().ok());
  }
  for (const std::string& path : {json, binary}) {
    for (const uint64_t number : {2U, 3U, 400U, 801U, 3998U}) {
      CAPTURE(path);
      CAPTURE(number);
      DiagnosticList findings;
      OpenError error;
      const auto source = WithResults(Source::Open(path, kMaxMemory, findings, error));
      REQUIRE(source != nullptr);
      source->SkipTo(number, 1);
      trace::EventRecord record;
      REQUIRE(source->Next(record));
      CHECK(record.number == number);
      if (const auto* const call = std::get_if<trace::Dp2>(&record.event)) {
        CHECK(call->ddrval == 5);
        CHECK(call->error_offset == 2 * (number - 2));
      }
      CHECK(findings.empty());
    }
  }
}

TEST_CASE("FormOfPath: the extension says the form") {
  CHECK(FormOfPath("a.dp2t") == Form::kBinary);
  CHECK(FormOfPath("a.json") == Form::kJson);
  CHECK_FALSE(FormOfPath("a.trace"));
  CHECK_FALSE(FormOfPath("-"));
  CHECK(FormOfPath("UP.DP2T") == Form::kBinary);
  CHECK(FormOfPath("CUBE.JSON") == Form::kJson);
}

TEST_CASE("FormOfFile: the content says more than the name, and the name where that says nothing") {
  const testing::TestFolder folder;
  CHECK(*FormOfFile(Write(folder, "b.dp2t", " \n[{}]")) == Form::kJson);
  CHECK(*FormOfFile(Write(folder, "b", "\xEF\xBB\xBF[{}]")) == Form::kJson);
  CHECK(*FormOfFile(Write(folder, "damaged.dp2t", "x")) == Form::kBinary);
  CHECK(*FormOfFile(Write(folder, "other.json", "{}")) == Form::kJson);
  CHECK_FALSE(FormOfFile(folder / "none.json").ok());
  CHECK_FALSE(FormOfFile(Write(folder, "text", "hello"))->has_value());
  CHECK(ReadAll(Write(folder, "call", kCall), kMaxMemory).events == 3);
}

TEST_CASE("Source: a JSON event has no bytes until somebody asks for them") {
  const testing::TestFolder folder;
  const std::string path = Write(folder, "a.json", kCall);
  DiagnosticList findings;
  OpenError error;
  const std::unique_ptr<Source> source = Source::Open(path, kMaxMemory, findings, error);
  REQUIRE(source != nullptr);
  CHECK(source->form() == Form::kJson);
  trace::EventRecord record;
  REQUIRE(source->Next(record));
  REQUIRE(source->Next(record));
  CHECK(record.number == 1);
  CHECK(record.payload.empty());
  std::vector<uint8_t> buffer;
  CHECK(PayloadOf(record, buffer).size() == 8 + 8);  // presence mask, context
}

TEST_CASE("WithResults: a call of a JSON trace carries the result after it") {
  const testing::TestFolder folder;
  const std::string path = Write(folder, "a.json", kCall);
  DiagnosticList findings;
  OpenError error;
  const std::unique_ptr<Source> source =
      WithResults(Source::Open(path, kMaxMemory, findings, error));
  REQUIRE(source != nullptr);
  trace::EventRecord record;
  REQUIRE(source->Next(record));
  REQUIRE(source->Next(record));
  REQUIRE(std::holds_alternative<trace::Dp2>(record.event));
  CHECK(std::get<trace::Dp2>(record.event).ddrval == 5);
  CHECK(std::get<trace::Dp2>(record.event).context == 1);
  REQUIRE(source->Next(record));
  CHECK(std::holds_alternative<trace::CallResult>(record.event));
  CHECK_FALSE(source->Next(record));
}

TEST_CASE("Source: what is not a trace is recognised by its first bytes") {
  const testing::TestFolder folder;
  CHECK(ErrorOf(Write(folder, "empty.json", ""))
            .status.diagnostic()
            .message.ends_with("it is empty"));
  const OpenError error = ErrorOf(Write(folder, "a.txt", "hello"));
  CHECK_FALSE(error.is_usage);
  CHECK(error.status.diagnostic().message.ends_with("ends in .dp2t or .json; it looks like text"));
  CHECK_FALSE(ErrorOf((folder / "none.json")).is_usage);
}

TEST_CASE("ReadPathsOf: the file, and the folder where side files may lie") {
  using Paths = std::vector<std::string>;
  CHECK(ReadPathsOf("a/b.dp2t") == Paths{"a/b.dp2t"});
  CHECK(ReadPathsOf("a/b.json") == Paths{"a/b.json", "a"});
  CHECK(ReadPathsOf("b.json") == Paths{"b.json", "."});
  CHECK(ReadPathsOf("-") == Paths{"-", "."});
}

TEST_CASE(
    "OpenAgain: what was wrong the first time is not a failure, what comes beyond it is one") {
  const testing::TestFolder folder;
  const std::string path = Write(folder, "a.json", R"([{"event":"header"},{"event":"present")");
  const auto read = [](Source& source) {
    trace::EventRecord record;
    while (source.Next(record)) {
    }
    return source.status();
  };
  DiagnosticList findings;
  OpenError error;
  auto source = Source::Open(path, kMaxMemory, findings, error);
  REQUIRE(source != nullptr);
  CHECK(read(*source).ok());
  CHECK(source->is_incomplete());
  source = OpenAgain(path, kMaxMemory, findings);
  REQUIRE(source != nullptr);
  CHECK(read(*source).ok());
  testing::WriteText(path, "[{");
  source = OpenAgain(path, kMaxMemory, findings);
  REQUIRE(source != nullptr);
  const Status status = read(*source);
  REQUIRE_FALSE(status.ok());
  CHECK(
      status.diagnostic().message.starts_with("cannot read " + path + " again: it has changed: "));
  source.reset();  // Windows removes no file that is open
  std::filesystem::remove(path);
  CHECK(OpenAgain(path, kMaxMemory, findings) == nullptr);
}

TEST_CASE("TRACE-018 fires at the event that is more than the file may hold, and not before") {
  const testing::TestFolder folder;
  const std::string path = Write(folder, "a.json", Trace(100, false));
  const Reading whole = ReadAll(path, 1 << 20);
  CHECK(whole.findings.empty());
  CHECK(whole.events == 101);
  CHECK_FALSE(whole.is_incomplete);
  const Reading cut = ReadAll(path, 80'000);  // all events may hold a quarter
  CHECK(cut.is_incomplete);
  CHECK(cut.events > 30);
  CHECK(cut.events < 50);
  REQUIRE(cut.findings.items().size() == 1);
  const Diagnostic& finding = cut.findings.items()[0];
  CHECK(finding.rule == Rule::kTrace018);
  CHECK(finding.event == cut.events);
  CHECK(finding.expected == "at most 20000");
  CHECK(finding.line == 1);
}

TEST_CASE("TRACE-018: a byte of commands counts eight times") {
  const testing::TestFolder folder;
  const std::string path = Write(folder, "a.json", Trace(100, true));
  const Reading cut = ReadAll(path, 400'000);
  CHECK(cut.is_incomplete);
  CHECK(cut.events > 30);
  CHECK(cut.events < 45);
}

TEST_CASE("Source: the reader has a share of the memory of the program") {
  const testing::TestFolder folder;
  const std::string path = Write(folder, "a.json", Trace(1, false));
  CHECK(ReadAll(path, 10'000).findings.empty());
  const Reading refused = ReadAll(path, 4'000);
  REQUIRE(refused.findings.items().size() == 1);
  CHECK(refused.findings.items()[0].rule == Rule::kJson014);
}

TEST_CASE("ContentBytesFor: a quarter of the memory for each megabyte of the file, one at least") {
  CHECK(ContentBytesFor(1 << 30, 0) == uint64_t{256} << 20);
  CHECK(ContentBytesFor(1 << 30, 1 << 20) == uint64_t{256} << 20);
  CHECK(ContentBytesFor(1 << 30, 30 << 20) == uint64_t{30} << 28);
  CHECK(ContentBytesFor(1 << 30, std::nullopt) == uint64_t{1} << 38);
  CHECK(ContentBytesFor(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
}
