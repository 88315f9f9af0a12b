// Meshes as tables, as JSON and as Wavefront OBJ.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include "d3d/enums.h"
#include "d3d/notation.h"
#include "json/builder.h"
#include "raster/vertex/fetch.h"
#include "state/mesh.h"
#include "state/state_snapshot.h"
#include "state/state_values.h"
#include "text/value.h"

namespace dp2trace::state {
namespace {

using raster::Float4;

constexpr const char* kColumnGap = "  ";

bool IsColor(const device::VertexElement& element) {
  return element.type == d3d::Value(d3d::DeclType::D3dColor);
}

// The four bytes that the element was decoded from.
uint32_t ColorOf(const Float4& value) {
  const auto byte = [](float channel) {
    return static_cast<uint32_t>(std::lround(std::clamp(channel, 0.0F, 1.0F) * 255.0F));
  };
  return byte(value[3]) << 24 | byte(value[0]) << 16 | byte(value[1]) << 8 | byte(value[2]);
}

void AppendFloats(std::string& out, const Float4& value, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (i != 0) out += ' ';
    text::AppendFloat(out, std::bit_cast<uint32_t>(value[i]));
  }
}

std::string ValueOf(const device::VertexElement& element, const Float4& value) {
  std::string text;
  if (IsColor(element)) {
    text += d3d::ColorText(ColorOf(value));
  } else {
    AppendFloats(text, value, raster::ComponentCount(element.type));
  }
  return text;
}

std::string NameOf(const device::VertexElement& element) {
  if (element.shader_register != 0xFF) return fmt::format("v{}", element.shader_register);
  return fmt::format("{}{}", NameOrNumber(d3d::kDeclUsageNames, element.usage),
                     element.usage_index);
}

// Columns as wide as their widest cell.
class Table {
 public:
  void Row(std::vector<std::string> cells) {
    widths_.resize(std::max(widths_.size(), cells.size()));
    for (size_t i = 0; i < cells.size(); ++i)
      widths_[i] = std::max(widths_[i], cells[i].size());
    rows_.push_back(std::move(cells));
  }
  void AppendTo(std::string& out) const {
    for (const std::vector<std::string>& row : rows_) {
      out += kColumnGap;
      for (size_t i = 0; i < row.size(); ++i) {
        const bool is_last = i + 1 == row.size();
        out += fmt::format("{:<{}}{}", row[i], is_last ? 0 : widths_[i], is_last ? "" : kColumnGap);
      }
      out += '\n';
    }
  }

