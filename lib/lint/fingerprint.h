// A name of a finding that outlives changes elsewhere in the stream: what a baseline and code scanning know a finding by.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace dp2trace::lint {

// Made of the rule, the token without its position, the place inside the token (but for a cause, which is in no token), the message, and actual
// and expected values; of what stands in several places alike, the number of the occurrence in the file tells it apart. What only says where in
// the trace something stands has no part: numbers of events, offsets, positions in a path, and these numbers in a message.
class Fingerprints {
 public:
  // The fingerprint of the next finding of a file: 32 hex digits, ":" and the occurrence, from 1.
  std::string Next(const Diagnostic& finding);

 private:
  std::map<std::string, uint64_t> seen_;
};

// What all occurrences share: the fingerprint without its number.
std::string_view IdentityOf(std::string_view fingerprint);

}  // namespace dp2trace::lint
