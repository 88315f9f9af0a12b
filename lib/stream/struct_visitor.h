// A visitor to whom all structures of a command are alike: the fixed part, the records, and the elements of tails.
#pragma once

#include "stream/stream.h"

namespace dp2trace::stream {

class StructVisitor : public Visitor {
 public:
  void OnFixed(const opcode::StructDesc& layout, const uint8_t* at) final { OnStruct(layout, at); }
  void OnRecord(uint32_t /*index*/, const opcode::StructDesc& layout, const uint8_t* at) final {
    OnStruct(layout, at);
  }
  // The code of shaders has elements, too; they are no fields.
  void OnTail(uint32_t /*record*/, const opcode::TailDesc& desc, Bytes /*padding*/,
              Bytes bytes) final {
    if (desc.element == nullptr || desc.is_shader_code) return;
    for (size_t at = 0; at + desc.element->size <= bytes.size(); at += desc.element->size)
      OnStruct(*desc.element, bytes.data() + at);
  }

 protected:
  virtual void OnStruct(const opcode::StructDesc& layout, const uint8_t* at) = 0;
};

}  // namespace dp2trace::stream
