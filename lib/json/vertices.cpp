#include "json/vertices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/plain_text.h"
#include "d3d/fvf.h"
#include "json/packet_lists.h"
#include "rules/rule.h"

namespace dp2trace::json {

namespace {

using d3d::FvfWord;

constexpr uint32_t kWord = 4;                 // bytes
constexpr uint32_t kLargestVertex = 1 << 16;  // of those that are written as numbers, bytes
constexpr size_t kMaxWords = 0x4000;          // of a vertex: strides have 16 bits

bool IsZero(Bytes bytes) {
  return std::ranges::all_of(bytes, [](uint8_t byte) { return byte == 0; });
}

void WriteVertex(Bytes vertex, const std::vector<FvfWord>& words, Builder& out) {
  out.Raw('[');
  for (size_t i = 0; i < words.size(); ++i) {
    if (i != 0) out.Raw(',');
    const uint32_t bits = LoadU32(vertex.data() + kWord * i);
    switch (words[i]) {
      case FvfWord::kFloat:
        out.FloatBits(bits);
        break;
      case FvfWord::kColor:
        out.Color(bits);
        break;
      case FvfWord::kIndices:
        out.HexNumber(bits);
        break;
    }
  }
  const Bytes rest = vertex.subspan(kWord * words.size());
  if (!IsZero(rest)) {
    out.Raw(',');
    WriteRaw(rest, out);
  }
  out.Raw(']');
}

constexpr std::string_view kLetters = "fcx";  // by FvfWord

std::vector<FvfWord> WordsOf(std::string_view letters) {
  std::vector<FvfWord> words;
  for (const char letter : letters)
    words.push_back(static_cast<FvfWord>(kLetters.find(letter)));
  return words;
}

void WriteList(Bytes vertices, const std::vector<FvfWord>& words, uint32_t vertex_size,
               Builder& out) {
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

class VertexReader {
 public:
  // `format`: of the vertices, in words.
  VertexReader(Values& values, std::string format, std::vector<FvfWord> words, uint32_t vertex_size)
      : values_(&values),
        format_(std::move(format)),
        size_(vertex_size),
        words_(std::move(words)) {}

  // The elements from `first` on.
  bool Read(Node& list, uint32_t first, Bytes& out) {
    std::vector<uint8_t>& bytes = bytes_;
    ElementIterator elements(values_->tape(), list);
    uint32_t left = list.size - first;
    for (; first != 0; --first)
      (void)elements.Next();
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
  bool ReadWord(const Node& node, FvfWord word, uint32_t& bits) {
    switch (word) {
      case FvfWord::kFloat:
        return values_->FloatBits(node, bits);
      case FvfWord::kColor:
        return values_->Color(node, bits);
      case FvfWord::kIndices:
        break;
    }
    return values_->U32(node, bits);
  }

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
      if (!ReadWord(*word, words_[i], bits)) return false;
      Store(bytes_.data() + start + kWord * i, bits);
    }
    Node* const rest = elements.Next();
    if (rest == nullptr) return true;
    if (rest->type != NodeType::kObject || elements.Next() != nullptr) return FailCount(node);
    return VertexRest(*rest, start + kWord * words_.size());
  }

  // The bytes of a vertex after its format.
  bool VertexRest(Node& node, size_t at) {
    Bytes rest;
    if (!ReadRaw(*values_, node, rest)) return false;
    if (rest.size() != bytes_.size() - at) {
      return values_->Fail(node, Rule::kJson016,
                           "the bytes after the format of the vertex do not fill vertex_size",
                           Counted(rest.size(), "byte"), Counted(bytes_.size() - at, "byte"));
    }
    std::ranges::copy(rest, bytes_.begin() + static_cast<ptrdiff_t>(at));
    return true;
  }

  bool FailCount(const Node& node) {
    return values_->Fail(node, Rule::kJson016,
                         fmt::format("a vertex of {} has the wrong number of elements", format_),
                         fmt::to_string(node.size), fmt::to_string(words_.size()));
  }

  Values* values_;
  std::string format_;
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
  return values.FailName(node, wrong, "D3DFVF", {names.begin(), names.end()},
                         "; names are joined so: XYZRHW|DIFFUSE|TEX1");
}

}  // namespace

bool HasReadableVertices(uint32_t vertex_type, uint32_t vertex_size) {
  const uint32_t size = d3d::FvfVertexSize(vertex_type);
  return (vertex_type & d3d::fvf::kReserved0) == 0 && size != 0 && size <= vertex_size &&
         vertex_size <= kLargestVertex;
}

void WriteVertices(Bytes vertices, uint32_t vertex_type, uint32_t vertex_size, Builder& out) {
  out.Raw('[');
  WriteList(vertices, d3d::FvfWords(vertex_type), vertex_size, out);
}

void WriteVertices(Bytes vertices, std::string_view words, Builder& out) {
  out.Raw("[{\"words\":");
  out.Name(words);
  out.Raw('}');
  WriteList(vertices, WordsOf(words), static_cast<uint32_t>(words.size()) * kWord, out);
}

bool ReadOwnVertices(Values& values, Node& node, Bytes& out) {
  if (!values.Expect(node, NodeType::kArray)) return false;
  ElementIterator elements(values.tape(), node);
  Node* const first = elements.Next();
  if (first == nullptr || first->type != NodeType::kObject) {
    return values.Fail(node, Rule::kJson007,
                       "the first element of these vertices says what their words are, as "
                       "{\"words\":\"fffx\"}");
  }
  ObjectReader object(values, *first);
  const Node* const words = object.Require("words");
  std::string_view letters;
  if (words == nullptr || !values.String(*words, letters) || !object.Finish()) return false;
  const bool is_known = letters.find_first_not_of(kLetters) == std::string_view::npos;
  if (letters.empty() || letters.size() > kMaxWords || !is_known) {
    return values.Fail(*words, Rule::kJson016,
                       fmt::format("words are one to {} letters f, c or x", kMaxWords));
  }
  return VertexReader(values, fmt::format("the words {}", letters), WordsOf(letters),
                      static_cast<uint32_t>(letters.size()) * kWord)
      .Read(node, 1, out);
}

namespace {

// The list begins with the words of its vertices.
bool HasOwnWords(Values& values, Node& list) {
  ElementIterator elements(values.tape(), list);
  const Node* const first = elements.Next();
  if (first == nullptr || first->type != NodeType::kObject) return false;
  ElementIterator members(values.tape(), *first);
  const Node* const member = members.Next();
  return member != nullptr && member->key_view() == "words";
}

}  // namespace

bool ReadVertices(Values& values, Node& node, uint32_t vertex_type, uint32_t& vertex_size,
                  Bytes& out) {
  if (!values.Expect(node, NodeType::kArray)) return false;
  if (HasOwnWords(values, node)) return ReadOwnVertices(values, node, out);
  if (vertex_size == 0) vertex_size = d3d::FvfVertexSize(vertex_type);
  if (vertex_size > kLargestVertex) {
    return values.Fail(
        node, Rule::kJson016,
        fmt::format("vertices as arrays have at most {} bytes each; larger ones are base64",
                    kLargestVertex));
  }
  if (node.size != 0 && d3d::FvfVertexSize(vertex_type) == 0) {
    return values.Fail(node, Rule::kJson007,
                       "vertices as arrays need a vertex_type that says their format, as "
                       "\"XYZRHW|DIFFUSE\"");
  }
  if (node.size != 0 && !HasReadableVertices(vertex_type, vertex_size)) {
    return values.Fail(
        node, Rule::kJson016,
        fmt::format("a vertex of {} does not fit vertex_size", d3d::FvfText(vertex_type)),
        Counted(vertex_size, "byte"),
        fmt::format("at least {}", Counted(d3d::FvfVertexSize(vertex_type), "byte")));
  }
  return VertexReader(values, d3d::FvfText(vertex_type), d3d::FvfWords(vertex_type), vertex_size)
      .Read(node, 0, out);
}

void WriteFvf(uint32_t code, Builder& out) {
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
