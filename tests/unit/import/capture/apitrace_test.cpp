#include "import/capture/apitrace.h"

#include <brotli/encode.h>
#include <doctest/doctest.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#include <fstream>

#include "import/importer.h"
#include "support/test_folder.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::import;  // NOLINT(google-build-using-namespace): test file

namespace {

using Raw = std::vector<uint8_t>;

// Writes the grammar of the format document.
struct CaptureWriter {
  Raw out;
  void U8(uint8_t value) { out.push_back(value); }
  void Uint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      out.push_back(static_cast<uint8_t>(value | 0x80));
    out.push_back(static_cast<uint8_t>(value));
  }
  void Text(std::string_view text) {
    Uint(text.size());
    out.insert(out.end(), text.begin(), text.end());
  }
};

// Version 4: call 0 with every kind of value, call 1 entered inside it, a repeat of call 0's signature that never returns.
Raw SampleCapture() {
  CaptureWriter w;
  w.Uint(4);
  w.U8(0), w.Uint(7), w.Uint(0), w.Text("Draw"), w.Uint(2), w.Text("x"),
      w.Text("y");                            // enter, thread 7
  w.U8(1), w.Uint(0), w.U8(0x0b), w.Uint(5);  // arg 0: array
  w.U8(0x03), w.Uint(300);                    // -300
  w.U8(0x0c), w.Uint(0), w.Text("POINT"), w.Uint(2), w.Text("a"), w.Text("b"), w.U8(0x02),
      w.U8(0x00);
  w.U8(0x08), w.Text("blob");
  w.U8(0x09), w.Uint(0), w.Uint(1), w.Text("ONE"), w.U8(0x04), w.Uint(1), w.U8(0x04), w.Uint(1);
  w.U8(0x0a), w.Uint(0), w.Uint(1), w.Text("BIT"), w.Uint(4), w.Uint(6);
  w.U8(1), w.Uint(1), w.U8(0x05), w.U8(0), w.U8(0), w.U8(0x80), w.U8(0x3f);  // arg 1: 1.0f
  w.U8(0);
  w.U8(0), w.Uint(8), w.Uint(1), w.Text("Nested"), w.Uint(0), w.U8(0);
  w.U8(1), w.Uint(1), w.U8(2), w.U8(0x0d), w.Uint(0x1234), w.U8(0);  // Nested returns a pointer
  w.U8(1), w.Uint(0), w.U8(2), w.U8(0x07), w.Text("ok"), w.U8(0);
  w.U8(0), w.Uint(7), w.Uint(0), w.U8(0);  // never left
  return w.out;
}

struct TemporaryCapture {
  testing::TestFolder folder;
  std::string path = folder / "t.trace";
  explicit TemporaryCapture(const Raw& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
};

Raw Snappy(const Raw& raw, size_t chunk) {
  Raw out = {'a', 't'};
  for (size_t at = 0; at < raw.size(); at += chunk) {
    const size_t size = std::min(chunk, raw.size() - at);
    std::vector<char> packed(snappy_max_compressed_length(size));
    size_t length = packed.size();
    REQUIRE(snappy_compress(reinterpret_cast<const char*>(raw.data() + at), size, packed.data(),
                            &length) == SNAPPY_OK);
    uint8_t header[4];
    Store(header, static_cast<uint32_t>(length));
    out.insert(out.end(), header, header + 4);
    out.insert(out.end(), packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(length));
  }
  return out;
}

Raw Gzip(const Raw& raw) {
  z_stream stream = {};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  Raw out(raw.size() + 1000);
  Raw input = raw;
  stream.next_in = input.data();
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Raw Zstd(const Raw& raw) {
  Raw out(ZSTD_compressBound(raw.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), raw.data(), raw.size(), 3));
  return out;
}

Raw Brotli(const Raw& raw) {
  Raw out(raw.size() + 1000);
  size_t size = out.size();
  REQUIRE(BrotliEncoderCompress(9, 22, BROTLI_MODE_GENERIC, raw.size(), raw.data(), &size,
                                out.data()) == BROTLI_TRUE);
  out.resize(size);
  return out;
}

struct Outcome {
  std::vector<std::string> calls;
  std::string error;
};

Outcome Parse(const Raw& bytes) {
  const TemporaryCapture file(bytes);
  Outcome outcome;
  Result<CallParser> parser = CallParser::Open(file.path, std::make_shared<Allowance>(16 << 20));
  if (!parser.ok()) {
    outcome.error = parser.status().diagnostic().message;
    return outcome;
  }
  while (const Call* call = parser->Next())
    outcome.calls.push_back(call->function->name);
  outcome.error = parser->error();
  return outcome;
}

}  // namespace

