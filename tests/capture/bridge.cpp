#define D2C_IMPLEMENTATION
#include "bridge.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>

#include "dp2trace_capture_dp2.h"
#include "dp2trace_capture_ring.h"
#include "dp2trace_capture_text.h"
#include "trace/event_kind.h"
#include "trace/field_types.h"
#include "trace/reader.h"

namespace dp2trace::testing {
namespace {

// Memory that the structures of one event point to.
class Storage {
 public:
  uint8_t* Make(size_t size) { return blocks_.emplace_back(size + 1, uint8_t{0}).data(); }

 private:
  std::deque<std::vector<uint8_t>> blocks_;
};

template <class T>
void Put(uint8_t* at, const T& value) {
  std::memcpy(at, &value, sizeof value);
}

template <trace::Structure T>
void Fill(const T& event, const d2c__layout& layout, uint8_t* at, Storage& storage);

template <class T>
void FillValue(const T& value, const d2c__field& field, uint8_t* event, Storage& storage) {
  uint8_t* const at = event + field.at;
  if constexpr (trace::kIsOptional<T>) {
    Put<d2c_u32>(event + field.has, value ? 1 : 0);
    if (value) {
      d2c__field always = field;
      always.has = D2C__ALWAYS;
      FillValue(*value, always, event, storage);
    }
  } else if constexpr (trace::kIsVector<T>) {
    using Element = typename T::value_type;
    Put<d2c_u32>(event + field.has, static_cast<d2c_u32>(value.size()));
    if constexpr (trace::Structure<Element>) {
      const d2c__layout& inner = *d2c__layout_at(field.inner);
      uint8_t* const elements = storage.Make(inner.size * value.size());
      for (size_t i = 0; i < value.size(); ++i)
        Fill(value[i], inner, elements + i * inner.size, storage);
      Put<const void*>(at, elements);
    } else {
      Put<const void*>(at, value.data());
    }
  } else if constexpr (trace::Structure<T>) {
    Fill(value, *d2c__layout_at(field.inner), at, storage);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    Put(at, d2c_bytes_of(value.data(), static_cast<d2c_u32>(value.size())));
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    uint8_t* const text = storage.Make(value.size());
    std::ranges::copy(value, text);
    Put<const void*>(at, text);
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    Put(at, d2c_u64_of(static_cast<d2c_u32>(value >> 32), static_cast<d2c_u32>(value)));
  } else {
    Put(at, static_cast<d2c_u32>(value));
  }
}

template <trace::Structure T>
void Fill(const T& event, const d2c__layout& layout, uint8_t* at, Storage& storage) {
  size_t index = 0;
  trace::VisitFields<T>([&](const trace::Field&, auto member) {
    REQUIRE(index < layout.count);
    FillValue(event.*member, layout.fields[index++], at, storage);
  });
  REQUIRE(index == layout.count);
}

// After the layouts of the structures inside events.
constexpr d2c_u32 kFirstEventLayout = 11;

template <class T>
d2c_u32 LayoutOf() {
  d2c_u32 index = kFirstEventLayout;
  d2c_u32 found = 0;
#define DP2TRACE_EVENT(Type, code, name)             \
  if (std::is_same_v<T, trace::Type>) found = index; \
  ++index;
#include "trace/events.def"
#undef DP2TRACE_EVENT
  return found;
}

template <class T>
bool HasZero(const T& value) {
  if constexpr (trace::Structure<T>) {
    bool found = false;
    trace::VisitFields<T>(
        [&](const trace::Field&, auto member) { found = found || HasZero(value.*member); });
    return found;
  } else if constexpr (trace::kIsOptional<T>) {
    return value && HasZero(*value);
  } else if constexpr (trace::kIsVector<T>) {
    for (const auto& element : value) {
      if (HasZero(element)) return true;
    }
    return false;
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return value.find('\0') != std::string_view::npos;
  } else {
    return false;
  }
}

}  // namespace

bool CanRecord(const trace::Event& event) {
  return std::visit(
      [](const auto& e) {
        if constexpr (std::is_same_v<std::decay_t<decltype(e)>, trace::Unknown>) {
          return false;
        } else {
          return !HasZero(e);
        }
      },
      event);
}

int Record(d2c& capture, const trace::Event& event) {
  return std::visit(
      [&capture, &event](const auto& e) {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::Unknown>) {
          return static_cast<int>(D2C_E_ARGUMENT);
        } else {
          Storage storage;
          const d2c_u32 layout = LayoutOf<T>();
          uint8_t* const memory = storage.Make(d2c__layout_at(layout)->size);
          Fill(e, *d2c__layout_at(layout), memory, storage);
          return d2c__event(&capture, trace::CodeOf(event), layout, memory);
        }
      },
      event);
}

int Sink::Write(void* sink, const void* bytes, d2c_u32 size) {
  auto& to = *static_cast<Sink*>(sink);
  const auto* const from = static_cast<const uint8_t*>(bytes);
  if (to.file.size() + size > to.fail_after || to.calls++ == to.fail_at) return 1;
  to.file.insert(to.file.end(), from, from + size);
  to.writes.push_back(size);
  return 0;
}

std::vector<uint8_t> RecordAll(const std::vector<trace::Event>& events,
                               const RecordingOptions& options) {
  Sink sink;
  std::vector<uint8_t> buffer(options.buffer_size + 1);
  std::vector<uint8_t> index(options.index_size + 1);
  d2c capture;
  d2c_open(&capture, Sink::Write, &sink, options.buffer_size == 0 ? nullptr : buffer.data(),
           static_cast<d2c_u32>(options.buffer_size),
           options.index_size == 0 ? nullptr : index.data(),
           static_cast<d2c_u32>(options.index_size));
  d2c_set_flush(&capture, options.flush);
  d2c_set_packing(&capture, options.packs ? 1 : 0);
  for (const trace::Event& event : events) {
    if (CanRecord(event)) REQUIRE(Record(capture, event) == D2C_OK);
  }
  REQUIRE((options.is_finished ? d2c_finish(&capture) : d2c_flush(&capture)) == D2C_OK);
  return sink.file;
}

Tally TallyOf(Bytes file) {
  Tally tally;
  DiagnosticList findings;
  Result<trace::Reader> reader = trace::Reader::FromBytes(file, findings);
  REQUIRE(reader.ok());
  for (trace::EventRecord record; reader->Next(record);) {
    if (const auto* const lost = std::get_if<trace::Lost>(&record.event)) {
      if (tally.lost == 0) tally.cause = lost->cause;
      tally.lost += lost->events;
    } else if (const auto* const header = std::get_if<trace::Header>(&record.event)) {
      ++tally.headers;
      tally.is_bare = header->start == trace::RecordingStart::kBare;
      tally.level = header->driver_level;
    } else {
      ++tally.given;
    }
  }
  return tally;
}

}  // namespace dp2trace::testing
