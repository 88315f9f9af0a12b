#include "inspect/vertex_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <span>

#include "d3d/enums.h"
#include "d3d/notation.h"
#include "history/report.h"
#include "json/append.h"
#include "raster/vertex/fetch.h"

namespace dp2trace::inspect {
namespace {

using raster::Float4;
using state::Mesh;
using state::MeshVertex;

bool IsColor(const device::VertexElement& element) {
  return element.type == d3d::Value(d3d::DeclType::D3dColor);
}

void AppendColumns(json::Builder& out, const Mesh& mesh) {
  out.Key("columns");
  out.Raw('[');
  for (const device::VertexElement& element : mesh.layout.elements) {
    const uint32_t count = IsColor(element) ? 1 : raster::ComponentCount(element.type);
    for (uint32_t i = 0; i < count; ++i) {
      out.Separate();
      const std::string name = history::InputName(element);
      out.String(count == 1 ? name : name + "." + "xyzw"[i]);
    }
  }
  out.Raw(']');
}

// "#aarrggbb" of the four bytes that the element was decoded from.
void AppendColor(json::Builder& out, const Float4& value) {
  const auto byte = [](float channel) {
    return static_cast<uint8_t>(std::lround(std::clamp(channel, 0.0F, 1.0F) * 255.0F));
  };
  out.String(
      d3d::ColorText(std::array{byte(value[0]), byte(value[1]), byte(value[2]), byte(value[3])}));
}

void AppendFloats(json::Builder& out, std::span<const float> values) {
  for (const float value : values) {
    out.Separate();
    out.FloatBits(std::bit_cast<uint32_t>(value));
  }
}

void AppendRow(json::Builder& out, const Mesh& mesh, size_t vertex) {
  out.Separate();
  out.Raw('[');
  for (size_t e = 0; e < mesh.layout.elements.size(); ++e) {
    const Float4& value = mesh.value(vertex, e);
    if (IsColor(mesh.layout.elements[e])) {
      out.Separate();
      AppendColor(out, value);
    } else {
      const uint32_t count = raster::ComponentCount(mesh.layout.elements[e].type);
      AppendFloats(out, std::span(value.data(), count));
    }
  }
  out.Raw(']');
}

void AppendPosition(json::Builder& out, const std::optional<Float4>& position) {
  out.Separate();
  if (!position) return out.Raw("null");
  out.Raw('[');
  AppendFloats(out, *position);
  out.Raw(']');
}

}  // namespace

void AppendVertices(json::Builder& out, const Mesh& mesh) {
  const size_t count = std::min<size_t>(mesh.vertices.size(), kListedVertices);
  const std::span<const MeshVertex> listed(mesh.vertices.data(), count);
  out.Raw('{');
  AppendText(out, "type", dp2trace::NameOf(d3d::kPrimitiveTypeNames, d3d::Value(mesh.type)));
  AppendNumber(out, "record", mesh.record);
  AppendNumber(out, "first_primitive", mesh.first_primitive);
  AppendCount(out, "patch", mesh.is_patch ? 1 : 0);
  AppendColumns(out, mesh);
  out.Key("rows");
  out.Raw('[');
  for (size_t i = 0; i < count; ++i)
    AppendRow(out, mesh, i);
  out.Raw(']');
  AppendList(out, "numbers", listed, [&](const MeshVertex& v) { out.Number(v.number); });
  if (!mesh.layout.is_transformed) {
    out.Key("clip");
    out.Raw('[');
    for (const MeshVertex& vertex : listed)
      AppendPosition(out, vertex.clip);
    out.Raw(']');
  }
  out.Key("screen");
  out.Raw('[');
  for (const MeshVertex& vertex : listed)
    AppendPosition(out, vertex.screen);
  out.Raw(']');
  const uint32_t corners = state::CornerCount(mesh.type);
  out.Key("indices");
  out.Raw('[');
  for (const state::MeshPrimitive& primitive : mesh.primitives) {
    const std::span used(primitive.corners.data(), corners);
    if (std::ranges::any_of(used, [&](uint32_t corner) { return corner >= count; })) continue;
    out.Separate();
    out.Raw('[');
    for (const uint32_t corner : used) {
      out.Separate();
      out.Number(corner);
    }
    out.Raw(']');
  }
  out.Raw(']');
  AppendCount(out, "more", mesh.vertices.size() - count);
  AppendCount(out, "cut", mesh.is_cut ? 1 : 0);
  out.Raw('}');
}

}  // namespace dp2trace::inspect
