#include "dump/json_dumper.h"

#include <fmt/format.h>

#include "json/builder.h"
#include "json/output.h"
#include "json/writer.h"

namespace dp2trace::dump {
namespace {

void AppendDraws(const trace::DrawCounter& counter, json::Builder& text) {
  if (counter.draws().empty()) return;
  text.Raw(",\"draws\":[");
  for (const trace::DrawToken& draw : counter.draws()) {
    text.Separate();
    text.Raw(fmt::format(R"({{"draw":{},"command":{},"offset":{}}})", draw.number, draw.command,
                         draw.offset));
  }
  text.Raw(']');
}

void AppendMeshes(const std::vector<state::Mesh>& meshes, json::Builder& text) {
  if (meshes.empty()) return;
  text.Raw(",\"meshes\":[");
  for (const state::Mesh& mesh : meshes) {
    text.Separate();
    text.Raw('{');
    text.Raw(state::MeshJson(mesh));
    text.Raw('}');
  }
  text.Raw(']');
}

}  // namespace

Status JsonDumper::Add(uint64_t number, const trace::Event& event) {
  const uint64_t frame = filter_.frame();
  if (!filter_.Accepts(number, event)) return OkStatus();
  json::Builder text;
  text.Raw(count_++ == 0 ? Start() : ",\n");
  text.Raw(fmt::format(R"({{"event":{},"frame":{})", number, frame));
  AppendDraws(filter_.draws(), text);
  if (vertices_ != nullptr) AppendMeshes(vertices_->meshes(), text);
  text.Raw(",\"record\":");
  text.Raw(json::ToText(event));
  text.Raw('}');
  return sink_(text.string());
}

Status JsonDumper::Finish() {
  return sink_(count_ == 0 ? Start() + "]}\n" : "\n]}\n");
}

std::string JsonDumper::Start() const {
  return json::OutputHead("dump", trace_) + ",\"events\":[\n";
}

}  // namespace dp2trace::dump