 private:
  std::vector<size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

std::string ScreenText(const MeshVertex& vertex) {
  if (vertex.screen) {
    std::string text;
    AppendFloats(text, *vertex.screen, 4);
    return text;
  }
  return vertex.clip ? "behind the eye" : "-";
}

void AppendVertices(std::string& out, const Mesh& mesh) {
  const bool has_instances = mesh.instance_count > 1;
  const bool is_transformed = mesh.layout.is_transformed;
  Table table;
  std::vector<std::string> names = {"vertex"};
  if (has_instances) names.emplace_back("instance");
  for (const device::VertexElement& element : mesh.layout.elements)
    names.push_back(NameOf(element));
  if (!is_transformed) names.emplace_back("clip space x y z w");
  names.emplace_back("screen x y z 1/w");
  table.Row(std::move(names));
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    const MeshVertex& vertex = mesh.vertices[i];
    std::vector<std::string> cells = {fmt::format("{}", vertex.number)};
    if (has_instances) cells.push_back(fmt::format("{}", vertex.instance));
    for (size_t e = 0; e < mesh.layout.elements.size(); ++e)
      cells.push_back(ValueOf(mesh.layout.elements[e], mesh.value(i, e)));
    if (!is_transformed) {
      std::string clip = vertex.clip ? "" : "-";
      if (vertex.clip) AppendFloats(clip, *vertex.clip, 4);
      cells.push_back(std::move(clip));
    }
    cells.push_back(ScreenText(vertex));
    table.Row(std::move(cells));
  }
  table.AppendTo(out);
}

void AppendPrimitives(std::string& out, const Mesh& mesh) {
  const uint32_t corners = CornerCount(mesh.type);
  Table table;
  table.Row({"primitive", "vertices"});
  for (size_t i = 0; i < mesh.primitives.size(); ++i) {
    std::string numbers;
    for (uint32_t c = 0; c < corners; ++c) {
      if (c != 0) numbers += ' ';
      numbers += fmt::format("{}", mesh.vertices[mesh.primitives[i].corners[c]].number);
    }
    table.Row({fmt::format("{}.{}", mesh.draw, mesh.first_primitive + i), std::move(numbers)});
  }
  table.AppendTo(out);
}

void AppendNumbers(json::Builder& text, const Float4& value, uint32_t count) {
  text.Raw('[');
  for (uint32_t i = 0; i < count; ++i) {
    if (i != 0) text.Raw(',');
    text.FloatBits(std::bit_cast<uint32_t>(value[i]));
  }
  text.Raw(']');
}

void AppendVertexJson(json::Builder& text, const Mesh& mesh, size_t i) {
  const MeshVertex& vertex = mesh.vertices[i];
  text.Raw(fmt::format("{{\"number\":{}", vertex.number));
  if (mesh.instance_count > 1) text.Raw(fmt::format(",\"instance\":{}", vertex.instance));
  text.Raw(",\"values\":[");
  for (size_t e = 0; e < mesh.layout.elements.size(); ++e) {
    const device::VertexElement& element = mesh.layout.elements[e];
    text.Separate();
    if (IsColor(element)) {
      text.String(d3d::ColorText(ColorOf(mesh.value(i, e))));
    } else {
      AppendNumbers(text, mesh.value(i, e), raster::ComponentCount(element.type));
    }
  }
  text.Raw(']');
  if (vertex.clip) {
    text.Key("clip");
    AppendNumbers(text, *vertex.clip, 4);
  }
  if (vertex.screen) {
    text.Key("screen");
    AppendNumbers(text, *vertex.screen, 4);
  }
  text.Raw('}');
}

// One line of values: "v 1 2 3".
void AppendObjLine(std::string& out, std::string_view word, const Float4& value, uint32_t count) {
  out += word;
  for (uint32_t i = 0; i < count; ++i) {
    out += ' ';
    // OBJ has no word for what is not a number.
    text::AppendFloat(out, std::bit_cast<uint32_t>(std::isfinite(value[i]) ? value[i] : 0.0F));
  }
  out += '\n';
}

// The elements of a mesh that OBJ knows, as places in the layout.
struct ObjElements {
  explicit ObjElements(const device::VertexLayout& layout) {
    using d3d::DeclUsage;
    for (size_t i = layout.elements.size(); i-- > 0;) {
      const device::VertexElement& element = layout.elements[i];
      if (element.usage_index != 0) continue;
      const uint32_t usage = element.usage;
      if (usage == d3d::Value(DeclUsage::Position) || usage == d3d::Value(DeclUsage::PositionT))
        position = i;
      if (usage == d3d::Value(DeclUsage::Normal)) normal = i;
      if (usage == d3d::Value(DeclUsage::Texcoord)) coordinates = i;
    }
  }
  std::optional<size_t> position, normal, coordinates;
};

class ObjWriter {
 public:
  void Add(const Mesh& mesh) {
    const ObjElements elements(mesh.layout);
    out_ += fmt::format("o draw-{}-{}\n", mesh.draw, mesh.record);
    for (size_t i = 0; i < mesh.vertices.size(); ++i)
      AddVertex(mesh, elements, i);
    for (const MeshPrimitive& primitive : mesh.primitives)
      AddPrimitive(mesh, elements, primitive);
    positions_ += mesh.vertices.size();
    if (elements.normal) normals_ += mesh.vertices.size();
    if (elements.coordinates) coordinates_ += mesh.vertices.size();
  }
  std::string Take() { return std::move(out_); }

