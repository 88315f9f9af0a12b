// XXH3 hashes of byte arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace dp2trace {

uint64_t Xxh3_64(Bytes bytes, uint64_t seed = 0);
// Canonical form: 32 lower-case hex digits.
std::string Xxh3_128(Bytes bytes);

// The same hash of bytes that come in pieces.
class Xxh3_128Stream {
 public:
  Xxh3_128Stream();
  void Add(Bytes bytes);
  void Add(std::string_view text) {
    Add(Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
  }
  // Of everything that was added so far, in canonical form.
  std::string Digest() const;

 private:
  struct Deleter {
    void operator()(void* state) const;
  };
  std::unique_ptr<void, Deleter> state_;
};

}  // namespace dp2trace
