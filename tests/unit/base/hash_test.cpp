#include "base/hash.h"

#include <doctest/doctest.h>

#include <string>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Xxh3_128: the hash of nothing is the documented one") {
  // XXH128 of an empty input with seed 0, in canonical form. Source: the test vectors of xxHash.
  CHECK(Xxh3_128({}) == "99aa06d3014798d86001c324468d497f");
}

TEST_CASE("Xxh3_128Stream: pieces give the hash of the whole") {
  const std::string text(1000, 'x');
  Xxh3_128Stream stream;
  CHECK(stream.Digest() == Xxh3_128({}));
  stream.Add(std::string_view(text).substr(0, 1));
  stream.Add(std::string_view(text).substr(1, 600));
  stream.Add(std::string_view(text).substr(601));
  CHECK(stream.Digest() == Xxh3_128({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
}
