#include "scrub/scrub_vertices.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/bytes.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

std::vector<uint32_t> Scrubbed(const std::vector<uint32_t>& words, uint64_t first = 0) {
  std::vector<uint8_t> bytes(words.size() * 4);
  for (size_t i = 0; i < words.size(); ++i)
    Store(bytes.data() + 4 * i, words[i]);
  scrub::ScrubVertices(scrub::Noise(7, 0), first, bytes);
  std::vector<uint32_t> result(words.size());
  for (size_t i = 0; i < words.size(); ++i)
    result[i] = LoadU32(bytes.data() + 4 * i);
  return result;
}

uint32_t Bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

}  // namespace

TEST_CASE("scrubbed vertices: floats keep sign and magnitude, and nothing below") {
  std::vector<uint32_t> words;
  words.reserve(1000);
  for (int i = 0; i < 1000; ++i)
    words.push_back(Bits(static_cast<float>(i - 500) * 1.37F + 0.01F));
  const std::vector<uint32_t> result = Scrubbed(words);
  size_t kept_bits = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    CHECK((result[i] >> 23) == (words[i] >> 23));
    kept_bits += static_cast<size_t>(std::popcount(~(result[i] ^ words[i]) & 0x7FFFFF));
  }
  // Half of 23 bits are the same by chance.
  CHECK(kept_bits > 11000);
  CHECK(kept_bits < 12500);
}

TEST_CASE("scrubbed vertices: equal words stay equal, different ones different") {
  const std::vector<uint32_t> result =
      Scrubbed({Bits(1.5F), Bits(2.5F), Bits(1.5F), Bits(-1.5F), Bits(2.5F)});
  CHECK(result[0] == result[2]);
  CHECK(result[1] == result[4]);
  CHECK(result[0] != result[1]);
  CHECK(result[0] != result[3]);
  CHECK(result[0] != Bits(1.5F));
}

TEST_CASE("scrubbed vertices: what everybody writes stays") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<uint32_t> words = {0,          Bits(1),         Bits(-1),   0xFFFFFFFF,
                                       0xFF000000, Bits(kInfinity), Bits(-0.0F)};
  CHECK(Scrubbed(words) == words);
  CHECK(std::isnan(std::bit_cast<float>(Scrubbed({0x7FC12345})[0])));
}

TEST_CASE("scrubbed vertices: colours keep their alpha, indices of matrices their range") {
  CHECK((Scrubbed({0x80405060})[0] >> 24) == 0x80);
  const uint32_t indices = Scrubbed({0x00051901})[0];
  CHECK(indices != 0x00051901);
  CHECK((indices & 0xFF) == 1);
  CHECK((indices >> 8 & 0xFF) < 32);
  CHECK((indices >> 16) < 8);
}

TEST_CASE("scrubbed vertices: noise hangs on the place in the buffer, not on what was there") {
  // Other values of the same magnitude at the same places become the same.
  CHECK(Scrubbed({Bits(1.25F), Bits(5)}) == Scrubbed({Bits(1.75F), Bits(7)}));
  CHECK(Scrubbed({Bits(1.25F)}, 0) != Scrubbed({Bits(1.25F)}, 64));
  const std::vector<uint32_t> once = Scrubbed({Bits(1.25F), 0x00051901, 0x80405060, Bits(9)});
  CHECK(Scrubbed(once) == once);
}

TEST_CASE("scrubbed vertices: bytes that begin inside a word are counted from its start") {
  std::vector<uint8_t> bytes(11, 0x41);
  scrub::ScrubVertices(scrub::Noise(7, 0), 3, bytes);
  const std::vector<uint8_t> once = bytes;
  CHECK(bytes[4] == 0x41);  // sign and exponent of the word from byte 1 on
  CHECK(LoadU32(bytes.data() + 1) != 0x41414141);
  scrub::ScrubVertices(scrub::Noise(7, 0), 3, bytes);
  CHECK(bytes == once);
}
