#include "trace/codec.h"

#include <doctest/doctest.h>

#include "support/event_generator.h"
#include "trace/event_kind.h"
#include "trace_files.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

std::vector<uint8_t> Encode(const Event& event) {
  std::vector<uint8_t> out;
  EncodePayload(event, out);
  return out;
}

std::vector<uint8_t> FromHex(std::string_view hex) {
  std::vector<uint8_t> bytes;
  REQUIRE(ParseHex(hex, bytes));
  return bytes;
}

// The defect of a payload of `kind`; empty when it is canonical. A defect leaves Unknown with the bytes.
std::string DefectOf(EventKind kind, std::string_view hex) {
  const std::vector<uint8_t> bytes = FromHex(hex);
  Event event;
  const auto defect = DecodePayload(static_cast<uint16_t>(kind), 0, bytes, event);
  CHECK(std::holds_alternative<Unknown>(event) == defect.has_value());
  CHECK(Encode(event) == bytes);
  return defect ? std::string(defect->reason) : "";
}

void CheckRoundTrip(EventKind kind, uint64_t seed) {
  testing::EventGenerator generator(seed);
  const Event event = generator.Make(kind);
  const std::vector<uint8_t> bytes = Encode(event);
  Event decoded;
  CHECK_FALSE(DecodePayload(static_cast<uint16_t>(kind), 0, bytes, decoded).has_value());
  CHECK(testing::SameEvent(event, decoded));
  CHECK(Encode(decoded) == bytes);
}

}  // namespace

