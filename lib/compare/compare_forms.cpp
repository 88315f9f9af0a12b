#include "compare/compare_forms.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plain_text.h"
#include "json/builder.h"
#include "json/output.h"

namespace dp2trace::compare {
namespace {

// "12 of 16384 pixels differ, in region 3,3,1,1; first at ...".
std::string DescribeBeyond(const Compared& compared, const image::LooseComparison& found) {
  const image::Comparison& beyond = found.beyond;
  std::string text =
      fmt::format("{} of {} differ{}", beyond.differing_pixels,
                  Counted(found.compared_pixels, "pixel"), beyond.differing_pixels == 1 ? "s" : "");
  if (compared.tolerance != 0) text += fmt::format(" by more than {}", compared.tolerance);
  return text + image::DescribePlace(beyond);
}

std::string PixelsDiffer(uint64_t pixels) {
  return fmt::format("{} differ{}", Counted(pixels, "pixel"), pixels == 1 ? "s" : "");
}

std::string DescribeTolerated(const image::LooseComparison& found) {
  std::string text;
  if (found.tolerated_pixels != 0) {
    text = fmt::format("{} by at most {}", PixelsDiffer(found.tolerated_pixels),
                       found.largest_tolerated);
  }
  if (found.edge_pixels != 0) {
    text += fmt::format("{}{} at edges", text.empty() ? "" : ", ", PixelsDiffer(found.edge_pixels));
  }
  return text;
}

std::string DescribeCompared(const Compared& compared, const image::LooseComparison& found) {
  std::string text;
  if (!(found.beyond.expected == found.beyond.actual)) {
    text = fmt::format("expected is {}x{}, actual {}x{}: ", found.beyond.expected.width,
                       found.beyond.expected.height, found.beyond.actual.width,
                       found.beyond.actual.height);
  }
  const bool is_equal = found.beyond.differing_pixels == 0;
  if (!is_equal) text += DescribeBeyond(compared, found);
  const std::string tolerated = DescribeTolerated(found);
  if (!tolerated.empty()) text += (is_equal ? "equal within the tolerance, " : "; ") + tolerated;
  if (is_equal && tolerated.empty()) text += "equal";
  return text;
}

std::string DescribeUnreadable(const PairResult& result) {
  std::string text;
  for (const auto& [path, status] : result.failures) {
    const std::string& message = status.diagnostic().message;
    if (!text.empty()) text += "; ";
    if (!message.starts_with("cannot read")) text += fmt::format("cannot read {}: ", Plain(path));
    text += Plain(message);
  }
  return text;
}

std::string DescribeAbsence(const Compared& compared, const std::string& side) {
  return fmt::format("{} {}", Plain(side),
                     compared.are_folders ? "does not have it" : "does not exist");
}

std::string Describe(const Compared& compared, const PairResult& result) {
  switch (result.state) {
    case PairState::kEqual:
      return DescribeCompared(compared, result.comparison);
    case PairState::kDifferent:
      return DescribeCompared(compared, result.comparison) +
             (result.diagnosis ? "; diagnosis: " + image::Describe(*result.diagnosis) : "");
    case PairState::kAccepted:
      return "accepted: " + DescribeCompared(compared, result.comparison);
    case PairState::kMissing:
      return (compared.are_folders ? "missing: " : "") + DescribeAbsence(compared, compared.actual);
    case PairState::kExtra:
      return (compared.are_folders ? "extra: " : "") + DescribeAbsence(compared, compared.expected);
    case PairState::kOutside:
      return fmt::format("not compared: the region is outside of {}x{} pixels",
                         result.comparison.beyond.expected.width,
                         result.comparison.beyond.expected.height);
    case PairState::kUnreadable:
      break;
  }
  return DescribeUnreadable(result);
}

// "5 pictures: 1 equal, 2 different, 1 missing".
std::string DescribeCounts(const std::vector<PairResult>& results) {
  std::string text = fmt::format("{}:", Counted(results.size(), "picture"));
  const char* separator = " ";
  for (const PairState state :
       {PairState::kEqual, PairState::kAccepted, PairState::kDifferent, PairState::kMissing,
        PairState::kExtra, PairState::kUnreadable, PairState::kOutside}) {
    const auto count = std::ranges::count(results, state, &PairResult::state);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", separator, count, Name(state));
    separator = ", ";
  }
  return text + '\n';
}

void AppendSize(std::string_view key, const image::PictureSize& size, json::Builder& text) {
  text.Key(key);
  text.Raw(fmt::format(R"({{"width":{},"height":{}}})", size.width, size.height));
}

void AppendComparison(const image::LooseComparison& found, json::Builder& text) {
  const image::Comparison& beyond = found.beyond;
  text.Raw(fmt::format(
      R"(,"same_size":{},"differing_pixels":{},"differing_rectangle":{},"largest_difference":{})",
      beyond.same_size, beyond.differing_pixels,
      json::RectangleJson(beyond.left, beyond.top, beyond.right, beyond.bottom),
      beyond.largest_difference));
  text.Raw(fmt::format(R"(,"compared_pixels":{},"tolerated_pixels":{},"largest_tolerated":{})",
                       found.compared_pixels, found.tolerated_pixels, found.largest_tolerated));
  if (found.edge_pixels != 0) text.Raw(fmt::format(R"(,"edge_pixels":{})", found.edge_pixels));
  AppendSize("expected_size", beyond.expected, text);
  AppendSize("actual_size", beyond.actual, text);
  if (!beyond.first) return;
  const image::PixelDifference& first = *beyond.first;
  text.Raw(fmt::format(R"(,"first":{{"x":{},"y":{},"expected":{},"actual":{}}})", first.x, first.y,
                       json::ColorJson(first.expected), json::ColorJson(first.actual)));
}

void AppendFailures(const PairResult& result, json::Builder& text) {
  if (result.state != PairState::kUnreadable) return;
  text.Raw(",\"unreadable\":[");
  for (const auto& [path, status] : result.failures) {
    text.Separate();
    text.Raw('{');
    text.Key("file");
    text.String(path);
    text.Key("message");
    text.String(status.diagnostic().message);
    text.Raw('}');
  }
  text.Raw(']');
}

}  // namespace

std::string ReportText(const Compared& compared, const std::vector<PairResult>& results) {
  std::string text;
  for (const PairResult& result : results) {
    const bool is_plain = result.state == PairState::kEqual && result.comparison.is_exact();
    if (is_plain && results.size() > 1) continue;
    text += fmt::format("{}: {}\n", Plain(result.pair.name), Describe(compared, result));
  }
  if (results.size() > 1) text += DescribeCounts(results);
  return text;
}

std::string ReportJson(const std::vector<PairResult>& results) {
  json::Builder text;
  text.Raw(json::OutputHead("compare") + ",\"pictures\":[");
  for (const PairResult& result : results) {
    text.Separate();
    text.Raw("\n{\"name\":");
    text.String(result.pair.name);
    text.Raw(",\"state\":");
    text.Name(Name(result.state));
    const bool is_different =
        result.state == PairState::kDifferent || result.state == PairState::kAccepted;
    if (is_different || !result.comparison.is_exact()) AppendComparison(result.comparison, text);
    if (result.diagnosis) text.Raw(",\"diagnosis\":" + image::DiagnosisJson(*result.diagnosis));
    AppendFailures(result, text);
    if (!result.difference_file.empty()) {
      text.Raw(",\"difference\":");
      text.String(result.difference_file);
    }
    text.Raw('}');
  }
  text.Raw("\n]}\n");
  return text.string();
}

}  // namespace dp2trace::compare
