// Random streams, their prefixes and mutations. Every seed is fixed; the failing one is printed.
#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "stream/records.h"
#include "stream/stream.h"
#include "support/encoding_visitor.h"
#include "support/stream_generator.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::stream;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// Ends of commands in a stream, 0 included.
std::set<size_t> Boundaries(Bytes bytes, const Environment& environment) {
  std::set<size_t> boundaries = {0};
  Decoder decoder(bytes, environment, nullptr);
  for (Command command; decoder.Next(command);) {
    boundaries.insert(static_cast<size_t>(command.offset - environment.command_offset) +
                      command.bytes.size());
  }
  return boundaries;
}

// Reads every byte that the typed access can reach; the sum keeps the reads alive.
uint64_t TouchAll(const Command& command, const Environment& environment) {
  uint64_t sum = 0;
  const auto touch_tails = [&sum](const TailHost& host) {
    for (size_t i = 0; i < host.op->tails.size(); ++i) {
      for (const uint8_t byte : Tail(host, i).bytes)
        sum += byte;
    }
  };
  for (const Record& record : Records(command, environment)) {
    for (const uint8_t byte : record.bytes)
      sum += byte;
    touch_tails(record.host);
  }
  if (command.op->record == nullptr) touch_tails(FixedTails(command, environment));
  return sum;
}

}  // namespace

TEST_CASE("Random streams: frame without an error and encode to the same bytes") {
  std::set<opcode::Op> seen;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Environment environment = RandomEnvironment(random);
    const std::vector<uint8_t> bytes = RandomStream(random, environment);
    DiagnosticList findings;
    Decoder decoder(bytes, environment, &findings);
    uint32_t commands = 0;
    for (Command command; decoder.Next(command); ++commands) {
      CHECK(command.index == commands);
      seen.insert(command.op->op);
    }
    CHECK(decoder.end() == StreamEnd::kComplete);
    CHECK(commands == StreamOptions{}.commands);
    CHECK(findings.count(Severity::kError) == 0);
    CHECK(findings.count(Severity::kAdvice) == 0);
    CHECK(DecodeAndEncode(bytes, environment, nullptr) == bytes);
  }
  CHECK(seen.size() == 81);  // all operations but the two responses
}

TEST_CASE("Random streams: records and tails cover the bytes of their command") {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Environment environment = RandomEnvironment(random);
    const std::vector<uint8_t> bytes = RandomStream(random, environment);
    Decoder decoder(bytes, environment, nullptr);
    for (Command command; decoder.Next(command);) {
      CAPTURE(command.op->name);
      size_t size =
          command.op->header_size() + (command.op->fixed != nullptr ? command.op->fixed->size : 0);
      for (const Record& record : Records(command, environment)) {
        CHECK(record.offset() == command.offset + size);
        size += record.bytes.size();
      }
      if (command.op->record == nullptr) {
        for (size_t i = 0; i < command.op->tails.size(); ++i) {
          const TailPart part = Tail(FixedTails(command, environment), i);
          size += part.padding.size() + part.bytes.size();
        }
      }
      CHECK(size == command.bytes.size());
    }
  }
}

TEST_CASE("Prefixes: every prefix ends in a finding or is a shorter stream") {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Environment environment = RandomEnvironment(random);
    const std::vector<uint8_t> bytes = RandomStream(random, environment, {.reserved_one_in = 0});
    const std::set<size_t> boundaries = Boundaries(bytes, environment);
    for (size_t size = 0; size <= bytes.size(); ++size) {
      CAPTURE(size);
      // A copy of its own, so that a sanitizer sees reads past the prefix.
      const std::vector<uint8_t> prefix(bytes.begin(),
                                        bytes.begin() + static_cast<std::ptrdiff_t>(size));
      DiagnosticList findings;
      Decoder decoder(prefix, environment, &findings);
      for (Command command; decoder.Next(command);) {
      }
      const bool is_whole = boundaries.contains(size);
      REQUIRE((decoder.end() == StreamEnd::kComplete) == is_whole);
      REQUIRE(findings.items().size() == (is_whole ? 0 : 1));
      REQUIRE(boundaries.contains(size - decoder.rest().size()));
    }
  }
}

TEST_CASE(
    "Mutations: a damaged stream is framed within its bytes and still encodes to the same bytes") {
  uint64_t sum = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Environment environment = RandomEnvironment(random);
    std::vector<uint8_t> bytes = RandomStream(random, environment, {.commands = 6});
    Mutate(random, 1 + random.Below(4), bytes);
    bytes.shrink_to_fit();
    DiagnosticList findings;
    REQUIRE(DecodeAndEncode(bytes, environment, &findings) == bytes);
    Decoder decoder(bytes, environment, nullptr);
    for (Command command; decoder.Next(command);)
      sum += TouchAll(command, environment);
    const bool is_clean = decoder.end() == StreamEnd::kComplete;
    if (!is_clean) REQUIRE_FALSE(findings.empty());
  }
  CHECK(sum != 0);
}
