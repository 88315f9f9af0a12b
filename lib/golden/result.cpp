#include "golden/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/plain_text.h"
#include "golden/json.h"
#include "rules/rule.h"

namespace dp2trace::golden {
namespace {

using json::Document;
using json::Members;
using json::Node;
using json::NodeType;

void AppendNumbers(json::Text& out, std::initializer_list<uint64_t> numbers) {
  out.Raw('[');
  for (const uint64_t number : numbers) {
    out.Separate();
    out.Number(number);
  }
  out.Raw(']');
}

void AppendComparison(json::Text& out, const image::Comparison& comparison) {
  out.Key("difference");
  out.Raw('{');
  out.Key("pixels");
  out.Number(comparison.differing_pixels);
  out.Key("box");
  AppendNumbers(out, {comparison.left, comparison.top, comparison.right, comparison.bottom});
  out.Key("largest");
  const auto& largest = comparison.max_difference;
  AppendNumbers(out, {largest[0], largest[1], largest[2], largest[3]});
  if (!comparison.same_size) out.Raw(",\"same_size\":false");
  if (comparison.first) {
    out.Key("first");
    out.Raw('{');
    out.Key("x");
    out.Number(comparison.first->x);
    out.Key("y");
    out.Number(comparison.first->y);
    out.Key("expected");
    out.Hex(comparison.first->expected);
    out.Key("actual");
    out.Hex(comparison.first->actual);
    out.Raw('}');
  }
  out.Raw('}');
}

void AppendDraw(json::Text& out, const CausingDraw& draw) {
  out.Key("draw");
  out.Raw('{');
  out.Key("number");
  out.Number(draw.number);
  out.Key("event");
  out.Number(draw.event);
  out.Key("offset");
  out.Number(draw.offset);
  out.Key("op");
  out.String(draw.operation);
  out.Raw('}');
}

void AppendImage(json::Text& out, const ImageResult& image) {
  out.Separate();
  out.Raw('{');
  AppendKey(out, image.key);
  out.Key("status");
  out.Name(Name(image.status));
  if (image.actual) {
    AppendPixels(out, *image.actual);
    out.Key("event");
    out.Number(image.event);
  }
  if (image.expected && image.expected != image.actual)
    AppendPixels(out, *image.expected, "expected_");
  if (image.comparison) AppendComparison(out, *image.comparison);
  if (image.draw) AppendDraw(out, *image.draw);
  out.Raw('}');
}

class ResultReader {
 public:
  explicit ResultReader(Document& document) : document_(&document) {}

  bool Read(TraceResult& result) {
    Node& root = document_->root();
    Members members(*document_, root);
    std::string status;
    std::string actual_status;
    if (!members.Require("index", result.index) || !members.Require("trace", result.path) ||
        !members.Require("status", status) || !members.Find("actual_status", actual_status) ||
        !members.Find("hash", result.hash) ||
        !members.Find("expected_hash", result.expected_hash) ||
        !members.Find("message", result.message)) {
      return false;
    }
    if (!ReadStatus(*document_, root, status, result.status)) return false;
    if (!actual_status.empty() &&
        !ReadStatus(*document_, root, actual_status, result.actual_status.emplace()))
      return false;
    bool is_new = false;
    if (!members.Find("is_new", is_new)) return false;
    if (result.expected_hash.empty() && !is_new) result.expected_hash = result.hash;
    result.path = DecodeName(result.path);
    if (!IsPlainPath(result.path)) {
      return document_
          ->Fail(root, Rule::kGoldenResults001,
                 fmt::format("'{}' is not a path of a trace", result.path))
          .ok();
    }
    for (const std::string& hash : {result.hash, result.expected_hash}) {
      if (!hash.empty() && !IsHash(hash)) {
        return document_
            ->Fail(root, Rule::kGoldenResults001, fmt::format("'{}' is not a hash", hash))
            .ok();
      }
    }
    return ReadImages(members, result.images) &&
           ReadCounts(*document_, members, "findings", result.findings) &&
           ReadExpectedCounts(members, result) &&
           ReadFindings(*document_, members, "listed", result.listed_findings) && members.Finish();
  }

 private:
  // Written only where they differ; an empty object means none.
  bool ReadExpectedCounts(Members& members, TraceResult& result) {
    bool has_changed = false;
    if (!members.Find("findings_changed", has_changed)) return false;
    if (!has_changed) {
      result.expected_findings = result.findings;
      return true;
    }
    return ReadCounts(*document_, members, "expected_findings", result.expected_findings);
  }

  bool ReadImages(Members& members, std::vector<ImageResult>& images) {
    const Node* const array = members.FindNode("images", NodeType::kArray);
    if (array == nullptr) return document_->status().ok();
    json::ElementIterator elements = document_->Elements(*array);
    while (Node* const element = elements.Next()) {
      if (!ReadImage(*element, images.emplace_back())) return false;
    }
    return true;
  }

