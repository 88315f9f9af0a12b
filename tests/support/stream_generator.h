// Random streams that frame without an error, made from the operation table: every operation, every repeat kind, all tails.
// Values that do not decide about lengths are random bits: the streams are well-formed, not meaningful.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stream/stream.h"
#include "support/random.h"

namespace dp2trace::testing {

struct StreamOptions {
  uint32_t commands = 40;
  uint32_t max_records = 4;       // largest count of an operation with records
  uint32_t max_elements = 9;      // largest number of elements (or bytes) of a tail
  uint32_t reserved_one_in = 16;  // one command in so many has a non-zero bReserved; 0 = none
  // Choose among these; empty = all that travel to the driver.
  std::span<const opcode::Op> only = {};
};

// Appends one random command of the operation. Its place in `out` decides the alignment of immediate vertices: `encoder` must
// append to `out`.
void AppendRandomCommand(Random& random, const opcode::OpInfo& op, const StreamOptions& options,
                         const stream::Environment& environment, stream::Encoder& encoder);

// A whole stream, for this environment (command offset and vertex size).
std::vector<uint8_t> RandomStream(Random& random, const stream::Environment& environment,
                                  const StreamOptions& options = {});

// A random environment: command offsets of any alignment, vertex sizes up to 64 bytes, 0 included.
stream::Environment RandomEnvironment(Random& random);

// Changes up to `edits` places: flips a bit, sets a byte to an extreme, inserts or removes bytes.
void Mutate(Random& random, uint32_t edits, std::vector<uint8_t>& bytes);

}  // namespace dp2trace::testing
