#include "trace/codec.h"

#include <cassert>
#include <concepts>
#include <type_traits>

#include "trace/event_kind.h"
#include "trace/field_types.h"
#include "trace/utf8.h"

namespace dp2trace::trace {
namespace {

// ---------- writing ----------

template <Structure T>
void PutStructure(const T& structure, ByteWriter& writer, std::vector<uint8_t>& out);

template <class T>
void PutValue(const T& value, ByteWriter& writer, std::vector<uint8_t>& out) {
  if constexpr (kIsOptional<T>) {
    PutValue(*value, writer, out);
  } else if constexpr (Structure<T>) {
    PutStructure(value, writer, out);
  } else if constexpr (kIsVector<T>) {
    writer.Write(static_cast<uint32_t>(value.size()));
    for (const auto& element : value)
      PutValue(element, writer, out);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    writer.Write(static_cast<uint32_t>(value.size()));
    writer.WriteBytes(value);
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    PutValue(Bytes(reinterpret_cast<const uint8_t*>(value.data()), value.size()), writer, out);
  } else if constexpr (std::is_same_v<T, bool>) {
    writer.Write<uint8_t>(value ? 1 : 0);
  } else if constexpr (std::is_enum_v<T>) {
    writer.Write(static_cast<uint32_t>(value));
  } else {
    static_assert(std::is_integral_v<T>);
    writer.Write(value);
  }
}

template <Structure T>
void PutStructure(const T& structure, ByteWriter& writer, std::vector<uint8_t>& out) {
  const size_t mask_at = out.size();
  writer.Write<uint64_t>(0);
  uint64_t mask = 0;
  uint64_t bit = 1;
  VisitFields<T>([&](const Field&, auto member) {
    if (!IsDefault(structure.*member, kDefault<T>.*member)) {
      mask |= bit;
      PutValue(structure.*member, writer, out);
    }
    bit <<= 1;
  });
  assert(bit != 0);  // at most 63 fields
  Store(out.data() + mask_at, mask);
}

// ---------- reading ----------

// Decodes one payload and stops at the first defect. Every count is checked against the bytes that are left and the memory limit
// before memory is taken.
class PayloadReader {
 public:
  PayloadReader(Bytes payload, uint64_t memory_limit)
      : reader_(payload), memory_left_(memory_limit) {}

  template <Structure T>
  void ReadStructure(T& out) {
    const auto mask = reader_.Read<uint64_t>();
    if (reader_.failed()) return Fail("the payload ends inside a field");
    uint64_t bit = 1;
    VisitFields<T>([&](const Field&, auto member) {
      if ((mask & bit) != 0 && !defect_) ReadField(out.*member, kDefault<T>.*member);
      bit <<= 1;
    });
    if ((mask & ~(bit - 1)) != 0) Fail("the presence mask has bits without a field");
  }

  std::optional<PayloadDefect> Finish() {
    if (!defect_ && reader_.remaining() != 0) Fail("bytes follow the last field");
    return defect_;
  }

 private:
  void Fail(std::string_view reason) {
    if (!defect_) defect_ = PayloadDefect{reason, reader_.offset()};
  }

  template <class T>
  void ReadField(T& value, const T& default_value) {
    ReadValue(value);
    if (reader_.failed()) return Fail("the payload ends inside a field");
    if (!defect_ && IsDefault(value, default_value))
      Fail("a field that holds its default is present");
  }

  template <class T>
  void ReadValue(T& value) {
    if constexpr (kIsOptional<T>) {
      ReadValue(value.emplace());
    } else if constexpr (Structure<T>) {
      ReadStructure(value);
    } else if constexpr (kIsVector<T>) {
      ReadVector(value);
    } else if constexpr (std::is_same_v<T, Bytes>) {
      const auto size = reader_.Read<uint32_t>();
      value = reader_.ReadBytes(size);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      Bytes bytes;
      ReadValue(bytes);
      value = std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      if (!IsUtf8(value)) Fail("a text is not UTF-8");
    } else if constexpr (std::is_same_v<T, bool>) {
      const auto byte = reader_.Read<uint8_t>();
      if (byte > 1) Fail("a boolean is neither 0 nor 1");
      value = byte != 0;
    } else if constexpr (std::is_enum_v<T>) {
      // Every u32 is a value; the ones without a name stay numbers.
      value = static_cast<T>(reader_.Read<uint32_t>());
    } else {
      value = reader_.Read<T>();
    }
  }

  // Bytes that an element takes at least.
  template <class T>
  static constexpr uint64_t MinSize() {
    return Structure<T> ? sizeof(uint64_t) : sizeof(T);
  }

  template <class T>
  void ReadVector(std::vector<T>& values) {
    const uint64_t count = reader_.Read<uint32_t>();
    if (count > reader_.remaining() / MinSize<T>())
      return Fail("an array is longer than the payload");
    if (count * sizeof(T) > memory_left_)
      return Fail("an array needs more memory than --max-memory allows");
    memory_left_ -= count * sizeof(T);
    values.resize(static_cast<size_t>(count));
    for (T& value : values) {
      ReadValue(value);
      if (defect_ || reader_.failed()) return;
    }
  }

  ByteReader reader_;
  uint64_t memory_left_;
  std::optional<PayloadDefect> defect_;
};

template <class T>
std::optional<PayloadDefect> DecodeAs(Bytes payload, Event& event, uint64_t memory_limit) {
  PayloadReader reader(payload, memory_limit);
  reader.ReadStructure(event.emplace<T>());
  return reader.Finish();
}

std::optional<PayloadDefect> DecodeKind(EventKind kind, Bytes payload, Event& event,
                                        uint64_t memory_limit) {
  switch (kind) {
#define DP2TRACE_EVENT(Type, code, name) \
  case EventKind::k##Type:               \
    return DecodeAs<Type>(payload, event, memory_limit);
#include "trace/events.def"
#undef DP2TRACE_EVENT
  }
  return std::nullopt;
}

}  // namespace

template <class T>
void EncodePayload(const T& event, std::vector<uint8_t>& out) {
  ByteWriter writer(out);
  if constexpr (std::is_same_v<T, Unknown>) {
    writer.WriteBytes(event.payload);
  } else {
    PutStructure(event, writer, out);
  }
}

template void EncodePayload(const Unknown&, std::vector<uint8_t>&);
#define DP2TRACE_EVENT(Type, code, name) \
  template void EncodePayload(const Type&, std::vector<uint8_t>&);
#include "trace/events.def"
#undef DP2TRACE_EVENT

void EncodePayload(const Event& event, std::vector<uint8_t>& out) {
  std::visit([&out](const auto& value) { EncodePayload(value, out); }, event);
}

std::optional<PayloadDefect> DecodePayload(uint16_t kind, uint16_t flags, Bytes payload,
                                           Event& event, uint64_t memory_limit) {
  const std::optional<EventKind> known = FindEventKind(kind);
  std::optional<PayloadDefect> defect;
  if (known && flags == 0) {
    defect = DecodeKind(*known, payload, event, memory_limit);
    if (!defect) return std::nullopt;
  } else if (known) {
    defect = PayloadDefect{"the event has flags, and its kind has none", 0};
  }
  event = Unknown{kind, flags, payload};
  return defect;
}

}  // namespace dp2trace::trace
