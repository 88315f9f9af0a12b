#include "compare_forms.h"

#include <fmt/format.h>

#include "json/text.h"

namespace dp2trace::app {
namespace {

void AppendComparison(const image::Comparison& comparison, json::Text& text) {
  text.Raw(fmt::format(
      R"(,"same_size":{},"differing_pixels":{},"bounds":[{},{},{},{}],"max_difference":[{}])",
      comparison.same_size, comparison.differing_pixels, comparison.left, comparison.top,
      comparison.right - comparison.left, comparison.bottom - comparison.top,
      fmt::join(comparison.max_difference, ",")));
  if (!comparison.first) return;
  const image::PixelDifference& first = *comparison.first;
  text.Raw(fmt::format(R"(,"first":{{"x":{},"y":{},"expected":"{:02x}","actual":"{:02x}"}})",
                       first.x, first.y, fmt::join(first.expected, ""),
                       fmt::join(first.actual, "")));
}

}  // namespace

std::string TextOf(const std::vector<image::PairResult>& results) {
  std::string text;
  size_t equal = 0;
  for (const image::PairResult& result : results) {
    equal += result.state == image::PairState::kEqual ? 1U : 0U;
    const bool is_different = result.state == image::PairState::kDifferent;
    if (result.state == image::PairState::kEqual && results.size() > 1) continue;
    text +=
        fmt::format("{}: {}\n", result.pair.name,
                    is_different ? image::Describe(result.comparison) : image::Name(result.state));
  }
  if (results.size() > 1)
    text += fmt::format("{} of {} pictures are equal\n", equal, results.size());
  return text;
}

std::string JsonOf(const std::vector<image::PairResult>& results) {
  json::Text text;
  text.Raw("{\"pictures\":[");
  for (const image::PairResult& result : results) {
    text.Separate();
    text.Raw("\n{\"name\":");
    text.String(result.pair.name);
    text.Raw(",\"state\":");
    text.Name(image::Name(result.state));
    if (result.state == image::PairState::kDifferent) AppendComparison(result.comparison, text);
    if (!result.difference_file.empty()) {
      text.Raw(",\"difference\":");
      text.String(result.difference_file);
    }
    text.Raw('}');
  }
  text.Raw("\n]}\n");
  return text.string();
}

}  // namespace dp2trace::app
