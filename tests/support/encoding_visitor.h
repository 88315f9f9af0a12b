// Rebuilds a command from what Visit() shows of it.
#pragma once

#include "stream/stream.h"

namespace dp2trace::testing {

class EncodingVisitor : public stream::Visitor {
 public:
  explicit EncodingVisitor(stream::Encoder& encoder) : encoder_(&encoder) {}

  void OnFixed(const opcode::StructDesc& layout, const uint8_t* at) override {
    encoder_->Raw(Bytes(at, layout.size));
  }
  void OnRecord(uint32_t /*index*/, const opcode::StructDesc& layout, const uint8_t* at) override {
    encoder_->Raw(Bytes(at, layout.size));
  }
  void OnTail(uint32_t /*record*/, const opcode::TailDesc& desc, Bytes padding,
              Bytes bytes) override {
    if (desc.counting == opcode::TailCount::kVertices) encoder_->Padding(padding);
    encoder_->Raw(bytes);
  }

 private:
  stream::Encoder* encoder_;
};

// Decodes a stream, visits and encodes each command, and appends what was not framed: the result equals `bytes`.
inline std::vector<uint8_t> DecodeAndEncode(Bytes bytes, const stream::Environment& environment,
                                            DiagnosticList* findings) {
  std::vector<uint8_t> out;
  stream::Encoder encoder(out, environment);
  EncodingVisitor visitor(encoder);
  stream::Decoder decoder(bytes, environment, findings);
  for (stream::Command command; decoder.Next(command);) {
    encoder.Header(static_cast<uint8_t>(command.op->op), command.reserved, command.count);
    stream::Visit(command, environment, visitor);
  }
  encoder.Raw(decoder.rest());
  return out;
}

}  // namespace dp2trace::testing
