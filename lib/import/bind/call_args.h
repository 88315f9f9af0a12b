// The arguments of a recorded call by name, as the numbers and bytes that a runtime model takes.
// Source: apitrace docs/FORMAT.markdown.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "import/capture/apitrace.h"

namespace dp2trace::import {

// A number of any kind, as 64 bits; 0 for anything else. A float as number: AsBits().
uint64_t AsNumber(const Value& value);
// 32 bits as a structure in memory would hold them: floats as IEEE bits.
uint32_t AsBits(const Value& value);
// The value behind a pointer argument (`&value`, an array of one), or the value itself; null for NULL.
const Value* Pointee(const Value* value);
// A member of a structure, or null.
const Value* Member(const Value& structure, std::string_view name);

// True for a result that is an HRESULT with the failure bit. Counts and pointers never fail.
bool HasFailed(const Call& call);

class CallArgs {
 public:
  explicit CallArgs(const Call& call) : call_(call) {}

  const Call& call() const { return call_; }
  // The argument by position, or null where it is absent or NULL: `this` is 0. Signatures keep their order where versions of the recorder renamed
  // arguments.
  const Value* At(size_t index) const;
  uint64_t U64(size_t index) const;
  uint32_t U32(size_t index) const { return static_cast<uint32_t>(U64(index)); }
  // 32 bits as in memory: floats as IEEE bits.
  uint32_t Bits32(size_t index) const;
  // What a call returned through a pointer (ppTexture = &0x3cb2e0); 0 for none.
  uint64_t Out(size_t index) const;
  Bytes Blob(size_t index) const;
  // A member of the structure behind a pointer argument; 0 where there is none.
  uint64_t MemberOf(size_t index, std::string_view member) const;
  // The structure (or array of structures, or of numbers) after an argument as 32-bit words in order of the members; empty for NULL.
  std::vector<uint32_t> Words(size_t index) const;

 private:
  const Call& call_;
};

// Appends the leaves of a value in order: members of structures, elements of arrays; blobs as little-endian words.
void AppendWords(const Value& value, std::vector<uint32_t>& out);

}  // namespace dp2trace::import
