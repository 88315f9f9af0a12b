#include <fmt/format.h>

#include <optional>

#include "base/plain_text.h"
#include "json/base64.h"
#include "json/commands.h"
#include "json/packet_lists.h"
#include "json/shader_text.h"
#include "json/token_values.h"
#include "json/vertices.h"
#include "rules/rule.h"

namespace dp2trace::json {

namespace {

using opcode::OpInfo;
using opcode::StructDesc;
using opcode::TailCount;
using opcode::TailDesc;

// Builds the bytes of one stream from its array.
class StreamBuilder {
 public:
  StreamBuilder(Values& values, const StreamPlace& place, std::vector<uint8_t>& buffer)
      : values_(&values), place_(&place), buffer_(&buffer) {}

  bool Build(Node& array) {
    ElementIterator elements(values_->tape(), array);
    Node* element = elements.Next();
    if (place_->has_prefix && !Prefix(array, element)) return false;
    if (element != nullptr && is_prefix_given_) element = elements.Next();
    encoder_.emplace(*buffer_, stream::Environment{.command_offset = place_->command_offset,
                                                   .vertex_size = place_->vertex_size,
                                                   .event = {}});
    for (; element != nullptr; element = elements.Next()) {
      const size_t before = buffer_->size();
      if (!Element(*element)) is_whole_ = false;
      if (!values_->arena().Charge(buffer_->size() - before)) return values_->FailMemory(*element);
    }
    return is_whole_;
  }

 private:
  // The bytes before the first command: as given, or zeros.
  bool Prefix(const Node& array, Node* first) {
    if (first != nullptr && first->type == NodeType::kObject) {
      ObjectReader object(*values_, *first);
      Bytes bytes;
      if (const Node* const prefix = object.Find("prefix"); prefix != nullptr) {
        is_prefix_given_ = true;
        if (!values_->Hex(*prefix, bytes) || !object.Finish()) return false;
        buffer_->insert(buffer_->end(), bytes.begin(), bytes.end());
        return true;
      }
    }
    if (place_->command_offset > kMaxImpliedPrefix) {
      return values_->Fail(
          array, Rule::kJson007,
          fmt::format("{} bytes come before the first command: they must be given as the first "
                      "element, {{\"prefix\": HEX}}",
                      place_->command_offset));
    }
    buffer_->insert(buffer_->end(), place_->command_offset, uint8_t{0});
    return true;
  }

  bool Element(Node& node) {
    ObjectReader object(*values_, node);
    Bytes bytes;
    if (const Node* const raw = object.Find("raw"); raw != nullptr) {
      if (!values_->Hex(*raw, bytes) || !object.Finish()) return false;
      encoder_->Raw(bytes);
      return true;
    }
    return Token(node, object);
  }

  bool Token(Node& node, ObjectReader& object) {
    const Node* const name = object.Require("op");
    std::string_view text;
    if (name == nullptr || !values_->String(*name, text)) return false;
    const OpInfo* const op = opcode::FindByName(text);
    if (op == nullptr) {
      return values_->FailName(
          *name, text, "D3DHAL_DP2OPERATION",
          NamesOf(opcode::AllOps(), [](const OpInfo& row) { return row.name; }));
    }
    if (op->direction != opcode::Direction::kToDriver) {
      return values_->Fail(*name, Rule::kJson011,
                           fmt::format("{} travels from the driver to the runtime only", text));
    }
    Node* const count = object.Find("count");
    Node* const reserved = object.Find("reserved");
    const size_t header = buffer_->size();
    encoder_->Header(static_cast<uint8_t>(op->op), 0, 0);
    uint64_t list_size = 0;
    const bool ok = Parts(*op, object, list_size);
    const bool is_finished = object.Finish();
    return Header(node, *op, list_size, count, reserved, header) && ok && is_finished;
  }

  bool Header(const Node& node, const OpInfo& op, uint64_t list_size, const Node* count,
              const Node* reserved, size_t at) {
    uint64_t count_value = ImpliedCount(op, list_size);
    uint64_t reserved_value = 0;
    const bool is_count = count == nullptr || values_->Unsigned(*count, UINT16_MAX, count_value);
    const bool is_reserved =
        reserved == nullptr || values_->Unsigned(*reserved, UINT8_MAX, reserved_value);
    if (!is_count || !is_reserved) return false;
    if (count_value > UINT16_MAX) {
      return values_->Fail(
          node, Rule::kJson009,
          fmt::format("{} {} do not fit the 16-bit count", list_size, op.list_name));
    }
    Store(buffer_->data() + at + 1, static_cast<uint8_t>(reserved_value));
    Store(buffer_->data() + at + 2, static_cast<uint16_t>(count_value));
    return true;
  }

  // Everything after the header, in wire order.
  bool Parts(const OpInfo& op, ObjectReader& object, uint64_t& list_size) {
    bool ok = true;
    if (op.fixed != nullptr) {
      const size_t at = Grow(op.fixed->size);
      ok = ReadMembers(*values_, object, *op.fixed, buffer_->data() + at, op.first_record_field);
      if (op.record == nullptr) ok = Tails(op, *op.fixed, object, at) && ok;
    } else if (op.record == nullptr && !op.tails.empty()) {
      ok = Tails(op, StructDesc{}, object, buffer_->size());
    }
    if (op.record == nullptr) return ok;
    Node* const list = object.Find(op.list_name);
    if (list == nullptr) return ok;
    if (!values_->Expect(*list, NodeType::kArray)) return false;
    list_size = list->size;
    return List(op, *list) && ok;
  }