TEST_CASE("Codec: every kind comes back with random fields") {
#define DP2TRACE_EVENT(Type, code, name)                    \
  for (uint64_t seed = 0; seed < 200; ++seed) {             \
    CAPTURE(name);                                          \
    CAPTURE(seed);                                          \
    CheckRoundTrip(EventKind::k##Type, seed * 64 + (code)); \
  }
#include "trace/events.def"
#undef DP2TRACE_EVENT
}

TEST_CASE("Codec: an event with every field at its default is only its mask") {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a type
#define DP2TRACE_EVENT(Type, code, name) CHECK(Encode(Type{}) == std::vector<uint8_t>(8, 0));
#include "trace/events.def"
#undef DP2TRACE_EVENT
}

TEST_CASE("Codec: bytes as the format page has them") {
  // Bit 1 handle, bit 2 rect; in rect bit 2 right.
  Present present;
  present.handle = 7;
  present.rect = Rect{0, 0, -2, 0};
  CHECK(ToHex(Encode(present)) ==
        "0600000000000000"
        "07000000"
        "0400000000000000"
        "feffffff");
  Marker marker;
  marker.text = "hi";
  marker.position = 0;
  CHECK(ToHex(Encode(marker)) ==
        "0500000000000000"
        "02000000"
        "6869"
        "0000000000000000");
  Unlock unlock;
  unlock.allocations = {1, 2};
  CHECK(ToHex(Encode(unlock)) ==
        "0400000000000000"
        "02000000"
        "01000000"
        "02000000");
  AdapterOpen adapter;
  adapter.no_dma_patching = true;
  CHECK(ToHex(Encode(adapter)) ==
        "1000000000000000"
        "01");
}

TEST_CASE("Codec: byte arrays and texts are views of the payload") {
  SurfaceUpdate update;
  const uint8_t data[] = {1, 2, 3};
  update.data = data;
  const std::vector<uint8_t> bytes = Encode(update);
  Event event;
  REQUIRE_FALSE(DecodePayload(6, 0, bytes, event).has_value());
  CHECK(std::get<SurfaceUpdate>(event).data.data() == bytes.data() + bytes.size() - 3);
}

TEST_CASE("Codec: what is not the canonical encoding is Unknown with its bytes and a reason") {
  CHECK(DefectOf(EventKind::kPresent,
                 "0200000000000000"
                 "01000000")
            .empty());
  CHECK(DefectOf(EventKind::kPresent, "") == "the payload ends inside a field");
  CHECK(DefectOf(EventKind::kPresent,
                 "0200000000000000"
                 "010000") == "the payload ends inside a field");
  CHECK(DefectOf(EventKind::kPresent,
                 "0200000000000000"
                 "0100000000") == "bytes follow the last field");
  CHECK(DefectOf(EventKind::kPresent,
                 "0200000000000000"
                 "00000000") == "a field that holds its default is present");
  CHECK(DefectOf(EventKind::kPresent, "0800000000000000") ==
        "the presence mask has bits without a field");
  CHECK(DefectOf(EventKind::kPresent, "0000000000000080") ==
        "the presence mask has bits without a field");
  CHECK(DefectOf(EventKind::kPresent,
                 "0400000000000000"
                 "1000000000000000") == "the presence mask has bits without a field");
  CHECK(DefectOf(EventKind::kAdapterOpen,
                 "1000000000000000"
                 "02") == "a boolean is neither 0 nor 1");
  CHECK(DefectOf(EventKind::kAdapterOpen,
                 "1000000000000000"
                 "00") == "a field that holds its default is present");
  CHECK(DefectOf(EventKind::kMarker,
                 "0100000000000000"
                 "01000000"
                 "ff") == "a text is not UTF-8");
  CHECK(DefectOf(EventKind::kMarker,
                 "0100000000000000"
                 "00000000") == "a field that holds its default is present");
  CHECK(DefectOf(EventKind::kMarker,
                 "0100000000000000"
                 "ffffffff"
                 "61") == "the payload ends inside a field");
  CHECK(DefectOf(EventKind::kUnlock,
                 "0400000000000000"
                 "00000000") == "a field that holds its default is present");
  CHECK(DefectOf(EventKind::kUnlock,
                 "0400000000000000"
                 "ffffffff"
                 "01000000") == "an array is longer than the payload");
  CHECK(DefectOf(EventKind::kHeader,
                 "0200000000000000"
                 "09000000") == "a field that holds its default is present");
  CHECK(DefectOf(EventKind::kHeader,
                 "0200000000000000"
                 "00000000")
            .empty());
}

TEST_CASE("Codec: an optional field may hold any value, an enumeration any number") {
  CHECK(DefectOf(EventKind::kMarker,
                 "0400000000000000"
                 "0000000000000000")
            .empty());
  CHECK(DefectOf(EventKind::kBlt,
                 "0200000000000000"
                 "ffffff7f")
            .empty());
}

TEST_CASE("Codec: kinds without a row, and known kinds with flags, are Unknown") {
  const std::vector<uint8_t> bytes(8, 0);
  Event event;
  CHECK_FALSE(DecodePayload(999, 1, bytes, event).has_value());
  REQUIRE(std::holds_alternative<Unknown>(event));
  CHECK(std::get<Unknown>(event).kind == 999);
  CHECK(std::get<Unknown>(event).flags == 1);
  const auto defect = DecodePayload(11, 1, bytes, event);
  REQUIRE(defect.has_value());
  CHECK(std::get<Unknown>(event).kind == 11);
}

TEST_CASE("Codec: arrays beyond the memory limit are refused") {
  // caps: 8 bytes in the payload, more in memory.
  std::vector<uint8_t> bytes = FromHex("0001000000000000");
  ByteWriter writer(bytes);
  writer.Write<uint32_t>(1000);
  writer.WriteZeros(8000);
  Event event;
  CHECK_FALSE(DecodePayload(1, 0, bytes, event, 1000 * sizeof(CapValue)).has_value());
  const auto defect = DecodePayload(1, 0, bytes, event, 1000 * sizeof(CapValue) - 1);
  REQUIRE(defect.has_value());
  CHECK(defect->reason == "an array needs more memory than --max-memory allows");
}

TEST_CASE("Codec: random bytes decode to themselves or to Unknown, in every kind") {
  testing::Random random(7);
  for (int i = 0; i < 40000; ++i) {
    std::vector<uint8_t> bytes(random.Below(80));
    // Few mask bits, so that fields are reached.
    for (uint8_t& byte : bytes)
      byte = static_cast<uint8_t>(random.Next() & random.Next() & random.Next());
    Event event;
    DecodePayload(static_cast<uint16_t>(random.Below(42)), 0, bytes, event);
    REQUIRE(Encode(event) == bytes);
  }
}
