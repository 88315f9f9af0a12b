#include "base/hash.h"

#include <xxhash.h>

#include <new>

namespace dp2trace {
namespace {

std::string Canonical(XXH128_hash_t hash) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  return ToHex(Bytes(canonical.digest, sizeof canonical.digest));
}

XXH3_state_t* StateOf(void* state) {
  return static_cast<XXH3_state_t*>(state);
}

}  // namespace

uint64_t Xxh3_64(Bytes bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::string Xxh3_128(Bytes bytes) {
  return Canonical(XXH3_128bits(bytes.data(), bytes.size()));
}

Xxh3_128Stream::Xxh3_128Stream() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();  // as any other allocation
  (void)XXH3_128bits_reset(StateOf(state_.get()));
}

void Xxh3_128Stream::Add(Bytes bytes) {
  (void)XXH3_128bits_update(StateOf(state_.get()), bytes.data(), bytes.size());
}

std::string Xxh3_128Stream::Digest() const {
  return Canonical(XXH3_128bits_digest(StateOf(state_.get())));
}

void Xxh3_128Stream::Deleter::operator()(void* state) const {
  (void)XXH3_freeState(StateOf(state));
}

}  // namespace dp2trace
