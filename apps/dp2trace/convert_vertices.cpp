#include "convert_vertices.h"

#include <fmt/format.h>

#include <variant>

#include "base/plain_text.h"
#include "json/vertices.h"
#include "play/player.h"
#include "trace_file/source.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

struct CallVertices {
  Bytes bytes;
  uint32_t type = 0, size = 0;
};

CallVertices VerticesOf(const trace::Event& event) {
  if (const auto* const call = std::get_if<trace::Dp2>(&event))
    return {call->vertices, call->vertex_type, call->vertex_size};
  const auto* const packet = std::get_if<trace::Render>(&event);
  if (packet == nullptr || !packet->dp2_env) return {};
  return {packet->dp2_env->vertices, packet->dp2_env->vertex_type, packet->dp2_env->vertex_size};
}

}  // namespace

ReadableVertices::ReadableVertices(const std::string& path, uint64_t max_memory)
    : is_read_once_(path == "-") {
  if (is_read_once_) return;
  DiagnosticList findings;  // the other pass reports them
  trace_file::OpenError error;
  const auto source =
      trace_file::WithResults(trace_file::Source::Open(path, max_memory, findings, error));
  if (source == nullptr) return;
  play::Options options;
  if (source->size() != 0) options.validation.file_bytes = source->size();
  play::Player player(options, {&finder_});
  // Where it cannot be read to its end, the other pass says so.
  (void)ForEachEvent(*source, "find formats", [&](const trace::EventRecord& record) {
    return player.OnEvent(record.number, record.event).ok() && !player.has_ended();
  });
}

void ReadableVertices::OnEvent(const trace::EventRecord& record) {
  words_ = nullptr;
  const CallVertices vertices = VerticesOf(record.event);
  const bool says_format = json::HasReadableVertices(vertices.type, vertices.size);
  const bool is_upload = finder_.IsVertexUpload(record.number);
  if (!is_upload && (vertices.bytes.empty() || says_format)) return;
  words_ = finder_.Find(record.number);
  if (words_ == nullptr) ++(is_upload ? uploads_ : calls_);
}

std::string ReadableVertices::Reason() const {
  if (is_read_once_ && calls_ != 0)
    return "vertices whose format tokens set stay bytes: standard input can be read only once";
  std::string what;
  if (calls_ != 0) what = "of " + Counted(calls_, "call");
  if (uploads_ != 0) what += (what.empty() ? "of " : " and of ") + Counted(uploads_, "upload");
  if (what.empty()) return what;
  return fmt::format(
      "the vertices {} stay bytes: no draw reads them, or several read them differently", what);
}

}  // namespace dp2trace::app
