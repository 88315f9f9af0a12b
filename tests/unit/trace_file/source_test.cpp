#include "trace_file/source.h"

#include <doctest/doctest.h>

#include "support/test_folder.h"

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

}  // namespace

TEST_CASE("FormOfPath: the extension says the form") {
  CHECK(FormOfPath("a.dp2t") == Form::kBinary);
  CHECK(FormOfPath("a.json") == Form::kJson);
  CHECK_FALSE(FormOfPath("a.trace"));
  CHECK_FALSE(FormOfPath("-"));
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

TEST_CASE("WithResults: a call of a JSON trace carries the result behind it") {
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

TEST_CASE("Source: what is no trace is told by its first bytes") {
  const testing::TestFolder folder;
  CHECK(ErrorOf(Write(folder, "empty.json", ""))
            .status.diagnostic()
            .message.ends_with("it is empty"));
  CHECK_FALSE(ErrorOf(Write(folder, "a.txt", "hello")).is_usage);
  const OpenError error = ErrorOf(Write(folder, "b.txt", " [{}]"));
  CHECK(error.is_usage);
  CHECK(error.status.diagnostic().message.ends_with("ends in .dp2t or .json"));
  CHECK_FALSE(ErrorOf((folder / "none.json")).is_usage);
}

TEST_CASE("ReadPathsOf: the file, and the folder where side files may lie") {
  using Paths = std::vector<std::string>;
  CHECK(ReadPathsOf("a/b.dp2t") == Paths{"a/b.dp2t"});
  CHECK(ReadPathsOf("a/b.json") == Paths{"a/b.json", "a"});
  CHECK(ReadPathsOf("b.json") == Paths{"b.json", "."});
  CHECK(ReadPathsOf("-") == Paths{"-", "."});
}
