// Any bytes: the decoder stays within them, and decode -> visit -> encode gives them back.
// The first byte is the alignment of the stream, the second the vertex size.
#include <algorithm>
#include <cstdint>

#include "require.h"
#include "stream/records.h"
#include "stream/response.h"
#include "support/encoding_visitor.h"

namespace {

using dp2trace::Bytes;
using dp2trace::testing::Require;

// Reads every record and tail byte; the result keeps the reads alive.
uint32_t Touch(const dp2trace::stream::Command& command,
               const dp2trace::stream::Environment& environment) {
  uint32_t sum = 0;
  for (const auto& record : dp2trace::stream::Records(command, environment)) {
    for (const uint8_t byte : record.bytes)
      sum += byte;
    for (size_t i = 0; i < command.op->tails.size(); ++i) {
      for (const uint8_t byte : record.Tail(i).bytes)
        sum += byte;
    }
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const dp2trace::stream::Environment environment{.command_offset = data[0],
                                                  .vertex_size = data[1]};
  const Bytes bytes(data + 2, size - 2);

  dp2trace::DiagnosticList findings;
  const auto encoded = dp2trace::testing::DecodeAndEncode(bytes, environment, &findings);
  Require(std::equal(encoded.begin(), encoded.end(), bytes.begin(), bytes.end()),
          "encode(decode(bytes)) differs from bytes");

  dp2trace::stream::Decoder decoder(bytes, environment, nullptr);
  volatile uint32_t sum = 0;
  for (dp2trace::stream::Command command; decoder.Next(command);)
    sum = sum + Touch(command, environment);
  const bool is_complete = decoder.end() == dp2trace::stream::StreamEnd::kComplete;
  Require(is_complete == decoder.rest().empty(), "a complete stream has no rest");
  Require(is_complete || !findings.empty(), "what is not framed is reported");

  dp2trace::stream::ResponseDecoder responses(bytes);
  for (dp2trace::stream::Command group; responses.Next(group);)
    sum = sum + Touch(group, {});
  return 0;
}
