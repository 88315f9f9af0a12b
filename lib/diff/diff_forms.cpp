// Differences as text and JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diff/diff.h"
#include "json/append.h"
#include "json/output.h"

namespace dp2trace::diff {
namespace {

void AppendLine(std::string& out, char sign, const DiffPlace& place, std::string_view behind) {
  out += fmt::format("{} event {}, frame {}{}: {}\n", sign, place.event, place.frame, behind,
                     place.text);
}

void AppendDifference(std::string& out, const Difference& difference) {
  const DiffPlace& a = difference.a;
  const DiffPlace& b = difference.b;
  if (!b.is_there) return AppendLine(out, '-', a, fmt::format(" (B: after event {})", b.event));
  if (!a.is_there) return AppendLine(out, '+', b, fmt::format(" (A: after event {})", a.event));
  AppendLine(out, '<', a, "");
  AppendLine(out, '>', b, "");
  if (!difference.fields.empty()) {
    out += fmt::format("  differs in {}\n", fmt::join(difference.fields, ", "));
  }
  if (difference.byte) {
    out += fmt::format("  first difference at byte {} of the token\n", *difference.byte);
  }
}

void AppendPlace(json::Builder& out, std::string_view name, const DiffPlace& place) {
  const auto number = [&](std::string_view key, uint64_t value) {
    out.Key(key);
    out.Number(value);
  };
  out.Key(name);
  out.Raw('{');
  if (!place.is_there) {
    number("after_event", place.event);
  } else {
    number("event", place.event);
    number("frame", place.frame);
    if (place.offset) number("offset", *place.offset);
    if (place.draw != 0) number("draw", place.draw);
    out.Key("text");
    out.String(place.text);
  }
  out.Raw('}');
}

void AppendDifference(json::Builder& out, const Difference& difference) {
  out.Raw("\n{");
  out.Key("change");
  out.Name(difference.change());
  AppendPlace(out, "a", difference.a);
  AppendPlace(out, "b", difference.b);
  if (!difference.fields.empty()) {
    out.Key("fields");
    out.Raw('[');
    for (const std::string_view field : difference.fields) {
      out.Separate();
      out.Name(field);
    }
    out.Raw(']');
  }
  if (difference.byte) {
    out.Key("byte");
    out.Number(*difference.byte);
  }
  out.Raw('}');
}

}  // namespace

std::string DiffText(const DiffResult& result) {
  if (result.is_equal()) return "the same\n";
  std::string out;
  for (const Difference& difference : result.shown)
    AppendDifference(out, difference);
  const uint64_t all = result.removed + result.added + result.changed;
  if (all > result.shown.size()) out += fmt::format("... and {} more\n", all - result.shown.size());
  out += fmt::format("{} removed, {} added, {} changed\n", result.removed, result.added,
                     result.changed);
  return out;
}

std::string DiffJson(std::string_view a, std::string_view b, const DiffResult& result) {
  json::Builder out;
  out.Raw(json::OutputHead("diff", a));
  AppendString(out, "other_trace", b);
  const auto number = [&](std::string_view name, uint64_t value) {
    out.Key(name);
    out.Number(value);
  };
  number("removed", result.removed);
  number("added", result.added);
  number("changed", result.changed);
  out.Key("differences");
  out.Raw('[');
  for (const Difference& difference : result.shown) {
    out.Separate();
    AppendDifference(out, difference);
  }
  out.Raw("]}\n");
  return out.string();
}

}  // namespace dp2trace::diff
