// XXH3-64 of the capture header against the library's.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "portable_hash.h"
#include "support/random.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

using testing::HashFunctions;

uint64_t HashInPieces(const HashFunctions& functions, Bytes bytes,
                      const std::vector<size_t>& pieces) {
  d2c_hash hash;
  functions.begin(&hash);
  size_t at = 0;
  for (size_t i = 0; at < bytes.size(); ++i) {
    const size_t size = std::min(pieces[i % pieces.size()], bytes.size() - at);
    functions.add(&hash, bytes.data() + at, static_cast<d2c_u32>(size));
    at += size;
  }
  const d2c_u64 value = functions.end(&hash);
  return uint64_t{value.hi} << 32 | value.lo;
}

const HashFunctions kForms[] = {{d2c_hash_begin, d2c_hash_add, d2c_hash_end},
                                testing::PortableHash()};

}  // namespace

TEST_CASE(
    "Capture hash: equals libxxhash for every length to 5000 and then to 70 KB, whole and in pieces") {
  testing::Random random(3);
  std::vector<uint8_t> bytes(70 * 1024);
  for (uint8_t& byte : bytes)
    byte = random.Byte();
  for (size_t size = 0; size <= bytes.size(); size += size < 5000 ? 1 : 211) {
    CAPTURE(size);
    const Bytes input = Bytes(bytes).first(size);
    const uint64_t expected = Xxh3_64(input);
    for (const HashFunctions& form : kForms) {
      REQUIRE(HashInPieces(form, input, {std::max<size_t>(size, 1)}) == expected);
      REQUIRE(HashInPieces(form, input, {1 + random.Below(300)}) == expected);
      REQUIRE(HashInPieces(form, input, {1, 255, 1 + random.Below(2000), 64, 256, 257}) ==
              expected);
    }
  }
}

TEST_CASE("Capture hash: every split of short inputs in two") {
  std::vector<uint8_t> bytes(600);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(i * 131 >> 3);
  for (const size_t size :
       std::initializer_list<size_t>{16, 17, 128, 129, 240, 241, 256, 257, 320, 512, 600}) {
    const Bytes input = Bytes(bytes).first(size);
    const uint64_t expected = Xxh3_64(input);
    for (size_t split = 1; split < size; ++split) {
      for (const HashFunctions& form : kForms)
        REQUIRE(HashInPieces(form, input, {split, size - split}) == expected);
    }
  }
}
