#include "trace_model/names.h"

#include "d3d/states.h"
#include "stream/records.h"

namespace dp2trace::trace_model {
namespace {

using opcode::FieldDesc;
using opcode::Meaning;
using opcode::StructDesc;

// What the value of a state is, where it is a handle.
Meaning MeaningOf(const d3d::StateInfo* info) {
  if (info == nullptr || info->type != d3d::ValueType::kHandle) return Meaning::kNumber;
  return info->has_side_effect ? Meaning::kPatch : Meaning::kSurface;
}

class Finder final : public stream::Visitor {
 public:
  Finder(const stream::Command& command, const NameVisitor& visit)
      : op_(command.op->op), start_(command.bytes.data()), visit_(visit) {}

  void OnFixed(const StructDesc& layout, const uint8_t* at) override { Fields(layout, at); }
  void OnRecord(uint32_t /*index*/, const StructDesc& layout, const uint8_t* at) override {
    Fields(layout, at);
  }
  void OnTail(uint32_t /*record*/, const opcode::TailDesc& /*desc*/, Bytes /*padding*/,
              Bytes /*bytes*/) override {}

 private:
  void Fields(const StructDesc& layout, const uint8_t* at) {
    uint32_t state = 0;  // number in the field before the value
    for (size_t i = 0; i < layout.fields.size(); ++i) {
      const Meaning meaning = layout.fields[i].meaning;
      const uint32_t value = layout.fields[i].count == 1 ? stream::FieldU32(layout, at, i) : 0;
      if (meaning == Meaning::kRenderState || meaning == Meaning::kTextureStageState) state = value;
      const Meaning kind = KindOf(meaning, state, value);
      const auto offset = static_cast<uint32_t>(at - start_) + opcode::FieldOffset(layout, i);
      if (kind >= Meaning::kSurface && value != 0) visit_(kind, value, offset);
    }
  }

  Meaning KindOf(Meaning meaning, uint32_t state, uint32_t value) const {
    switch (meaning) {
      case Meaning::kRenderStateValue:
        return MeaningOf(d3d::FindRenderState(state));
      case Meaning::kTextureStageStateValue:
        return MeaningOf(d3d::FindTextureStageState(state));
      case Meaning::kFvfOrHandle:
        if ((value & 1) == 0) return Meaning::kNumber;
        return op_ == opcode::Op::kSetVertexShader ? Meaning::kVertexShader
                                                   : Meaning::kVertexDeclaration;
      default:
        return meaning;
    }
  }

  opcode::Op op_;
  const uint8_t* start_;
  const NameVisitor& visit_;
};

}  // namespace

void VisitNames(const stream::Command& command, const stream::Environment& environment,
                const NameVisitor& visit) {
  Finder finder(command, visit);
  stream::Visit(command, environment, finder);
}

}  // namespace dp2trace::trace_model
