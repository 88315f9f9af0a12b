#include "json/event_reader.h"

#include <algorithm>
#include <limits>

#include "d3d/fvf.h"
#include "json/field_types.h"
#include "json/packet_lists.h"
#include "json/texels.h"
#include "trace/event_kind.h"

namespace dp2trace::json {

namespace {

using trace::Field;
using trace::Form;

// Members without which vertices, texels and commands cannot be read.
constexpr std::string_view kShaping[] = {"vertex_type", "vertex_size", "command_offset", "dp2_env",
                                         "payload",     "format",      "pitch"};

class EventReader {
 public:
  EventReader(Values& values, std::vector<uint8_t>& stream) : values_(&values), stream_(&stream) {}

  // The members of an event. Command streams come last: their form depends on other members.
  template <class T>
  bool Read(ObjectReader& object, T& event) {
    bool ok = ReadFields(object, event, false);
    place_ = PlaceOf(event);
    ok = ReadFields(object, event, true) && ok;
    return object.Finish() && ok;
  }

  bool Read(ObjectReader& object, trace::Unknown& event) {
    const Node* const kind = object.Require("kind");
    const Node* const flags = object.Find("flags");
    const Node* const payload = object.Find("payload");
    bool ok = kind != nullptr && ReadInteger(*kind, event.kind);
    if (flags != nullptr) ok = ReadInteger(*flags, event.flags) && ok;
    if (payload != nullptr) ok = values_->Hex(*payload, event.payload) && ok;
    return object.Finish() && ok;
  }

 private:
  template <Structure T>
  bool ReadFields(ObjectReader& object, T& structure, bool commands) {
    bool ok = true;
    trace::VisitFields<T>([&](const Field& field, auto member) {
      if ((field.form == Form::kCommands) != commands) return;
      Node* const node = object.Find(field.name);
      if (node == nullptr || ReadMember(*node, field, structure, member)) return;
      ok = false;
      if (std::ranges::find(kShaping, field.name) != std::end(kShaping)) is_shape_known_ = false;
    });
    return ok;
  }

  template <Structure T, class Member>
  bool ReadMember(Node& node, const Field& field, T& structure, Member member) {
    if (field.form == Form::kCommands && !is_shape_known_) return false;
    if constexpr (VertexHolder<T>) {
      if (IsMember(member, &T::vertex_type)) return ReadVertexType(node, structure);
      if (IsMember(member, &T::vertices) && node.type == NodeType::kArray) {
        return is_shape_known_ && ReadVertices(*values_, node, structure.vertex_type,
                                               structure.vertex_size, structure.vertices);
      }
    }
    if constexpr (std::is_same_v<T, trace::SurfaceUpdate>) {
      if (IsMember(member, &T::data) && node.type == NodeType::kArray)
        return ReadOwnVertices(*values_, node, structure.data);
    }
    if constexpr (TexelHolder<T>) {
      if (IsMember(member, &T::data) && IsTexels(*values_, node)) {
        uint32_t format = 0;
        if constexpr (requires { structure.format; }) format = structure.format;
        return is_shape_known_ &&
               ReadTexels(*values_, node, format, structure.pitch, structure.data);
      }
    }
    return ReadValue(node, field, structure.*member);
  }

  // Names say the size of a vertex, too; a vertex_size, which is read after it, wins.
  template <VertexHolder T>
  bool ReadVertexType(const Node& node, T& structure) {
    if (!ReadFvf(*values_, node, structure.vertex_type)) return false;
    if (IsFvfText(node)) structure.vertex_size = d3d::FvfVertexSize(structure.vertex_type);
    return true;
  }

  template <class T>
  bool ReadValue(Node& node, const Field& field, T& out) {
    if constexpr (kIsOptional<T>) {
      return ReadValue(node, field, out.emplace());
    } else if constexpr (kIsVector<T>) {
      return ReadArray(node, field, out);
    } else if constexpr (kIsTuple<T>) {
      return ReadTuple(node, out);
    } else if constexpr (Structure<T>) {
      ObjectReader object(*values_, node);
      const bool ok = ReadFields(object, out, false);
      return object.Finish() && ok;
    } else if constexpr (std::is_same_v<T, Bytes>) {
      return ReadBytes(node, field, out);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      return values_->String(node, out);
    } else if constexpr (std::is_same_v<T, bool>) {
      return values_->Bool(node, out);
    } else if constexpr (std::is_enum_v<T>) {
      uint32_t number = 0;
      if (!values_->Enum(node, *field.names, number)) return false;
      out = static_cast<T>(number);
      return true;
    } else if constexpr (std::is_same_v<T, uint32_t>) {
      return ReadU32(node, field, out);
    } else {
      return ReadInteger(node, out);
    }
  }

