#include "text/command.h"

#include <fmt/format.h>

#include "d3d/fvf.h"
#include "d3d/notation.h"
#include "d3d/states.h"
#include "stream/records.h"
#include "text/value.h"

namespace dp2trace::text {
namespace {

using opcode::FieldDesc;
using opcode::Meaning;
using opcode::StructDesc;
using opcode::Wire;
using stream::LoadWire;

// What a line shows of longer lists.
constexpr uint32_t kShownRecords = 64;
constexpr uint32_t kShownElements = 16;

void AppendByWire(std::string& out, Wire wire, uint32_t value) {
  switch (wire) {
    case Wire::kF32:
      return AppendFloat(out, value);
    case Wire::kI16:
    case Wire::kI32:
      out += fmt::format("{}", static_cast<int32_t>(value));
      return;
    case Wire::kU8:
    case Wire::kU16:
    case Wire::kU32:
      break;
  }
  out += fmt::format("{}", value);
}

void AppendStateName(std::string& out, const d3d::StateInfo* info, uint32_t state) {
  if (info == nullptr) {
    out += fmt::format("{}", state);
  } else {
    out += info->name;
  }
}

// Writes the parts of one command; the state of a record types the value that follows it.
class CommandText final : public stream::Visitor {
 public:
  CommandText(std::string& out, uint32_t runtime_version)
      : out_(&out), runtime_version_(runtime_version) {}

  void OnFixed(const StructDesc& layout, const uint8_t* at) override { AppendStruct(layout, at); }

  void OnRecord(uint32_t index, const StructDesc& layout, const uint8_t* at) override {
    last_record_ = index;
    if (index < kShownRecords) AppendStruct(layout, at);
  }

  void OnTail(uint32_t record, const opcode::TailDesc& desc, Bytes padding, Bytes bytes) override {
    if (record >= kShownRecords) return;
    *out_ += fmt::format(" {}=", desc.name);
    if (!padding.empty()) {
      *out_ += "(padding ";
      AppendBytes(*out_, padding);
      *out_ += ") ";
    }
    if (desc.element == nullptr) return AppendBytes(*out_, bytes);
    AppendElements(*desc.element, bytes);
  }

  void AppendBraced(const StructDesc& layout, const uint8_t* at) {
    state_info_ = nullptr;
    if (layout.plain) return AppendField(layout.fields[0], at);
    *out_ += '{';
    const char* separator = "";
    for (const FieldDesc& field : layout.fields) {
      *out_ += separator;
      separator = " ";
      *out_ += field.name;
      *out_ += '=';
      AppendField(field, at);
      at += field.size();
    }
    *out_ += '}';
  }

  // What was left out at the end of the line.
  void Finish() {
    if (last_record_ >= kShownRecords) {
      *out_ += fmt::format(" ... {} records in all", last_record_ + 1);
    }
  }

 private:
  void AppendElements(const StructDesc& element, Bytes bytes) {
    const size_t count = bytes.size() / element.size;
    const Bytes rest = bytes.subspan(count * element.size);
    *out_ += '[';
    for (size_t i = 0; i < count && i < kShownElements; ++i) {
      if (i != 0) *out_ += ' ';
      AppendBraced(element, bytes.data() + i * element.size);
    }
    if (count > kShownElements) *out_ += fmt::format(" ... {} in all", count);
    if (!rest.empty()) {
      *out_ += " and ";
      AppendBytes(*out_, rest);
    }
    *out_ += ']';
  }

  void AppendStruct(const StructDesc& layout, const uint8_t* at) {
    *out_ += ' ';
    AppendBraced(layout, at);
  }

  void AppendField(const FieldDesc& field, const uint8_t* at) {
    if (field.count == 1) return AppendOne(field, LoadWire(field.wire, at));
    *out_ += '[';
    for (uint32_t i = 0; i < field.count; ++i) {
      if (i != 0) *out_ += ' ';
      if (i < field.parts.size()) *out_ += fmt::format("{}=", field.parts[i]);
      AppendOne(field, LoadWire(field.wire, at + i * opcode::SizeOf(field.wire)));
    }
    *out_ += ']';
  }

