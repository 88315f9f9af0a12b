#include <algorithm>

#include "json/commands.h"
#include "json/packet_lists.h"
#include "json/shader_text.h"
#include "json/token_values.h"

namespace dp2trace::json {

namespace {

using opcode::OpInfo;
using opcode::StructDesc;
using opcode::TailDesc;

bool IsZero(Bytes bytes) {
  return std::ranges::all_of(bytes, [](uint8_t byte) { return byte == 0; });
}

// Writes the parts of one token as members of its object.
class TokenWriter final : public stream::Visitor {
 public:
  TokenWriter(const OpInfo& op, const StreamPlace& place, Builder& out)
      : op_(&op), place_(&place), out_(&out), fields_(out, place.vertices) {}

  void OnFixed(const StructDesc& layout, const uint8_t* at) override {
    fields_.Members(layout, at, op_->first_record_field);
    if (op_->first_record_field == opcode::kNoField) return;
    BeginElement();
    const uint32_t offset = opcode::FieldOffset(layout, op_->first_record_field);
    fields_.Field(layout.fields[op_->first_record_field], nullptr, at + offset);
  }

  void OnRecord(uint32_t /*index*/, const StructDesc& layout, const uint8_t* at) override {
    BeginElement();
    if (layout.plain) {
      fields_.Field(layout.fields[0], nullptr, at);
      return;
    }
    out_->Raw('{');
    is_object_open_ = true;
    fields_.Members(layout, at);
  }

  void OnTail(uint32_t /*record*/, const TailDesc& desc, Bytes padding, Bytes bytes) override {
    if (!IsZero(padding)) {
      out_->Key("padding");
      out_->Hex(padding);
    }
    if (bytes.empty()) return;
    out_->Key(desc.name);
    if (desc.counting == opcode::TailCount::kVertices && place_->vertices == Vertices::kReadable &&
        HasReadableVertices(place_->vertex_type, place_->vertex_size))
      return WriteVertices(bytes, place_->vertex_type, place_->vertex_size, *out_);
    if (desc.element != nullptr && bytes.size() % desc.element->size == 0)
      return WriteElements(desc, bytes);
    out_->Base64(bytes);
    if (desc.is_shader_code) WriteAssembly(bytes, *out_);
  }

  void Finish() {
    CloseElement();
    if (list_size_ != 0) out_->Raw(']');
  }

 private:
  void BeginElement() {
    CloseElement();
    if (list_size_++ == 0) {
      out_->Key(op_->list_name);
      out_->Raw('[');
    } else {
      out_->Raw(',');
    }
  }
  void CloseElement() {
    if (is_object_open_) out_->Raw('}');
    is_object_open_ = false;
  }

  void WriteElements(const TailDesc& desc, Bytes bytes) {
    const bool is_single = desc.counting == opcode::TailCount::kFixed && desc.count == 1;
    if (is_single) return fields_.Structure(*desc.element, bytes.data());
    out_->Raw('[');
    for (size_t i = 0; i < bytes.size(); i += desc.element->size) {
      if (i != 0) out_->Raw(',');
      fields_.Structure(*desc.element, bytes.data() + i);
    }
    out_->Raw(']');
  }

  const OpInfo* op_;
  const StreamPlace* place_;
  Builder* out_;
  FieldWriter fields_;
  uint64_t list_size_ = 0;
  bool is_object_open_ = false;
};

void WriteToken(const stream::Command& command, const stream::Environment& environment,
                const StreamPlace& place, Builder& out) {
  const OpInfo& op = *command.op;
  out.Separate();
  out.Raw("{\"op\":");
  out.Name(op.name);
  const bool has_first_record = op.first_record_field != opcode::kNoField;
  const uint64_t list_size = op.RecordCount(command.count) + (has_first_record ? 1u : 0u);
  if (command.count != ImpliedCount(op, list_size)) {
    out.Key("count");
    out.Number(command.count);
  }
  if (command.reserved != 0) {
    out.Key("reserved");
    out.Number(uint32_t{command.reserved});
  }
  TokenWriter writer(op, place, out);
  stream::Visit(command, environment, writer);
  writer.Finish();
  out.Raw('}');
}

// The bytes before the first command. Returns their number.
size_t WritePrefix(Bytes bytes, const StreamPlace& place, Builder& out) {
  if (!place.has_prefix) return 0;
  const size_t size = std::min<size_t>(place.command_offset, bytes.size());
  const Bytes prefix = bytes.first(size);
  const bool is_implied =
      size == place.command_offset && size <= kMaxImpliedPrefix && IsZero(prefix);
  if (is_implied) return size;
  out.Raw("{\"prefix\":");
  out.Hex(prefix);
  out.Raw('}');
  return size;
}

}  // namespace

uint64_t ImpliedCount(const OpInfo& op, uint64_t list_size) {
  switch (op.repeat) {
    case opcode::Repeat::kNone:
      return 1;
    case opcode::Repeat::kCount:
    case opcode::Repeat::kCountMinusOne:
      return list_size;
    case opcode::Repeat::kCountPlus:
      return list_size < op.repeat_add ? 0 : list_size - op.repeat_add;
  }
  return 0;
}

void WriteCommands(Bytes bytes, const StreamPlace& place, Builder& out) {
  if (!place.is_dp2) return WriteRaw(bytes, out);
  out.Raw('[');
  bytes = bytes.subspan(WritePrefix(bytes, place, out));
  const stream::Environment environment{
      .command_offset = place.command_offset, .vertex_size = place.vertex_size, .event = {}};
  stream::Decoder decoder(bytes, environment, nullptr);
  stream::Command command;
  while (decoder.Next(command))
    WriteToken(command, environment, place, out);
  if (!decoder.rest().empty()) {
    out.Separate();
    WriteRaw(decoder.rest(), out);
  }
  out.Raw(']');
}

}  // namespace dp2trace::json