  template <class T>
  bool ReadArray(Node& node, const Field& field, std::vector<T>& out) {
    if (!values_->Expect(node, NodeType::kArray)) return false;
    if (!values_->arena().Charge(uint64_t{node.size} * sizeof(T))) return values_->FailMemory(node);
    out.resize(node.size);
    ElementIterator elements(values_->tape(), node);
    bool ok = true;
    for (T& element : out) {
      if (!ReadValue(*elements.Next(), field, element)) ok = false;
    }
    return ok;
  }

  template <class T>
  bool ReadTuple(Node& node, T& out) {
    if (!values_->ExpectCount(node, FieldCount<T>())) return false;
    ElementIterator elements(values_->tape(), node);
    bool ok = true;
    trace::VisitFields<T>(
        [&](const Field&, auto member) { ok = ok && ReadInteger(*elements.Next(), out.*member); });
    return ok;
  }

  bool ReadU32(const Node& node, const Field& field, uint32_t& out) {
    if (field.form == Form::kEnum) return values_->Enum(node, *field.names, out);
    if (field.form == Form::kFlags) return values_->Flags(node, *field.names, out);
    if (field.form == Form::kFormat) return values_->Format(node, out);
    if (field.form == Form::kFloatBits) return values_->FloatBits(node, out);
    return values_->U32(node, out);
  }

  template <class T>
  bool ReadInteger(const Node& node, T& out) {
    if constexpr (std::is_signed_v<T>) {
      int64_t value = 0;
      if (!values_->Signed(node, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                           value))
        return false;
      out = static_cast<T>(value);
    } else {
      uint64_t value = 0;
      if (!values_->Unsigned(node, std::numeric_limits<T>::max(), value)) return false;
      out = static_cast<T>(value);
    }
    return true;
  }

  bool ReadBytes(Node& node, const Field& field, Bytes& out) {
    if (field.form == Form::kCommands) return ReadCommands(*values_, node, place_, *stream_, out);
    if (field.form == Form::kAllocationList)
      return ReadPackedList(*values_, node, kAllocationListElement, out);
    if (field.form == Form::kPatchList)
      return ReadPackedList(*values_, node, kPatchListElement, out);
    if (field.form == Form::kHexBytes) return values_->Hex(node, out);
    return values_->Base64(node, out);
  }

  Values* values_;
  std::vector<uint8_t>* stream_;
  StreamPlace place_;
  bool is_shape_known_ = true;
};

std::vector<std::string_view> EventNames() {
  return {
#define DP2TRACE_EVENT(Type, code, name) trace::EventName(trace::EventKind::k##Type),
#include "trace/events.def"
#undef DP2TRACE_EVENT
      "unknown"};
}

bool ReadKind(EventReader& reader, ObjectReader& object, trace::EventKind kind,
              trace::Event& event) {
  switch (kind) {
#define DP2TRACE_EVENT(Type, code, name) \
  case trace::EventKind::k##Type:        \
    return reader.Read(object, event.emplace<trace::Type>());
#include "trace/events.def"
#undef DP2TRACE_EVENT
  }
  return false;
}

}  // namespace

bool ReadEvent(Values& values, std::vector<uint8_t>& stream, trace::Event& event) {
  ObjectReader object(values, values.tape().nodes().front());
  const Node* const name = object.Require("event");
  std::string_view text;
  if (name == nullptr || !values.String(*name, text)) return false;
  EventReader reader(values, stream);
  if (text == "unknown") return reader.Read(object, event.emplace<trace::Unknown>());
  const std::optional<trace::EventKind> kind = trace::FindEventKind(text);
  if (!kind) return values.FailName(*name, text, "the event kinds", EventNames());
  return ReadKind(reader, object, *kind, event);
}

}  // namespace dp2trace::json