  bool ReadImage(Node& node, ImageResult& image) {
    Members members(*document_, node);
    std::string status;
    if (!ReadKey(*document_, node, members, image.key) || !members.Require("status", status))
      return false;
    if (!ReadStatus(*document_, node, status, image.status)) return false;
    const bool has_actual = image.status != GoldenStatus::kMissing;
    if (has_actual) {
      image.actual = GoldenImage{.key = image.key};
      if (!ReadPixels(*document_, node, members, *image.actual) ||
          !members.Find("event", image.event))
        return false;
    }
    if (image.status == GoldenStatus::kMatch) image.expected = image.actual;
    if (image.status == GoldenStatus::kDiffer || image.status == GoldenStatus::kMissing) {
      image.expected = GoldenImage{.key = image.key};
      if (!ReadPixels(*document_, node, members, *image.expected, "expected_")) return false;
    }
    if (Node* const difference = members.FindNode("difference", NodeType::kObject);
        difference != nullptr && !ReadComparison(*difference, image.comparison.emplace())) {
      return false;
    }
    if (Node* const draw = members.FindNode("draw", NodeType::kObject);
        draw != nullptr && !ReadDraw(*draw, image.draw.emplace()))
      return false;
    return members.Finish();
  }

  // Numbers of an array, each at most `max`.
  template <class T, size_t Count>
  bool ReadNumbers(Members& members, std::string_view key, std::array<T, Count>& out,
                   uint64_t max) {
    const Node* const array = members.RequireNode(key, NodeType::kArray);
    if (array == nullptr || !document_->values().ExpectCount(*array, Count)) return false;
    json::ElementIterator elements = document_->Elements(*array);
    for (T& number : out) {
      uint64_t value = 0;
      if (!document_->values().Unsigned(*elements.Next(), max, value)) return false;
      number = static_cast<T>(value);
    }
    return true;
  }

  bool ReadComparison(Node& node, image::Comparison& comparison) {
    Members members(*document_, node);
    std::array<uint32_t, 4> box = {};
    if (!members.Require("pixels", comparison.differing_pixels) ||
        !ReadNumbers(members, "box", box, UINT32_MAX) ||
        !ReadNumbers(members, "largest", comparison.max_difference, UINT8_MAX) ||
        !members.Find("same_size", comparison.same_size)) {
      return false;
    }
    comparison.left = box[0];
    comparison.top = box[1];
    comparison.right = box[2];
    comparison.bottom = box[3];
    Node* const first = members.FindNode("first", NodeType::kObject);
    if (first != nullptr && !ReadPixel(*first, comparison.first.emplace())) return false;
    return members.Finish();
  }

  bool ReadColor(Members& members, std::string_view key, std::array<uint8_t, 4>& color) {
    const Node* const node = members.RequireNode(key, NodeType::kString);
    Bytes bytes;
    if (node == nullptr || !document_->values().Hex(*node, bytes)) return false;
    if (bytes.size() != color.size())
      return document_->Fail(*node, Rule::kJson012, "a colour has 8 hexadecimal digits").ok();
    std::ranges::copy(bytes, color.begin());
    return true;
  }

  bool ReadPixel(Node& node, image::PixelDifference& pixel) {
    Members members(*document_, node);
    return members.Require("x", pixel.x) && members.Require("y", pixel.y) &&
           ReadColor(members, "expected", pixel.expected) &&
           ReadColor(members, "actual", pixel.actual) && members.Finish();
  }

  bool ReadDraw(Node& node, CausingDraw& draw) {
    Members members(*document_, node);
    return members.Require("number", draw.number) && members.Require("event", draw.event) &&
           members.Require("offset", draw.offset) && members.Require("op", draw.operation) &&
           members.Finish();
  }

  Document* document_;
};

}  // namespace

std::string ResultLine(const TraceResult& result) {
  json::Text out;
  out.Raw('{');
  out.Key("index");
  out.Number(result.index);
  out.Key("trace");
  out.String(EncodeName(result.path));
  out.Key("status");
  out.Name(Name(result.status));
  const auto append = [&out](std::string_view key, std::string_view value) {
    if (value.empty()) return;
    out.Key(key);
    out.String(value);
  };
  if (result.actual_status) append("actual_status", Name(*result.actual_status));
  append("hash", result.hash);
  if (result.expected_hash != result.hash) append("expected_hash", result.expected_hash);
  if (result.expected_hash.empty()) out.Raw(",\"is_new\":true");
  append("message", result.message);
  if (!result.images.empty()) {
    out.Key("images");
    out.Raw('[');
    for (const ImageResult& image : result.images)
      AppendImage(out, image);
    out.Raw(']');
  }
  AppendCounts(out, "findings", result.findings);
  if (result.expected_findings != result.findings) {
    out.Raw(",\"findings_changed\":true");
    AppendCounts(out, "expected_findings", result.expected_findings);
  }
  AppendFindings(out, "listed", result.listed_findings);
  out.Raw('}');
  return std::move(out.string());
}

Result<TraceResult> ParseResultLine(json::Document& document, std::string text, uint64_t line) {
  DP2TRACE_RETURN_IF_ERROR(document.Parse(std::move(text), line));
  TraceResult result;
  if (!ResultReader(document).Read(result)) return document.status();
  return result;
}

std::string Describe(const ImageResult& image) {
  std::string text = NameOf(image.key);
  switch (image.status) {
    case GoldenStatus::kNew:
      return text + " is new";
    case GoldenStatus::kMissing:
      return text + " is missing";
    case GoldenStatus::kDiffer:
      break;
    default:
      return text + " matches";
  }
  if (!image.comparison) return text + " differs";
  if (image.comparison->equal())
    return text + " has the same pixels, its stored bits or its format differ";
  text += ": " + image::Describe(*image.comparison);
  if (image.draw) {
    text += fmt::format("; in the replay last written by draw {} (event {}, {})",
                        image.draw->number, image.draw->event, image.draw->operation);
  }
  return text;
}

}  // namespace dp2trace::golden
