#include "dump/drawn_vertices.h"

#include <algorithm>
#include <string_view>

namespace dp2trace::dump {
namespace {

state::FinderOptions OptionsOf(const Selection& draws) {
  state::FinderOptions options;
  options.draws = draws;
  options.wants_meshes = true;
  return options;
}

}  // namespace

DrawnVertices::DrawnVertices(const Selection& draws)
    : finder_(OptionsOf(draws), *this), player_({}, {&finder_}) {}

Status DrawnVertices::OnEvent(const trace::EventRecord& record, bool is_shown) {
  meshes_.clear();
  finder_.SetMaking(is_shown);
  return player_.OnEvent(record.number, record.event);
}

void DrawnVertices::AppendTo(std::string& out, const trace::DrawToken& draw) const {
  for (const state::Mesh& mesh : meshes_) {
    if (mesh.draw != draw.number) continue;
    const std::string text = state::MeshText(mesh);
    for (std::string_view rest = text; !rest.empty();) {
      const size_t size = std::min(rest.find('\n'), rest.size() - 1) + 1;
      out += "    ";
      out += rest.substr(0, size);
      rest.remove_prefix(size);
    }
  }
}

}  // namespace dp2trace::dump
