#include "stream/response.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "stream/records.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::stream;  // NOLINT(google-build-using-namespace): test file

namespace {

struct Outcome {
  std::vector<size_t> sizes;
  ResponseEnd end{};
  uint64_t rest_offset = 0;
};

Outcome Decode(std::string hex) {
  std::erase(hex, ' ');
  std::vector<uint8_t> bytes;
  REQUIRE(ParseHex(hex, bytes));
  ResponseDecoder decoder(bytes);
  Outcome outcome;
  for (Command group; decoder.Next(group);)
    outcome.sizes.push_back(group.bytes.size());
  outcome.end = decoder.end();
  outcome.rest_offset = decoder.rest_offset();
  return outcome;
}

const std::string kOcclusion = "58 00 01 00 14 00 00 00 01 00 00 00 04 00 00 00 D2 04 00 00";

}  // namespace

TEST_CASE("ResponseDecoder: several groups follow one another") {
  const Outcome outcome = Decode(kOcclusion + kOcclusion + "57 00 00 00 08 00 00 00");
  CHECK(outcome.sizes == std::vector<size_t>{20, 20, 8});
  CHECK(outcome.end == ResponseEnd::kComplete);
}

TEST_CASE("ResponseDecoder: query data are not padded") {
  const Outcome outcome =
      Decode("58 00 02 00 19 00 00 00  01 00 00 00 01 00 00 00 FF  02 00 00 00 00 00 00 00");
  CHECK(outcome.sizes == std::vector<size_t>{25});
}

TEST_CASE("ResponseDecoder: stops at a group that is not sound and says why") {
  CHECK(Decode(kOcclusion + "58 00").end == ResponseEnd::kTruncatedHeader);
  CHECK(Decode(kOcclusion + "08 00 00 00 08 00 00 00").end == ResponseEnd::kNotResponse);
  CHECK(Decode(kOcclusion + "58 00 00 00 07 00 00 00").end == ResponseEnd::kBadTotalSize);
  CHECK(Decode(kOcclusion + "58 00 00 00 09 00 00 00").end == ResponseEnd::kBadTotalSize);
  CHECK(Decode(kOcclusion + "58 00 00 00 09 00 00 00 00").end == ResponseEnd::kBadRecords);
  CHECK(Decode("58 00 01 00 13 00 00 00 01 00 00 00 04 00 00 00 D2 04 00 00").end ==
        ResponseEnd::kBadRecords);
  CHECK(Decode(kOcclusion + "58 00").rest_offset == 20);
}
