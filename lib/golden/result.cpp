#include "golden/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "d3d/notation.h"
#include "golden/json.h"
#include "json/append.h"
#include "json/output.h"
#include "rules/rule.h"

namespace dp2trace::golden {
namespace {

using json::Document;
using json::Members;
using json::Node;
using json::NodeType;

void AppendSize(json::Builder& out, std::string_view key, const image::PictureSize& size) {
  out.Key(key);
  out.Raw('{');
  AppendNumber(out, "width", size.width);
  AppendNumber(out, "height", size.height);
  out.Raw('}');
}

void AppendComparison(json::Builder& out, const image::Comparison& comparison) {
  out.Key("difference");
  out.Raw('{');
  AppendNumber(out, "differing_pixels", comparison.differing_pixels);
  out.Key("differing_rectangle");
  out.Raw(
      json::RectangleJson(comparison.left, comparison.top, comparison.right, comparison.bottom));
  AppendNumber(out, "largest_difference", comparison.largest_difference);
  AppendSize(out, "expected_size", comparison.expected);
  AppendSize(out, "actual_size", comparison.actual);
  if (comparison.first) {
    out.Key("first");
    out.Raw('{');
    AppendNumber(out, "x", comparison.first->x);
    AppendNumber(out, "y", comparison.first->y);
    out.Key("expected");
    out.Raw(json::ColorJson(comparison.first->expected));
    out.Key("actual");
    out.Raw(json::ColorJson(comparison.first->actual));
    out.Raw('}');
  }
  out.Raw('}');
}

void AppendDraw(json::Builder& out, std::string_view key, const CausingDraw& draw) {
  out.Key(key);
  out.Raw('{');
  AppendNumber(out, "draw", draw.number);
  AppendNumber(out, "event", draw.event);
  AppendNumber(out, "offset", draw.offset);
  AppendString(out, "operation", draw.operation);
  out.Raw('}');
}

void AppendImage(json::Builder& out, const ImageResult& image) {
  out.Separate();
  out.Raw('{');
  AppendKey(out, image.key);
  out.Key("status");
  out.Name(Name(image.status));
  if (image.actual) {
    AppendPixels(out, *image.actual);
    AppendNumber(out, "event", image.event);
  }
  if (image.expected && image.expected != image.actual)
    AppendPixels(out, *image.expected, "expected_");
  if (image.comparison) AppendComparison(out, *image.comparison);
  if (image.draw) AppendDraw(out, "last_writer", *image.draw);
  if (image.edge_draw) AppendDraw(out, "edge_draw", *image.edge_draw);
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
    std::string type;
    if (!members.Require("type", type) || !members.Require("index", result.index) ||
        !members.Require("trace", result.path) || !members.Require("status", status) ||
        !members.Find("actual_status", actual_status) || !members.Find("hash", result.hash) ||
        !members.Find("expected_hash", result.expected_hash) ||
        !members.Find("message", result.message) || !members.Find("output", result.output)) {
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
           ReadCounts(*document_, members, "finding_counts", result.findings) &&
           ReadExpectedCounts(members, result) &&
           ReadFindings(*document_, members, "findings", result.listed_findings) &&
           members.Finish();
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
    return ReadCounts(*document_, members, "expected_finding_counts", result.expected_findings);
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
    if (Node* const draw = members.FindNode("last_writer", NodeType::kObject);
        draw != nullptr && !ReadDraw(*draw, image.draw.emplace()))
      return false;
    if (Node* const draw = members.FindNode("edge_draw", NodeType::kObject);
        draw != nullptr && !ReadDraw(*draw, image.edge_draw.emplace()))
      return false;
    return members.Finish();
  }

  bool ReadRectangle(Members& members, image::Comparison& comparison) {
    Node* const node = members.RequireNode("differing_rectangle", NodeType::kObject);
    if (node == nullptr) return false;
    Members rectangle(*document_, *node);
    image::PictureSize size;
    if (!rectangle.Require("x", comparison.left) || !rectangle.Require("y", comparison.top) ||
        !rectangle.Require("width", size.width) || !rectangle.Require("height", size.height))
      return false;
    comparison.right = comparison.left + size.width;
    comparison.bottom = comparison.top + size.height;
    return rectangle.Finish();
  }

  bool ReadSize(Members& members, std::string_view key, image::PictureSize& size) {
    Node* const node = members.RequireNode(key, NodeType::kObject);
    if (node == nullptr) return false;
    Members sides(*document_, *node);
    return sides.Require("width", size.width) && sides.Require("height", size.height) &&
           sides.Finish();
  }

  bool ReadComparison(Node& node, image::Comparison& comparison) {
    Members members(*document_, node);
    uint64_t largest = 0;
    if (!members.Require("differing_pixels", comparison.differing_pixels) ||
        !ReadRectangle(members, comparison) ||
        !members.Require("largest_difference", largest, UINT8_MAX) ||
        !ReadSize(members, "expected_size", comparison.expected) ||
        !ReadSize(members, "actual_size", comparison.actual)) {
      return false;
    }
    comparison.largest_difference = static_cast<uint8_t>(largest);
    comparison.same_size = comparison.expected == comparison.actual;
    Node* const first = members.FindNode("first", NodeType::kObject);
    if (first != nullptr && !ReadPixel(*first, comparison.first.emplace())) return false;
    return members.Finish();
  }

  bool ReadColor(Members& members, std::string_view key, std::array<uint8_t, 4>& color) {
    const Node* const node = members.RequireNode(key, NodeType::kString);
    uint32_t argb = 0;
    if (node == nullptr || !document_->values().Color(*node, argb)) return false;
    color = d3d::RgbaOf(argb);
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
    return members.Require("draw", draw.number) && members.Require("event", draw.event) &&
           members.Require("offset", draw.offset) && members.Require("operation", draw.operation) &&
           members.Finish();
  }

  Document* document_;
};

}  // namespace

std::string ResultLine(const TraceResult& result) {
  json::Builder out;
  out.Raw('{');
  AppendString(out, "type", "result");
  AppendNumber(out, "index", result.index);
  AppendString(out, "trace", EncodeName(result.path));
  AppendString(out, "status", Name(result.status));
  if (result.actual_status) AppendText(out, "actual_status", Name(*result.actual_status));
  AppendText(out, "hash", result.hash);
  if (result.expected_hash != result.hash) AppendText(out, "expected_hash", result.expected_hash);
  if (result.expected_hash.empty()) out.Raw(",\"is_new\":true");
  AppendText(out, "message", result.message);
  AppendText(out, "output", result.output);
  if (!result.images.empty()) {
    out.Key("images");
    out.Raw('[');
    for (const ImageResult& image : result.images)
      AppendImage(out, image);
    out.Raw(']');
  }
  AppendCounts(out, "finding_counts", result.findings);
  if (result.expected_findings != result.findings) {
    out.Raw(",\"findings_changed\":true");
    AppendCounts(out, "expected_finding_counts", result.expected_findings);
  }
  AppendFindings(out, "findings", result.listed_findings);
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
  if (image.draw && !image.edge_draw) {
    text += fmt::format("; in the replay last written by draw {} (event {}, {})",
                        image.draw->number, image.draw->event, image.draw->operation);
  }
  return text;
}

}  // namespace dp2trace::golden
