// Recordings as lines of text: what of a log reaches the reader, and that a trace comes out of it as it went in.
#include "dp2trace_capture_text.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "bridge.h"
#include "rules/rule.h"
#include "support/test_folder.h"
#include "trace_file/log_input.h"
#include "trace_file/source.h"

extern "C" {
#include "scenario.h"
}

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// A console with a time before each line, and messages of others between them.
struct Console {
  std::string text;
  uint32_t lines = 0;
  uint32_t fails_at = UINT32_MAX;

  static int Print(void* user, const char* line, d2c_u32 size) {
    Console& console = *static_cast<Console*>(user);
    CHECK(std::string_view(line).size() == size);
    CHECK(size <= 101);
    if (console.lines == console.fails_at) return 1;
    console.text += "[    1.25] " + std::string(line);
    if (++console.lines % 3 == 0) console.text += "vmhal: Flip(4), D2T is on\r\n";
    return 0;
  }
};

std::string Log() {
  Console console;
  struct d2c_text text;
  d2c_text_init(&text, Console::Print, &console);
  REQUIRE(record_scenario(d2c_text_write, &text, nullptr, 0, D2C_FLUSH_WHEN_FULL) == 0);
  return "BIOS 1.0\n" + console.text + "halted";
}

std::vector<uint8_t> Binary() {
  testing::Sink sink;
  REQUIRE(record_scenario(testing::Sink::Write, &sink, nullptr, 0, D2C_FLUSH_WHEN_FULL) == 0);
  return sink.file;
}

std::vector<uint8_t> BytesIn(std::string_view log) {
  trace_file::LogLines lines;
  lines.Add({reinterpret_cast<const uint8_t*>(log.data()), log.size()});
  lines.Finish();
  return lines.bytes();
}

std::vector<uint8_t> TextOf(std::string_view text) {
  return {text.begin(), text.end()};
}

struct Reading {
  std::vector<std::vector<uint8_t>> payloads;
  DiagnosticList findings;
  bool is_incomplete = false;
};

Reading ReadAll(const std::string& path) {
  Reading reading;
  trace_file::OpenError error;
  const auto source = trace_file::Source::Open(path, uint64_t{1} << 30, reading.findings, error);
  REQUIRE(source != nullptr);
  trace::EventRecord record;
  while (source->Next(record))
    reading.payloads.emplace_back(record.payload.begin(), record.payload.end());
  reading.is_incomplete = source->is_incomplete();
  return reading;
}

}  // namespace

TEST_CASE("Text: a recording comes out of a log as it went in") {
  const testing::TestFolder folder;
  const std::string log = Log();
  CHECK(BytesIn(log) == Binary());
  testing::WriteText(folder / "serial.log", log);
  const std::vector<uint8_t> binary = Binary();
  testing::WriteText(folder / "a.dp2t", std::string(binary.begin(), binary.end()));
  for (const char* name : {"serial.log", "log.dp2t"}) {
    CAPTURE(name);
    testing::WriteText(folder / name, log);
    const Reading reading = ReadAll(folder / name);
    CHECK(reading.findings.items().empty());
    CHECK_FALSE(reading.is_incomplete);
    CHECK(reading.payloads == ReadAll(folder / "a.dp2t").payloads);
  }
}

TEST_CASE("Text: a line that is lost costs its chunk, with a finding") {
  const testing::TestFolder folder;
  std::string log = Log();
  const size_t half = log.find("D2T:", log.size() / 2);
  REQUIRE(half != std::string::npos);
  log.erase(half, 4);
  testing::WriteText(folder / "serial.log", log);
  const Reading reading = ReadAll(folder / "serial.log");
  CHECK(reading.is_incomplete);
  CHECK_FALSE(reading.findings.items().empty());
}

TEST_CASE("Text: UTF-16, carriage returns, what follows the base64, and damaged lines") {
  CHECK(BytesIn("D2T:aGk=") == TextOf("hi"));
  CHECK(BytesIn("D2T:aGVs\r\nT|7|D2T:bG8= (drv.c:12)\n") == TextOf("hello"));
  CHECK(BytesIn(std::string_view("D\0"
                                 "2\0T\0:\0a\0G\0k\0=\0\n\0",
                                 18)) == TextOf("hi"));
  CHECK(BytesIn("D2T:aG?\nD2T:aGk=\n") == TextOf("hi"));
  CHECK(BytesIn("nothing of it\n").empty());
  CHECK(BytesIn("D2T:" + std::string(100'000, 'A') + "\nD2T:aGk=\n").size() < 4096);
}

TEST_CASE("Text: a log without such lines is not a trace, and one that holds too much is refused") {
  const testing::TestFolder folder;
  testing::WriteText(folder / "boot.log", "BIOS 1.0\nD2T: is not here\n");
  testing::WriteText(folder / "serial.log", Log());
  DiagnosticList findings;
  trace_file::OpenError error;
  CHECK(trace_file::Source::Open(folder / "boot.log", uint64_t{1} << 30, findings, error) ==
        nullptr);
  CHECK(error.status.diagnostic().message.find("ends in .dp2t or .json") != std::string::npos);
  CHECK(trace_file::Source::Open(folder / "serial.log", 1 << 20, findings, error) == nullptr);
  CHECK(error.status.diagnostic().rule == Rule::kTrace018);
}

TEST_CASE("Text: a console that fails, and calls without one") {
  Console console;
  console.fails_at = 1;
  struct d2c_text text;
  d2c_text_init(&text, Console::Print, &console);
  const std::vector<uint8_t> bytes(200);
  CHECK(d2c_text_write(&text, bytes.data(), 72) == 0);
  CHECK(d2c_text_write(&text, bytes.data(), 1) != 0);
  CHECK(d2c_text_write(nullptr, bytes.data(), 1) != 0);
  CHECK(d2c_text_write(&text, nullptr, 5) != 0);
  d2c_text_init(nullptr, Console::Print, &console);
  d2c_text_init(&text, nullptr, nullptr);
  CHECK(d2c_text_write(&text, bytes.data(), 1) != 0);
}
