#include "trace/event_kind.h"

#include <doctest/doctest.h>

#include <set>

using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Event kinds: every row is found by code and by name, and no code or name occurs twice") {
  std::set<uint16_t> codes;
  std::set<std::string_view> names;
// NOLINTBEGIN(bugprone-macro-parentheses): a type
#define DP2TRACE_EVENT(Type, code, name)                              \
  CHECK(FindEventKind(uint16_t{code}) == EventKind::k##Type);         \
  CHECK(FindEventKind(std::string_view(name)) == EventKind::k##Type); \
  CHECK(EventName(EventKind::k##Type) == (name));                     \
  CHECK(kKindOf<Type> == EventKind::k##Type);                         \
  CHECK(CodeOf(Event(Type{})) == (code));                             \
  CHECK(codes.insert(code).second);                                   \
  CHECK(names.insert(name).second);
// NOLINTEND(bugprone-macro-parentheses)
#include "trace/events.def"
#undef DP2TRACE_EVENT
}

TEST_CASE("Event kinds: codes and names without a row are not found") {
  for (const uint16_t code : std::initializer_list<uint16_t>{0, 16, 41, 63, 64, 65535}) {
    CHECK_FALSE(FindEventKind(code).has_value());
    CHECK(EventName(code) == "unknown");
  }
  CHECK_FALSE(FindEventKind(std::string_view("unknown")).has_value());
  CHECK(CodeOf(Event(Unknown{77, 0, {}})) == 77);
}