 private:
  void AddVertex(const Mesh& mesh, const ObjElements& elements, size_t i) {
    const Float4 none = {};
    AppendObjLine(out_, "v", elements.position ? mesh.value(i, *elements.position) : none, 3);
    if (elements.coordinates) AppendObjLine(out_, "vt", mesh.value(i, *elements.coordinates), 2);
    if (elements.normal) AppendObjLine(out_, "vn", mesh.value(i, *elements.normal), 3);
  }

  void AddPrimitive(const Mesh& mesh, const ObjElements& elements, const MeshPrimitive& primitive) {
    constexpr std::array<char, 4> kWords = {' ', 'p', 'l', 'f'};
    const uint32_t corners = CornerCount(mesh.type);
    out_ += kWords[corners];
    for (uint32_t c = 0; c < corners; ++c) {
      const uint64_t at = uint64_t{primitive.corners[c]} + 1;
      out_ += fmt::format(" {}", positions_ + at);
      if (corners < 3 || (!elements.coordinates && !elements.normal)) continue;
      out_ += '/';
      if (elements.coordinates) out_ += fmt::format("{}", coordinates_ + at);
      if (elements.normal) out_ += fmt::format("/{}", normals_ + at);
    }
    out_ += '\n';
  }

  std::string out_;
  uint64_t positions_ = 0, normals_ = 0, coordinates_ = 0;  // before this mesh
};

}  // namespace

std::string MeshText(const Mesh& mesh) {
  std::string out = fmt::format("draw {}, record {}: {} of {}", mesh.draw, mesh.record,
                                dp2trace::NameOf(d3d::kPrimitiveTypeNames, d3d::Value(mesh.type)),
                                mesh.primitive_count);
  if (mesh.instance_count > 1) out += fmt::format(", {} instances", mesh.instance_count);
  if (mesh.index_size != 0)
    out += fmt::format(", indices of {} bytes, base vertex {}", mesh.index_size, mesh.base_vertex);
  if (mesh.is_patch) out += ", of a tessellated patch";
  if (mesh.is_cut) out += fmt::format(", the first {} here", mesh.primitives.size());
  out += '\n';
  for (const device::VertexElement& element : mesh.layout.elements)
    out += fmt::format("  {}\n", ElementText(element));
  AppendVertices(out, mesh);
  AppendPrimitives(out, mesh);
  return out;
}

std::string MeshJson(const Mesh& mesh) {
  json::Builder text;
  text.Raw(fmt::format(
      R"("draw":{},"record":{},"first_primitive":{},"type":"{}","primitive_count":{},"instances":{},)"
      R"("index_size":{},"base_vertex":{},"is_patch":{},"complete":{},"layout":[)",
      mesh.draw, mesh.record, mesh.first_primitive,
      dp2trace::NameOf(d3d::kPrimitiveTypeNames, d3d::Value(mesh.type)), mesh.primitive_count,
      mesh.instance_count, mesh.index_size, mesh.base_vertex, mesh.is_patch, !mesh.is_cut));
  for (const device::VertexElement& element : mesh.layout.elements) {
    text.Separate();
    text.String(ElementText(element));
  }
  text.Raw("],\"vertices\":[");
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    text.Separate();
    AppendVertexJson(text, mesh, i);
  }
  text.Raw("],\"primitives\":[");
  const uint32_t corners = CornerCount(mesh.type);
  for (const MeshPrimitive& primitive : mesh.primitives) {
    text.Separate();
    text.Raw('[');
    for (uint32_t c = 0; c < corners; ++c) {
      text.Separate();
      text.Number(mesh.vertices[primitive.corners[c]].number);
    }
    text.Raw(']');
  }
  text.Raw(']');
  return text.string();
}

std::string MeshObj(const std::vector<Mesh>& meshes) {
  ObjWriter writer;
  for (const Mesh& mesh : meshes)
    writer.Add(mesh);
  return writer.Take();
}

}  // namespace dp2trace::state
