#include "info/info.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "json/output.h"
#include "opcode/opcode.h"
#include "text/value.h"
#include "trace/event_kind.h"

namespace dp2trace::info {
namespace {

// D3dContextCreate's dwhContext on input. Source: lib/opcode/dp2.md 2.6.
std::string RuntimeVersions(uint32_t bits) {
  std::string text;
  for (uint32_t version = 0; version < 32; ++version) {
    if ((bits >> version & 1) == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", version);
  }
  return text;
}

std::string_view Completeness(const InfoSource& source) {
  return source.is_truncated ? "truncated" : source.is_incomplete ? "damaged" : "complete";
}

// A line "label  value" of the first block.
class TextLines {
 public:
  explicit TextLines(std::string& out) : out_(&out) {}

  template <class... Arguments>
  void Line(std::string_view label, fmt::format_string<Arguments...> format,
            Arguments&&... arguments) {
    *out_ += fmt::format("{:<12}", label);
    *out_ += fmt::format(format, std::forward<Arguments>(arguments)...);
    *out_ += '\n';
  }

 private:
  std::string* out_;
};

void AppendHeaderLine(std::string& out, const HeaderSummary& header) {
  const trace::Header& values = header.values;
  out += fmt::format(
      "{:<12}driver level {}{}, {}-bit, {}, length origin {}, handle mode {}, palette order {}",
      "header", values.driver_level, values.d3d9ex ? " (Direct3D 9Ex)" : "", values.pointer_width,
      NameOf(trace::kOsProfileNames, static_cast<uint32_t>(values.os_profile)),
      NameOf(trace::kLengthOriginNames, static_cast<uint32_t>(values.length_origin)),
      NameOf(trace::kDp2HandleModeNames, static_cast<uint32_t>(values.dp2_handle_mode)),
      NameOf(trace::kPaletteOrderNames, static_cast<uint32_t>(values.palette_order)));
  if (values.start != trace::RecordingStart::kBeginning) {
    out += fmt::format(", start {}",
                       NameOf(trace::kRecordingStartNames, static_cast<uint32_t>(values.start)));
  }
  if (header.cap_count != 0) out += fmt::format(", {} caps", header.cap_count);
  if (!header.generator.empty()) {
    out += ", generator ";
    text::AppendQuoted(out, header.generator);
  }
  out += '\n';
}

void AppendKindTable(std::string& out, const Summary& summary) {
  if (summary.kinds.empty()) return;
  out += fmt::format("\n{:<24}{:>12}{:>16}{:>12}\n", "event", "count", "bytes", "largest");
  for (const auto& [code, kind] : summary.kinds) {
    std::string name(trace::EventName(code));
    if (!trace::FindEventKind(code)) name = fmt::format("unknown ({})", code);
    out += fmt::format("{:<24}{:>12}{:>16}{:>12}\n", name, kind.count, kind.bytes, kind.largest);
  }
}

void AppendOperationTable(std::string& out, const Summary& summary) {
  if (summary.commands == 0) return;
  out += fmt::format("\n{:<28}{:>12}{:>12}{:>16}{:>7}\n", "operation", "commands", "records",
                     "bytes", "level");
  for (const opcode::OpInfo& info : opcode::AllOps()) {
    const OperationSummary& operation = summary.operations[static_cast<uint8_t>(info.op)];
    if (operation.commands == 0) continue;
    out += fmt::format("{:<28}{:>12}{:>12}{:>16}{:>7}\n", info.name, operation.commands,
                       operation.records, operation.bytes, info.level);
  }
}

// Members of one JSON object, in the order of the calls.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(&out) { *out_ += '{'; }
  // Of an object that `out` ends with: more members.
  JsonObject(std::string& out, std::string_view head) : out_(&out), has_members_(true) {
    out += head;
  }

  std::string& Key(std::string_view key) {
    if (std::exchange(has_members_, true)) *out_ += ',';
    text::AppendQuoted(*out_, key);
    *out_ += ':';
    return *out_;
  }
  void Number(std::string_view key, uint64_t value) { Key(key) += fmt::format("{}", value); }
  void Bool(std::string_view key, bool value) { Key(key) += value ? "true" : "false"; }
  void Text(std::string_view key, std::string_view value) { text::AppendQuoted(Key(key), value); }
  void End() { *out_ += '}'; }

 private:
  std::string* out_;
  bool has_members_ = false;
};

void AppendHeaderJson(std::string& out, const HeaderSummary& header) {
  const trace::Header& values = header.values;
  JsonObject object(out);
  object.Text("generator", header.generator);
  object.Number("driver_level", values.driver_level);
  object.Bool("d3d9ex", values.d3d9ex);
  object.Number("pointer_width", values.pointer_width);
  object.Text("os_profile",
              NameOf(trace::kOsProfileNames, static_cast<uint32_t>(values.os_profile)));
  object.Text("length_origin",
              NameOf(trace::kLengthOriginNames, static_cast<uint32_t>(values.length_origin)));
  object.Text("dp2_handle_mode",
              NameOf(trace::kDp2HandleModeNames, static_cast<uint32_t>(values.dp2_handle_mode)));
  object.Text("palette_order",
              NameOf(trace::kPaletteOrderNames, static_cast<uint32_t>(values.palette_order)));
  object.Text("start", NameOf(trace::kRecordingStartNames, static_cast<uint32_t>(values.start)));
  object.Number("caps", header.cap_count);
  object.End();
}

void AppendKindsJson(std::string& out, const Summary& summary) {
  out += '[';
  for (const auto& [code, kind] : summary.kinds) {
    if (out.back() != '[') out += ',';
    JsonObject object(out);
    object.Text("kind", trace::EventName(code));
    object.Number("code", code);
    object.Number("count", kind.count);
    object.Number("bytes", kind.bytes);
    object.Number("largest", kind.largest);
    object.End();
  }
  out += ']';
}

void AppendOperationsJson(std::string& out, const Summary& summary) {
  out += '[';
  for (const opcode::OpInfo& info : opcode::AllOps()) {
    const OperationSummary& operation = summary.operations[static_cast<uint8_t>(info.op)];
    if (operation.commands == 0) continue;
    if (out.back() != '[') out += ',';
    JsonObject object(out);
    object.Text("operation", info.name);
    object.Number("code", static_cast<uint8_t>(info.op));
    object.Number("level", info.level);
    object.Number("commands", operation.commands);
    object.Number("records", operation.records);
    object.Number("bytes", operation.bytes);
    object.End();
  }
  out += ']';
}

void AppendVersionsJson(std::string& out, uint32_t bits) {
  out += '[' + RuntimeVersions(bits) + ']';
}

}  // namespace

std::string InfoText(const InfoSource& source, const Summary& summary) {
  std::string out;
  TextLines lines(out);
  lines.Line("trace", "{}", Plain(source.path));
  std::string form(source.form);
  if (!source.version.empty()) form += fmt::format(" {}", source.version);
  if (source.file_size != 0) form += fmt::format(", {}", Counted(source.file_size, "byte"));
  lines.Line("form", "{}, {}", form, Completeness(source));
  if (summary.header) AppendHeaderLine(out, *summary.header);
  lines.Line("events", "{}, {}", summary.event_count, Counted(summary.event_bytes, "byte"));
  if (summary.event_count != 0)
    lines.Line("largest", "event {}, {}", summary.largest_event,
               Counted(summary.largest_event_bytes, "byte"));
  if (summary.sessions > 1) lines.Line("sessions", "{}", summary.sessions);
  lines.Line("frames", "{}{}", summary.FrameCount(),
             summary.has_unfinished_frame ? " (the last one unfinished)" : "");
  lines.Line("draws", "{}", summary.draws);
  lines.Line("reads", "{}", summary.reads);
  lines.Line("commands", "{}, {}", summary.commands, Counted(summary.command_bytes, "byte"));
  if (summary.unframed_streams != 0)
    lines.Line("unframed", "{} of which the end cannot be read",
               Counted(summary.unframed_streams, "stream"));
  if (summary.damaged_events != 0)
    lines.Line("damaged", "{}", Counted(summary.damaged_events, "event"));
  if (summary.status_failures != 0)
    lines.Line("failures", "{} with a recorded failure", Counted(summary.status_failures, "call"));
  if (summary.operation_level != 0)
    lines.Line("level", "operations up to level {}", summary.operation_level);
  lines.Line("contexts", "{} D3D, {} KMT", summary.contexts, summary.kmt_contexts);
  if (summary.runtime_versions != 0)
    lines.Line("runtime", "version {}", RuntimeVersions(summary.runtime_versions));
  lines.Line("surfaces", "{}, {} at once, {} of levels and faces", summary.surfaces,
             summary.peak_surfaces, Counted(summary.sub_handles, "handle"));
  if (summary.allocations != 0) lines.Line("allocations", "{}", summary.allocations);
  lines.Line("data", "{} of surfaces, {} of vertices", Counted(summary.surface_bytes, "byte"),
             Counted(summary.vertex_bytes, "byte"));
  AppendKindTable(out, summary);
  AppendOperationTable(out, summary);
  return out;
}

std::string InfoJson(const InfoSource& source, const Summary& summary) {
  std::string out;
  JsonObject object(out, json::OutputHead("info", source.path));
  object.Text("form", source.form);
  if (!source.version.empty()) object.Text("form_version", source.version);
  if (source.file_size != 0) object.Number("file_size", source.file_size);
  object.Bool("truncated", source.is_truncated);
  object.Bool("complete", !source.is_incomplete);
  if (summary.header) AppendHeaderJson(object.Key("header"), *summary.header);
  object.Number("events", summary.event_count);
  object.Number("event_bytes", summary.event_bytes);
  object.Number("largest_event", summary.largest_event);
  object.Number("largest_event_bytes", summary.largest_event_bytes);
  object.Number("damaged_events", summary.damaged_events);
  object.Number("sessions", summary.sessions);
  object.Number("frames", summary.FrameCount());
  object.Bool("unfinished_frame", summary.has_unfinished_frame);
  object.Number("draws", summary.draws);
  object.Number("reads", summary.reads);
  object.Number("commands", summary.commands);
  object.Number("command_bytes", summary.command_bytes);
  object.Number("unframed_streams", summary.unframed_streams);
  object.Number("failed_calls", summary.status_failures);
  object.Number("operation_level", summary.operation_level);
  object.Number("contexts", summary.contexts);
  object.Number("kmt_contexts", summary.kmt_contexts);
  AppendVersionsJson(object.Key("runtime_versions"), summary.runtime_versions);
  object.Number("surfaces", summary.surfaces);
  object.Number("peak_surfaces", summary.peak_surfaces);
  object.Number("sub_surface_handles", summary.sub_handles);
  object.Number("allocations", summary.allocations);
  object.Number("surface_bytes", summary.surface_bytes);
  object.Number("vertex_bytes", summary.vertex_bytes);
  AppendKindsJson(object.Key("event_kinds"), summary);
  AppendOperationsJson(object.Key("operations"), summary);
  object.End();
  out += '\n';
  return out;
}

}  // namespace dp2trace::info
