#include "trace_file/sink.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/event_generator.h"
#include "support/test_folder.h"
#include "trace_file/source.h"

using namespace dp2trace;              // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace_file;  // NOLINT(google-build-using-namespace): test file

namespace {

std::vector<uint8_t> BytesOf(const std::string& path) {
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, uint64_t{1} << 30);
  REQUIRE(bytes.ok());
  return *bytes;
}

void Copy(const std::string& from, const std::string& to) {
  DiagnosticList findings;
  OpenError error;
  const std::unique_ptr<Source> source = Source::Open(from, uint64_t{1} << 30, findings, error);
  REQUIRE(source != nullptr);
  const Result<std::unique_ptr<Sink>> sink = Sink::Create(to, *FormOfPath(to));
  REQUIRE(sink.ok());
  for (trace::EventRecord record; source->Next(record);)
    REQUIRE((*sink)->Add(record).ok());
  REQUIRE((*sink)->Finish().ok());
  CHECK_FALSE(source->is_incomplete());
}

}  // namespace

TEST_CASE("Sink: container, JSON and container again are the same bytes") {
  const testing::TestFolder folder;
  testing::EventGenerator generator(7);
  const Result<std::unique_ptr<Sink>> sink = Sink::Create((folder / "a.dp2t"), Form::kBinary);
  REQUIRE(sink.ok());
  for (const trace::Event& event : generator.MakeTrace(200))
    REQUIRE((*sink)->Add(event).ok());
  REQUIRE((*sink)->Finish().ok());
  Copy((folder / "a.dp2t"), (folder / "b.json"));
  Copy((folder / "b.json"), (folder / "c.dp2t"));
  Copy((folder / "c.dp2t"), (folder / "d.json"));
  CHECK(BytesOf((folder / "a.dp2t")) == BytesOf((folder / "c.dp2t")));
  CHECK(BytesOf((folder / "b.json")) == BytesOf((folder / "d.json")));
}

TEST_CASE("Sink: a trace that is not finished leaves no file") {
  const testing::TestFolder folder;
  for (const Form form : {Form::kBinary, Form::kJson}) {
    {
      const Result<std::unique_ptr<Sink>> sink = Sink::Create((folder / "a.dp2t"), form);
      REQUIRE(sink.ok());
      REQUIRE((*sink)->Add(trace::Header{}).ok());
    }
    CHECK(std::filesystem::is_empty((folder / "")));
  }
}

TEST_CASE("Sink: a cut trace says that it is cut") {
  const testing::TestFolder folder;
  for (const std::string& path : {(folder / "a.dp2t"), (folder / "a.json")}) {
    const Result<std::unique_ptr<Sink>> sink = Sink::Create(path, *FormOfPath(path));
    REQUIRE(sink.ok());
    REQUIRE((*sink)->Add(trace::Header{}).ok());
    REQUIRE((*sink)->Finish(false).ok());
    DiagnosticList findings;
    OpenError error;
    const std::unique_ptr<Source> source = Source::Open(path, uint64_t{1} << 30, findings, error);
    REQUIRE(source != nullptr);
    trace::EventRecord record;
    CHECK(source->Next(record));
    CHECK_FALSE(source->Next(record));
    CHECK(source->is_truncated());
    CHECK(source->is_incomplete());
  }
}

TEST_CASE("Sink: a folder is not a file to write") {
  const testing::TestFolder folder;
  const Result<std::unique_ptr<Sink>> sink = Sink::Create((folder / ""), Form::kJson);
  REQUIRE_FALSE(sink.ok());
  CHECK(sink.status().diagnostic().message.ends_with("Is a directory"));
}
