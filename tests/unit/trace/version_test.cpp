// What a reader does with versions, kinds and payloads that it does not know.
#include <doctest/doctest.h>

#include "rules/rule.h"
#include "trace_files.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

std::vector<uint8_t> WithVersion(uint16_t major, uint16_t minor) {
  std::vector<uint8_t> file = testing::WriteTrace({Header{}, testing::TextMarker("x")});
  Store(&file[8], major);
  Store(&file[10], minor);
  return file;
}

}  // namespace

TEST_CASE("TRACE-003 fires on a higher major version, which is refused") {
  const testing::ReadResult read = testing::ReadRecords(WithVersion(2, 0));
  REQUIRE_FALSE(read.status.ok());
  CHECK(read.status.diagnostic().rule == Rule::kTrace003);
  CHECK(read.status.diagnostic().message ==
        "the container has version 2.0; this program reads versions up to 1.x");
}

TEST_CASE("TRACE-003 does not fire on a higher minor version, which is read") {
  const testing::ReadResult read = testing::ReadRecords(WithVersion(1, 9));
  CHECK(read.events.size() == 2);
  CHECK(read.findings.empty());
}

TEST_CASE("TRACE-004 fires once for optional events of unknown kinds, with their count") {
  const Unknown unknown = {5000, kEventOptional, {}};
  const testing::ReadResult read =
      testing::ReadRecords(testing::WriteTrace({Header{}, unknown, Marker{}, unknown, unknown}));
  CHECK(read.events.size() == 5);
  REQUIRE(read.findings.items().size() == 1);
  CHECK(read.findings.items()[0].rule == Rule::kTrace004);
  CHECK(read.findings.items()[0].message.starts_with("3 optional events"));
  CHECK_FALSE(read.incomplete);
}

TEST_CASE("TRACE-004 fires on a chunk of an unknown type, which is passed over") {
  std::vector<uint8_t> file = testing::WriteTrace({Header{}, Marker{}});
  testing::EditHeader(file, testing::ChunkOffsets(file)[1],
                      [](ChunkHeader& header) { header.type = 9; });  // the index
  const testing::ReadResult read = testing::ReadRecords(file);
  CHECK(read.events.size() == 2);
  CHECK(testing::CountOf(read.findings, Rule::kTrace004) == 1);
}

TEST_CASE("TRACE-004 and TRACE-005 do not fire on known kinds") {
  CHECK(testing::ReadRecords(testing::WriteTrace({Header{}, Marker{}})).findings.empty());
}

TEST_CASE(
    "TRACE-005 fires for every event of an unknown kind that is not optional; it is delivered") {
  const uint8_t payload[] = {1, 2, 3};
  const testing::ReadResult read = testing::ReadRecords(
      testing::WriteTrace({Header{}, Unknown{5000, 0, payload}, Unknown{5001, 0, {}}}));
  REQUIRE(read.events.size() == 3);
  CHECK(read.events[1].payload == std::vector<uint8_t>{1, 2, 3});
  CHECK(testing::CountOf(read.findings, Rule::kTrace005) == 2);
}

TEST_CASE("TRACE-006 fires for a payload that is not canonical; its bytes are delivered") {
  const uint8_t payload[] = {2, 0, 0, 0, 0, 0,
                             0, 0, 0, 0, 0, 0};  // handle 0, the default, is present
  const testing::ReadResult read =
      testing::ReadRecords(testing::WriteTrace({Header{}, Unknown{11, 0, payload}}));
  REQUIRE(read.events.size() == 2);
  CHECK(read.events[1].payload.size() == 12);
  REQUIRE(read.findings.items().size() == 1);
  CHECK(read.findings.items()[0].rule == Rule::kTrace006);
  CHECK(read.findings.items()[0].message.find(
            "event 1 (present): a field that holds its default is present") == 0);
}

TEST_CASE("TRACE-006 does not fire for the canonical payload of the same event") {
  const uint8_t payload[] = {2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
  CHECK(testing::ReadRecords(testing::WriteTrace({Header{}, Unknown{11, 0, payload}}))
            .findings.empty());
}

TEST_CASE("TRACE-011 fires when event 0 is not the header") {
  const testing::ReadResult none = testing::ReadRecords(testing::WriteTrace({Marker{}}));
  CHECK(testing::CountOf(none.findings, Rule::kTrace011) == 1);
}

TEST_CASE(
    "TRACE-011 does not fire when event 0 is the header, nor for a header that starts another session") {
  CHECK(testing::ReadRecords(testing::WriteTrace({Header{}, Header{}})).findings.empty());
  CHECK(testing::ReadRecords(testing::WriteTrace({Header{}, Marker{}})).findings.empty());
}
