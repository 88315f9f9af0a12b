#include "support/event_generator.h"

#include <algorithm>
#include <type_traits>

#include "trace/field_types.h"

namespace dp2trace::testing {
namespace {

using trace::Structure;
template <class T>
concept Optional = requires(T t) {
  t.has_value();
};
template <class T>
concept Vector = requires(T t) {
  t.push_back(t[0]);
};

class Filler {
 public:
  Filler(EventGenerator& generator, size_t max_bytes)
      : generator_(&generator), max_bytes_(max_bytes) {}

  template <Structure T>
  void Fill(T& out) {
    trace::VisitFields<T>([&](const trace::Field&, auto member) {
      if (Below(2) != 0) Set(out.*member);
    });
  }

 private:
  size_t Below(size_t bound) { return generator_->Below(bound); }

  // Small numbers, powers of two and random ones.
  template <class T>
  void SetNumber(T& value) {
    uint64_t number = generator_->Random64();
    const size_t shape = Below(4);
    if (shape == 0) number = 1 + number % 9;
    if (shape == 1) number = uint64_t{1} << (number % 64);
    value = static_cast<T>(number);
  }

  template <class T>
  void Set(T& value) {
    if constexpr (Optional<T>) {
      Set(value.emplace());
    } else if constexpr (Structure<T>) {
      Fill(value);
    } else if constexpr (Vector<T>) {
      value.resize(Below(6));
      for (auto& element : value)
        Set(element);
    } else if constexpr (std::is_same_v<T, Bytes>) {
      value = generator_->MakeBytes(Below(max_bytes_ + 1));
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      SetText(value);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = true;
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(Below(4));
    } else {
      SetNumber(value);
    }
  }

  void SetText(std::string_view& value) {
    constexpr std::string_view kTexts[] = {"",
                                           "a",
                                           "quote \" and \\",
                                           "line\nbreak\t",
                                           "gr\xC3\xBC\xC3\x9F",
                                           "\xE6\xBC\xA2\xE5\xAD\x97",
                                           "\xF0\x9F\x8E\xAE",
                                           std::string_view("nul\0inside", 10),
                                           "\x01\x1F\x7F",
                                           "shade_mode"};
    value = kTexts[Below(std::size(kTexts))];
  }

  EventGenerator* generator_;
  size_t max_bytes_;
};

template <class T>
bool Same(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, Bytes>) {
    return std::ranges::equal(a, b);
  } else if constexpr (Optional<T>) {
    return a.has_value() == b.has_value() && (!a || Same(*a, *b));
  } else if constexpr (Vector<T>) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return Same(x, y); });
  } else if constexpr (Structure<T>) {
    bool same = true;
    trace::VisitFields<T>(
        [&](const trace::Field&, auto member) { same = same && Same(a.*member, b.*member); });
    return same;
  } else {
    return a == b;
  }
}

bool Same(const trace::Unknown& a, const trace::Unknown& b) {
  return a.kind == b.kind && a.flags == b.flags && Same(a.payload, b.payload);
}

constexpr trace::EventKind kKinds[] = {
#define DP2TRACE_EVENT(Type, code, name) trace::EventKind::k##Type,
#include "trace/events.def"
#undef DP2TRACE_EVENT
};

}  // namespace

Bytes EventGenerator::MakeBytes(size_t size) {
  std::vector<uint8_t>& bytes = storage_.emplace_back(size);
  for (uint8_t& byte : bytes)
    byte = static_cast<uint8_t>(random_.Next());
  return bytes;
}

trace::Event EventGenerator::Make(trace::EventKind kind) {
  switch (kind) {
#define DP2TRACE_EVENT(Type, code, name)   \
  case trace::EventKind::k##Type: {        \
    trace::Type event;                     \
    Filler(*this, max_bytes_).Fill(event); \
    return event;                          \
  }
#include "trace/events.def"
#undef DP2TRACE_EVENT
  }
  return trace::Unknown{};
}

trace::Event EventGenerator::MakeUnknown() {
  trace::Unknown unknown;
  unknown.kind = static_cast<uint16_t>(1000 + Below(1000));
  unknown.flags = static_cast<uint16_t>(Below(2));
  unknown.payload = MakeBytes(Below(max_bytes_ + 1));
  return unknown;
}

std::vector<trace::Event> EventGenerator::MakeTrace(size_t count) {
  std::vector<trace::Event> events;
  events.push_back(Make(trace::EventKind::kHeader));
  while (events.size() < count) {
    const size_t pick = Below(std::size(kKinds));
    events.push_back(pick == 0 ? MakeUnknown() : Make(kKinds[pick]));
  }
  return events;
}

bool SameEvent(const trace::Event& a, const trace::Event& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b](const auto& value) { return Same(value, std::get<std::decay_t<decltype(value)>>(b)); },
      a);
}

}  // namespace dp2trace::testing
