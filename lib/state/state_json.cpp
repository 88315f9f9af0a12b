// The state at a draw as JSON.
#include <fmt/format.h>

#include "json/append.h"
#include "json/builder.h"
#include "json/output.h"
#include "state/state_difference.h"
#include "state/state_report.h"

namespace dp2trace::state {
namespace {

void AppendPlace(json::Builder& text, const TokenPlace& place) {
  text.Key("event");
  text.Number(place.event);
  if (place.offset) {
    text.Key("offset");
    text.Number(*place.offset);
  }
  text.Key("operation");
  text.Name(place.name);
}

void AppendWrite(json::Builder& text, std::string_view key,
                 const std::optional<StateWrite>& write) {
  if (!write) return;
  text.Key(key);
  text.Raw('{');
  AppendPlace(text, write->place);
  if (write->block) {
    text.Key("block");
    text.Number(*write->block);
  }
  if (write->recorded) {
    text.Key("recorded");
    text.Raw('{');
    AppendPlace(text, *write->recorded);
    text.Raw('}');
  }
  text.Raw('}');
}

void AppendEntry(json::Builder& text, const StateEntry& entry) {
  text.Separate();
  text.Raw("\n{");
  text.Key("group");
  text.Name(Name(entry.group));
  AppendString(text, "name", entry.name);
  AppendString(text, "value", entry.value);
  AppendString(text, "default", entry.default_value);
  text.Key("is_default");
  text.Raw(entry.is_default ? "true" : "false");
  AppendWrite(text, "set", entry.origin.set);
  AppendWrite(text, "changed", entry.origin.changed);
  text.Raw('}');
}

void AppendDraw(json::Builder& text, const StateAtDraw& at) {
  const FoundDraw& draw = at.draw;
  text.Raw('{');
  text.Key("draw");
  text.Number(draw.token.number);
  text.Key("frame");
  text.Number(draw.frame);
  text.Key("event");
  text.Number(draw.event);
  text.Key("offset");
  text.Number(draw.token.offset);
  text.Key("operation");
  text.Name(draw.token.op->name);
  AppendString(text, "command", draw.command);
  if (draw.marker) {
    text.Key("marker");
    text.Raw('{');
    AppendString(text, "text", draw.marker->text);
    if (!draw.marker->source.empty()) AppendString(text, "source", draw.marker->source);
    if (draw.marker->position) {
      text.Key("position");
      text.Number(*draw.marker->position);
    }
    text.Raw('}');
  }
  text.Key("space");
  text.Number(at.state.space);
  text.Key("context");
  text.Number(at.state.context);
  text.Key("level");
  text.Number(at.state.level);
  text.Key("runtime_version");
  text.Number(at.state.runtime_version);
  text.Raw('}');
}

void AppendAssembly(json::Builder& text, std::string_view key, const std::string& assembly) {
  if (!assembly.empty()) AppendString(text, key, assembly);
}

void AppendSide(json::Builder& text, std::string_view key, const StateEntry* entry,
                const StateEntry& other) {
  text.Key(key);
  if (entry != nullptr) {
    text.String(entry->value);
  } else {
    text.String(other.default_value);
  }
}

void AppendDifference(json::Builder& text, const DifferentEntry& different) {
  const StateEntry& entry = different.either();
  text.Separate();
  text.Raw("\n{");
  text.Key("group");
  text.Name(Name(entry.group));
  AppendString(text, "name", entry.name);
  AppendSide(text, "from", different.from, entry);
  AppendSide(text, "to", different.to, entry);
  if (different.to != nullptr) {
    AppendWrite(text, "set", different.to->origin.set);
    AppendWrite(text, "changed", different.to->origin.changed);
  }
  text.Raw('}');
}

}  // namespace

std::string StateJson(std::string_view trace, const StateAtDraw& at) {
  json::Builder text;
  text.Raw(json::OutputHead("state", trace));
  text.Raw(",\n\"draw\":");
  AppendDraw(text, at);
  text.Raw(",\n\"states\":[");
  for (const StateEntry& entry : at.state.entries)
    AppendEntry(text, entry);
  text.Raw(']');
  if (!at.meshes.empty()) {
    text.Raw(",\n\"vertex_layout\":[");
    for (const device::VertexElement& element : at.meshes.front().layout.elements) {
      text.Separate();
      text.String(ElementText(element));
    }
    text.Raw(']');
  }
  AppendAssembly(text, "vertex_shader", at.state.vertex_shader);
  AppendAssembly(text, "pixel_shader", at.state.pixel_shader);
  text.Raw("}\n");
  return text.string();
}

std::string StateDifferenceJson(std::string_view trace, const StateAtDraw& from,
                                const StateAtDraw& to) {
  json::Builder text;
  text.Raw(json::OutputHead("state-difference", trace));
  text.Raw(",\n\"from\":");
  AppendDraw(text, from);
  text.Raw(",\n\"to\":");
  AppendDraw(text, to);
  text.Raw(",\n\"states\":[");
  for (const DifferentEntry& different : CompareStates(from.state, to.state))
    AppendDifference(text, different);
  text.Raw(']');
  if (from.state.vertex_shader != to.state.vertex_shader)
    AppendString(text, "vertex_shader", to.state.vertex_shader);
  if (from.state.pixel_shader != to.state.pixel_shader)
    AppendString(text, "pixel_shader", to.state.pixel_shader);
  text.Raw("}\n");
  return text.string();
}

}  // namespace dp2trace::state
