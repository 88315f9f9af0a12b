#include "lint/finding_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dp2trace::lint {
namespace {

using Make = std::unique_ptr<FindingWriter> (*)(const WriterOptions& options, TextSink sink);
// In the order of kFindingFormats.
constexpr Make kMakers[] = {MakeTextWriter,   MakeJsonWriter,         MakeJsonLinesWriter,
                            MakeSarifWriter,  MakeJunitWriter,        MakeGithubWriter,
                            MakeGitlabWriter, MakeGithubSummaryWriter};
static_assert(std::size(kMakers) == std::size(kFindingFormats));

}  // namespace

std::unique_ptr<FindingWriter> MakeFindingWriter(std::string_view format,
                                                 const WriterOptions& options, TextSink sink) {
  const auto* const found = std::ranges::find(kFindingFormats, format);
  if (found == std::end(kFindingFormats)) return nullptr;
  return kMakers[found - std::begin(kFindingFormats)](options, std::move(sink));
}

std::string CountsInWords(const SeverityCounts& counts) {
  std::string words;
  const auto add = [&words](uint64_t count, std::string_view one, std::string_view many) {
    if (count != 0)
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, count == 1 ? one : many);
  };
  add(counts[static_cast<size_t>(Severity::kError)], "error", "errors");
  add(counts[static_cast<size_t>(Severity::kWarning)], "warning", "warnings");
  add(counts[static_cast<size_t>(Severity::kAdvice)], "advice", "advice");
  return words.empty() ? "no findings" : words;
}

}  // namespace dp2trace::lint