TEST_CASE("CallParser: values of every kind, in the order in which calls return") {
  const TemporaryCapture file(SampleCapture());
  Result<CallParser> parser = CallParser::Open(file.path);
  REQUIRE(parser.ok());
  const Call* call = parser->Next();
  REQUIRE(call != nullptr);
  CHECK(call->function->name == "Nested");
  CHECK(call->number == 1);
  CHECK(call->thread == 8);
  CHECK(call->result->bits() == 0x1234);
  call = parser->Next();
  REQUIRE(call != nullptr);
  CHECK(call->number == 0);
  const std::span<const Value> items = call->args[0]->items;
  REQUIRE(items.size() == 5);
  CHECK(items[0].integer == -300);
  CHECK(items[1].structure->members == std::vector<std::string>{"a", "b"});
  CHECK(items[1].items[0].integer == 1);
  CHECK(items[2].blob.size() == 4);
  CHECK(items[3].enumeration->entries[0].name == "ONE");
  CHECK(items[4].integer == 6);
  CHECK(call->args[1]->real == 1.0);
  CHECK(call->result->text == "ok");
  CHECK(parser->Next() == nullptr);
  CHECK(parser->error().empty());
  CHECK(parser->open_calls() == 1);
}

TEST_CASE("ByteSource: every framing gives the same calls") {
  const Raw raw = SampleCapture();
  const std::vector<std::string> expected = {"Nested", "Draw"};
  for (const Raw& file :
       {raw, Snappy(raw, 1 << 20), Snappy(raw, 5), Gzip(raw), Zstd(raw), Brotli(raw)}) {
    const Outcome outcome = Parse(file);
    CHECK(outcome.calls == expected);
    CHECK(outcome.error.empty());
  }
}