  void AppendOne(const FieldDesc& field, uint32_t value) {
    switch (field.meaning) {
      case Meaning::kNumber:
        return AppendByWire(*out_, field.wire, value);
      case Meaning::kHex:
        *out_ += fmt::format("0x{:x}", value);
        return;
      case Meaning::kColor:
        *out_ += d3d::ColorText(value);
        return;
      case Meaning::kBool:
        if (value > 1) return AppendByWire(*out_, field.wire, value);
        *out_ += value == 0 ? "FALSE" : "TRUE";
        return;
      case Meaning::kEnum:
        if (field.names == nullptr) return AppendByWire(*out_, field.wire, value);
        return AppendEnum(*out_, *field.names, value);
      case Meaning::kFlags:
        if (field.names == nullptr) return AppendHex32(*out_, value);
        return AppendFlags(*out_, *field.names, value);
      case Meaning::kRenderState:
        return AppendRenderState(value);
      case Meaning::kTextureStageState:
        state_info_ = d3d::FindTextureStageState(value);
        return AppendStateName(*out_, state_info_, value);
      case Meaning::kRenderStateValue:
      case Meaning::kTextureStageStateValue:
        return AppendStateValue(*out_, state_info_, value, runtime_version_);
      case Meaning::kTransform:
        return AppendTransform(value);
      case Meaning::kFvfOrHandle:
        if ((value & d3d::fvf::kReserved0) == 0) {
          *out_ += d3d::FvfText(value);
          return;
        }
        break;
      case Meaning::kSurface:
      case Meaning::kPalette:
      case Meaning::kVertexShader:
      case Meaning::kVertexDeclaration:
      case Meaning::kVertexShaderCode:
      case Meaning::kPixelShader:
      case Meaning::kStateBlock:
      case Meaning::kQuery:
      case Meaning::kPatch:
        break;
    }
    // Handles are unsigned whatever the public header declares.
    *out_ += fmt::format("{}", value);
  }

  void AppendRenderState(uint32_t value) {
    const bool is_override =
        value > d3d::kRenderStateOverrideBias && value < 2 * d3d::kRenderStateOverrideBias;
    const uint32_t state = is_override ? value - d3d::kRenderStateOverrideBias : value;
    state_info_ = d3d::FindRenderState(state);
    if (is_override) *out_ += "OVERRIDE(";
    AppendStateName(*out_, state_info_, state);
    if (is_override) *out_ += ')';
    // The value of an override is a switch, not a value of the state.
    if (is_override) state_info_ = nullptr;
  }

  void AppendTransform(uint32_t value) {
    AppendEnum(*out_, d3d::kTransformStateNames, value & ~d3d::kTransformIdentity);
    if ((value & d3d::kTransformIdentity) != 0) *out_ += "|IDENTITY";
  }

  std::string* out_;
  uint32_t runtime_version_;
  uint32_t last_record_ = 0;
  const d3d::StateInfo* state_info_ = nullptr;
};

}  // namespace

void AppendCommand(std::string& out, const stream::Command& command,
                   const stream::Environment& environment, uint32_t runtime_version) {
  AppendNumbered(out, command, environment, runtime_version, nullptr);
}

void AppendNumbered(std::string& out, const stream::Command& command,
                    const stream::Environment& environment, uint32_t runtime_version,
                    const trace::DrawToken* draw) {
  out += fmt::format("{:#06x} ", command.offset);
  if (draw != nullptr) out += fmt::format("draw {}: ", draw->number);
  out += fmt::format("{} {}", command.op->name, command.count);
  if (command.reserved != 0) out += fmt::format(" reserved=0x{:02x}", command.reserved);
  CommandText text(out, runtime_version);
  stream::Visit(command, environment, text);
  text.Finish();
}

void AppendStructure(std::string& out, const StructDesc& layout, const uint8_t* at,
                     uint32_t runtime_version) {
  CommandText(out, runtime_version).AppendBraced(layout, at);
}

}  // namespace dp2trace::text
