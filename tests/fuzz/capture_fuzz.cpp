// Any calls of the recorder, with any sizes: what it wrote is what a reader takes without a finding.
#define D2C_IMPLEMENTATION
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

#include "dp2trace_capture.h"
#include "trace/reader.h"

namespace {

using namespace dp2trace;  // NOLINT(google-build-using-namespace): one file

// Numbers from the input; zeros past its end.
class Source {
 public:
  Source(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint32_t Next(uint32_t bytes = 1) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < bytes && at_ < size_; ++i)
      value |= uint32_t{data_[at_++]} << 8 * i;
    return value;
  }
  bool empty() const { return at_ >= size_; }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

class Filler {
 public:
  explicit Filler(Source& source) : source_(&source) {}

  uint8_t* Make(uint32_t layout_index) {
    const d2c__layout& layout = *d2c__layout_at(layout_index);
    uint8_t* const event = blocks_.emplace_back(layout.size).data();
    d2c__init(event, layout_index);
    FillStructure(layout, event);
    return event;
  }

 private:
  template <class T>
  static void Put(uint8_t* at, const T& value) {
    std::memcpy(at, &value, sizeof value);
  }

  void FillStructure(const d2c__layout& layout, uint8_t* event) {
    for (uint32_t i = 0; i < layout.count; ++i) {
      if ((source_->Next() & 1) != 0) FillField(layout.fields[i], event);
    }
  }

  void FillField(const d2c__field& field, uint8_t* event) {
    uint8_t* const at = event + field.at;
    const bool is_array = field.type == D2C__WORDS || field.type == D2C__STRUCTS;
    if (field.has != D2C__ALWAYS && !is_array) Put<d2c_u32>(event + field.has, source_->Next());
    switch (field.type) {
      case D2C__U64:
        return Put(at, d2c_u64_of(source_->Next(2), source_->Next(2)));
      case D2C__TEXT:
        return Put<const void*>(at, MakeText());
      case D2C__BYTES:
        return Put(at, MakeBytes(source_->Next() % 3));
      case D2C__WORDS:
        Put<d2c_u32>(event + field.has, source_->Next() % 64);
        return Put<const void*>(at, kBytes.data());
      case D2C__STRUCT:
        return FillStructure(*d2c__layout_at(field.inner), at);
      case D2C__STRUCTS: {
        const d2c__layout& inner = *d2c__layout_at(field.inner);
        const uint32_t count = source_->Next() % 8;
        uint8_t* const elements = blocks_.emplace_back(size_t{inner.size} * count + 1).data();
        for (uint32_t k = 0; k < count; ++k)
          FillStructure(inner, elements + size_t{k} * inner.size);
        Put<d2c_u32>(event + field.has, count);
        return Put<const void*>(at, elements);
      }
      default:
        return Put<d2c_u32>(at, source_->Next(4));
    }
  }

  const void* MakeText() {
    std::vector<uint8_t>& text = blocks_.emplace_back(source_->Next() % 16 + 1);
    for (size_t i = 0; i + 1 < text.size(); ++i)
      text[i] = static_cast<uint8_t>(source_->Next());
    text.back() = 0;
    return text.data();
  }

  d2c_bytes MakeBytes(uint32_t more) {
    d2c_bytes bytes = d2c_bytes_of(kBytes.data(), source_->Next(2));
    if ((source_->Next() & 1) != 0) {
      bytes.row_size = source_->Next() + 1;
      const uint32_t rows = bytes.size / bytes.row_size + 1;
      bytes.pitch = static_cast<d2c_i32>(source_->Next() % (kBytes.size() / 2 / rows + 1));
    }
    if (more != 0) bytes.next = &pieces_.emplace_back(MakeBytes(more - 1));
    return bytes;
  }

  Source* source_;
  inline static const std::vector<uint8_t> kBytes = std::vector<uint8_t>(1 << 17, 0x5A);
  std::deque<std::vector<uint8_t>> blocks_;
  std::deque<d2c_bytes> pieces_;
};

int Append(void* file, const void* bytes, d2c_u32 size) {
  auto& to = *static_cast<std::vector<uint8_t>*>(file);
  const auto* const from = static_cast<const uint8_t*>(bytes);
  to.insert(to.end(), from, from + size);
  return 0;
}

constexpr uint32_t kFirstEvent = D2C__HEADER_LAYOUT;
constexpr uint16_t kCodes[] = {
#define DP2TRACE_EVENT(Type, code, name) code,
#include "trace/events.def"
#undef DP2TRACE_EVENT
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Source source(data, size);
  std::vector<uint8_t> buffer(source.Next(2) + 1);
  std::vector<uint8_t> index(source.Next(2) + 1);
  std::vector<uint8_t> file;
  d2c capture;
  d2c_open(&capture, Append, &file, buffer.data(), static_cast<d2c_u32>(buffer.size() - 1),
           index.data(), static_cast<d2c_u32>(index.size() - 1));
  uint64_t events = 0;
  while (!source.empty()) {
    const uint32_t pick = source.Next() % (uint32_t{std::size(kCodes)} + 3);
    if (pick == std::size(kCodes)) {
      if (d2c_flush(&capture) != D2C_OK) std::abort();
    } else if (pick > std::size(kCodes)) {
      d2c_set_flush(&capture, source.Next() % 4);
    } else {
      Filler filler(source);
      const uint8_t* const event = filler.Make(kFirstEvent + pick);
      if (events++ == 0 && pick != 0) ++events;  // and a header of its own
      if (const int error = d2c__event(&capture, kCodes[pick], kFirstEvent + pick, event);
          error != D2C_OK) {
        (void)std::fprintf(stderr, "error %d\n", error);
        std::abort();
      }
    }
  }
  if (d2c_finish(&capture) != D2C_OK) std::abort();
  DiagnosticList findings;
  Result<trace::Reader> reader = trace::Reader::FromBytes(file, findings);
  if (!reader.ok()) std::abort();
  uint64_t read = 0;
  for (trace::EventRecord record; reader->Next(record);)
    ++read;
  for (const Diagnostic& finding : findings.items())
    (void)std::fprintf(stderr, "%s\n", finding.message.c_str());
  if (!findings.empty() || read != std::max<uint64_t>(events, 1)) std::abort();
  return 0;
}