TEST_CASE(
    "CallParser: a capture that is cut anywhere gives its whole calls and says that it was cut") {
  const Raw raw = SampleCapture();
  // Without a framing that knows its end, a cut between two events looks whole.
  size_t silent = 0;
  for (const Raw& whole : {raw, Gzip(raw), Zstd(raw), Brotli(raw), Snappy(raw, 16)}) {
    const bool has_end = (whole[0] == 0x1F || whole[0] == 0x28);
    size_t last_count = 0;
    for (size_t size = 0; size < whole.size(); ++size) {
      CAPTURE(size);
      const Outcome outcome =
          Parse(Raw(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
      CHECK(outcome.calls.size() >= last_count);
      last_count = outcome.calls.size();
      if (has_end) CHECK_FALSE(outcome.error.empty());
      if (whole == raw && outcome.error.empty()) ++silent;
    }
  }
  CHECK(silent == 4);
  const Outcome cut = Parse(Raw(raw.begin(), raw.end() - 1));
  CHECK(cut.calls.size() == 2);
  CHECK(cut.error.find("ends inside an event") != std::string::npos);
}

TEST_CASE("CallParser: compressed data that is not a capture is not called compressed") {
  const Raw text(64, 'x');
  for (const Raw& file : {Gzip(text), Zstd(text)}) {
    const TemporaryCapture capture(file);
    CHECK(ForeignClause(capture.path).empty());
    CHECK_FALSE(Parse(file).error.empty());
  }
  const TemporaryCapture picture({0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
  CHECK(ForeignClause(picture.path) == "it is a PNG image");
}

TEST_CASE("FindDirectDrawLevel: the search ends where its progress fails") {
  CaptureWriter w;
  w.Uint(4);
  w.U8(0), w.Uint(7), w.Uint(0), w.Text("IDirect3DDevice3::BeginScene"), w.Uint(0), w.U8(0);
  w.U8(1), w.Uint(0), w.U8(0);
  for (uint64_t number = 1; number < 10000; ++number) {
    w.U8(0), w.Uint(7), w.Uint(0), w.U8(0);
    w.U8(1), w.Uint(number), w.U8(0);
  }
  const TemporaryCapture capture(w.out);
  std::vector<uint64_t> positions;
  const auto find = [&](const Status& status) {
    Result<CallParser> parser = CallParser::Open(capture.path);
    REQUIRE(parser.ok());
    positions.clear();
    return FindDirectDrawLevel(*parser, [&](uint64_t position) {
      positions.push_back(position);
      return status;
    });
  };
  const Result<uint32_t> level = find(OkStatus());
  REQUIRE(level.ok());
  CHECK(*level == 6);
  CHECK(positions.size() == 2);
  CHECK(positions[0] < positions[1]);
  const Result<uint32_t> cancelled = find(Failure(kCannotRead, "it was cancelled"));
  REQUIRE_FALSE(cancelled.ok());
  CHECK(cancelled.status().diagnostic().message == "it was cancelled");
  CHECK(positions.size() == 1);
}

TEST_CASE("CallParser: seeded mutations end in calls or an error") {
  const Raw raw = SampleCapture();
  uint64_t state = 1;
  for (int round = 0; round < 3000; ++round) {
    Raw bytes = raw;
    for (int k = 0; k < 3; ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      bytes[(state >> 33) % bytes.size()] = static_cast<uint8_t>(state >> 56);
    }
    Parse(bytes);
  }
}

TEST_CASE(
    "CallParser: absurd lengths, depths and versions are refused without the memory they ask for") {
  CaptureWriter huge;
  huge.Uint(4), huge.U8(0), huge.Uint(0), huge.Uint(0), huge.Text("F"), huge.Uint(1),
      huge.Text("a");
  huge.U8(1), huge.Uint(0), huge.U8(0x08), huge.Uint(1ull << 60);
  CHECK(Parse(huge.out).error.find("--max-memory") != std::string::npos);

  // Signatures in signatures count as values in values do.
  CaptureWriter names;
  names.Uint(4), names.U8(0), names.Uint(0), names.Uint(0), names.Text("F"), names.Uint(1),
      names.Text("a"), names.U8(1), names.Uint(0);
  for (uint64_t i = 0; i < 100000; ++i)
    names.U8(0x09), names.Uint(i), names.Uint(1), names.Text("n");
  CHECK(Parse(names.out).error.find("nest deeper than 64") != std::string::npos);

  CaptureWriter arguments;
  arguments.Uint(4), arguments.U8(0), arguments.Uint(0), arguments.Uint(0), arguments.Text("F");
  arguments.Uint(257);
  CHECK(Parse(arguments.out).error.find("at most 256") != std::string::npos);

  CaptureWriter open;
  open.Uint(4), open.U8(0), open.Uint(0), open.Uint(0), open.Text("F"), open.Uint(0), open.U8(0);
  for (int i = 0; i < 200000; ++i)
    open.U8(0), open.Uint(0), open.Uint(0), open.U8(0);
  CHECK(Parse(open.out).error.find("--max-memory") != std::string::npos);

  CaptureWriter deep;
  deep.Uint(4), deep.U8(0), deep.Uint(0), deep.Uint(0), deep.Text("F"), deep.Uint(1),
      deep.Text("a"), deep.U8(1), deep.Uint(0);
  for (int i = 0; i < 1000; ++i)
    deep.U8(0x0b), deep.Uint(1);
  CHECK(Parse(deep.out).error.find("nest deeper") != std::string::npos);

  CaptureWriter future;
  future.Uint(7), future.U8(0);
  CHECK(Parse(Zstd(future.out)).error.find("version 7") != std::string::npos);
  CHECK(Parse({}).error.find("empty") != std::string::npos);
}

TEST_CASE("CallParser: version 2 enumerations carry one name, version 6 a header of properties") {
  CaptureWriter old;
  old.Uint(2), old.U8(0), old.Uint(0), old.Text("F"), old.Uint(1), old.Text("a");
  old.U8(1), old.Uint(0), old.U8(0x09), old.Uint(0), old.Text("NAME"), old.U8(0x04), old.Uint(9),
      old.U8(3), old.Uint(5), old.U8(0);
  old.U8(1), old.Uint(0), old.U8(0);
  const TemporaryCapture old_file(old.out);
  Result<CallParser> parser = CallParser::Open(old_file.path);
  REQUIRE(parser.ok());
  const Call* call = parser->Next();
  REQUIRE(call != nullptr);
  CHECK(call->thread == 5);
  CHECK(call->args[0]->integer == 9);
  CHECK(call->args[0]->enumeration->entries[0].name == "NAME");

  CaptureWriter recent;
  recent.Uint(6), recent.Uint(6), recent.Text("process.name"), recent.Text("game.exe"),
      recent.Text("");
  const TemporaryCapture recent_file(recent.out);
  parser = CallParser::Open(recent_file.path);
  REQUIRE(parser.ok());
  CHECK(parser->version() == 6);
  CHECK(parser->properties().at(0).second == "game.exe");
  CHECK(parser->Next() == nullptr);
  CHECK(parser->error().empty());
}
