#include "json/event_writer.h"

#include "d3d/formats.h"
#include "json/field_types.h"
#include "json/packet_lists.h"
#include "json/token_values.h"
#include "trace/codec.h"
#include "trace/event_kind.h"
#include "trace/utf8.h"

namespace dp2trace::json {

namespace {

using trace::Field;
using trace::Form;

class EventWriter {
 public:
  EventWriter(SideFileWriter* side_files, Vertices vertices, const std::string* words, Builder& out)
      : side_files_(side_files), vertices_(vertices), words_(words), out_(&out) {}

  template <class T>
  void Write(const T& event) {
    out_->Raw("{\"event\":");
    out_->Name(trace::EventName(trace::kKindOf<T>));
    place_ = PlaceOf(event);
    place_.vertices = vertices_;
    WriteFields(event);
    out_->Raw('}');
  }
  void Write(const trace::Unknown& event) { WriteUnknown(event.kind, event.flags, event.payload); }

  // The events whose kind or content has no text form: their bytes.
  void WriteUnknown(uint16_t kind, uint16_t flags, Bytes payload) {
    out_->Raw("{\"event\":\"unknown\"");
    out_->Key("kind");
    out_->Number(uint32_t{kind});
    if (flags != 0) {
      out_->Key("flags");
      out_->Number(uint32_t{flags});
    }
    if (!payload.empty()) {
      out_->Key("payload");
      out_->Hex(payload);
    }
    out_->Raw('}');
  }

  const Status& status() const { return status_; }
  // A text that is not UTF-8 was met: the container does not know such an event either.
  bool has_foreign_text() const { return has_foreign_text_; }

 private:
  template <Structure T>
  void WriteFields(const T& structure) {
    trace::VisitFields<T>([&](const Field& field, auto member) {
      if (IsDefault(structure.*member, kDefault<T>.*member)) return;
      out_->Key(field.name);
      if constexpr (VertexHolder<T>) {
        if (vertices_ == Vertices::kReadable && structure.vertex_size != 0) {
          if (IsMember(member, &T::vertex_type)) return WriteFvf(structure.vertex_type, *out_);
          if (IsMember(member, &T::vertices) &&
              HasReadableVertices(structure.vertex_type, structure.vertex_size)) {
            return WriteVertices(structure.vertices, structure.vertex_type, structure.vertex_size,
                                 *out_);
          }
        }
        if (words_ != nullptr && IsMember(member, &T::vertices))
          return WriteVertices(structure.vertices, *words_, *out_);
      } else if constexpr (std::is_same_v<T, trace::SurfaceUpdate>) {
        if (words_ != nullptr && IsMember(member, &T::data))
          return WriteVertices(structure.data, *words_, *out_);
      }
      WriteValue(field, structure.*member);
    });
  }

  template <class T>
  void WriteValue(const Field& field, const T& value) {
    if constexpr (kIsOptional<T>) {
      WriteValue(field, *value);
    } else if constexpr (kIsVector<T>) {
      WriteArray(field, value);
    } else if constexpr (kIsTuple<T>) {
      WriteTuple(value);
    } else if constexpr (Structure<T>) {
      out_->Raw('{');
      WriteFields(value);
      out_->Raw('}');
    } else if constexpr (std::is_same_v<T, Bytes>) {
      WriteBytes(field, value);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      has_foreign_text_ |= !trace::IsUtf8(value);
      out_->String(value);
    } else if constexpr (std::is_same_v<T, bool>) {
      out_->Raw(value ? "true" : "false");
    } else if constexpr (std::is_enum_v<T>) {
      WriteEnum(*field.names, static_cast<uint32_t>(value), *out_);
    } else if constexpr (std::is_same_v<T, uint32_t>) {
      WriteU32(field, value);
    } else {
      out_->Number(value);
    }
  }

  template <class T>
  void WriteArray(const Field& field, const std::vector<T>& elements) {
    out_->Raw('[');
    for (const T& element : elements) {
      out_->Separate();
      WriteValue(field, element);
    }
    out_->Raw(']');
  }

  template <class T>
  void WriteTuple(const T& tuple) {
    out_->Raw('[');
    trace::VisitFields<T>([&](const Field&, auto member) {
      out_->Separate();
      out_->Number(tuple.*member);
    });
    out_->Raw(']');
  }

  void WriteU32(const Field& field, uint32_t value) {
    if (field.form == Form::kEnum) return WriteEnum(*field.names, value, *out_);
    if (field.form == Form::kFlags) return WriteFlags(*field.names, value, *out_);
    if (field.form == Form::kFloatBits) return out_->FloatBits(value);
    const d3d::FormatInfo* const format =
        field.form == Form::kFormat ? d3d::FindFormat(value) : nullptr;
    if (format != nullptr) return out_->Name(format->name);
    out_->Number(value);
  }

  void WriteBytes(const Field& field, Bytes bytes) {
    if (field.form == Form::kCommands) return WriteCommands(bytes, place_, *out_);
    if (field.form == Form::kAllocationList)
      return WritePackedList(kAllocationListElement, bytes, *out_);
    if (field.form == Form::kPatchList) return WritePackedList(kPatchListElement, bytes, *out_);
    if (field.form == Form::kHexBytes) return out_->Hex(bytes);
    if (side_files_ == nullptr || bytes.size() < kSmallestSideFile) return out_->Base64(bytes);
    const Result<std::string> path = side_files_->Store(bytes);
    if (!path.ok() && status_.ok()) status_ = path.status();
    out_->Raw("{\"file\":");
    out_->String(path.ok() ? *path : std::string());
    out_->Raw('}');
  }

  SideFileWriter* side_files_;
  Vertices vertices_;
  const std::string* words_;
  Builder* out_;
  StreamPlace place_;
  Status status_;
  bool has_foreign_text_ = false;
};

}  // namespace

Status WriteEvent(const trace::Event& event, SideFileWriter* side_files, Vertices vertices,
                  Builder& out, const std::string* words) {
  const size_t start = out.size();
  EventWriter writer(side_files, vertices, words, out);
  std::visit([&writer](const auto& value) { writer.Write(value); }, event);
  if (!writer.has_foreign_text()) return writer.status();
  out.string().resize(start);
  std::vector<uint8_t> payload;
  trace::EncodePayload(event, payload);
  writer.WriteUnknown(trace::CodeOf(event), 0, payload);
  return OkStatus();
}

}  // namespace dp2trace::json