  bool List(const OpInfo& op, const Node& list) {
    ElementIterator elements(values_->tape(), list);
    // The first element has its place already.
    bool is_in_fixed = op.first_record_field != opcode::kNoField;
    bool ok = true;
    while (Node* const element = elements.Next()) {
      const size_t at = is_in_fixed ? buffer_->size() - op.record->size : Grow(op.record->size);
      is_in_fixed = false;
      if (!Record(op, *element, at)) ok = false;
    }
    return ok;
  }

  bool Record(const OpInfo& op, Node& node, size_t at) {
    if (op.record->plain)
      return ReadField(*values_, node, op.record->fields[0], nullptr, buffer_->data() + at);
    ObjectReader object(*values_, node);
    bool ok = ReadMembers(*values_, object, *op.record, buffer_->data() + at);
    ok = Tails(op, *op.record, object, at) && ok;
    return object.Finish() && ok;
  }

  // The tails after the structure `host` at byte `at` of the buffer. A count that is not given comes from the tail.
  bool Tails(const OpInfo& op, const StructDesc& host, ObjectReader& object, size_t at) {
    bool ok = true;
    for (const TailDesc& tail : op.tails) {
      if (tail.counting == TailCount::kVertices && !Padding(object)) ok = false;
      Node* const node = object.Find(tail.name);
      if (tail.is_shader_code && !SkipAssembly(*values_, object)) ok = false;
      if (node == nullptr) continue;
      const size_t start = buffer_->size();
      if (!Tail(tail, *node)) ok = false;
      SetCount(tail, host, at, buffer_->size() - start);
    }
    return ok;
  }

  bool Padding(ObjectReader& object) {
    const Node* const node = object.Find("padding");
    Bytes bytes;
    if (node == nullptr) {
      encoder_->Padding();
      return true;
    }
    if (!values_->Hex(*node, bytes)) return false;
    if (!is_whole_) return true;
    if (bytes.size() != encoder_->PaddingSize()) {
      return values_->Fail(*node, Rule::kJson016, "the padding has the wrong size",
                           Counted(bytes.size(), "byte"), Counted(encoder_->PaddingSize(), "byte"));
    }
    encoder_->Padding(bytes);
    return true;
  }

  bool Tail(const TailDesc& tail, Node& node) {
    const bool is_vertices = tail.counting == TailCount::kVertices;
    if (is_vertices && node.type == NodeType::kArray) return Vertices(node);
    if (tail.element == nullptr || node.type == NodeType::kString) return TailBytes(node);
    const bool is_single = tail.counting == TailCount::kFixed && tail.count == 1;
    if (is_single) return TailElement(tail, node);
    if (!values_->Expect(node, NodeType::kArray)) return false;
    ElementIterator elements(values_->tape(), node);
    bool ok = true;
    while (Node* const element = elements.Next()) {
      if (!TailElement(tail, *element)) ok = false;
    }
    return ok;
  }

  bool TailBytes(const Node& node) {
    Bytes bytes;
    if (!values_->Base64(node, bytes)) return false;
    encoder_->Raw(bytes);
    return true;
  }

  // Immediate vertices as numbers: they have the format that the call names.
  bool Vertices(Node& node) {
    uint32_t vertex_size = place_->vertex_size;
    Bytes bytes;
    if (!ReadVertices(*values_, node, place_->vertex_type, vertex_size, bytes)) return false;
    encoder_->Raw(bytes);
    return true;
  }

  bool TailElement(const TailDesc& tail, Node& node) {
    const size_t at = Grow(tail.element->size);
    return ReadStructure(*values_, node, *tail.element, buffer_->data() + at);
  }

  // Derives the field that counts the tail where it is 0: a tail that is not empty never goes with a 0 there.
  void SetCount(const TailDesc& tail, const StructDesc& host, size_t at, size_t size) {
    const bool is_counted =
        tail.counting == TailCount::kFieldCount || tail.counting == TailCount::kFieldBytes;
    if (!is_counted) return;
    const opcode::FieldDesc& field = host.fields[tail.count_field];
    const uint32_t unit =
        tail.counting == TailCount::kFieldBytes || tail.element == nullptr ? 1 : tail.element->size;
    uint8_t* const to = buffer_->data() + at + opcode::FieldOffset(host, tail.count_field);
    if (field.wire == opcode::Wire::kU16 && LoadU16(to) == 0)
      Store(to, static_cast<uint16_t>(size / unit));
    if (field.wire == opcode::Wire::kU32 && LoadU32(to) == 0)
      Store(to, static_cast<uint32_t>(size / unit));
  }

  // Appends zeros; returns where they start.
  size_t Grow(size_t size) {
    const size_t at = buffer_->size();
    buffer_->resize(at + size);
    return at;
  }

  Values* values_;
  const StreamPlace* place_;
  std::vector<uint8_t>* buffer_;
  std::optional<stream::Encoder> encoder_;
  bool is_prefix_given_ = false;
  bool is_whole_ = true;  // so far; without, sizes of padding are not known
};

}  // namespace

bool ReadCommands(Values& values, Node& node, const StreamPlace& place,
                  std::vector<uint8_t>& buffer, Bytes& out) {
  if (node.type == NodeType::kObject) return ReadRaw(values, node, out);
  if (!values.Expect(node, NodeType::kArray)) return false;
  buffer.clear();
  if (!StreamBuilder(values, place, buffer).Build(node)) return false;
  out = buffer;
  return true;
}

}  // namespace dp2trace::json
