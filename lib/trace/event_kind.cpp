#include "trace/event_kind.h"

namespace dp2trace::trace {
namespace {

struct Row {
  EventKind kind;
  std::string_view name;
};

constexpr Row kRows[] = {
#define DP2TRACE_EVENT(Type, code, name) {EventKind::k##Type, name},
#include "trace/events.def"
#undef DP2TRACE_EVENT
};

// Row index + 1 by code, 0 = no row.
constexpr auto kRowOfCode = [] {
  std::array<uint8_t, 64> rows{};
  for (size_t i = 0; i < std::size(kRows); ++i)
    rows.at(static_cast<size_t>(kRows[i].kind)) = static_cast<uint8_t>(i + 1);
  return rows;
}();

}  // namespace

std::optional<EventKind> FindEventKind(uint16_t code) {
  if (code >= kRowOfCode.size() || kRowOfCode[code] == 0) return std::nullopt;
  return static_cast<EventKind>(code);
}

std::optional<EventKind> FindEventKind(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

std::string_view EventName(uint16_t code) {
  if (code >= kRowOfCode.size() || kRowOfCode[code] == 0) return "unknown";
  return kRows[kRowOfCode[code] - 1].name;
}

uint16_t CodeOf(const Event& event) {
  return std::visit(
      [](const auto& value) -> uint16_t {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, Unknown>) {
          return value.kind;
        } else {
          return static_cast<uint16_t>(kKindOf<T>);
        }
      },
      event);
}

}  // namespace dp2trace::trace
