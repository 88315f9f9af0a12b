#include "json/vertices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "d3d/fvf.h"
#include "json/packet_lists.h"
#include "rules/rule.h"

namespace dp2trace::json {

namespace {

using d3d::FvfWord;

constexpr uint32_t kWord = 4;  // bytes

bool IsZero(Bytes bytes) {
  return std::ranges::all_of(bytes, [](uint8_t byte) { return byte == 0; });
}

void WriteVertex(Bytes vertex, const std::vector<FvfWord>& words, Text& out) {
  out.Raw('[');
  for (size_t i = 0; i < words.size(); ++i) {
    if (i != 0) out.Raw(',');
    const uint32_t bits = LoadU32(vertex.data() + kWord * i);
    if (words[i] == FvfWord::kFloat) {
      out.FloatBits(bits);
    } else {
      out.HexNumber(bits);
    }
  }
  const Bytes rest = vertex.subspan(kWord * words.size());
  if (!IsZero(rest)) {
    out.Raw(',');
    WriteRaw(rest, out);
  }
  out.Raw(']');
}

class VertexReader {
 public:
  VertexReader(Values& values, uint32_t vertex_type, uint32_t vertex_size)
      : values_(&values),
        type_(vertex_type),
        size_(vertex_size),
        words_(d3d::FvfWords(vertex_type)) {}

  bool Read(Node& list, Bytes& out) {
    std::vector<uint8_t>& bytes = bytes_;
    ElementIterator elements(values_->tape(), list);
    uint32_t left = list.size;
    while (Node* const element = elements.Next()) {
      const bool is_rest = --left == 0 && element->type == NodeType::kObject;
      if (!values_->arena().Charge(size_)) return values_->FailMemory(*element);
      if (is_rest ? !Rest(*element) : !Vertex(*element)) return false;
    }
    uint8_t* const copy = values_->arena().Allocate(bytes.size());
    if (copy == nullptr) return values_->FailMemory(list);
    if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
    out = {copy, bytes.size()};
    return true;
  }

 private:
  bool Rest(Node& node) {
    Bytes rest;
    if (!ReadRaw(*values_, node, rest)) return false;
    bytes_.insert(bytes_.end(), rest.begin(), rest.end());
    return true;
  }

  bool Vertex(Node& node) {
    if (!values_->Expect(node, NodeType::kArray)) return false;
    const size_t start = bytes_.size();
    bytes_.resize(start + size_);
    ElementIterator elements(values_->tape(), node);
    for (size_t i = 0; i < words_.size(); ++i) {
      const Node* const word = elements.Next();
      if (word == nullptr) return FailCount(node);
      uint32_t bits = 0;
      const bool ok = words_[i] == FvfWord::kFloat ? values_->FloatBits(*word, bits)
                                                   : values_->U32(*word, bits);
      if (!ok) return false;
      Store(bytes_.data() + start + kWord * i, bits);
    }
    Node* const rest = elements.Next();
    if (rest == nullptr) return true;
    if (rest->type != NodeType::kObject || elements.Next() != nullptr) return FailCount(node);
    return VertexRest(*rest, start + kWord * words_.size());
  }

  // The bytes of a vertex behind its format.
  bool VertexRest(Node& node, size_t at) {
    Bytes rest;
    if (!ReadRaw(*values_, node, rest)) return false;
    if (rest.size() != bytes_.size() - at) {
      return values_->Fail(
          node, Rule::kJson016, "the bytes behind the format of the vertex do not fill vertex_size",
          fmt::format("{} bytes", rest.size()), fmt::format("{} bytes", bytes_.size() - at));
    }
    std::ranges::copy(rest, bytes_.begin() + static_cast<ptrdiff_t>(at));
    return true;
  }

  bool FailCount(const Node& node) {
    return values_->Fail(
        node, Rule::kJson016,
        fmt::format("a vertex of {} has the wrong number of elements", d3d::FvfText(type_)),
        fmt::to_string(node.size), fmt::to_string(words_.size()));
  }

  Values* values_;
  uint32_t type_;
  uint32_t size_;
  std::vector<FvfWord> words_;
  std::vector<uint8_t> bytes_;
};

// `wrong`: no name, or one that contradicts those before it.
bool FailFvf(Values& values, const Node& node, std::string_view wrong) {
  std::string_view none;
  if (d3d::ParseFvf(wrong, none)) {
    return values.Fail(node, Rule::kJson011,
                       fmt::format("{} excludes another name of the vertex format", wrong));
  }
  const std::vector<std::string> names = d3d::FvfNames();
  return values.FailName(node, wrong, "D3DFVF", {names.begin(), names.end()});
}

}  // namespace

bool HasReadableVertices(uint32_t vertex_type, uint32_t vertex_size) {
  const uint32_t size = d3d::FvfVertexSize(vertex_type);
  return (vertex_type & d3d::fvf::kReserved0) == 0 && size != 0 && size <= vertex_size;
}

void WriteVertices(Bytes vertices, uint32_t vertex_type, uint32_t vertex_size, Text& out) {
  const std::vector<FvfWord> words = d3d::FvfWords(vertex_type);
  out.Raw('[');
  for (; vertices.size() >= vertex_size; vertices = vertices.subspan(vertex_size)) {
    out.Separate();
    WriteVertex(vertices.first(vertex_size), words, out);
  }
  if (!vertices.empty()) {
    out.Separate();
    WriteRaw(vertices, out);
  }
  out.Raw(']');
}

bool ReadVertices(Values& values, Node& node, uint32_t vertex_type, uint32_t& vertex_size,
                  Bytes& out) {
  if (!values.Expect(node, NodeType::kArray)) return false;
  if (vertex_size == 0) vertex_size = d3d::FvfVertexSize(vertex_type);
  if (node.size != 0 && d3d::FvfVertexSize(vertex_type) == 0) {
    return values.Fail(node, Rule::kJson007,
                       "vertices as arrays need a vertex_type that says their format, as "
                       "\"XYZRHW|DIFFUSE\"");
  }
  if (node.size != 0 && !HasReadableVertices(vertex_type, vertex_size)) {
    return values.Fail(
        node, Rule::kJson016,
        fmt::format("a vertex of {} does not fit vertex_size", d3d::FvfText(vertex_type)),
        fmt::format("{} bytes", vertex_size),
        fmt::format("at least {} bytes", d3d::FvfVertexSize(vertex_type)));
  }
  return VertexReader(values, vertex_type, vertex_size).Read(node, out);
}

void WriteFvf(uint32_t code, Text& out) {
  if (code == 0) return out.Number(code);
  out.Name(d3d::FvfText(code));
}

bool IsFvfText(const Node& node) {
  return node.type == NodeType::kString && !node.string().starts_with("0x");
}

bool ReadFvf(Values& values, const Node& node, uint32_t& out) {
  if (!IsFvfText(node)) return values.U32(node, out);
  std::string_view wrong;
  const std::optional<uint32_t> code = d3d::ParseFvf(node.string(), wrong);
  if (!code) return FailFvf(values, node, wrong);
  out = *code;
  return true;
}

}  // namespace dp2trace::json
